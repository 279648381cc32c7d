internal import CGStreamer
internal import CGStreamerShims
internal import MainLoop
internal import PlaybackCore
internal import ScreenModel

/// Prepares frames for kmssink, on the sink's pad and the output's streaming thread.
///
/// - kmssink derives the shape of the panel's pixels from its size in millimetres, and crops or stretches frames to
///   that. Panels have square pixels (decision 0107): the pixel aspect in the caps is multiplied
///   by the panel's supposed one, and a crop rectangle says which part of the frame is meant, which kmssink then
///   follows.
/// - It is told for each kind of frames whether they need scaling, and, after the plane has refused once, that it may
///   try again: by itself it never scales after a refusal.
/// - It makes the framebuffers into which it copies frames of plain memory as large as the first such frame, and throws
///   each away after its use where that frame had padding that a framebuffer hasn't:
///   decision 0106.
final class PlaneFrames: Sendable {
  private let sink: Element
  private let plane: DRMPlaneTarget
  private let state = Locked(State())

  private struct State: Sendable {
    /// The shape that kmssink supposes for the panel's pixels.
    var panelAspect = Ratio.one
    /// The caps that the sink is said to accept; nil until they are known.
    var offered: Caps?
    /// The caps of the current frames.
    var caps: Caps?
    /// The frames' own size, and how the plane places them.
    var size: PixelSize?
    var placement: PlanePlacement?
    /// Whether a frame of plain memory has come since these caps.
    var hasFitted = false
    /// Whether the last frame was in a dmabuf; that frame may still be on the screen.
    var wasShared = false
    /// Sizes of framebuffers in bytes, by caps.
    var sizes: [String: gsize] = [:]
  }

  /// How many caps' sizes are kept; a list has a few kinds of film.
  private static let sizesKept = 16

  init(sink: Element, plane: DRMPlaneTarget) {
    self.sink = sink
    self.plane = plane
  }

  func attach() {
    guard let pad = sink.staticPad("sink") else { return }
    pad.intercept(GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM) { [weak self] info in
      self?.place(info)
      return GST_PAD_PROBE_OK
    }
    pad.intercept(GST_PAD_PROBE_TYPE_QUERY_DOWNSTREAM) { [weak self] info in
      guard let self, let query = gst_pad_probe_info_get_query(info) else { return GST_PAD_PROBE_OK }
      return answer(query) ? GST_PAD_PROBE_HANDLED : GST_PAD_PROBE_OK
    }
    pad.intercept(GST_PAD_PROBE_TYPE_BUFFER) { [weak self] info in
      self?.fit(info)
      return GST_PAD_PROBE_OK
    }
  }

  /// The caps that the sink accepts, with pixels of any shape. Call once the sink is in PAUSED, before any frame.
  func offer() -> Caps? {
    guard let pad = sink.staticPad("sink") else { return nil }
    // Only a sink that doesn't scale reports the pixel shape that it supposes.
    sink.set("can-scale", false)
    let unscaled = pad.queryCaps()
    sink.set("can-scale", plane.canScale)
    guard var caps = pad.queryCaps() else { return nil }
    // GStreamer 1.22 only: kmssink offers Y42B if the plane does, but makes too small framebuffers for it.
    if let broken = Caps("video/x-raw,format=Y42B") { caps = caps.subtracting(broken) }
    // GStreamer 1.26: kmssink offers P016 if the plane does, as on Intel's newer chips, and refuses its frames.
    if let refused = Caps("video/x-raw,format=P016_LE") { caps = caps.subtracting(refused) }
    let offered = caps.withoutFixedSizes().withPixelAspect(nil)
    state.withLock { state in
      state.panelAspect = unscaled?.pixelAspect ?? .one
      state.offered = offered
    }
    return offered
  }

  /// The real shape of a frame's pixels, from the pixel aspect in the sink's caps.
  func pixelAspect(of told: Ratio) -> Ratio { told.times(state.withLock { $0.panelAspect }.inverse) }

  /// Call after a frame: the size of frames that the plane has refused to scale; nil where it hasn't. Lets the sink try
  /// again.
  func consumeRefusal() -> PixelSize? {
    let size = state.withLock { $0.placement?.isScaled == true && plane.canScale ? $0.size : nil }
    guard let size, vit_get_int(sink.pointer, "can-scale") == 0 else { return nil }
    sink.set("can-scale", true)
    return size
  }

  // MARK: Streaming thread

  private func place(_ info: UnsafeMutablePointer<GstPadProbeInfo>) {
    guard let event = gst_pad_probe_info_get_event(info), vit_event_type(event) == GST_EVENT_CAPS else { return }
    var pointer: UnsafeMutablePointer<GstCaps>?
    gst_event_parse_caps(event, &pointer)
    guard let pointer else { return }
    let marked = Caps(borrowing: pointer)
    guard let video = marked.video else { return leaveAlone(info, marked) }
    let placement = PlanePlacement(video.size, fit: marked.fit, screen: plane.screen)
    let panelAspect = state.withLock { $0.panelAspect }
    let caps = marked.marked(nil).withPixelAspect(placement.pixelAspect.times(panelAspect))
    state.withLock { state in
      state.caps = caps
      state.size = video.size.pixels
      state.placement = placement
      state.hasFitted = false
    }
    sink.set("can-scale", plane.canScale && placement.isScaled)
    vit_replace_caps(info, caps.pointer)
  }

  /// Passes on frames that only the sink understands, such as tiled ones, without any of this preparation.
  private func leaveAlone(_ info: UnsafeMutablePointer<GstPadProbeInfo>, _ marked: Caps) {
    let caps = marked.marked(nil)
    state.withLock { state in
      (state.caps, state.size, state.placement) = (caps, nil, nil)
      // There is no plain memory to measure.
      state.hasFitted = true
    }
    sink.set("can-scale", plane.canScale)
    vit_replace_caps(info, caps.pointer)
  }

  private func answer(_ query: UnsafeMutablePointer<GstQuery>) -> Bool {
    guard let offered = state.withLock({ $0.offered }) else { return false }
    return offered.answer(query)
  }

  private func fit(_ info: UnsafeMutablePointer<GstPadProbeInfo>) {
    measureFirst(info)
    guard let part = state.withLock({ $0.placement?.part }), !part.size.isEmpty else { return }
    vit_show_part(info, guint(part.x), guint(part.y), guint(part.width), guint(part.height))
  }

  /// Gives the first frame of plain memory the length of a framebuffer.
  private func measureFirst(_ info: UnsafeMutablePointer<GstPadProbeInfo>) {
    guard let frame = gst_pad_probe_info_get_buffer(info) else { return }
    let isShared = vit_buffer_is_dmabuf(frame) != 0
    let (caps, wasShared): (Caps?, Bool) = state.withLock { state in
      defer { state.wasShared = isShared }
      guard !isShared, !state.hasFitted else { return (nil, state.wasShared) }
      state.hasFitted = true
      return (state.caps, state.wasShared)
    }
    guard let caps else { return }
    let size = framebufferSize(caps, maySink: !wasShared)
    guard vit_buffer_size(frame) != max(size, caps.frameSize),
      let packed = vit_buffer_packed(frame, caps.pointer, size)
    else { return }
    vit_replace_buffer(info, packed)
  }

  /// The size of a framebuffer in bytes; 0 where it isn't known.
  ///
  /// - Parameter maySink: whether the sink can be asked. While it shows a frame from a dmabuf, a query makes it copy
  ///   that frame and wait for the screen.
  private func framebufferSize(_ caps: Caps, maySink: Bool) -> gsize {
    let text = caps.text
    if let known = state.withLock({ $0.sizes[text] }) { return known }
    guard maySink else { return 0 }
    let size = vit_sink_frame_size(sink.pointer, caps.pointer)
    // Not known this time: the sink's pool may be busy.
    guard size > 0 else { return 0 }
    state.withLock { state in
      if state.sizes.count >= Self.sizesKept { state.sizes = [:] }
      state.sizes[text] = size
    }
    return size
  }
}

extension Caps {
  /// The caps field that carries the fit of frames. It is removed before the sink sees the caps.
  private static let fitField = "vitrine-fit"

  var fit: ScreenFit {
    guard !isEmpty, !isAny, let structure = gst_caps_get_structure(pointer, 0),
      let text = gst_structure_get_string(structure, Self.fitField)
    else { return .contain }
    return ScreenFit(rawValue: String(cString: text)) ?? .contain
  }

  func marked(_ fit: ScreenFit?) -> Caps { Caps(adopting: vit_caps_with_text(pointer, Self.fitField, fit?.rawValue)) }

  /// - Parameter aspect: nil leaves the shape of the pixels open.
  func withPixelAspect(_ aspect: Ratio?) -> Caps {
    Caps(
      adopting: vit_caps_with_pixel_aspect(
        pointer, gint(clamping: aspect?.numerator ?? 0), gint(clamping: aspect?.denominator ?? 0)))
  }
}
