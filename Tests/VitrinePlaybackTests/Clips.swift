import Foundation
import KioskTestSupport
import MediaPipeline
import PlaybackCore

// In a file of its own, because KioskTestSupport has a type `Player` too.

let patience = KioskTestSupport.patience

/// Runs `body`; throws when it takes longer than `patience`.
func inTime<T: Sendable>(_ what: String, _ body: @escaping @Sendable () async throws -> T) async throws -> T {
  try await KioskTestSupport.inTime(what) { try await body() }
}

func clip(_ name: String, kind: MediaKind = .file) async throws -> MediaItem {
  MediaItem(uri: URL(filePath: try await Media.path(name)).absoluteString, kind: kind)
}

/// A temporary folder with a film and a subtitle file beside it.
struct FilmWithSubtitles: Sendable {
  let item: MediaItem
  private let folder: TemporaryDirectory

  init(_ name: String, subtitles: String, as suffix: String) async throws {
    folder = try TemporaryDirectory()
    let film = folder.path("film.mp4")
    try FileManager.default.createSymbolicLink(atPath: film, withDestinationPath: try await Media.path(name))
    _ = try folder.write(subtitles, as: "film\(suffix)")
    item = MediaItem(uri: URL(filePath: film).absoluteString, kind: .file)
  }

  /// The film on a server that knows only the film and, as its subtitles, these files.
  func served(subtitles: [String]) throws -> (item: MediaItem, server: any Sendable) {
    let server = try DripServer(folder.url.path)
    let item = MediaItem(
      uri: server.uri("film.mp4"), kind: .progressive, subtitles: subtitles.map { server.uri($0) })
    return (item, server)
  }
}

/// A clip on a server of this machine, as slow and faulty as `wishes` say; see Tests/Tools/drip-server.
struct ServedClip: Sendable {
  let item: MediaItem
  /// The server's address.
  var origin: String { String(item.uri[..<(item.uri.lastIndex(of: "/") ?? item.uri.endIndex)]) }
  private let server: DripServer

  init(_ name: String, _ wishes: String = "") async throws {
    server = try await DripServer.ofMedia()
    item = MediaItem(uri: server.uri(name, wishes), kind: .progressive)
  }
}

/// Eight seconds of a tone without a picture, on a server of this machine.
struct ServedTone: Sendable {
  let item: MediaItem
  private let server: DripServer
  private let folder: TemporaryDirectory

  static let canBeMade = FileManager.default.isExecutableFile(atPath: "/usr/bin/ffmpeg")

  init() async throws {
    folder = try TemporaryDirectory()
    let made = try await Tool.run(
      "ffmpeg", ["-v", "error", "-f", "lavfi", "-i", "sine=440:d=8", "-b:a", "64k", folder.path("tone.mp3")])
    guard made.status == 0 else { throw Ended(what: "ffmpeg: \(made.errors)", after: 0) }
    server = try DripServer(folder.url.path)
    item = MediaItem(uri: server.uri("tone.mp3"), kind: .progressive)
  }
}

/// The small adaptive streams, on a server of this machine; see Tests/Tools/make-adaptive-media.
struct AdaptiveClips: Sendable {
  private let server: DripServer

  init() async throws { server = try await DripServer.ofAdaptiveMedia() }

  func item(_ name: String, _ wishes: String = "", kind: MediaKind = .adaptive) -> MediaItem {
    MediaItem(uri: server.uri(name, wishes), kind: kind)
  }
}

/// The number that is drawn into a frame of the clips; nil without one.
func frameNumber(_ frame: CapturedFrame?) -> Int? {
  guard let frame else { return nil }
  let size = frame.size.pixels
  return Pixels(width: size.width, height: size.height, xrgb: frame.pixels).frameNumber(x: 0, y: 0, width: size.width)
}

/// A live stream from this machine.
struct LiveClip: Sendable {
  let item: MediaItem
  private let sender: LiveSender

  init() throws {
    sender = try LiveSender()
    item = MediaItem(uri: sender.uri, kind: .udp)
  }
}

/// Whether this run records the machine's events and actions; see Tests/Tools/record-bus-trace.
let isRecordingTraces = ProcessInfo.processInfo.environment["VITRINE_RECORD_TRACES"] != nil
