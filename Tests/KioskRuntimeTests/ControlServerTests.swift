import ControlProtocol
import FileSystem
import Foundation
import InteractionCore
import JSONText
import KioskCore
import KioskTestSupport
import Logging
import MainLoop
import PlaybackCore
import Testing
import VitrinePlayback

@testable import KioskRuntime

/// A control server on a loop, with a fake kiosk.
actor ControlBench: ControlServerOwner {
  nonisolated let executor: GLibExecutor
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
  nonisolated let folder: URL
  nonisolated var path: String { folder.appending(path: "control").path }
  private var server: ControlServer?
  private(set) var performed: [Command] = []
  private(set) var asked: [String?] = []
  private var picture: LoopReference<ScreenshotRequest>?

  init() throws {
    executor = try GLibExecutor.start(name: "control-bench")
    folder = FileManager.default.temporaryDirectory.appending(path: "vitrine-control-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  func listen() -> VitrineError? { made.listen(at: path) }

  func listen(to settings: NetworkDoor.Settings) -> VitrineError? { made.listen(to: settings) }

  private var made: ControlServer {
    if let server { return server }
    let log = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
    let new = ControlServer(on: EventLoop(executor: executor), owner: self, log: log)
    server = new
    return new
  }

  func stop() { server?.stop() }

  /// Ends the server like a crash: its socket's file stays.
  func die() { server = nil }

  func report(_ notice: ScreenNotice) { server?.handle(notice, of: nil) }

  var clientCount: Int { server?.clientCount ?? 0 }
  var keptBytes: Int { server?.keptBytes ?? 0 }

  func finishPicture(_ answer: ScreenshotRequest.Answer) { picture?.value?.finish(answer) }

  // MARK: The kiosk

  nonisolated func control(performs command: Command, on screen: String?) -> KioskReply {
    assumeIsolated { bench in
      bench.performed.append(command)
      bench.asked.append(screen)
      return command == .next ? .refused(.nothingPlays) : .done
    }
  }

  nonisolated func controlAsksForStatus() -> KioskStatus { KioskStatus(version: "1", name: "bench", uptimeSeconds: 1) }

  nonisolated func controlAsksForPicture(
    of screen: String?, _ wish: ControlPictureWish, for request: LoopReference<ScreenshotRequest>
  ) {
    assumeIsolated { $0.picture = request }
  }
}

@Suite("Control server")
struct ControlServerTests {
  private let problem = VitrineError(
    5004, subject: "card0", message: String(repeating: "no screen ", count: 100), remedy: "plug one in")

  @Test("A client gets answers, and refusals with their numbers; the named screen is passed on")
  func requests() async throws {
    let bench = try ControlBench()
    #expect(await bench.listen() == nil)
    let client = try ControlClient(path: bench.path)
    #expect(try client.ask("hello")["version"] == .integer(1))
    #expect(try client.ask("status")["name"] == .string("bench"))
    #expect(try client.ask("pause", [.init("screen", .string("left"))]) == .object([]))
    #expect(await bench.performed == [.pause])
    #expect(await bench.asked == ["left"])
    #expect(throws: ControlFailure.self) { try client.ask("next") }
    do {
      _ = try client.ask("fly")
    } catch {
      #expect(error.error.number == 7603)
    }
    _ = try client.ask("quit")
    #expect(await bench.performed.last == .quit)
    await bench.stop()
    #expect(!FileManager.default.fileExists(atPath: bench.path))
  }

  @Test("The socket's file is for owner and group, whatever the umask, and is removed with the server")
  func mode() async throws {
    let bench = try ControlBench()
    #expect(await bench.listen() == nil)
    let mode = try FileManager.default.attributesOfItem(atPath: bench.path)[.posixPermissions] as? Int
    #expect(mode == 0o660)
  }

  @Test("A dead player's socket is replaced; a living one's, and a file of another kind, is not")
  func stale() async throws {
    let first = try ControlBench()
    #expect(await first.listen() == nil)
    let second = try ControlBench()
    try FileManager.default.removeItem(at: second.folder)
    try FileManager.default.createSymbolicLink(at: second.folder, withDestinationURL: first.folder)
    #expect(await second.listen()?.number == 7601)
    #expect(try ControlClient(path: first.path).ask("status")["name"] != nil)
    await first.die()
    #expect(FileManager.default.fileExists(atPath: first.path))
    #expect(await second.listen() == nil)
    #expect(try ControlClient(path: first.path).ask("status")["name"] != nil)
    await second.stop()
    try Data("x".utf8).write(to: URL(filePath: first.path))
    #expect(await second.listen()?.number == 7600)
    #expect(try String(contentsOfFile: first.path, encoding: .utf8) == "x")
  }

  @Test("A pipe, a device, a link and a folder at the socket's path stay what they are")
  func otherKinds() async throws {
    let bench = try ControlBench()
    func check(_ what: String, _ isThere: () throws -> Bool) async throws {
      #expect(await bench.listen()?.number == 7600, "\(what)")
      #expect(try isThere(), "\(what)")
      try FileManager.default.removeItem(atPath: bench.path)
    }
    func type(_ path: String) throws -> FileAttributeType? {
      try FileManager.default.attributesOfItem(atPath: path)[.type] as? FileAttributeType
    }
    #expect(mkfifo(bench.path, 0o600) == 0)
    // FileManager has no name for this type.
    try await check("a pipe") { try type(bench.path) != .typeSocket }
    try FileManager.default.createSymbolicLink(atPath: bench.path, withDestinationPath: "/dev/null")
    try await check("a link to a device") { try type(bench.path) == .typeSymbolicLink }
    // A link leads to a dead socket; that isn't a socket at this path.
    let dead = try ControlBench()
    #expect(await dead.listen() == nil)
    await dead.die()
    try FileManager.default.createSymbolicLink(atPath: bench.path, withDestinationPath: dead.path)
    try await check("a link to a socket") { try type(bench.path) == .typeSymbolicLink }
    try FileManager.default.createDirectory(atPath: bench.path, withIntermediateDirectories: false)
    try await check("a folder") { try type(bench.path) == .typeDirectory }
    if mknod(bench.path, S_IFCHR | 0o600, dev_t(0x103)) == 0 {
      try await check("a device") { try type(bench.path) == .typeCharacterSpecial }
    }
    #expect(await bench.listen() == nil)
  }

  @Test("A path that is too long or doesn't exist is an error; so is a socket without a player")
  func noPath() async throws {
    #expect(throws: VitrineError.self) { try ControlClient(path: "/no/such/control") }
    do {
      _ = try ControlClient(path: "/no/such/control")
    } catch {
      #expect(error.number == 7610)
    }
    do {
      _ = try ControlAddress(path: "/" + String(repeating: "x", count: 200))
      Issue.record("a socket at a path that is too long")
    } catch {
      #expect(error.number == 7600)
    }
  }

  @Test("Events come to a subscriber")
  func events() async throws {
    let bench = try ControlBench()
    #expect(await bench.listen() == nil)
    let client = try ControlClient(path: bench.path)
    #expect(try client.ask("subscribe")["name"] == .string("bench"))
    await bench.report(.problem(problem))
    let event = try client.nextEvent()
    #expect(event["event"] == .string("problem") && event["error"]?["number"] == .integer(5004))
    await bench.report(.event(.visitStarted))
    #expect(try client.nextEvent() == .object([.init("event", .string("visit-started"))]))
  }

  @Test("The server serves as many of 1,000 connections as it has room for, and tells the others the reason")
  func thousand() async throws {
    let bench = try ControlBench()
    #expect(await bench.listen() == nil)
    var held: [StreamSocket] = []
    var told = 0
    for _ in 0..<1000 {
      let socket = try await connect(to: bench.path)
      held.append(socket)
      guard held.count > ControlLimits.clients else { continue }
      #expect(socket.wait(writing: false, for: .seconds(10)))
      let text = String(decoding: socket.receive(atMost: 4096).bytes, as: UTF8.self)
      if text.contains("\"number\":7606") { told += 1 }
      held.removeLast()
    }
    #expect(told == 1000 - ControlLimits.clients)
    #expect(await bench.clientCount == ControlLimits.clients)
    held = []
    // A closed connection makes room at once.
    try await eventually("no client") { await bench.clientCount == 0 }
    #expect(try ControlClient(path: bench.path).ask("status")["name"] != nil)
  }

  @Test("Subscribers and clients that never read use limited memory, and are closed")
  func neverReads() async throws {
    let bench = try ControlBench()
    #expect(await bench.listen() == nil)
    var deaf: [StreamSocket] = []
    for index in 0..<8 {
      let socket = try await connect(to: bench.path)
      _ = socket.send(Array("{\"verb\":\"subscribe\",\"events\":[\"problem\"]}\n".utf8)[...])
      if index % 2 == 1 {
        _ = socket.send(ArraySlice(Array(repeating: Array("{\"verb\":\"status\"}\n".utf8), count: 200).joined()))
      }
      deaf.append(socket)
    }
    let client = try ControlClient(path: bench.path)
    _ = try client.ask("subscribe", [.init("events", .array([]))])
    var most = 0
    for _ in 0..<1000 {
      await bench.report(.problem(problem))
      most = max(most, await bench.keptBytes)
    }
    #expect(most < ControlLimits.total)
    // Other clients are served as before.
    #expect(try client.ask("status")["name"] != nil)
    try await eventually("one client") { await bench.clientCount == 1 }
    withExtendedLifetime(deaf) {}
  }

  @Test("The server makes one screenshot at a time; a slow reader gets a large one whole")
  func screenshot() async throws {
    let bench = try ControlBench()
    #expect(await bench.listen() == nil)
    let slow = try await connect(to: bench.path)
    _ = slow.send(Array("{\"id\":1,\"verb\":\"screenshot\"}\n".utf8)[...])
    let other = try ControlClient(path: bench.path)
    do {
      // The loop answers in the order of arrival.
      while try other.ask("status")["name"] == nil {}
      _ = try other.ask("screenshot")
      Issue.record("two at a time")
    } catch {
      #expect(error.error.number == 7608)
    }
    let base64 = [UInt8](repeating: UInt8(ascii: "Q"), count: 3_000_000)
    await bench.finishPicture(.success(ControlPicture(width: 2, height: 1, base64: base64)))
    do {
      _ = try other.ask("screenshot")
      Issue.record("two at a time")
    } catch {
      #expect(error.error.number == 7608)
    }
    var got: [UInt8] = []
    while got.last != 0x0A, slow.wait(writing: false, for: .seconds(10)) {
      let (outcome, bytes) = slow.receive(atMost: 10_000)
      if outcome == .over { break }
      got += bytes
    }
    let answer = try JSONValue(parsing: got.dropLast())
    #expect(answer["result"]?["base64"]?.text?.utf8.count == base64.count && answer["id"] == .integer(1))
  }

  @Test("After 10,000 random messages from eight clients, the server still answers all")
  func random() async throws {
    let bench = try ControlBench()
    #expect(await bench.listen() == nil)
    var generator = SeededBytes(seed: 9)
    var most = 0
    var socket = try await connect(to: bench.path)
    for index in 0..<10_000 {
      if index % 1250 == 0 { socket = try await connect(to: bench.path) }
      let message = generator.message()
      if socket.send(message[...]) == .over { socket = try await connect(to: bench.path) }
      while case (.bytes, _) = socket.receive(atMost: 65536) {}
      if index % 100 == 0 { most = max(most, await bench.keptBytes) }
    }
    #expect(most < ControlLimits.total)
    #expect(try ControlClient(path: bench.path).ask("status")["name"] != nil)
  }

  private func connect(to path: String) async throws -> StreamSocket {
    var socket: StreamSocket?
    try? await eventually("a connection") {
      socket = try? StreamSocket.connect(to: path)
      return socket != nil
    }
    return try socket ?? StreamSocket.connect(to: path)
  }
}

/// Random bytes that are the same in each run.
struct SeededBytes {
  private var state: UInt64
  init(seed: UInt64) { state = seed }

  mutating func next(_ limit: Int) -> Int {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int((state >> 33) % UInt64(limit))
  }

  /// A random line: words of the protocol, or any bytes.
  mutating func message() -> [UInt8] {
    let words = [
      "{\"verb\":\"status\"}", "{\"verb\":\"subscribe\"}", "{\"id\":1,", "\"verb\":\"seek\",\"to\":", "}", "1e9",
      "\"x\"", "[[[[[[",
      "\u{0}", "{\"verb\":\"message\",\"text\":\"", "null",
    ]
    var bytes: [UInt8] = []
    for _ in 0..<(1 + next(5)) {
      bytes += next(3) == 0 ? (0..<next(200)).map { _ in UInt8(next(256)) } : Array(words[next(words.count)].utf8)
    }
    if next(500) == 0 { bytes += [UInt8](repeating: 0x61, count: 10_000) }
    return bytes + [0x0A]
  }
}
