import Foundation

/// Test pictures, made once; see Tests/Tools/make-pictures.
public actor Pictures {
  private static let shared = Pictures()
  private var making: Task<String, any Error>?

  /// Path of a picture.
  public static func path(_ name: String) async throws -> String { try await shared.directory() + "/" + name }

  private func directory() async throws -> String {
    if let making { return try await making.value }
    let task = Task {
      let directory = Tool.root.appending(path: "build/pictures").path
      let outcome = try await Tool.run(
        Tool.root.appending(path: "Tests/Tools/make-pictures").path, [directory], limit: 240)
      guard outcome.status == 0 else { throw MediaError(description: "make-pictures failed: \(outcome.errors)") }
      return directory
    }
    making = task
    return try await task.value
  }

  /// What ffmpeg makes of every frame of a moving picture: red, green, blue, row by row.
  public static func frames(of name: String) async throws -> [UInt8] {
    let directory = try TemporaryDirectory()
    let raw = directory.path("frames.rgb")
    let outcome = try await Tool.run(
      "ffmpeg", ["-v", "error", "-i", try await path(name), "-vsync", "0", "-f", "rawvideo", "-pix_fmt", "rgb24", raw])
    guard outcome.status == 0 else { throw MediaError(description: "ffmpeg \(name): \(outcome.errors)") }
    return [UInt8](try Data(contentsOf: URL(filePath: raw)))
  }
}
