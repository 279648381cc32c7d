import Displays
import InteractionCore
import MainLoop
import PlaybackCore
import ScreenModel

/// The owner of a display on a loop of its own, as the runtime is one.
actor WaylandStage {
  nonisolated let executor: GLibExecutor
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
  nonisolated let events: AsyncStream<DisplayEvent>
  private let eventSink: AsyncStream<DisplayEvent>.Continuation
  private var display: WaylandDisplay?

  init() throws {
    executor = try GLibExecutor()
    (events, eventSink) = AsyncStream<DisplayEvent>.makeStream()
  }

  var target: VideoTarget? { display?.target }
  var summary: String? { display?.summary }

  func open(_ socket: String) throws(VitrineError) {
    let display = try WaylandDisplay.open(on: EventLoop(executor: executor), socket: socket, title: "Vitrine")
    display.onEvent = { [eventSink] in eventSink.yield($0) }
    self.display = display
  }

  func showOverlay(_ image: OverlayImage?) { display?.showOverlay(image) }

  /// Shows all images in one turn of the loop: no buffer can come back in between.
  func showOverlays(_ images: [OverlayImage]) {
    for image in images { display?.showOverlay(image) }
  }

  func videoDidStart() { display?.videoDidStart() }

  func close() {
    display?.close()
    display?.close()
    display = nil
  }

  func finishEvents() { eventSink.finish() }
}

extension OverlayImage {
  /// One colour, premultiplied ARGB.
  static func filled(_ color: UInt32, x: Int, y: Int, width: Int, height: Int) -> OverlayImage {
    OverlayImage(
      frame: PixelRect(x: x, y: y, width: width, height: height),
      pixels: Array(repeating: color, count: width * height))
  }
}
