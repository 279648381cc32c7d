import Displays
import InteractionCore
import PlaybackCore
import Testing

@Suite("Headless display")
struct HeadlessDisplayTests {
  @Test("A headless display keeps the last overlay and reports its size")
  func overlay() {
    let display = HeadlessDisplay(size: PixelSize(width: 1280, height: 720))
    #expect(display.kind == .headless)
    #expect(display.summary == "headless 1280x720")
    #expect(display.target == .memory(size: PixelSize(width: 1280, height: 720)))
    #expect(display.overlay == nil)
    display.showOverlay(.filled(0xffff_ffff, x: 3, y: 4, width: 5, height: 6))
    #expect(display.overlay?.frame == PixelRect(x: 3, y: 4, width: 5, height: 6))
    display.videoDidStart()
    display.showOverlay(nil)
    #expect(display.overlay == nil)
    display.showOverlay(.filled(0, x: 0, y: 0, width: 1, height: 1))
    display.close()
    display.close()
    #expect(display.overlay == nil)
  }
}
