import Foundation
import KioskTestSupport
import MainLoop
import PlaybackCore
import Testing

@testable import MediaPipeline

/// Captions in a playlist on a server of this machine.
@Suite("Captions in many files on a server")
struct CaptionReaderTests {
  private let directory: TemporaryDirectory
  private let server: DripServer

  init() throws {
    try GStreamerLibrary.start()
    directory = try TemporaryDirectory()
    try FileManager.default.createDirectory(
      at: directory.url.appending(path: "list"), withIntermediateDirectories: true)
    server = try DripServer(directory.url.path)
  }

  private func write(_ names: [String], ending: String = "#EXT-X-ENDLIST\n") throws {
    let parts = names.map { "#EXTINF:2,\n\($0)\n" }.joined()
    _ = try directory.write("#EXTM3U\n#EXT-X-TARGETDURATION:2\n\(parts)\(ending)", as: "list/captions.m3u8")
  }

  private func writeCue(_ text: String, at second: Int, as name: String) throws {
    _ = try directory.write("WEBVTT\n\n00:0\(second).000 --> 00:0\(second + 1).000\n\(text)\n", as: name)
  }

  /// Reads on a thread of its own, as `Sidecars` does: reading blocks.
  ///
  /// - Parameter isWanted: asked with the number of times that cues have been told.
  private func read(
    from position: Duration = .seconds(4), isWanted: @escaping @Sendable (Int) -> Bool = { _ in true }
  ) async throws -> (told: [[String]], CaptionReader.Outcome) {
    let worker = BlockingWorker()
    defer { worker.finish() }
    let uri = server.uri("list/captions.m3u8")
    return try await withCheckedThrowingContinuation { continuation in
      worker.submit {
        let told = Locked<[[String]]>([])
        let reader = CaptionReader(servers: ServerSetup()) { isWanted(told.withLock { $0.count }) }
        continuation.resume(
          with: Result {
            let outcome = try reader.read(uri, from: position) { cues in
              told.withLock { $0.append(cues.map(\.text)) }
            }
            return (told.withLock { $0 }, outcome)
          })
      }
    }
  }

  private func remark(_ outcome: CaptionReader.Outcome) -> VitrineError? {
    if case .whole(let remark) = outcome { remark } else { nil }
  }

  @Test("The files are found beside the playlist and elsewhere on the web, and read from the position on")
  func files() async throws {
    try write(["../a.vtt", "b.vtt", server.uri("c.vtt")])
    for (index, name) in ["a.vtt", "list/b.vtt", "c.vtt"].enumerated() {
      try writeCue(name, at: index, as: name)
    }
    let (told, outcome) = try await read()
    #expect(told == [["a.vtt"], ["a.vtt", "c.vtt"], ["a.vtt", "c.vtt", "list/b.vtt"]])
    #expect(remark(outcome) == nil)
  }

  @Test("A file that is missing costs its own cues alone, and is told once; if all are missing, there are no captions")
  func missing() async throws {
    try write(["a.vtt", "b.vtt", "note.vtt"])
    try writeCue("a", at: 1, as: "list/a.vtt")
    _ = try directory.write("No captions in here", as: "list/note.vtt")
    let (told, outcome) = try await read()
    #expect(told == [["a"]])
    let remark = try #require(self.remark(outcome))
    #expect(remark.number == 3204 && remark.subject.hasSuffix("/list/b.vtt"))
    #expect(
      remark.message == "2 of the subtitles' files are missing; of this one: the subtitles can't be read (HTTP 404)")
    try write(["x.vtt", "y.vtt"])
    await #expect { try await read() } throws: { ($0 as? VitrineError)?.number == 3204 }
    try write(["note.vtt"])
    await #expect { try await read() } throws: { ($0 as? VitrineError)?.number == 3203 }
  }

  @Test("Captions on air and a list of streams are refused with what they are")
  func onAir() async throws {
    try writeCue("a", at: 1, as: "list/a.vtt")
    try write(["a.vtt"], ending: "")
    await #expect { try await read() } throws: { ($0 as? VitrineError)?.number == 3205 }
    _ = try directory.write("#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\na.m3u8\n", as: "list/captions.m3u8")
    await #expect { try await read() } throws: { ($0 as? VitrineError)?.number == 3205 }
  }

  @Test("A playlist that names a file of this machine is refused as a whole")
  func disk() async throws {
    let secret = try directory.write("WEBVTT\n\n00:01.000 --> 00:02.000\nsecret\n", as: "secret.vtt")
    try writeCue("a", at: 1, as: "list/a.vtt")
    try write(["a.vtt", "file://\(secret)"])
    await #expect { try await read() } throws: { ($0 as? VitrineError)?.number == 3204 }
  }

  @Test("Captions that aren't wanted any more are read no further")
  func unwanted() async throws {
    try write((0..<4).map { "\($0).vtt" })
    for part in 0..<4 { try writeCue("\(part)", at: part, as: "list/\(part).vtt") }
    let (told, outcome) = try await read(from: .zero) { $0 < 2 }
    guard case .cutShort = outcome else {
      Issue.record("it was read to its end")
      return
    }
    #expect(told == [["0"], ["0", "1"]])
  }
}
