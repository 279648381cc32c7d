import Foundation
import KioskTestSupport
import MediaPipeline
import PlaybackCore
import Testing

@testable import VitrinePlayback

@Suite("Two players in one process (0122)")
struct TwoPlayersTests {
  @Test("Two players on one loop use different accounts for the same server")
  func access() async throws {
    let directory = try TemporaryDirectory()
    let folder = directory.url.appending(path: "www")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try FileManager.default.copyItem(
      at: URL(filePath: try await Media.path(twoSeconds)), to: folder.appending(path: twoSeconds))
    let server = try ToolServer("picky-server", ["--authorization", "Bearer s3cret", directory.path("www")])
    let token = try directory.write("s3cret\n", as: "token")
    let executor = try GLibExecutor.start(name: "two-players")
    func player(tokenFile: String?) throws -> VitrinePlayback.Player {
      var configuration = PlayerConfiguration(
        items: [MediaItem(uri: server.uri(twoSeconds), kind: .progressive)],
        output: .memory(size: PixelSize(width: 64, height: 36)), wantsSound: false)
      let origin = try #require(WebOrigin(.http, host: "127.0.0.1", port: server.port))
      configuration.access.accounts = tokenFile.map { [.init(origin, tokenFile: $0)] } ?? []
      return try VitrinePlayback.Player(configuration: configuration, executor: executor)
    }
    // Neither the last player's account nor the first one's counts for all.
    let players = try [nil, token, nil].map { try player(tokenFile: $0) }
    for player in players { await player.prepare() }
    let known = try await players[1].reaches("ready") { $0.itemStatus == .readyToPlay }
    #expect(known.problem == nil)
    for stranger in [players[0], players[2]] {
      let status = try await stranger.reaches("the refusal") { $0.problem != nil }
      #expect(status.problem?.number == 2401)
    }
    for player in players { await player.stop() }
  }

  @Test("A picture is fetched with the account too, although its source isn't playbin's")
  func picture() async throws {
    let directory = try TemporaryDirectory()
    let folder = directory.url.appending(path: "www")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try FileManager.default.copyItem(
      at: URL(filePath: try await Media.path("picture-800x600.png")), to: folder.appending(path: "a.png"))
    let server = try ToolServer("picky-server", ["--authorization", "Bearer s3cret", directory.path("www")])
    var configuration = PlayerConfiguration(
      items: [MediaItem(uri: server.uri("a.png"), kind: .picture)],
      output: .memory(size: PixelSize(width: 64, height: 36)), wantsSound: false)
    let origin = try #require(WebOrigin(.http, host: "127.0.0.1", port: server.port))
    configuration.access.accounts = [.init(origin, tokenFile: try directory.write("s3cret\n", as: "token"))]
    let player = try VitrinePlayback.Player(
      configuration: configuration, executor: try GLibExecutor.start(name: "picture"))
    await player.prepare()
    let known = try await player.reaches("ready") { $0.itemStatus == .readyToPlay || $0.problem != nil }
    #expect(known.problem == nil)
    await player.stop()
  }

  @Test("Two players on one loop play by clocks that are an hour apart")
  func clocks() async throws {
    let film = try await clip(twoSeconds)
    let executor = try GLibExecutor.start(name: "two-clocks")
    try GStreamerLibrary.start()
    let clocks = [MediaClock.system, MediaClock(ahead: .seconds(3600))]
    #expect(abs((clocks[1].now - clocks[0].now - .seconds(3600)).inSeconds) < 60)
    let players = try clocks.map { clock in
      try VitrinePlayback.Player(
        configuration: PlayerConfiguration(
          items: [film], output: .memory(size: PixelSize(width: 640, height: 360)), wantsSound: false),
        executor: executor, clock: clock)
    }
    let events = players.map { $0.events() }
    for player in players { await player.play() }
    for sequence in events { _ = try await sequence.until(.endOfQueue) }
    for player in players {
      let report = try #require(await player.report())
      #expect(report.items.map(\.status) == ["played"] && report.stalls.isEmpty)
      // In real time, on a machine that may be busy: most of its 60 frames.
      #expect(report.framesRendered > 40 && player.status.position == .seconds(2))
      await player.stop()
    }
  }
}
