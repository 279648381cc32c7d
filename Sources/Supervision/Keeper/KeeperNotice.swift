/// A notice from a child to its keeper: a line of sd_notify(3) that the keeper acts on.
public enum KeeperNotice: Hashable, Sendable {
  case ready
  case stopping
  case status(String)
  case watchdog
  case watchdogTrigger
  case extendTimeout(Duration)
}

/// A datagram from a child.
public struct KeeperMessage: Hashable, Sendable {
  public var notices: [KeeperNotice] = []
  /// The name under which the datagram's descriptors are kept; nil closes them.
  public var storing: Storing?
  /// The name whose kept descriptors are to be closed.
  public var forgets: String?

  public struct Storing: Hashable, Sendable {
    public var name: String
    /// Whether the descriptor is closed when its other end is gone.
    public var isPolled: Bool
  }

  /// The longest text that is read, in bytes; systemd's limit.
  public static let longest = 4096

  /// - Parameter text: lines `KEY=value`. Invalid lines are skipped, as systemd does.
  public init(text: String) {
    var lines: [Substring: Substring] = [:]
    for line in text.split(separator: "\n") {
      guard let sign = line.firstIndex(of: "=") else { continue }
      let (key, value) = (line[..<sign], line[line.index(after: sign)...])
      lines[key] = value
      if let notice = KeeperNotice(key: key, value: value) { notices.append(notice) }
    }
    let name = lines["FDNAME"].map(String.init)
    let isNamed = name.map(Self.isName) ?? true
    if lines["FDSTOREREMOVE"] == "1", let name, isNamed {
      forgets = name
    } else if lines["FDSTORE"] == "1" {
      // A name that can't be passed to the next process is ignored.
      storing = Storing(name: isNamed ? name ?? "stored" : "stored", isPolled: lines["FDPOLL"] != "0")
    }
  }

  /// Whether LISTEN_FDNAMES can contain the name; it joins names by colons.
  private static func isName(_ name: String) -> Bool {
    name.utf8.count <= 255 && name.unicodeScalars.allSatisfy { $0.value > 31 && $0.value < 127 && $0 != ":" }
  }
}

extension KeeperNotice {
  fileprivate init?(key: Substring, value: Substring) {
    switch (key, value) {
    case ("READY", "1"): self = .ready
    case ("STOPPING", "1"): self = .stopping
    case ("STATUS", _): self = .status(String(value))
    case ("WATCHDOG", "1"): self = .watchdog
    case ("WATCHDOG", "trigger"): self = .watchdogTrigger
    case ("EXTEND_TIMEOUT_USEC", _):
      guard let microseconds = Int64(value), microseconds > 0 else { return nil }
      // More than a year counts as a year.
      self = .extendTimeout(.microseconds(min(microseconds, 31_536_000_000_000)))
    default: return nil
    }
  }
}
