internal import CGStreamer
internal import CGStreamerShims
internal import MainLoop
internal import PictureDecoder
internal import PictureFiles
internal import PlaybackCore

/// Collects the bytes of a picture's file and pushes its frames, each when it is needed.
///
/// All work runs on the source's thread once the whole file has been read; that thread also waits for the decoder's
/// process (`PictureDecoding`). A picture that never finishes decoding holds up its own deck alone. The file's format
/// is settled before a decoder sees it.
final class PictureFeed: Sendable {
  enum Event: Sendable {
    /// The size of the upright picture; `interval`: how long a still picture stays, nil for an animation.
    case opened(PixelSize, interval: Duration?)
    case failed(VitrineError)
    /// A frame in the middle of an animation can't be decoded; the animation ends there.
    case broken(VitrineError)
  }

  private let recipe: DeckRecipe
  private let shape: FrameShape
  private let background: UInt32
  private let state = Locked(State())

  private struct State: Sendable {
    var bytes: [UInt8] = []
    var duration: Duration?
    /// Decoding has failed; further bytes are thrown away.
    var isOver = false
    var observe: (@Sendable (Event) -> Void)?
  }

  init(_ recipe: DeckRecipe, shape: FrameShape, background: UInt32) {
    self.recipe = recipe
    self.shape = shape
    self.background = background
  }

  /// A bin without children: the only kind of element that takes pads with functions of our choice without a GObject
  /// class of its own. Its pads keep the feed alive; the feed must not hold the element, which would be a cycle.
  func makeElement() throws(VitrineError) -> Element {
    let element = try Element.bin(name: "picture")
    addPads(to: element)
    return element
  }

  /// How long the item lasts; nil until it is decoded.
  var duration: Duration? { state.withLock { $0.duration } }

  /// Calls `observe` on the decoding thread. Set before the pipeline starts.
  func observe(_ observe: @escaping @Sendable (Event) -> Void) { state.withLock { $0.observe = observe } }

  private func emit(_ event: Event) { state.withLock { $0.observe }?(event) }

  // MARK: Pads

  private func addPads(to element: Element) {
    guard let sink = gst_pad_new("sink", GST_PAD_SINK), let source = gst_pad_new("src", GST_PAD_SRC) else { return }
    gst_pad_set_chain_function_full(
      sink,
      { pad, _, buffer in
        guard let feed = PictureFeed.of(pad), let buffer else { return GST_FLOW_ERROR }
        defer { vit_buffer_unref(buffer) }
        return feed.appendBuffer(buffer)
      }, Unmanaged.passRetained(self).toOpaque(),
      { data in if let data { Unmanaged<PictureFeed>.fromOpaque(data).release() } })
    gst_pad_set_element_private(sink, Unmanaged.passUnretained(self).toOpaque())
    gst_pad_set_event_function_full(
      sink,
      { pad, parent, event in
        guard let pad, let event, let feed = PictureFeed.of(pad) else { return 0 }
        return feed.handleEvent(event, pad: pad, parent: parent)
      }, nil, nil)
    // Upstream events, such as seeks, are swallowed: the file has been read already.
    gst_pad_set_event_function_full(
      source,
      { _, _, event in
        if let event { gst_event_unref(event) }
        return 1
      }, nil, nil)
    gst_element_add_pad(element.pointer, sink)
    gst_element_add_pad(element.pointer, source)
  }

  private static func of(_ pad: UnsafeMutablePointer<GstPad>?) -> PictureFeed? {
    guard let data = gst_pad_get_element_private(pad) else { return nil }
    return Unmanaged<PictureFeed>.fromOpaque(data).takeUnretainedValue()
  }

  // MARK: Streaming thread

  private func appendBuffer(_ buffer: UnsafeMutablePointer<GstBuffer>) -> GstFlowReturn {
    var map = GstMapInfo()
    guard gst_buffer_map(buffer, &map, GST_MAP_READ) != 0 else { return GST_FLOW_ERROR }
    defer { gst_buffer_unmap(buffer, &map) }
    let bytes = UnsafeRawBufferPointer(start: map.data, count: Int(map.size))
    let hasRoom = state.withLock { state in
      guard !state.isOver, state.bytes.count + bytes.count <= PictureLimits.bytes else { return false }
      state.bytes.append(contentsOf: bytes)
      return true
    }
    if !hasRoom { fail(.tooManyBytes) }
    return hasRoom ? GST_FLOW_OK : GST_FLOW_EOS
  }

  private func handleEvent(
    _ event: UnsafeMutablePointer<GstEvent>, pad: UnsafeMutablePointer<GstPad>, parent: UnsafeMutablePointer<GstObject>?
  ) -> gboolean {
    switch vit_event_type(event) {
    case GST_EVENT_STREAM_START, GST_EVENT_FLUSH_START, GST_EVENT_FLUSH_STOP:
      return gst_pad_event_default(pad, parent, event)
    case GST_EVENT_EOS:
      gst_event_unref(event)
      if let parent {
        let element = UnsafeMutableRawPointer(parent).assumingMemoryBound(to: GstElement.self)
        if let source = gst_element_get_static_pad(element, "src").map(Pad.init(adopting:)) { show(on: source) }
      }
      return 1
    // Events about the file's bytes are dropped; the frames get events of their own.
    default:
      gst_event_unref(event)
      return 1
    }
  }

  private func fail(_ problem: PictureProblem) {
    let isFirst = state.withLock { state in
      defer { (state.isOver, state.bytes) = (true, []) }
      return !state.isOver
    }
    if isFirst, problem != .cancelled { emit(.failed(problem.error(recipe.item.uri))) }
  }

  private func show(on pad: Pad) {
    guard !state.withLock({ $0.isOver }) else { return }
    do throws(PictureProblem) {
      try showFrames(on: pad)
      gst_pad_push_event(pad.pointer, gst_event_new_eos())
    } catch {
      fail(error)
    }
  }

  private func showFrames(on pad: Pad) throws(PictureProblem) {
    let (header, opened) = try openFrames(on: pad)
    var frames: (any PictureSource)? = opened
    var timeline = PictureTimeline(
      header.animation, plays: recipe.item.loops, duration: recipe.item.pictureDuration,
      pictureDuration: recipe.pictureDuration)
    state.withLock { $0.duration = timeline.total }
    var told: FrameFormat?
    while let step = timeline.next(), let source = frames {
      let buffer: UnsafeMutablePointer<GstBuffer>
      do throws(PictureProblem) {
        let frame = try source.frame(step.frame, after: step.start)
        if told == nil { open(header, timeline, frame) }
        pushFormat(FrameFormat(frame), told, on: pad)
        told = FrameFormat(frame)
        buffer = try self.buffer(frame, step, header.format)
      } catch {
        guard told != nil else { throw error }
        return emit(.broken(error.error(recipe.item.uri)))
      }
      // A still picture's frame holds all its pixels: the decoder is released while the frame waits for its turn.
      if header.animation == nil { frames = nil }
      // Blocks until the frame has been shown, or until the deck is stopped.
      guard gst_pad_push(pad.pointer, buffer) == GST_FLOW_OK else { throw .cancelled }
    }
  }

  /// Opens the collected file, and releases its bytes.
  private func openFrames(on pad: Pad) throws(PictureProblem) -> (PictureHeader, any PictureSource) {
    let bytes = state.withLock { state in
      defer { state.bytes = [] }
      return state.bytes
    }
    let header = try PictureHeader.read(bytes)
    if let size = header.size, decodedSize(of: header, stored: size) == nil { throw .tooManyPixels(size) }
    let request = PictureRequest(
      size: { self.decodedSize(of: header, stored: $0) }, isCancelled: { gst_pad_is_active(pad.pointer) == 0 })
    return (header, try PictureDecoding.open(bytes, header, background: background, request))
  }

  /// The size at which a picture of the stored size is decoded; nil where that size isn't allowed.
  private func decodedSize(of header: PictureHeader, stored: PixelSize) -> PixelSize? {
    // A decoder may find another size than the header gives.
    var header = header
    header.size = stored
    guard !stored.isEmpty, stored.width <= PictureLimits.side, stored.height <= PictureLimits.side else { return nil }
    let swaps = header.orientation.swapsSides
    let wanted = shape.wanted(of: swaps ? PixelSize(width: stored.height, height: stored.width) : stored)
    if header.format == .svg { return PictureScale.vectorSize(wanted) }
    guard let held = PictureScale.heldSize(of: header, wanted: wanted), PictureLimits.allow(held) else { return nil }
    return PictureScale.decodedSize(of: header, wanted: wanted)
  }

  /// Reports the picture's size, before its first frame.
  private func open(_ header: PictureHeader, _ timeline: PictureTimeline, _ frame: Bitmap) {
    var size = header.size ?? frame.size
    if header.orientation.swapsSides { size = PixelSize(width: size.height, height: size.width) }
    emit(.opened(size, interval: header.animation == nil ? timeline.total : nil))
  }

  private func pushFormat(_ format: FrameFormat, _ told: FrameFormat?, on pad: Pad) {
    guard format != told else { return }
    if let caps = Caps(format.caps) { gst_pad_push_event(pad.pointer, gst_event_new_caps(caps.pointer)) }
    guard told == nil else { return }
    var segment = GstSegment()
    gst_segment_init(&segment, GST_FORMAT_TIME)
    gst_pad_push_event(pad.pointer, gst_event_new_segment(&segment))
  }

  private func buffer(_ frame: Bitmap, _ step: PictureTimeline.Step, _ format: PictureFormat) throws(PictureProblem)
    -> UnsafeMutablePointer<GstBuffer>
  {
    let buffer = frame.withPixels { pixels -> UnsafeMutablePointer<GstBuffer>? in
      guard let start = pixels.baseAddress else { return nil }
      return vit_picture_buffer(
        start, gsize(pixels.count), frame.isFourBytes ? GST_VIDEO_FORMAT_RGBx : GST_VIDEO_FORMAT_RGB,
        guint(clamping: frame.size.width), guint(clamping: frame.size.height), gint(clamping: frame.stride),
        UInt64(step.start.wholeNanoseconds), UInt64(step.duration.wholeNanoseconds),
        Unmanaged.passRetained(frame).toOpaque(),
        { data in if let data { Unmanaged<Bitmap>.fromOpaque(data).release() } })
    }
    guard let buffer else { throw .damaged(format, detail: "no memory for it") }
    return buffer
  }
}

/// The properties of a frame that make up its caps.
private struct FrameFormat: Equatable {
  var size: PixelSize
  var isFourBytes: Bool

  init(_ frame: Bitmap) { (size, isFourBytes) = (frame.size, frame.isFourBytes) }

  var caps: String {
    "video/x-raw,format=\(isFourBytes ? "RGBx" : "RGB"),width=\(size.width),height=\(size.height),framerate=0/1,"
      + "pixel-aspect-ratio=1/1"
  }
}
