internal import CServiceManager
internal import Glibc
internal import MainLoop
public import PlaybackCore

/// `vitrine supervise`: starts a child and starts it again, hears it by the protocol of sd_notify(3), keeps descriptors for it, and
/// passes signals on. What is to be done `KeeperMachine` says.
///
/// One thread, which waits in poll(2). It opens no media and loads nothing: whatever can end the child can't end this.
public struct Keeper: ~Copyable {
  public struct Settings: Sendable {
    public var program: String
    /// Without the program's own name.
    public var arguments: [String]
    public var environment: [String: String]
    public var policy = KeeperPolicy()
    /// As the unit has it: each card, and what was leased of it.
    public var keptLimit = 16
    /// For a shell; nil where nobody wants a reboot.
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

  /// - Parameter tell: hears what people should know.
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

  /// Until the child has ended as it was asked to. Returns the code to end with.
  public mutating func run() -> Int32 {
    feed(.start)
    while true {
      if let ending { return ending }
      wait()
      // What it said before it died counts, and what it says before its time is up.
      hear()
      takeSignals()
      feed(.timeIsUp)
    }
  }

  private var now: Instant { Instant(nanoseconds: EventLoop.monotonicNanoseconds()) }

  // MARK: Facts

  private mutating func feed(_ event: KeeperMachine.Event) {
    for effect in machine.handle(event, at: now) { perform(effect) }
  }

  private mutating func wait() {
    var asked = [listener, signals].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    let polled = kept.entries.filter(\.isPolled).map(\.descriptor)
    asked += polled.map { pollfd(fd: $0, events: 0, revents: 0) }
    var limit: Int32 = -1
    if let deadline = machine.deadline {
      // Rounded up: too early would be a turn for nothing.
      limit = Int32(max(0, min(1_000_000, (deadline - now).inMilliseconds.rounded(.up))))
    }
    guard poll(&asked, UInt(asked.count), limit) > 0 else { return }
    kept.lost(asked.dropFirst(2).filter { $0.revents != 0 }.map(\.fd))
  }

  private mutating func hear() {
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
      // Only the child itself counts: whatever it runs to look into a file must not speak for it.
      guard let child, letter.sender == child else {
        for descriptor in descriptors { close(descriptor) }
        continue
      }
      takeMessage(KeeperMessage(text: String(decoding: text.prefix(Int(letter.length)), as: UTF8.self)), descriptors)
    }
  }

  private mutating func takeMessage(_ message: KeeperMessage, _ descriptors: [Int32]) {
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

  private mutating func takeSignals() {
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
      // Nothing that it started may hold what the next one needs. The number of the group is taken until the child is.
      kill(-child, SIGKILL)
      hear()
      _ = vit_keeper_reap(child, &code, &signal)
      vit_keeper_take_terminal()
      self.child = nil
      feed(.died(signal == 0 ? .code(code) : .signal(signal)))
    }
    // Orphans come here, as to every process 1. The child may have ended just now: its signal comes then.
    while true {
      guard let other = endedOrphan() else { return }
      _ = vit_keeper_reap(other, &code, &signal)
    }
  }

  /// A process that has ended, and isn't the child.
  private func endedOrphan() -> Int32? {
    var info = siginfo_t()
    guard waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) == 0 else { return nil }
    let process = info._sifields._sigchld.si_pid
    return process > 0 && process != child ? process : nil
  }

  // MARK: Effects

  private mutating func perform(_ effect: KeeperMachine.Effect) {
    switch effect {
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
      // Whatever is kept goes with this value.
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

  /// LISTEN_PID and WATCHDOG_PID are added by whoever forks.
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

/// Strings as C has lists of them; they go with the value.
private struct CStrings: ~Copyable {
  private let pointers: [UnsafeMutablePointer<CChar>?]

  init(_ strings: [String]) { pointers = strings.map { strdup($0) } + [nil] }

  deinit { for pointer in pointers { free(pointer) } }

  borrowing func withPointers<T>(_ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) -> T) -> T {
    // An array has a first element: nil ends it.
    pointers.withUnsafeBufferPointer { buffer in
      var none: UnsafeMutablePointer<CChar>?
      guard let base = buffer.baseAddress else { return withUnsafePointer(to: &none) { body($0) } }
      return body(base)
    }
  }
}
