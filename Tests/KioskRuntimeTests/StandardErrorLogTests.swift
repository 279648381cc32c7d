import Logging
import Testing

@testable import KioskRuntime

@Suite("Lines of the log")
struct StandardErrorLogTests {
  @Test("Control characters in a file's title are made visible, and don't affect the terminal")
  func escapes() {
    #expect(
      StandardErrorLog.line("item 1: \u{1B}]0;owned\u{7} \u{202E}fdp.exe", .notice, isJournal: false)
        == "vitrine: item 1: \\u{1b}]0;owned\\u{7} \\u{202e}fdp.exe\n")
    #expect(StandardErrorLog.line("Grüße, 世界 🎬", .warning, isJournal: false) == "vitrine: warning: Grüße, 世界 🎬\n")
  }

  @Test("A text with a line break can't forge a log line: further lines are indented, each with its priority")
  func severalLines() {
    #expect(
      StandardErrorLog.line("a\nvitrine: error: forged\r\nc", .error, isJournal: true)
        == "<3>a\n<3>  vitrine: error: forged\n<3>  c\n")
    #expect(StandardErrorLog.line("a\n", .debug, isJournal: false) == "vitrine: debug: a\nvitrine: debug:   \n")
  }
}
