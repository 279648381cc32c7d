internal import CGStreamer
internal import CGStreamerShims
internal import MainLoop
internal import PlaybackCore
internal import ScreenModel

/// The video sink of an output, set up for its target.
struct VideoSink: Sendable {
  let element: Element
  /// Prepares the frames for a plane; nil for other targets.
  private let planeFrames: PlaneFrames?

  /// - Throws: 7202 where the sink's plugin is missing.
  init(target: VideoTarget) throws(VitrineError) {
    switch target {
    case .drmPlane(let plane):
      element = try Element.make("kmssink", name: "screen")
      element.set("fd", int: plane.cardDescriptor)
      element.set("connector-id", int: Int32(bitPattern: plane.connectorID))
      element.set("plane-id", int: Int32(bitPattern: plane.planeID))
      // SetPlane itself waits for the vblank; with a second wait the sink shows only every other frame. Without it the
      // sink also requests no events on our descriptor.
      element.set("skip-vsync", true)
      element.set("force-modesetting", false)
      element.set("restore-crtc", false)
      element.set("can-scale", plane.canScale)
      planeFrames = PlaneFrames(sink: element, plane: plane)
    case .waylandSurface:
      element = try Element.make("waylandsink", name: "screen")
      planeFrames = nil
    case .memory:
      element = try Element.make("fakesink", name: "screen")
      planeFrames = nil
      element.set("sync", true)
      element.set("enable-last-sample", true)
    }
    // A late frame is still newer than the one on the screen; the head of the output keeps only the newest.
    element.set("max-lateness", int64: -1)
    element.set("qos", false)
    element.set("processing-deadline", uint64: 0)
    planeFrames?.attach()
  }

  /// Gives the sink its surface. Call between READY and PAUSED.
  func attach(to target: VideoTarget) {
    guard case .waylandSurface(_, let surface, let size) = target else { return }
    let overlay = OpaquePointer(element.pointer)
    gst_video_overlay_set_window_handle(overlay, surface)
    gst_video_overlay_set_render_rectangle(overlay, 0, 0, gint(size.width), gint(size.height))
  }

  /// The 8-bit formats that nearly all films are decoded to.
  private static let yuv = "I420, YV12, NV12, NV21, YUY2, UYVY"

  /// The caps that the sink accepts, and the shape of its frames. Call once the sink is in PAUSED.
  func format(for target: VideoTarget) -> (caps: Caps, shape: FrameShape)? {
    switch target {
    case .memory:
      // Common decoded formats pass unchanged; a copy is converted when one is asked for. Deeper formats are converted
      // to a screen's colours first.
      return Caps("video/x-raw,format={ BGRx, BGRA, \(Self.yuv) }").map { ($0, .asDecoded) }
    case .waylandSurface:
      guard let caps = element.staticPad("sink")?.queryCaps() else { return nil }
      // Without a YUV format the conversion picks RGBx first, a slow path in software compositors.
      let yuv = Caps("video/x-raw(ANY),format={ \(Self.yuv) }").map(caps.intersection)
      if yuv?.isEmpty ?? true, let plain = Caps("video/x-raw,format=BGRx"), !caps.intersection(plain).isEmpty {
        return (plain, .asDecoded)
      }
      return (caps, .asDecoded)
    case .drmPlane(let plane):
      guard var caps = planeFrames?.offer() else { return nil }
      // Frames that are turned, fitted or drawn into must be readable by the processor.
      if plane.mustCover || !plane.canScale || plane.rotation != .none || target.drawsOverlay {
        caps = caps.withoutHardwareMemory()
      }
      let shape = FrameShape.onPlane(
        coversScreen: plane.mustCover, scales: plane.canScale, screen: plane.rotation.turned(plane.screen))
      return (caps, shape)
    }
  }

  /// The real shape of a frame's pixels, from the pixel aspect in the sink's caps.
  func pixelAspect(of told: Ratio) -> Ratio { planeFrames?.pixelAspect(of: told) ?? told }

  /// The size of frames that the plane has refused to scale; call after a frame, on the streaming thread. The closure
  /// holds the plane's frames weakly: the sink holds its watchers, which call it.
  var takeRefusal: @Sendable () -> PixelSize? { { [weak planeFrames] in planeFrames?.consumeRefusal() } }

  /// Calls `tell` on the streaming thread when the colours of the frames change.
  func watchColour(_ tell: @escaping @Sendable (VideoColour) -> Void) {
    let last = Locked<VideoColour?>(nil)
    element.staticPad("sink")?.observeEvents { event in
      guard vit_event_type(event) == GST_EVENT_CAPS else { return }
      var caps: UnsafeMutablePointer<GstCaps>?
      gst_event_parse_caps(event, &caps)
      guard let caps, var colour = Caps(borrowing: caps).video?.colour else { return }
      if Caps(borrowing: caps).isRGB, let last = last.withLock({ $0 }) {
        // An RGB frame's matrix isn't used, and a new one would show the YUV frame that is still on the screen in wrong
        // colours for a refresh.
        (colour.matrix, colour.isFullRange) = (last.matrix, last.isFullRange)
      }
      let isNews = last.withLock { last in
        defer { last = colour }
        return last != colour
      }
      if isNews { tell(colour) }
    }
  }

  /// Calls `tell` on the streaming thread for each frame that the sink is done with, repeated ones included, with the
  /// time by `clock`.
  func watch(_ clock: MediaClock = .system, _ tell: @escaping @Sendable (FrameTag, RenderedFrame) -> Void) {
    let box = Unmanaged.passRetained(RenderWatcher(clock, tell))
    vit_watch_rendering(
      element.pointer,
      { data, offset, offsetEnd, _, rendered in
        let tag = FrameTag(offset: offset, offsetEnd: offsetEnd)
        let watcher = Unmanaged<RenderWatcher>.fromOpaque(data).takeUnretainedValue()
        watcher.tell(
          tag,
          RenderedFrame(
            deck: tag.deck, index: tag.index, streamTime: tag.streamTime, epoch: tag.epoch, at: watcher.clock.now,
            wasRendered: rendered != 0))
      }, box.toOpaque(), { data in if let data { Unmanaged<RenderWatcher>.fromOpaque(data).release() } })
  }
}

private final class RenderWatcher: Sendable {
  let clock: MediaClock
  let tell: @Sendable (FrameTag, RenderedFrame) -> Void
  init(_ clock: MediaClock, _ tell: @escaping @Sendable (FrameTag, RenderedFrame) -> Void) {
    self.clock = clock
    self.tell = tell
  }
}
