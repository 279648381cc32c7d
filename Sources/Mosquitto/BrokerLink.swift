internal import CMosquitto
internal import Glibc
public import MainLoop
public import PlaybackCore

/// A broker's address, and the player's account there.
public struct BrokerSetup: Hashable, Sendable {
  public var address: BrokerAddress
  public var client: String
  public var user: String?
  /// A file whose first line is the password.
  public var passwordFile: String?
  /// PEM; nil for the system's authorities.
  public var authoritiesFile: String?
  /// The message that the broker publishes, retained, if the connection breaks without a goodbye.
  public var will: (topic: String, payload: String) {
    get { (willTopic, willPayload) }
    set { (willTopic, willPayload) = newValue }
  }
  private var willTopic = ""
  private var willPayload = ""
  /// The topic that the link subscribes to; nil for none.
  public var commandTopic: String?

  public init(_ address: BrokerAddress, client: String) {
    self.address = address
    self.client = client
  }
}

/// The connection to a broker. libmosquitto runs on a thread of this link, which looks up names, reads files and sends
/// bytes. Its events are posted to the loop; nothing on that thread calls into the kiosk. Confined to the loop's
/// thread.
public final class BrokerLink {
  public enum Event: Hashable, Sendable {
    case connected
    /// With the reason in words.
    case disconnected(String)
    /// A message was sent.
    case sent
    case message([UInt8], isRetained: Bool)
  }

  /// Seconds between two pings of the broker; without an answer for half as long again, the connection is dead.
  static let keepAlive: Int32 = 30
  /// Messages that wait for the loop. Further ones are dropped: a sender of so many isn't steering a player.
  static let inboxLimit = 64
  /// A longer message isn't a command; it is cut to this length.
  public static let longestMessage = 8 * 1024

  private let setup: BrokerSetup
  private let handler: (Event) -> Void
  private var mailbox: Mailbox<(run: Int, Told)>?
  private var run = 0
  private var line: Line?
  private var stop: Locked<Bool>?

  fileprivate enum Told: Sendable {
    case connected(Line)
    case event(Event)
  }

  public init(_ setup: BrokerSetup, on loop: EventLoop, _ handler: @escaping (Event) -> Void) {
    self.setup = setup
    self.handler = handler
    let reference = LoopReference(self, of: loop.executor)
    mailbox = Mailbox(executor: loop.executor) { reference.value?.handleLinkEvent($1, of: $0) }
  }

  deinit {
    stop?.withLock { $0 = true }
    mailbox?.close()
  }

  /// `connected` follows, or `disconnected`; after `connected` always once `disconnected`.
  public func connect() {
    hangUp()
    run += 1
    let stop = Locked(false)
    self.stop = stop
    let inbox = Locked(0)
    self.inbox = inbox
    // A thread for each attempt: one that hangs in a name lookup doesn't hold up the next.
    let worker = BlockingWorker()
    worker.submit { [setup, mailbox, run] in
      let thread = LineThread(setup, stop: stop, inbox: inbox) { mailbox?.post((run, $0)) }
      let reason = thread.run()
      mailbox?.post((run, .event(.disconnected(reason))))
    }
    worker.finish()
  }
  private var inbox: Locked<Int>?

  /// Hands a message over; it goes out when the line takes it. Never waits. Nothing is kept without a line.
  public func publish(_ payload: [UInt8], to topic: String, isRetained: Bool) {
    line?.publish(payload, to: topic, isRetained: isRetained)
  }

  /// Says goodbye; messages from before are sent first. The handler isn't called any more.
  public func hangUp() {
    run += 1
    line?.disconnect()
    line = nil
    stop?.withLock { $0 = true }
    stop = nil
  }

  private func handleLinkEvent(_ told: Told, of number: Int) {
    guard number == run else { return }
    switch told {
    case .connected(let line):
      self.line = line
      handler(.connected)
    case .event(let event):
      if case .disconnected = event { line = nil }
      if case .message = event { inbox?.withLock { $0 -= 1 } }
      handler(event)
    }
  }
}

/// libmosquitto's own, destroyed with the last use.
///
/// `@unchecked Sendable` holds because the pointer doesn't change, and libmosquitto locks its data once
/// `mosquitto_threaded_set` was called, which happens before a second thread has the pointer.
private final class Line: @unchecked Sendable {
  let pointer: OpaquePointer
  /// Wakes the thread that moves the bytes.
  let waker: Waker

  init(_ pointer: OpaquePointer, _ waker: Waker) {
    self.pointer = pointer
    self.waker = waker
  }

  deinit { mosquitto_destroy(pointer) }

  func publish(_ payload: [UInt8], to topic: String, isRetained: Bool) {
    // At most once: a message that is lost with its connection is out of date by the next.
    _ = payload.withUnsafeBytes {
      mosquitto_publish(pointer, nil, topic, Int32($0.count), $0.baseAddress, 0, isRetained)
    }
    waker.wake()
  }

  func disconnect() {
    mosquitto_disconnect(pointer)
    waker.wake()
  }
}

/// One try, and the line that comes of it. On a thread of its own.
private final class LineThread {
  private let setup: BrokerSetup
  private let stop: Locked<Bool>
  private let inbox: Locked<Int>
  private let tell: @Sendable (BrokerLink.Told) -> Void
  private var line: Line?
  private var refusal: String?
  private var budget = IncomingBudget()
  private let waker = Waker()

  /// Once, before anything else of libmosquitto.
  private static let isReady = mosquitto_lib_init() == 0

  init(
    _ setup: BrokerSetup, stop: Locked<Bool>, inbox: Locked<Int>, tell: @escaping @Sendable (BrokerLink.Told) -> Void
  ) {
    self.setup = setup
    self.stop = stop
    self.inbox = inbox
    self.tell = tell
  }

  /// Serves the connection until it ends; returns the reason in words.
  func run() -> String {
    // TLS may write to a broken connection; this thread gets an error from the call in place of the signal.
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGPIPE)
    pthread_sigmask(SIG_BLOCK, &signals, nil)
    guard Self.isReady, let pointer = mosquitto_new(setup.client, true, Unmanaged.passUnretained(self).toOpaque())
    else { return "libmosquitto can't begin" }
    line = Line(pointer, waker)
    if let problem = configure(pointer) { return problem }
    let result = mosquitto_connect(pointer, setup.address.host, Int32(setup.address.port), BrokerLink.keepAlive)
    guard result == 0 else { return Self.words(result) }
    guard let socket = MeteredSocket(inPlaceOf: mosquitto_socket(pointer), waker: waker) else {
      return String(cString: strerror(errno))
    }
    return serve(socket, pointer)
  }

  private func serve(_ socket: MeteredSocket, _ pointer: OpaquePointer) -> String {
    var result: Int32 = 0
    while result == 0, refusal == nil {
      let isOver = stop.withLock { $0 }
      socket.turn(waiting: isOver ? 0 : 1000) { count in
        let isRoom = budget.consume(count, at: Instant(nanoseconds: EventLoop.monotonicNanoseconds()))
        if !isRoom { refusal = "it sends a message of more than \(IncomingBudget.limit / 1024) kB" }
        return isRoom
      }
      if refusal != nil { break }
      // libmosquitto reads the whole piece before the next one comes.
      repeat { result = mosquitto_loop(pointer, 0, 1) } while result == 0 && refusal == nil && hasMore(pointer)
      socket.sendOut()
      if isOver { break }
    }
    // Messages from before the goodbye are still sent, as long as the network takes them: the end waits for nothing.
    for _ in 0..<Self.lastTurns where socket.hasMoreToSend { socket.sendOut() }
    return refusal ?? Self.words(result)
  }

  /// The most pieces that are sent after the goodbye: the messages of one turn.
  private static let lastTurns = 16

  /// Whether libmosquitto has unread input.
  private func hasMore(_ pointer: OpaquePointer) -> Bool {
    var count: Int32 = 0
    let descriptor = mosquitto_socket(pointer)
    return descriptor >= 0 && ioctl(descriptor, UInt(FIONREAD), &count) == 0 && count > 0
  }

  private func configure(_ pointer: OpaquePointer) -> String? {
    mosquitto_threaded_set(pointer, true)
    if setup.user != nil || setup.passwordFile != nil {
      var password: String?
      if let file = setup.passwordFile {
        password = FirstLine.read(file)
        guard password != nil else { return "\(file) has no password in it, or can't be read" }
      }
      mosquitto_username_pw_set(pointer, setup.user ?? "", password)
    }
    if setup.address.usesTLS {
      let result =
        setup.authoritiesFile.map { mosquitto_tls_set(pointer, $0, nil, nil, nil, nil) }
        ?? mosquitto_int_option(pointer, MOSQ_OPT_TLS_USE_OS_CERTS, 1)
      guard result == 0 else { return "the file of authorities can't be used: \(Self.words(result))" }
    }
    let will = Array(setup.will.payload.utf8)
    _ = will.withUnsafeBytes {
      mosquitto_will_set(pointer, setup.will.topic, Int32($0.count), $0.baseAddress, 1, true)
    }
    mosquitto_connect_callback_set(pointer) { _, data, code in LineThread.of(data)?.answered(code) }
    mosquitto_publish_callback_set(pointer) { _, data, _ in LineThread.of(data)?.tell(.event(.sent)) }
    mosquitto_message_callback_set(pointer) { _, data, message in
      if let message { LineThread.of(data)?.received(message.pointee) }
    }
    return nil
  }

  /// Callbacks come within `mosquitto_loop`, while `run` has this.
  private static func of(_ data: UnsafeMutableRawPointer?) -> LineThread? {
    data.map { Unmanaged<LineThread>.fromOpaque($0).takeUnretainedValue() }
  }

  private func answered(_ code: Int32) {
    guard code == 0, let line else {
      refusal = mosquitto_connack_string(code).map { String(cString: $0) } ?? "the broker refuses"
      return
    }
    budget.messageIsWhole()
    if let topic = setup.commandTopic { mosquitto_subscribe(line.pointer, nil, topic, 1) }
    tell(.connected(line))
  }

  private func received(_ message: mosquitto_message) {
    budget.messageIsWhole()
    let isRoom = inbox.withLock { count in
      guard count < BrokerLink.inboxLimit else { return false }
      count += 1
      return true
    }
    guard isRoom else { return }
    let bytes = UnsafeRawBufferPointer(start: message.payload, count: Int(max(0, message.payloadlen)))
    tell(.event(.message(Array(bytes.prefix(BrokerLink.longestMessage)), isRetained: message.retain)))
  }

  private static func words(_ result: Int32) -> String {
    // The system's own words, if there are any.
    if result == Int32(MOSQ_ERR_ERRNO.rawValue) { return String(cString: strerror(errno)) }
    // libmosquitto 2.0 has no words for it.
    if result == Int32(MOSQ_ERR_KEEPALIVE.rawValue) {
      return "it has said nothing for \(BrokerLink.keepAlive) s and more"
    }
    return mosquitto_strerror(result).map { String(cString: $0) } ?? "error \(result)"
  }
}
