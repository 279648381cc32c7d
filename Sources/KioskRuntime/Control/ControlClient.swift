internal import FileSystem
internal import Glibc
public import JSONText
internal import MediaPipeline
public import PlaybackCore

/// A client's end of the control socket. Blocks, up to its time limits; for commands, not for the loop.
public final class ControlClient {
  private let path: String
  private let socket: StreamSocket
  private var input: [UInt8] = []
  private var scanned = 0
  private var nextID: Int64 = 1
  /// Events that arrived before an awaited answer.
  private var events: [JSONValue] = []
  private let wait: Duration

  /// The player's process number, from the kernel.
  public var processOfPlayer: Int32? { socket.peer?.process }

  /// - Parameters:
  ///   - path: the socket's path.
  ///   - wait: the time limit for each answer.
  /// - Throws: 7610 where no player listens, 7611 where this user may not connect.
  public init(path: String, wait: Duration = .seconds(10)) throws(VitrineError) {
    self.path = path
    self.wait = wait
    do throws(SystemNumber) {
      socket = try Self.connect(to: path)
    } catch {
      throw Self.failure(error, path)
    }
  }

  /// Tries again while the player's queue of connections is full.
  private static func connect(to path: String) throws(SystemNumber) -> StreamSocket {
    for _ in 0..<20 {
      do throws(SystemNumber) {
        return try StreamSocket.connect(to: path)
      } catch  where error.number == EAGAIN {
        usleep(50_000)
      }
    }
    return try StreamSocket.connect(to: path)
  }

  private static func failure(_ error: SystemNumber, _ path: String) -> VitrineError {
    switch error.number {
    case EACCES, EPERM:
      VitrineError(
        7611, subject: path, message: "this user may not steer the player",
        remedy: "run it as root, or join the player's group: adduser USER vitrine, and log in again")
    case EAGAIN:
      VitrineError(
        7610, subject: path, message: "the player doesn't answer",
        remedy: "try again; `systemctl status vitrine` tells more")
    default:
      VitrineError(
        7610, subject: path, message: "no player listens there: \(error.words)",
        remedy: "start it (systemctl start vitrine), or name its socket with --socket")
    }
  }

  /// Sends a request and waits for its answer.
  ///
  /// - Returns: the `result`.
  /// - Throws: the player's error; 7612 where it doesn't answer.
  public func ask(_ verb: String, _ arguments: [JSONValue.Member] = []) throws(ControlFailure) -> JSONValue {
    let id = nextID
    nextID += 1
    let line = JSONValue.object([.init("id", .integer(id)), .init("verb", .string(verb))] + arguments).compact + "\n"
    let deadline = Instant.monotonicNow + wait
    var rest = Array(line.utf8)[...]
    while !rest.isEmpty {
      switch socket.send(rest) {
      case .bytes(let count): rest = rest.dropFirst(count)
      case .later: guard socket.wait(writing: true, for: left(until: deadline)) else { throw silence }
      // The player may have sent a reason before it closed the connection.
      case .over: rest = []
      }
    }
    while true {
      let answer = try next(until: deadline)
      if answer["event"] != nil {
        events.append(answer)
        continue
      }
      // An answer without an id is the player's last one before it closes the connection.
      guard answer["id"]?.wholeNumber == id || answer["id"] == .null else { continue }
      if answer["ok"]?.truth == true { return answer["result"] ?? .null }
      throw ControlFailure(Self.error(answer["error"] ?? .null), reason: answer["error"]?["reason"]?.text)
    }
  }

  /// Waits for an event, for ever.
  public func nextEvent() throws(ControlFailure) -> JSONValue {
    if !events.isEmpty { return events.removeFirst() }
    while true {
      let line = try next(until: nil)
      if line["event"] != nil { return line }
      if line["ok"]?.truth == false { throw ControlFailure(Self.error(line["error"] ?? .null), reason: nil) }
    }
  }

  private func left(until deadline: Instant) -> Duration { max(.zero, deadline - .monotonicNow) }

  private var silence: ControlFailure {
    ControlFailure(
      VitrineError(
        7612, subject: path, message: "the player doesn't answer",
        remedy: "try again; `systemctl status vitrine` tells more"), reason: nil)
  }

  private var gone: ControlFailure {
    ControlFailure(
      VitrineError(7612, subject: path, message: "the player has ended the connection", remedy: "try again"),
      reason: nil)
  }

  private func next(until deadline: Instant?) throws(ControlFailure) -> JSONValue {
    while true {
      if let end = input[scanned...].firstIndex(of: 0x0A) {
        let line = Array(input[..<end])
        input.removeFirst(end + 1)
        scanned = 0
        guard let value = try? JSONValue(parsing: line) else {
          throw ControlFailure(
            VitrineError(
              7612, subject: path, message: "the program that answers there isn't a player",
              remedy: "name the player's socket with --socket"), reason: nil)
        }
        return value
      }
      scanned = input.count
      let (outcome, bytes) = socket.receive(atMost: 64 * 1024)
      switch outcome {
      case .bytes: input += bytes
      case .over: throw gone
      case .later:
        let wait = deadline.map { left(until: $0) } ?? .seconds(3600)
        guard socket.wait(writing: false, for: wait) || deadline == nil else { throw silence }
      }
    }
  }

  private static func error(_ value: JSONValue) -> VitrineError {
    VitrineError(
      Int(value["number"]?.wholeNumber ?? 7612), subject: value["subject"]?.text ?? "player",
      message: value["message"]?.text ?? "the player refused, and gave no reason", remedy: value["remedy"]?.text ?? "")
  }
}

/// The player's refusal of a command.
public struct ControlFailure: Error, Hashable, Sendable {
  public var error: VitrineError
  /// A reason word for programs, where the player refused a command.
  public var reason: String?

  init(_ error: VitrineError, reason: String?) {
    self.error = error
    self.reason = reason
  }
}
