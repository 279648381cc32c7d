import CGStreamer
import CGStreamerShims
import Displays
import Foundation
import InteractionCore
import MainLoop
import PlaybackCore
import ScreenModel
import Testing

@Suite("Video in the Wayland display", .serialized)
struct WaylandVideoTests {
  private static let hasSink: Bool = {
    gst_init(nil, nil)
    guard let factory = gst_element_factory_find("waylandsink") else { return false }
    gst_object_unref(UnsafeMutableRawPointer(factory))
    return true
  }()

  @Test(
    "waylandsink draws below the overlay, also after a restart",
    .enabled(if: Weston.isInstalled && hasSink, "weston, convert or waylandsink is not installed"),
    .timeLimit(.minutes(10)))
  func video() async throws {
    let weston = try await Weston(width: 640, height: 360)
    let stage = try WaylandStage()
    try await stage.open(weston.socket)
    await stage.showOverlay(.filled(0xff00_00ff, x: 40, y: 280, width: 560, height: 60))
    let target = try #require(await stage.target)
    let green = Pixel(0, 255, 0)
    let blue = Pixel(0, 0, 255)
    let red = Pixel(255, 0, 0)

    var video = VideoPipeline(target: target, keeping: stage)
    video?.play(pattern: 4)
    await stage.videoDidStart()
    try await weston.expect([(20, 10, red), (620, 350, red), (60, 300, blue)], "first")

    // As the player does it: a sink is used once.
    func restart(_ pattern: Int32) async throws {
      video?.stop()
      video = nil
      video = VideoPipeline(target: target, keeping: stage)
      video?.play(pattern: pattern)
      await stage.videoDidStart()
    }

    // Overlay changes while frames flow, from both threads at the same descriptor.
    for step in 0..<100 {
      await stage.showOverlay(.filled(0xff00_00ff, x: step, y: 280, width: 200, height: 60))
    }
    try await weston.expect([(98, 300, red), (99, 300, blue), (298, 300, blue)], "moved")
    await stage.showOverlay(.filled(0xff00_00ff, x: 40, y: 280, width: 560, height: 60))

    for (pattern, color) in [(5, green), (4, red), (5, green)] {
      try await restart(Int32(pattern))
      try await weston.expect([(20, 10, color), (620, 350, color), (60, 300, blue)], "restart \(pattern)")
    }
    // Frames go on after a restart. The freeze that `videoDidStart` mends can't be seen here: a screenshot makes Weston
    // repaint, which ends it.
    try await restart(1)
    try await weston.expectMotion("snow after a restart")
    try await restart(5)

    await stage.showOverlay(nil)
    try await weston.expect([(20, 10, green), (60, 300, green)], "no overlay")
    video?.stop()
    try await weston.expect([(20, 10, .black), (60, 300, .black)], "stopped")
    video = nil
    await stage.close()
  }
}

/// A test picture in the display's container surface.
private final class VideoPipeline {
  private let pipeline: UnsafeMutablePointer<GstElement>
  private let source: UnsafeMutablePointer<GstElement>
  private let bus: UnsafeMutablePointer<GstBus>
  private let handles: Handles
  /// A stopped waylandsink still holds objects of the connection; only a freed one doesn't. So the display has to
  /// outlive the pipeline, also when a test fails half-way.
  private let stage: WaylandStage

  init?(target: VideoTarget, keeping stage: WaylandStage) {
    guard case .waylandSurface(let display, let surface, let size) = target else { return nil }
    gst_init(nil, nil)
    // Frames in memory of their own, as the player's are. waylandsink 1.26.2 gives its own buffers back while it still holds
    // them, and videotestsrc doesn't expect that: on a busy machine two of three runs ended so, by signal 6 or 11.
    let text =
      "videotestsrc name=src ! video/x-raw,format=BGRx,width=\(size.width),height=\(size.height),framerate=30/1"
      + " ! identity drop-allocation=true ! waylandsink"
    guard let pipeline = gst_parse_launch(text, nil), let source = gst_bin_get_by_name(vit_bin(pipeline), "src"),
      let bus = gst_element_get_bus(pipeline)
    else { return nil }
    (self.pipeline, self.source, self.bus) = (pipeline, source, bus)
    self.stage = stage
    handles = Handles(display: display, surface: surface, size: size)
    gst_bus_set_sync_handler(bus, Handles.answer, Unmanaged.passRetained(handles).toOpaque()) { data in
      if let data { Unmanaged<Handles>.fromOpaque(data).release() }
    }
  }

  deinit {
    stop()
    gst_object_unref(bus)
    gst_object_unref(source)
    gst_object_unref(pipeline)
  }

  /// Returns when the first frame is in the sink.
  func play(pattern: Int32) {
    gst_util_set_object_arg(
      UnsafeMutableRawPointer(source).assumingMemoryBound(to: GObject.self), "pattern", "\(pattern)")
    gst_element_set_state(pipeline, GST_STATE_PLAYING)
    gst_element_get_state(pipeline, nil, nil, 5_000_000_000)
  }

  func stop() { gst_element_set_state(pipeline, GST_STATE_NULL) }
}

private final class Handles: Sendable {
  let display: UInt
  let surface: UInt
  let size: PixelSize

  init(display: UInt, surface: UInt, size: PixelSize) {
    self.display = display
    self.surface = surface
    self.size = size
  }

  /// Runs on the sink's threads.
  static let answer: GstBusSyncHandler = { _, message, data in
    guard let message, let data, let source = vit_message_source(message) else { return GST_BUS_PASS }
    let handles = Unmanaged<Handles>.fromOpaque(data).takeUnretainedValue()
    var type: UnsafePointer<CChar>?
    if vit_message_type(message) == GST_MESSAGE_NEED_CONTEXT, gst_message_parse_context_type(message, &type) != 0,
      let type, strcmp(type, "GstWlDisplayHandleContextType") == 0,
      let display = UnsafeMutableRawPointer(bitPattern: handles.display)
    {
      let element = UnsafeMutableRawPointer(source).assumingMemoryBound(to: GstElement.self)
      vit_give_wayland_display(element, type, display)
    } else if gst_is_video_overlay_prepare_window_handle_message(message) != 0 {
      let overlay = OpaquePointer(source)
      gst_video_overlay_set_window_handle(overlay, handles.surface)
      gst_video_overlay_set_render_rectangle(overlay, 0, 0, Int32(handles.size.width), Int32(handles.size.height))
    }
    return GST_BUS_PASS
  }
}
