import CGStreamer
import CGStreamerShims
import MainLoop
import PlaybackCore

@testable import Displays

/// Plays video on a plane through kmssink, as the player does.
final class BoardVideo {
  private let pipeline: UnsafeMutablePointer<GstElement>
  private let times = Locked<[Instant]>([])
  var frames: [Instant] { times.withLock { $0 } }

  /// - Parameter source: elements of GStreamer's that give raw video.
  init(_ plane: DRMPlaneTarget, source: String) throws {
    gst_init(nil, nil)
    let text =
      "\(source) ! kmssink name=screen fd=\(plane.cardDescriptor) "
      + "plane-id=\(plane.planeID) connector-id=\(plane.connectorID) skip-vsync=true force-modesetting=false "
      + "restore-crtc=false can-scale=false qos=false max-lateness=-1"
    guard let pipeline = gst_parse_launch(text, nil), let sink = gst_bin_get_by_name(vit_bin(pipeline), "screen") else {
      throw VirtualDevice.Failed()
    }
    self.pipeline = pipeline
    vit_watch_rendering(
      sink,
      { data, _, _, _, rendered in
        guard rendered != 0 else { return }
        Unmanaged<Locked<[Instant]>>.fromOpaque(data).takeUnretainedValue().withLock {
          $0.append(Instant(nanoseconds: EventLoop.monotonicNanoseconds()))
        }
      }, Unmanaged.passRetained(times).toOpaque(),
      { data in if let data { Unmanaged<Locked<[Instant]>>.fromOpaque(data).release() } })
    gst_object_unref(sink)
  }

  deinit {
    gst_element_set_state(pipeline, GST_STATE_NULL)
    gst_object_unref(pipeline)
  }

  func start() { gst_element_set_state(pipeline, GST_STATE_PLAYING) }

  func stop() { gst_element_set_state(pipeline, GST_STATE_NULL) }

  func playToTheEnd() async {
    start()
    guard let bus = gst_element_get_bus(pipeline) else { return }
    defer { gst_object_unref(bus) }
    let ends = GstMessageType(rawValue: GST_MESSAGE_EOS.rawValue | GST_MESSAGE_ERROR.rawValue)
    for _ in 0..<1200 {
      if let message = gst_bus_pop_filtered(bus, ends) {
        vit_message_unref(message)
        break
      }
      try? await Task.sleep(for: .milliseconds(100))
    }
    gst_element_set_state(pipeline, GST_STATE_NULL)
  }
}
