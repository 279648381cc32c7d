import Foundation
import KioskTestSupport
import PlaybackCore
import Testing

/// Probes a file that crashes every process that decodes it.
@Suite("A probe that dies", .serialized)
struct ProbeCrashTests {
  /// The clip's first pictures are decoded when it is opened: the faulty decoder crashes at the first one.
  private func folder() async throws -> (TemporaryDirectory, environment: [String: String]) {
    let directory = try TemporaryDirectory()
    let clip = try Data(contentsOf: URL(filePath: try await Media.path("h264-640x360-30-2s.mp4")))
    try (clip + QuarantineTests.mark).write(to: URL(filePath: directory.path("bad.mp4")))
    try clip.write(to: URL(filePath: directory.path("good.mp4")))
    let crasher = try await QuarantineTests.crasher()
    try FileManager.default.copyItem(atPath: crasher.path("crash.so"), toPath: directory.path("crash.so"))
    return (directory, ["LD_PRELOAD": directory.path("crash.so"), "CRASH_AT": "0"])
  }

  @Test("`check --probe` reports a probe's crash, and goes on with the other media")
  func check() async throws {
    let (directory, environment) = try await folder()
    let run = try await Tool.run(
      Player.path, ["check", "--probe", directory.path("bad.mp4"), directory.path("good.mp4")],
      environment: environment)
    let text = run.output + run.errors
    #expect(text.contains("(error 3041)") && text.contains("SIGSEGV") && text.contains("H.264"), "\(text)")
    #expect(run.status != 139)
  }

  @Test("A reload that lists such a file is refused, and playback goes on")
  func reload() async throws {
    let (directory, environment) = try await folder()
    func list(_ name: String) -> String { "version = 1\n[[playlist.main.item]]\nuri = \"\(directory.path(name))\"\n" }
    try RunningPlayer.write(list("good.mp4"), as: "vitrine.toml", in: directory)
    let player = try RunningPlayer(["--confirm-after", "1"], in: directory, environment: environment)
    try await player.state { $0.state == "confirmed" }
    try player.write(list("bad.mp4"))
    let state = try await player.state { $0.state == "refused" }
    #expect(state.reason?.contains("3041") == true, "\(state)")
    let run = try await player.stop()
    #expect(run.outcome.status == 0 && run.report?.framesRendered ?? 0 > 0)
  }
}
