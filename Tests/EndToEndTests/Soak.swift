import Foundation
import KioskTestSupport
import Testing

/// `Tests/Tools/soak`, for a few transitions.
enum Soak {
  /// Plays one of its lists for eight transitions; the tool itself says what was wrong.
  static func expectNoSeam(_ list: String, _ options: [String]) async throws {
    let directory = try TemporaryDirectory()
    let outcome = try await Tool.run(
      Tool.root.appending(path: "Tests/Tools/soak").path,
      ["--list", list, "--transitions", "8", "--out", directory.path("soak"), "--binary", Player.path] + options,
      limit: 240)
    #expect(outcome.status == 0, "\(outcome.output)\(outcome.errors)")
  }
}
