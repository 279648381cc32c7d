internal import CServiceManager
internal import Glibc

/// Whoever started this process and starts it again: systemd, or `vitrine supervise`. Both speak the protocol of sd_notify(3).
///
/// Any thread. The only file that sends to it.
public struct ServiceManager: Sendable {
  /// One line of a message.
  public enum Notice: Hashable, Sendable {
    /// The first picture is on the screen.
    case ready
    case stopping
    /// One line for people.
    case status(String)
    /// All is well; wanted again within `watchdog`.
    case watchdog
    /// Asks to be treated as one that hangs.
    case watchdogTrigger
    /// How long until the next word is to be waited for.
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

    /// What becomes of it where there is no room for it now.
    var kind: NoticeQueue.Kind {
      switch self {
      case .ready, .stopping: .kept
      case .status: .status
      case .watchdog, .watchdogTrigger, .extendTimeout: .lost
      }
    }
  }

  /// A descriptor that an earlier process left to be kept.
  public struct Kept: Hashable, Sendable {
    public var name: String
    /// The caller's: to be closed by whoever takes it.
    public var descriptor: Int32
  }

  /// Within what time `watchdog` is wanted again and again; nil where nobody waits for it.
  public let watchdog: Duration?
  private let queue: NoticeQueue

  /// The one that this process was started by.
  ///
  /// - Parameters:
  ///   - environment: of this process.
  ///   - process: its number.
  /// - Returns: nil where none says a word of itself.
  public init?(environment: [String: String], process: Int32) {
    guard let address = environment["NOTIFY_SOCKET"], address.first == "/" || address.first == "@" else { return nil }
    queue = NoticeQueue { vit_service_send(address, $0, $1) }
    let isOurs = environment["WATCHDOG_PID"].map { $0 == String(process) } ?? true
    let microseconds = environment["WATCHDOG_USEC"].flatMap { Int64($0) } ?? 0
    watchdog = isOurs && microseconds > 0 ? .microseconds(microseconds) : nil
  }

  /// What an earlier process left to be kept. To be called once, before anything else opens a file: the numbers are given.
  ///
  /// - Returns: each with a number of its own, closed on exec.
  public static func takeKept(environment: [String: String], process: Int32) -> [Kept] {
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
  /// More than a board has cards and screens; the number comes from outside.
  private static let keptLimit: Int32 = 64

  /// Never waits. What there is no room for is told by `tellWaiting`; but that all is well, which is told again anyway. Where nobody
  /// listens it is lost.
  public func tell(_ notices: Notice...) {
    let kinds = Set(notices.map(\.kind))
    queue.post(
      notices.map(\.line).joined(separator: "\n"),
      kinds.contains(.kept) ? .kept : kinds.contains(.status) ? .status : .lost)
  }

  /// What there was no room for before. To be called now and then.
  public func tellWaiting() { queue.flush() }

  /// Has a duplicate of a descriptor kept until `forget`, however this process ends, and handed to the next one.
  ///
  /// - Parameter name: without colons and control characters, at most 255 characters. Several may have the same.
  public func keep(_ descriptor: Int32, as name: String) {
    // The manager isn't to look whether it can be read: a card file is when its screen has changed.
    queue.post("FDSTORE=1\nFDNAME=\(name)\nFDPOLL=0", .kept, descriptor: descriptor)
  }

  /// All that is kept under a name is closed.
  public func forget(_ name: String) { queue.post("FDSTOREREMOVE=1\nFDNAME=\(name)", .kept) }
}
