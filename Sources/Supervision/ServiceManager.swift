internal import CLinux
internal import Glibc

/// The supervisor that started this process and starts the next one: systemd, or `vitrine supervise`. Both speak the
/// protocol of sd_notify(3).
///
/// Any thread. No other file sends to it.
public struct ServiceManager: Sendable {
  /// A line of a message to the supervisor.
  public enum Notice: Hashable, Sendable {
    /// The first picture is on the screen.
    case ready
    case stopping
    /// A status line for people.
    case status(String)
    /// The process is well; to be repeated within `watchdog`.
    case watchdog
    /// Asks to be treated as a process that hangs.
    case watchdogTrigger
    /// Asks the supervisor to wait longer for the next message.
    case extendTimeout(microseconds: Int64)

    var line: String {
      switch self {
      case .ready: "READY=1"
      case .stopping: "STOPPING=1"
      case .status(let text): "STATUS=" + text.split(whereSeparator: \.isNewline).joined(separator: " ")
      case .watchdog: "WATCHDOG=1"
      case .watchdogTrigger: "WATCHDOG=trigger"
      case .extendTimeout(let microseconds): "EXTEND_TIMEOUT_USEC=\(microseconds)"
      }
    }

    /// The treatment of the notice while there is no room for it.
    var kind: NoticeQueue.Kind {
      switch self {
      case .ready, .stopping: .kept
      case .status: .status
      case .watchdog, .watchdogTrigger, .extendTimeout: .lost
      }
    }
  }

  /// A descriptor that an earlier process has left with the supervisor.
  public struct Kept: Hashable, Sendable {
    public var name: String
    /// The descriptor, which the receiver has to close.
    public var descriptor: Int32
  }

  /// The interval within which `watchdog` must be repeated; nil where the supervisor doesn't wait for it.
  public let watchdog: Duration?
  private let queue: NoticeQueue

  /// The supervisor that started this process.
  ///
  /// - Parameters:
  ///   - environment: this process's environment.
  ///   - process: this process's number.
  /// - Returns: nil for a process without a supervisor that speaks the protocol.
  public init?(environment: [String: String], process: Int32) {
    guard let address = environment["NOTIFY_SOCKET"], address.first == "/" || address.first == "@" else { return nil }
    queue = NoticeQueue { vit_service_send(address, $0, $1) }
    let isOurs = environment["WATCHDOG_PID"].map { $0 == String(process) } ?? true
    let microseconds = environment["WATCHDOG_USEC"].flatMap { Int64($0) } ?? 0
    watchdog = isOurs && microseconds > 0 ? .microseconds(microseconds) : nil
  }

  /// The descriptors that an earlier process has left. To be called once, before anything else opens a file: their
  /// numbers are fixed.
  ///
  /// - Returns: the descriptors, which are closed on exec.
  public static func adoptKept(environment: [String: String], process: Int32) -> [Kept] {
    guard environment["LISTEN_PID"].map({ $0 == String(process) }) ?? false,
      let count = environment["LISTEN_FDS"].flatMap({ Int32($0) }), count > 0, count <= keptLimit
    else { return [] }
    let names = (environment["LISTEN_FDNAMES"] ?? "").split(separator: ":", omittingEmptySubsequences: false)
    return (0..<count).compactMap { index in
      let descriptor = firstKept + index
      guard fcntl(descriptor, F_SETFD, FD_CLOEXEC) == 0 else { return nil }
      return Kept(name: Int(index) < names.count ? String(names[Int(index)]) : "unknown", descriptor: descriptor)
    }
  }

  /// SD_LISTEN_FDS_START.
  private static let firstKept: Int32 = 3
  /// More than a board has cards and screens. A limit, because the number comes from outside.
  private static let keptLimit: Int32 = 64

  /// Sends notices without waiting. `flushWaiting` sends those that there is no room for, except those that are
  /// repeated anyway. If no supervisor listens, they are lost.
  public func notify(_ notices: Notice...) {
    let kinds = Set(notices.map(\.kind))
    queue.post(
      notices.map(\.line).joined(separator: "\n"),
      kinds.contains(.kept) ? .kept : kinds.contains(.status) ? .status : .lost)
  }

  /// Sends the notices that there was no room for; to be called regularly.
  public func flushWaiting() { queue.flush() }

  /// Leaves a duplicate of a descriptor with the supervisor until `forget`: the next process gets it, however this one
  /// ends.
  ///
  /// - Parameter name: at most 255 characters, without colons and control characters. Several descriptors may have the
  ///   same.
  public func keep(_ descriptor: Int32, as name: String) {
    // The supervisor must not poll it: a card's file becomes readable when its screen changes.
    queue.post("FDSTORE=1\nFDNAME=\(name)\nFDPOLL=0", .kept, descriptor: descriptor)
  }

  /// Closes all descriptors that are kept under a name.
  public func forget(_ name: String) { queue.post("FDSTOREREMOVE=1\nFDNAME=\(name)", .kept) }
}
