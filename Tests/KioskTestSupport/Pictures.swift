import Foundation

/// Test pictures, made once; see Tests/Tools/make-pictures.
public enum Pictures {
  private static let made = MadeFiles(by: "make-pictures", in: "build/pictures")

  /// The path of a picture.
  public static func path(_ name: String) async throws -> String { try await made.path(name) }

  /// All frames of a moving picture, decoded by ffmpeg: red, green, blue, row by row.
  public static func frames(of name: String) async throws -> [UInt8] {
    let directory = try TemporaryDirectory()
    let raw = directory.path("frames.rgb")
    let outcome = try await Tool.run(
      "ffmpeg", ["-v", "error", "-i", try await path(name), "-vsync", "0", "-f", "rawvideo", "-pix_fmt", "rgb24", raw])
    guard outcome.status == 0 else { throw MediaError(description: "ffmpeg \(name): \(outcome.errors)") }
    return [UInt8](try Data(contentsOf: URL(filePath: raw)))
  }
}

/// Pictures whose decoding takes very long, or all memory; see Tests/Tools/make-hard-pictures.
public enum HardPictures {
  private static let made = MadeFiles(by: "make-hard-pictures", in: "build/hard-pictures")

  public static func path(_ name: String) async throws -> String { try await made.path(name) }

  /// The names of all pictures.
  public static func names() async throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: try await made.directory()).filter { !$0.hasPrefix(".") }
      .sorted()
  }
}
