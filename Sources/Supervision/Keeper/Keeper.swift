internal import CLinux
internal import Glibc
internal import MainLoop
public import PlaybackCore

/// `vitrine supervise`: starts a child and starts it again, gets its messages in the protocol of sd_notify(3), keeps
/// descriptors for it, and passes signals on. `KeeperMachine` decides on all of it.
///
/// One thread, which waits in poll(2). It opens no media and loads no plug-ins: a fault that crashes the child can't
/// crash the keeper.
public struct Keeper: ~Copyable {
  public struct Settings: Sendable {
    public var program: String
    /// The arguments after the program's name.
    public var arguments: [String]
    public var environment: [String: String]
    public var policy = KeeperPolicy()
    /// The number of kept descriptors, as in the systemd unit: each card, and its leases.
    public var keptLimit = 16
    /// The shell command that reboots the board; nil where no reboot is wanted.
    public var rebootCommand: String?

    public init(program: String, arguments: [String], environment: [String: String]) {
      self.program = program
      self.arguments = arguments
      self.environment = environment
    }
  }

  private let settings: Settings
  private let tell: (VitrineError) -> Void
  private let address: String
  private let listener: Int32
  private let signals: Int32
  private var machine: KeeperMachine
  private var kept: KeptDescriptors
  private var child: Int32?
  private var lastStatus = ""
  private var ending: Int32?

  /// - Parameter tell: gets the errors that people should know.
  /// - Throws: 7500.
  public init(_ settings: Settings, tell: @escaping (VitrineError) -> Void) throws(VitrineError) {
    self.settings = settings
    self.tell = tell
    machine = KeeperMachine(policy: settings.policy)
    kept = KeptDescriptors(limit: settings.keptLimit)
    var bytes = [CChar](repeating: 0, count: 108)
    let listener = vit_keeper_listen(&bytes, bytes.count)
    guard listener >= 0 else { throw .keeperCannotListen(-listener) }
    let signals = vit_keeper_begin()
    guard signals >= 0 else {
      close(listener)
      throw .keeperCannotListen(-signals)
    }
    self.listener = listener
    self.signals = signals
    address = String(decoding: bytes.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  deinit {
    close(listener)
    close(signals)
  }

  /// Runs until the child has ended on request. Returns the code to end with.
  public mutating func run() -> Int32 {
    feed(.start)
    while true {
      if let ending { return ending }
      wait()
      // Messages come first: those from before the child's end, or before its time is up, still count.
      receiveMessages()
      handleSignals()
      feed(.timeIsUp)
    }
  }

  private var now: Instant { Instant(nanoseconds: EventLoop.monotonicNanoseconds()) }

  // MARK: Facts

  private mutating func feed(_ event: KeeperMachine.Event) {
    for action in machine.handle(event, at: now) { perform(action) }
  }

  private mutating func wait() {
    var asked = [listener, signals].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    let polled = kept.entries.filter(\.isPolled).map(\.descriptor)
    asked += polled.map { pollfd(fd: $0, events: 0, revents: 0) }
    var limit: Int32 = -1
    if let deadline = machine.deadline {
      // Rounded up: waking too early would be useless.
      limit = Int32(max(0, min(1_000_000, (deadline - now).inMilliseconds.rounded(.up))))
    }
    guard poll(&asked, UInt(asked.count), limit) > 0 else { return }
    kept.lost(asked.dropFirst(2).filter { $0.revents != 0 }.map(\.fd))
  }

  private mutating func receiveMessages() {
    var text = [UInt8](repeating: 0, count: KeeperMessage.longest)
    var letter = vit_keeper_message()
    while true {
      let result = text.withUnsafeMutableBytes { bytes in
        bytes.withMemoryRebound(to: CChar.self) { characters in
          characters.baseAddress.map { vit_keeper_receive(listener, $0, characters.count, &letter) } ?? -EAGAIN
        }
      }
      if result == -EMSGSIZE || result == -EINTR { continue }
      guard result == 0 else { return }
      let descriptors = withUnsafeBytes(of: letter.descriptors) {
        Array($0.bindMemory(to: Int32.self).prefix(Int(letter.count)))
      }
      // Only the child itself counts: a process that it starts to open a file must not speak for it.
      guard let child, letter.sender == child else {
        for descriptor in descriptors { close(descriptor) }
        continue
      }
      handleMessage(KeeperMessage(text: String(decoding: text.prefix(Int(letter.length)), as: UTF8.self)), descriptors)
    }
  }

  private mutating func handleMessage(_ message: KeeperMessage, _ descriptors: [Int32]) {
    for descriptor in descriptors {
      guard let storing = message.storing else {
        close(descriptor)
        continue
      }
      if kept.keep(descriptor, as: storing.name, isPolled: storing.isPolled) == .full {
        tell(.keeperIsFull(storing.name, limit: settings.keptLimit))
      }
    }
    if let name = message.forgets { kept.forget(name) }
    for notice in message.notices {
      if case .status(let text) = notice { lastStatus = text }
      feed(.said(notice))
    }
  }

  private mutating func handleSignals() {
    while true {
      switch vit_keeper_signal(signals) {
      case 0: return
      case SIGCHLD: reap()
      case SIGTERM, SIGINT: feed(.signalled(.end))
      case let number: feed(.signalled(.command(number)))
      }
    }
  }

  private mutating func reap() {
    var (code, signal): (Int32, Int32) = (0, 0)
    if let child, vit_keeper_has_ended(child) != 0 {
      // The child's own processes must not hold what the next child needs. Its group number can't be reused until the
      // child is reaped.
      kill(-child, SIGKILL)
      receiveMessages()
      _ = vit_keeper_reap(child, &code, &signal)
      vit_keeper_take_terminal()
      self.child = nil
      feed(.died(signal == 0 ? .code(code) : .signal(signal)))
    }
    // As process 1 of a container, this process gets orphans. If the child has ended just now, its signal comes later.
    while true {
      guard let other = endedOrphan() else { return }
      _ = vit_keeper_reap(other, &code, &signal)
    }
  }

  /// An ended process that isn't the child; nil without one.
  private func endedOrphan() -> Int32? {
    var info = siginfo_t()
    guard waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) == 0 else { return nil }
    let process = info._sifields._sigchld.si_pid
    return process > 0 && process != child ? process : nil
  }

  // MARK: Actions

  private mutating func perform(_ action: KeeperMachine.Action) {
    switch action {
    case .start: start()
    case .askToEnd: send(SIGTERM)
    case .send(let number): send(number)
    case .abort:
      send(SIGABRT)
      send(SIGCONT)
    case .kill: if let child { kill(-child, SIGKILL) }
    case .reboot: reboot()
    case .tell(let news): tell(.keeper(news, lastStatus: lastStatus))
    case .end(let code):
      // The kept descriptors are closed when this value ends.
      ending = code
    }
  }

  private func send(_ number: Int32) { if let child { kill(child, number) } }

  private mutating func start() {
    lastStatus = ""
    let result = CStrings([settings.program] + settings.arguments).withPointers { arguments in
      CStrings(environment).withPointers { environment in
        vit_keeper_start(
          settings.program, arguments, environment, kept.entries.map(\.descriptor), Int32(kept.entries.count))
      }
    }
    if result > 0 {
      child = result
      feed(.started)
    } else {
      tell(.keeperCannotStart(settings.program, -result))
      feed(.notStarted)
    }
  }

  /// The child's environment. `vit_keeper_start` adds LISTEN_PID and WATCHDOG_PID after the fork.
  private var environment: [String] {
    var variables = settings.environment.filter { name, _ in
      !name.hasPrefix("LISTEN_") && !name.hasPrefix("WATCHDOG_")
    }
    variables["NOTIFY_SOCKET"] = address
    if let watchdog = settings.policy.watchdog { variables["WATCHDOG_USEC"] = "\(watchdog.wholeNanoseconds / 1000)" }
    if !kept.entries.isEmpty {
      variables["LISTEN_FDS"] = "\(kept.entries.count)"
      variables["LISTEN_FDNAMES"] = kept.entries.map(\.name).joined(separator: ":")
    }
    return variables.map { "\($0)=\($1)" }
  }

  private func reboot() {
    guard let command = settings.rebootCommand else { return tell(.keeperWantsReboot) }
    tell(.keeperReboots(command))
    let variables = settings.environment.map { "\($0)=\($1)" }
    _ = CStrings(["sh", "-c", command]).withPointers { arguments in
      CStrings(variables).withPointers { vit_keeper_start("/bin/sh", arguments, $0, nil, 0) }
    }
  }
}

/// A null-terminated list of C strings, which this value owns.
private struct CStrings: ~Copyable {
  private let pointers: [UnsafeMutablePointer<CChar>?]

  init(_ strings: [String]) { pointers = strings.map { strdup($0) } + [nil] }

  deinit { for pointer in pointers { free(pointer) } }

  borrowing func withPointers<T>(_ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) -> T) -> T {
    // The array is never empty, because nil ends it.
    pointers.withUnsafeBufferPointer { buffer in
      var none: UnsafeMutablePointer<CChar>?
      guard let base = buffer.baseAddress else { return withUnsafePointer(to: &none) { body($0) } }
      return body(base)
    }
  }
}
