import PlaybackCore
import Testing

@Suite("Display mode")
struct DisplayModeTests {
  @Test(
    "A display mode parses exactly",
    arguments: [
      ("auto", DisplayMode.auto, "auto"),
      ("1280x720", .size(PixelSize(width: 1280, height: 720), refreshMillihertz: nil), "1280x720"),
      ("1280x720@50", .size(PixelSize(width: 1280, height: 720), refreshMillihertz: 50_000), "1280x720@50.00"),
      ("1280x720@23.976", .size(PixelSize(width: 1280, height: 720), refreshMillihertz: 23_976), "1280x720@23.98"),
      ("match", .match(nil), "match"),
      ("1280x720@match", .match(PixelSize(width: 1280, height: 720)), "1280x720@match"),
      ("720x576@59.94", .size(PixelSize(width: 720, height: 576), refreshMillihertz: 59_940), "720x576@59.94"),
    ])
  func valid(text: String, mode: DisplayMode, description: String) {
    #expect(DisplayMode(parsing: text) == mode)
    #expect(mode.description == description)
  }

  @Test(
    "Any other text is refused",
    arguments: [
      "", "Auto", "Match", "@match", "1280@match", "1280x720@Match", "x", "1280", "1280x", "x720", "0x720", "-1x720",
      "+1x720", "1280x-720", "1280x720x2", "1280x720@",
      "1280x720@0", "1280x720@inf", "1280x720@1e2", "1280x720@60@60", "1280 x 720", " 1280x720", "1280X720",
      "1280x720@59.9400", "1280x720@.5", "99999x720", "1280x99999999999999999999",
    ])
  func invalid(text: String) { #expect(DisplayMode(parsing: text) == nil) }
}
