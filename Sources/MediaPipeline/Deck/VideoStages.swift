internal import CGStreamer
internal import CGStreamerShims
internal import MainLoop
internal import PlaybackCore

/// Makes the elements of a treatment.
enum VideoStages {
  /// The elements in order, not linked.
  ///
  /// - Parameter chip: the graphics chip for the `process` stage.
  /// - Throws: 7202 where an element is missing.
  static func elements(for treatment: VideoTreatment, chip: GraphicsChip? = nil) throws(VitrineError) -> [Element] {
    var elements: [Element] = []
    for stage in treatment.stages { elements += try Self.elements(for: stage, chip: chip) }
    return elements
  }

  static func elements(for stage: VideoStage, chip: GraphicsChip? = nil) throws(VitrineError) -> [Element] {
    switch stage {
    case .deinterlace(let pictures): return try deinterlacer(pictures)
    case .toneMap(let reduction): return try ToneMapping.elements(reduction: reduction)
    case .crop(let rect, let whole):
      let crop = try Element.make("videocrop")
      crop.set("left", int: Int32(clamping: rect.x))
      crop.set("right", int: Int32(clamping: whole.width - rect.x - rect.width))
      crop.set("top", int: Int32(clamping: rect.y))
      crop.set("bottom", int: Int32(clamping: whole.height - rect.y - rect.height))
      return [crop]
    case .convert: return [try converter()]
    case .scale(let size, let addsBorders):
      let convert = try converter()
      convert.set("add-borders", addsBorders)
      let filter = try Element.make("capsfilter")
      let (pixels, aspect) = (size.pixels, size.pixelAspect)
      let text =
        "video/x-raw(ANY),width=\(pixels.width),height=\(pixels.height)"
        + ",pixel-aspect-ratio=\(aspect.numerator)/\(aspect.denominator)"
      if let caps = Caps(text) { filter.set("caps", caps) }
      return [convert, filter]
    case .process(let size, let addsBorders, let orientation):
      let process = try Element.make(chip?.processor ?? "vapostproc")
      process.set("add-borders", addsBorders)
      process.set("video-direction", nick: direction(orientation))
      let filter = try Element.make("capsfilter")
      var text = Caps.text(of: chip?.formats ?? [])
      if let size {
        text += ",width=\(size.pixels.width),height=\(size.pixels.height)"
        text += ",pixel-aspect-ratio=\(size.pixelAspect.numerator)/\(size.pixelAspect.denominator)"
      }
      if let caps = Caps(text) { filter.set("caps", caps) }
      return [process, filter]
    case .turn(let orientation):
      let flip = try Element.make("videoflip")
      flip.set("video-direction", nick: direction(orientation))
      return [flip]
    }
  }

  static func converter() throws(VitrineError) -> Element {
    let convert = try Element.make("videoconvertscale")
    // On all cores: converting full-screen frames is the heaviest work on a board without a scaler.
    convert.set("n-threads", int: 0)
    return convert
  }

  private static func deinterlacer(_ pictures: Deinterlacing) throws(VitrineError) -> [Element] {
    // Restricts the input to formats that the deinterlacer handles; it passes others on without deinterlacing.
    let convert = try converter()
    let filter = try Element.make("capsfilter")
    let formats = "I420, YV12, NV12, NV21, Y42B, Y444, YUY2, UYVY, BGRx, RGBx, BGRA, RGBA"
    if let caps = Caps("video/x-raw,format={ \(formats) }") { filter.set("caps", caps) }
    let deinterlace = try Element.make("deinterlace")
    deinterlace.set("method", nick: method)
    deinterlace.set("fields", nick: pictures == .fields ? "all" : "top")
    if let output = deinterlace.staticPad("src"), let input = deinterlace.staticPad("sink") {
      dropRepeats(at: output)
      leadQualityPast(output, input)
    }
    return [convert, filter, deinterlace]
  }

  /// This method takes still parts from both fields, so that they don't flicker, and takes less than 1 ms for a field
  /// of 1080 lines on every processor: decision 0066.
  private static let method = "greedyl"

  /// Passes lateness reports (QOS) around the deinterlacer to the decoder: the deinterlacer would take the second
  /// picture of the last field for a late one and count it as dropped.
  private static func leadQualityPast(_ output: Pad, _ input: Pad) {
    output.intercept(GST_PAD_PROBE_TYPE_EVENT_UPSTREAM) { info in
      guard let event = gst_pad_probe_info_get_event(info), vit_event_type(event) == GST_EVENT_QOS else {
        return GST_PAD_PROBE_OK
      }
      // The probe releases its own reference.
      gst_mini_object_ref(UnsafeMutableRawPointer(event).assumingMemoryBound(to: GstMiniObject.self))
      gst_pad_push_event(input.pointer, event)
      return GST_PAD_PROBE_DROP
    }
  }

  /// Drops the repeated last picture. GStreamer 1.22 only: the last field of a stream becomes a second picture, with a
  /// time that is already past.
  private static func dropRepeats(at pad: Pad) {
    let last = Locked<Duration?>(nil)
    let isReversed = Locked(false)
    pad.observeEvents { event in
      guard vit_event_type(event) == GST_EVENT_SEGMENT else { return }
      var segment: UnsafePointer<GstSegment>?
      gst_event_parse_segment(event, &segment)
      let isBackwards = (segment?.pointee.rate ?? 1) < 0
      isReversed.withLock { $0 = isBackwards }
      last.withLock { $0 = nil }
    }
    pad.intercept(GST_PAD_PROBE_TYPE_BUFFER) { info in
      guard let buffer = gst_pad_probe_info_get_buffer(info), let time = vit_buffer_pts(buffer).duration,
        !isReversed.withLock({ $0 })
      else { return GST_PAD_PROBE_OK }
      let isRepeat = last.withLock { last in
        if let before = last, time <= before { return true }
        last = time
        return false
      }
      return isRepeat ? GST_PAD_PROBE_DROP : GST_PAD_PROBE_OK
    }
  }

  /// The nick of GstVideoOrientationMethod.
  static func direction(_ orientation: PictureOrientation) -> String {
    switch (orientation.isMirrored, orientation.rotation) {
    case (false, .none): "identity"
    case (false, .clockwise): "90r"
    case (false, .half): "180"
    case (false, .counterclockwise): "90l"
    case (true, .none): "horiz"
    case (true, .clockwise): "ur-ll"
    case (true, .half): "vert"
    case (true, .counterclockwise): "ul-lr"
    }
  }
}
