import Foundation
import KioskTestSupport
import Testing

/// Runs tools of `Tests/Tools` that play something with this build of the player and judge it themselves.
enum TestTool {
  /// - Parameters:
  ///   - name: a tool that takes `--binary` and `--out`.
  ///   - limit: the time after which the tool is ended, in seconds.
  static func expectPass(
    _ name: String, _ arguments: [String], limit: Double, sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let directory = try TemporaryDirectory()
    let outcome = try await Tool.run(
      Tool.root.appending(path: "Tests/Tools/\(name)").path,
      ["--binary", Player.path, "--out", directory.path("out")] + arguments, limit: limit)
    #expect(outcome.status == 0, "\(outcome.output)\(outcome.errors)", sourceLocation: sourceLocation)
  }
}
