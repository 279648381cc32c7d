import Foundation
import KioskTestSupport
import PlaybackCore
import Testing

/// Items that end the player by hanging, SIGKILL or memory (Tests/Tools/crash), under its own keeper on the board.
@Suite(
  "An item that hangs or kills the player, on the virtual board", .serialized,
  .enabled(if: Board.missing == nil, "\(Board.missing ?? "") (make test-board builds the kernel)"))
struct QuarantineBoardTests {
  /// Plays three films of two seconds, the second one marked, until the last player has run for `seconds`.
  private func run(_ how: String, seconds: Int) async throws -> Board.Run {
    let crasher = try await QuarantineTests.crasher()
    let run = try await Board.run(
      """
      mkdir -p /run/state /run/vitrine
      cp "$MEDIA/h264-640x360-30-2s.mp4" /run/one.mp4; cp /run/one.mp4 /run/bad.mp4; cp /run/one.mp4 /run/two.mp4
      printf 'CRASHES!' >> /run/bad.mp4
      echo 'version = 1' > /run/kiosk.toml
      for name in one bad two; do printf '[[playlist.main.item]]\nuri = "/run/%s.mp4"\n' $name; done >> /run/kiosk.toml
      export SWIFT_BACKTRACE=enable=no
      STATE_DIRECTORY=/run/state RUNTIME_DIRECTORY=/run/vitrine CRASH_HOW=\(how) LD_PRELOAD=\(crasher.path("crash.so")) \
        timeout 300 "$VITRINE" supervise -- run -v --config /run/kiosk.toml --output kms --no-audio --osd never \
        --size 640x360 --for \(seconds) --report /run/out/report.json 2> /run/out/log
      echo $? > /run/out/status; cp /run/state/quarantine /run/out/quarantine
      """, limit: 200)
    withExtendedLifetime(crasher) {}
    return run
  }

  private func begun(_ log: String) -> [String] {
    log.matches(of: #/vitrine: item \d+: file:\S*/(\w+)\.mp4/#).map { String($0.1) }
  }

  @Test("An item at which a decoder blocks is found twice by the watchdog, and left out from the third time on")
  func blocks() async throws {
    let run = try await run("block", seconds: 14)
    let log = (try? run.text("log")) ?? "\(run.outcome)"
    #expect(try run.text("status") == "0\n", "\(log)")
    #expect(log.components(separatedBy: "(error 7508)").count == 3, "\(log)")
    #expect(log.components(separatedBy: "stood still and was ended by the watchdog").count == 3, "\(log)")
    let items = begun(log)
    #expect(Array(items.prefix(5)) == ["one", "bad", "two", "one", "bad"], "\(items)")
    let rest = items.dropFirst(5)
    #expect(rest.count >= 4 && !rest.contains("bad"), "\(items)")
    #expect(try run.text("quarantine").hasPrefix("held 2 6 "))
    let report = try #require(try Report.read(run.directory.path("report.json")))
    let bad = try #require(report.items.first { $0.uri.hasSuffix("bad.mp4") })
    #expect(bad.errors.contains { $0.number == 3040 })
  }

  @Test("A player killed at one item goes on there, and leaves it out from the fifth time on")
  func kills() async throws {
    let run = try await run("kill", seconds: 10)
    let log = (try? run.text("log")) ?? "\(run.outcome)"
    #expect(try run.text("status") == "0\n", "\(log)")
    #expect(log.components(separatedBy: "signal 9 (Killed)").count == 5, "\(log)")
    let items = begun(log)
    #expect(
      Array(items.prefix(5)) == ["one", "bad", "bad", "bad", "bad"] && !items.dropFirst(5).contains("bad"), "\(items)")
    #expect(try run.text("quarantine").hasPrefix("held 4/4 0 "))
    #expect(!log.contains("(error 7512)"))
  }

  @Test("An item that takes all memory is left out after the kernel's second kill, which is told from others")
  func memory() async throws {
    let run = try await run("memory", seconds: 14)
    let log = (try? run.text("log")) ?? "\(run.outcome)"
    #expect(try run.text("status") == "0\n", "\(log)")
    #expect(log.components(separatedBy: "there was no memory left").count == 3, "\(log)")
    let items = begun(log)
    #expect(Array(items.prefix(5)) == ["one", "bad", "two", "one", "bad"], "\(items)")
    #expect(!items.dropFirst(5).contains("bad"), "\(items)")
    #expect(try run.text("quarantine").hasPrefix("held 2 9 "))
  }
}
