import ControlProtocol
import InteractionCore
import PlaybackCore
import Testing

@testable import KioskRuntime

@Suite("Log lines on commands")
struct CommandLinesTests {
  @Test("Each verb has one line a minute, with the number of lines held back")
  func lines() {
    var lines = CommandLines(door: "web")
    let start = Instant(nanoseconds: 0)
    #expect(lines.line(.command(.pause), by: "10.0.0.7", at: start) == "web: pause by 10.0.0.7")
    for second in 1..<60 { #expect(lines.line(.command(.pause), by: "10.0.0.7", at: start + .seconds(second)) == nil) }
    #expect(lines.line(.command(.next), by: "10.0.0.8", at: start + .seconds(30)) == "web: next by 10.0.0.8")
    #expect(
      lines.line(.command(.pause), by: "10.0.0.9", at: start + .seconds(60))
        == "web: pause by 10.0.0.9 (59 before this weren't logged)")
  }
}
