import Foundation
import KioskTestSupport
import PlaybackCore
import Testing

/// After a kill at any moment of a download the player has complete files only, and continues the others.
@Suite("kill -9 during downloads", .serialized)
struct StoreKillTests {
  /// VITRINE_KILLS=200 runs the whole test (`make test-kill`); every ordinary run has some kills.
  static let kills = ProcessInfo.processInfo.environment["VITRINE_KILLS"].flatMap { Int($0) } ?? 20
  /// Four checkpoints, and two seconds of download: about half of the kills leave a part to continue.
  private static let size = 4_000_000
  private static let bandwidth = 2_000_000
  /// Room for four of the six files.
  private static let capacity = 4 * size

  @Test(
    "After kill -9 no partial file counts as complete, downloads continue, and the capacity holds",
    .timeLimit(.minutes(30)))
  func kill() async throws {
    let directory = try TemporaryDirectory()
    let www = directory.url.appending(path: "www")
    try FileManager.default.createDirectory(at: www, withIntermediateDirectories: true)
    // Clips with a `free` box of filler behind them: large files that play.
    let clip = try Data(contentsOf: URL(filePath: try await Media.path("h264-640x360-30-2s.mp4")))
    let names = (0..<6).map { "\($0).mp4" }
    var contents: [String: Data] = [:]
    for (index, name) in names.enumerated() {
      let padding = Self.size - clip.count - 8
      var data = clip + [0, 0, 0, 0].map { UInt8($0) } + Data("free".utf8)
      withUnsafeBytes(of: UInt32(padding + 8).bigEndian) { data.replaceSubrange(clip.count..<clip.count + 4, with: $0) }
      data += Data((0..<padding).map { UInt8(truncatingIfNeeded: $0 &* (index + 3) &+ $0 >> 8) })
      contents[name] = data
      try data.write(to: www.appending(path: name))
    }
    let server = try Server(directory)
    let items = names.map { "[[playlist.main.item]]\nuri = \"http://127.0.0.1:\(server.port)/\($0)\"\n" }.joined()
    let settings =
      "[store]\ncapacity = \"\(Self.capacity / 1000) kB\"\nfree_space = \"64 kB\"\n"
      + "bandwidth = \"\(Self.bandwidth / 1000) kB\"\n"
    try RunningPlayer.write("version = 1\n" + settings + items, as: "vitrine.toml", in: directory)
    let store = directory.url.appending(path: "state/store")
    var wholeFiles = 0
    for kill in 0..<Self.kills {
      let player = try RunningPlayer(in: directory)
      try await Task.sleep(for: .milliseconds(Int.random(in: 500..<4500)))
      _ = try await player.stop(signal: SIGKILL)
      // Four kills within seconds would put the film into quarantine.
      try? FileManager.default.removeItem(atPath: directory.path("state/quarantine"))
      let found = (try? FileManager.default.contentsOfDirectory(atPath: store.path)) ?? []
      var bytes = 0
      for name in found where name.hasSuffix(".mp4") || name.hasSuffix(".part") {
        let data = try Data(contentsOf: store.appending(path: name))
        bytes += data.count
        guard !name.hasSuffix(".part") else { continue }
        wholeFiles += 1
        #expect(contents.values.contains(data), "after kill \(kill): \(name) has \(data.count) bytes")
      }
      #expect(bytes <= Self.capacity, "after kill \(kill): \(found)")
      // Removes all but two complete files, so that there is always one to download.
      let whole = found.filter { $0.hasSuffix(".mp4") }
      for victim in whole.dropFirst(2) { try FileManager.default.removeItem(at: store.appending(path: victim)) }
    }
    let player = try RunningPlayer(["-v"], in: directory)
    try await player.logged { _ in
      let found = (try? FileManager.default.contentsOfDirectory(atPath: store.path)) ?? []
      return found.count { $0.hasSuffix(".mp4") } >= 3
    }
    try await player.showedFrame()
    let run = try await player.stop()
    #expect(run.outcome.status == 0 && run.report?.framesRendered ?? 0 > 0)
    #expect(run.report?.items.allSatisfy { $0.status != "failed" } == true, "\(player.ownLog.suffix(2000))")
    let requests = try String(contentsOfFile: directory.path("requests"), encoding: .utf8).split(separator: "\n")
    // Only the store's requests: playback reads each file from its first byte to its last.
    let resumed = requests.filter { $0.contains(" 206 ") }.compactMap { request in
      request.split(separator: "=").last.flatMap { Int($0.prefix { $0 != "-" }) }
    }.filter { $0 > 0 }
    #expect(wholeFiles > Self.kills, "\(wholeFiles) whole files seen")
    #expect(resumed.count > Self.kills / 10, "\(resumed.count) requests went on")
    #expect(resumed.allSatisfy { $0 < Self.size }, "\(resumed)")
    print("store kills: \(Self.kills) kills, \(wholeFiles) whole files looked at, \(resumed.count) requests went on")
  }

  /// Tests/Tools/fault-server, without faults.
  private final class Server {
    let port: Int
    private let process = Process()

    init(_ directory: TemporaryDirectory) throws {
      process.executableURL = Tool.root.appending(path: "Tests/Tools/fault-server")
      process.arguments = ["--log", directory.path("requests"), directory.path("www")]
      let output = Pipe()
      process.standardOutput = output
      try process.run()
      var line: [UInt8] = []
      while let byte = try output.fileHandleForReading.read(upToCount: 1)?.first, byte != UInt8(ascii: "\n") {
        line.append(byte)
      }
      port = Int(String(decoding: line, as: UTF8.self)) ?? 0
    }

    deinit { Foundation.kill(process.processIdentifier, SIGKILL) }
  }
}
