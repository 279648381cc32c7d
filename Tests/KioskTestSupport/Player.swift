import Foundation
public import PlaybackCore

/// The program under test.
public enum Player {
  /// The `vitrine` that was built beside this test, or the one that VITRINE_BINARY names.
  public static let path: String = {
    if let named = ProcessInfo.processInfo.environment["VITRINE_BINARY"] { return named }
    return URL(filePath: ProcessInfo.processInfo.arguments[0]).deletingLastPathComponent().appending(path: "vitrine")
      .path
  }()

  public struct Run: Sendable {
    public var outcome: Tool.Outcome
    public var report: PlaybackReport?
    public var errorLines: [String] {
      outcome.errors.split(separator: "\n").map(String.init).filter { $0.contains("error: ") }
    }
  }

  /// Runs the player headless with a report.
  ///
  /// - Parameter arguments: the subcommand and its arguments.
  public static func run(
    _ arguments: [String], environment: [String: String] = [:], limit: Double = 60,
    signals: [(after: Double, number: Int32)] = []
  ) async throws -> Run {
    let directory = try TemporaryDirectory()
    let report = directory.path("report.json")
    // The player must not use the test machine's compositor.
    var environment = environment
    if environment["WAYLAND_DISPLAY"] == nil { environment["WAYLAND_DISPLAY"] = "vitrine-test-no-such-socket" }
    let outcome = try await Tool.run(
      path, arguments + ["--report", report], environment: environment, limit: limit, signals: signals)
    return Run(outcome: outcome, report: try Report.read(report))
  }
}

/// Reads reports for tests.
public enum Report {
  /// Nil when there is no such file.
  public static func read(_ path: String) throws -> PlaybackReport? {
    guard let data = FileManager.default.contents(atPath: path) else { return nil }
    return try JSONDecoder().decode(PlaybackReport.self, from: data)
  }
}

/// Test clips, made once; see Tests/Tools/make-media.
public enum Media {
  private static let made = MadeFiles(by: "make-media", in: "build/media")

  /// The path of a clip.
  public static func path(_ name: String) async throws -> String { try await made.path(name) }
}

/// Clips for the board's decoders, made once; see Tests/Tools/make-decoder-media.
enum DecoderMedia {
  static let made = MadeFiles(by: "make-decoder-media", in: "build/decoder-media")
}

extension Media {
  /// A frame of a clip as GStreamer decodes and converts it.
  public static func frame(_ number: Int, of clip: String, size: (width: Int, height: Int)) async throws -> Pixels {
    let directory = try TemporaryDirectory()
    let raw = directory.path("frames.rgb")
    let pipeline = [
      "-q", "filesrc", "location=\(try await path(clip))", "!", "decodebin", "!", "videoconvertscale",
      "add-borders=false", "!",
      "video/x-raw,format=RGB,width=\(size.width),height=\(size.height),pixel-aspect-ratio=1/1", "!", "filesink",
      "location=\(raw)",
    ]
    var outcome = try await Tool.run("gst-launch-1.0", pipeline, limit: 30)
    // Rarely, once in some hundred runs, gst-launch hangs; a run takes a second or two.
    if outcome.wasKilled { outcome = try await Tool.run("gst-launch-1.0", pipeline) }
    guard outcome.status == 0 else { throw MediaError(description: "gst-launch-1.0: \(outcome.errors)") }
    let bytes = size.width * size.height * 3
    let handle = try FileHandle(forReadingFrom: URL(filePath: raw))
    try handle.seek(toOffset: UInt64(number * bytes))
    guard let data = try handle.read(upToCount: bytes), data.count == bytes else {
      throw MediaError(description: "\(clip) has no frame \(number)")
    }
    return Pixels(width: size.width, height: size.height, rgb: [UInt8](data))
  }
}

struct MediaError: Error, CustomStringConvertible { var description: String }
