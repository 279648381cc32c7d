import ControlProtocol
import Foundation
import InteractionCore
import JSONText
import KioskTestSupport
import PlaybackCore
import Testing

@testable import KioskRuntime

/// The control server's door to the network, with real programs as the other side.
@Suite("Control by other machines")
struct NetworkDoorTests {
  /// A bench that listens at a free port of this machine.
  private func bench(from: [AddressPrefix] = []) async throws -> (ControlBench, port: Int) {
    let bench = try ControlBench()
    let port = try FreePort.next()
    let address = try #require(ListenAddress("127.0.0.1:\(port)"))
    #expect(await bench.listen(to: .init(address: address, from: from)) == nil)
    return (bench, port)
  }

  /// The player's answers to lines by TCP; it closes the connection after them.
  private func ask(_ port: Int, _ text: String) async throws -> String {
    try await Tool.run("bash", ["-c", "printf '\(text)' | socat -t120 - TCP:127.0.0.1:\(port)"], limit: 150).output
  }

  /// Sends a datagram.
  ///
  /// - Returns: the datagram that answers it; empty where `isAnswered` is false.
  private func send(_ port: Int, _ text: String, isAnswered: Bool) async throws -> String {
    let script = """
      import socket, sys
      s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
      s.connect(("127.0.0.1", int(sys.argv[1])))
      s.settimeout(120)
      s.send(sys.argv[2].encode().decode("unicode_escape").encode())
      if sys.argv[3] == "true": sys.stdout.write(s.recv(4096).decode())
      """
    return try await Tool.run("python3", ["-c", script, "\(port)", text, "\(isAnswered)"], limit: 150).output
  }

  @Test("A control system asks in words by TCP, and gets answers, events and refusals")
  func tcp() async throws {
    let (bench, port) = try await bench()
    #expect(
      try await ask(port, "pause\\r\\n@left mute on\\r\\nnext\\r\\ndance\\r\\nhello\\r\\n")
        .replacing("\r\n", with: "|").hasPrefix(
          "ok|ok|error 7609 nothing plays|error 7603 there is no verb 'dance'|ok vitrine "))
    #expect(await bench.performed == [.pause, .setMuted(true), .next])
    #expect(await bench.asked == [nil, "left", nil])
    await bench.stop()
  }

  @Test("Lines by UDP are answered in one datagram; OSC is carried out in silence")
  func udp() async throws {
    let (bench, port) = try await bench()
    #expect(
      try await send(port, "pause\\nnext\\n", isAnswered: true) == "ok\r\nerror 7609 nothing plays\r\n")
    #expect(try await send(port, "/vitrine/play\\0\\0\\0,\\0\\0\\0", isAnswered: false) == "")
    try await bench.performed(3)
    #expect(await bench.performed == [.pause, .next, .play])
    await bench.stop()
  }

  @Test("oscsend of liblo: a clip, a seek, a fader, a switch")
  func liblo() async throws {
    let (bench, port) = try await bench()
    for arguments in [
      ["/vitrine/clip", "s", "hall"], ["/vitrine/seek", "f", "12.5"], ["/vitrine/volume", "f", "39.6"],
      ["/vitrine/right/mute", "T"], ["/vitrine/message", "s", "Back at two"],
    ] {
      #expect(try await Tool.run("oscsend", ["127.0.0.1", "\(port)"] + arguments, limit: 30).status == 0)
    }
    let wanted: [Command] = [
      .playOnce(ClipRequest(list: "hall")), .seek(to: .seconds(12.5)), .setVolume(percent: 40), .setMuted(true),
      .showMessage("Back at two", for: Verb.messageStay),
    ]
    try await bench.performed(wanted.count)
    #expect(await bench.performed == wanted)
    #expect(await bench.asked == [nil, nil, nil, "right", nil])
    await bench.stop()
  }

  @Test("Machines that aren't named get no byte, and this machine is let in")
  func strangers() throws {
    let address = try #require(ListenAddress("0.0.0.0:4010"))
    let door = NetworkDoor.Settings(address: address, from: [try #require(AddressPrefix("10.0.3.0/24"))])
    #expect(door.admits([10, 0, 3, 7]) && door.admits([127, 0, 0, 1]))
    #expect(door.admits([UInt8](repeating: 0, count: 15) + [1]))
    #expect(!door.admits([10, 0, 4, 7]) && !door.admits([UInt8](repeating: 0, count: 15) + [2]))
  }

  @Test("The network has its own places: half of all, so that programs on the board still get in")
  func places() async throws {
    let (bench, port) = try await bench()
    // The local socket opens beside it, and doesn't close it.
    #expect(await bench.listen() == nil)
    // Subscribers are never closed for others.
    let holders = (0..<ControlLimits.networkClients).map { _ in try? Subscriber(port) }
    try await bench.connected(ControlLimits.networkClients)
    #expect(try await ask(port, "pause\\n").contains("7606"))
    #expect(try ControlClient(path: bench.path).ask("status")["name"] != nil)
    for holder in holders { holder?.end() }
    await bench.stop()
  }

  @Test("A flood by UDP is carried out at a bounded rate, and the door works after it")
  func flood() async throws {
    let (bench, port) = try await bench()
    let begin = ContinuousClock.now
    _ = try await Tool.run(
      "bash", ["-c", "exec 3> /dev/udp/127.0.0.1/\(port); for i in $(seq 5000); do echo pause >&3; done"],
      limit: 60)
    let performed = await bench.performed.count
    let admitted = ControlLimits.networkBurst + ControlLimits.networkRate * (ContinuousClock.now - begin).inSeconds
    #expect(performed >= 1 && Double(performed) <= admitted)
    // The allowance comes back with time.
    try await eventually("the answer") { try await ask(port, "next\\n").contains("7609") }
    #expect(await bench.performed.last == .next)
    await bench.stop()
  }

  @Test("A port that another program holds is told, and is listened at once it is free")
  func busy() async throws {
    let (first, port) = try await bench()
    let second = try ControlBench()
    let settings = NetworkDoor.Settings(address: try #require(ListenAddress("127.0.0.1:\(port)")), from: [])
    #expect(await second.listen(to: settings)?.number == 7618)
    await first.stop()
    try await eventually("the answer") { try await ask(port, "pause\\n").contains("ok") }
    #expect(await second.performed.contains(.pause))
    await second.stop()
  }
}

extension ControlBench {
  /// Waits until so many commands have been performed.
  fileprivate func performed(_ count: Int) async throws {
    for _ in 0..<9000 where self.performed.count < count { try await Task.sleep(for: .milliseconds(20)) }
  }

  /// Waits until so many clients are connected.
  fileprivate func connected(_ count: Int) async throws {
    for _ in 0..<9000 where clientCount < count { try await Task.sleep(for: .milliseconds(20)) }
  }
}

/// A client that subscribes and stays until it is ended, or this process has ended.
private final class Subscriber {
  private let process = Process()
  private let input = Pipe()

  init(_ port: Int) throws {
    process.executableURL = URL(filePath: "/usr/bin/socat")
    process.arguments = ["-", "TCP:127.0.0.1:\(port)"]
    process.standardInput = input
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    try input.fileHandleForWriting.write(contentsOf: Data("subscribe\n".utf8))
  }

  func end() { process.terminate() }
  deinit { process.terminate() }
}
