internal import KioskCore
internal import MainLoop
internal import PlaybackCore

/// The way to one projector: a connection by TCP for the commands of one look, and none between looks, because many
/// projectors have one place for all of their control systems. Confined to the loop's thread; nothing here waits.
final class PJLinkLine {
  /// The bytes that are read at a time: more than any answer has.
  private static let readBytes = 512

  private let connector: MachineConnector
  private let passwordFile: String?
  private let loop: EventLoop
  private var socket: StreamSocket?
  private var reader = PJLinkReader()
  private var isGreeted = false
  private var underWay: (command: PJLinkCommand, done: (Result<PJLinkReply, PJLinkFailure>) -> Void)?
  /// Whether the connection was opened for the command under way: an older one may have been closed in this moment, and
  /// is replaced once.
  private var isFresh = false
  private var reading: EventSource?

  /// - Parameter passwordFile: its first line is the password; nil for a projector without one.
  init(to machine: CueReceiver, passwordFile: String?, on loop: EventLoop) {
    self.passwordFile = passwordFile
    self.loop = loop
    connector = MachineConnector(to: machine, on: loop)
  }

  /// Sends a command and calls `done` once with its answer, later or at once, unless `hangUp` comes first. One at a
  /// time.
  func ask(_ command: PJLinkCommand, then done: @escaping (Result<PJLinkReply, PJLinkFailure>) -> Void) {
    underWay = (command, done)
    if socket == nil { connect() } else { send(command) }
  }

  /// Closes the connection and forgets the command under way.
  func hangUp() {
    underWay = nil
    connector.giveUp()
    close()
  }

  private func close() { (reading, socket) = (nil, nil) }

  private func finish(_ result: Result<PJLinkReply, PJLinkFailure>) {
    if case .failure = result { close() }
    let done = underWay?.done
    underWay = nil
    done?(result)
  }

  // MARK: The connection

  private func connect() {
    (isFresh, isGreeted, reader) = (true, false, PJLinkReader())
    connector.open { [weak self] outcome in
      guard let self else { return }
      switch outcome {
      case .failure(let failure): finish(.failure(.unreachable(failure.reason)))
      case .success(let socket):
        self.socket = socket
        reading = loop.watch(fileDescriptor: socket.descriptor, for: .readable) { [weak self] _ in self?.read() }
      }
    }
  }

  private func read() {
    guard let socket else { return }
    let (outcome, bytes) = socket.receive(atMost: Self.readBytes)
    switch outcome {
    case .later: return
    case .over:
      close()
      guard underWay != nil else { return }
      if isFresh { finish(.failure(.unreachable("the connection was closed without an answer"))) } else { connect() }
    case .bytes:
      // No command is under way.
      guard let command = underWay?.command else { return }
      switch reader.line(adding: bytes) {
      case .incomplete: break
      case .tooLong: finish(.failure(.garbled))
      case .whole(let line): if isGreeted { answered(line, command) } else { greeted(line, command) }
      }
    }
  }

  // MARK: Lines

  private func greeted(_ line: [UInt8], _ command: PJLinkCommand) {
    isGreeted = true
    switch PJLinkGreeting(line) {
    case nil: finish(.failure(.garbled))
    case .wrongPassword?: finish(.failure(.wrongPassword))
    case .open?: send(command)
    case .secured(let random)?:
      guard let password = passwordFile.flatMap({ FirstLine.read($0) }),
        let digest = TextChecksum.md5(random + password.utf8)
      else { return finish(.failure(.noPassword)) }
      send(command, digest: digest)
    }
  }

  /// - Parameter digest: of the password, before the first command of a connection.
  private func send(_ command: PJLinkCommand, digest: String = "") {
    let bytes = Array(digest.utf8) + command.bytes
    switch socket?.send(bytes[...]) {
    case .bytes(bytes.count)?: break
    case .over? where !isFresh:
      close()
      connect()
    // A new connection has room for a line.
    default: finish(.failure(.unreachable("the connection takes no command")))
    }
  }

  private func answered(_ line: [UInt8], _ command: PJLinkCommand) {
    isFresh = false
    finish(PJLinkReply(line, to: command).map { .success($0) } ?? .failure(.garbled))
  }
}
