internal import FileModel
internal import FileSystem
internal import Glibc
public import KioskCore

/// Reads the player's systemd unit, its user, and the devices that this user may open. Blocks for small files.
public struct ServiceReader: Sendable {
  private let root: SystemRoot

  public init(_ root: SystemRoot) { self.root = root }

  private static let name = "vitrine.service"
  /// The folders of units. The first one that has the unit counts: an administrator's files come before those of
  /// packages.
  private static let folders = [
    "/etc/systemd/system", "/run/systemd/system", "/usr/local/lib/systemd/system", "/usr/lib/systemd/system",
    "/lib/systemd/system",
  ]

  // MARK: The service

  public func service() -> DoctorFacts.Service {
    var service = DoctorFacts.Service()
    service.hasSystemd = root.isThere("/run/systemd/system")
    service.unit = unit
    service.isEnabled = ["/etc/systemd/system", "/run/systemd/generator", "/run/systemd/system"].contains { folder in
      root.names(folder).contains { $0.hasSuffix(".wants") && root.names("\(folder)/\($0)").contains(Self.name) }
    }
    // systemd removes this entry when the unit has ended.
    service.isActive = root.names("/run/systemd/units").contains("invocation:\(Self.name)")
    service.isMasked = unit.flatMap { FileTree.target(ofLink: root.path($0)) } == "/dev/null"
    service.folders =
      values("RuntimeDirectory").flatMap { $0.split(separator: " ") }.map { "/run/\($0)" }
      + values("StateDirectory").flatMap { $0.split(separator: " ") }.map { "/var/lib/\($0)" }
    service.watchdog = values("WatchdogSec").last
    service.hasHardwareWatchdog = root.isThere("/dev/watchdog") || root.isThere("/dev/watchdog0")
    service.hardwareWatchdog = managerText.compactMap { Self.value(of: "RuntimeWatchdogSec", in: $0) }.last
    service.hasDisplayManager = root.names("/etc/systemd/system").contains("display-manager.service")
    return service
  }

  private var unit: String? {
    Self.folders.map { "\($0)/\(Self.name)" }.first(where: root.isThere)
  }

  /// The texts of the unit and its drop-ins, in the order in which they apply.
  private var unitTexts: [String] {
    guard let unit else { return [] }
    let drops = Self.folders.reversed().flatMap { folder in
      root.names("\(folder)/\(Self.name).d").filter { $0.hasSuffix(".conf") }.map { "\(folder)/\(Self.name).d/\($0)" }
    }
    return ([unit] + drops).map(root.text)
  }

  private var managerText: [String] {
    let folders = ["/usr/lib/systemd/system.conf.d", "/run/systemd/system.conf.d", "/etc/systemd/system.conf.d"]
    return [root.text("/etc/systemd/system.conf")]
      + folders.flatMap { folder in
        root.names(folder).filter { $0.hasSuffix(".conf") }.map { root.text("\(folder)/\($0)") }
      }
  }

  private func values(_ key: String) -> [String] { unitTexts.compactMap { Self.value(of: key, in: $0) } }

  /// The value of a text's last `Key=value` line; nil where there is no such line or its value is empty.
  static func value(of key: String, in text: String) -> String? {
    let values = text.split(separator: "\n").compactMap { line -> String? in
      guard line.hasPrefix("\(key)=") else { return nil }
      return String(line.dropFirst(key.count + 1))
    }
    return values.last.flatMap { $0.isEmpty ? nil : $0 }
  }

  // MARK: Users and devices

  /// The user that plays: the service's, if root asks and the service names one; else the user who asks.
  public func user() -> (user: DoctorFacts.User, mayOpen: @Sendable (String) -> Bool) {
    let (users, groups) = (root.text("/etc/passwd"), root.text("/etc/group"))
    if geteuid() == 0, let name = values("User").last, let entry = Self.entry(name, in: users), entry.count > 3,
      let number = UInt32(entry[2]), let own = UInt32(entry[3])
    {
      let extra = values("SupplementaryGroups").flatMap { $0.split(separator: " ").map(String.init) }
      let numbers = Set([own] + Self.groups(of: name, or: extra, in: groups))
      var user = DoctorFacts.User()
      user.name = name
      user.isRoot = number == 0
      user.groups = numbers.compactMap { Self.name(ofGroup: $0, in: groups) }.sorted()
      return (user, { path in (try? FileTree.owner(of: path))?.lets(user: number, groups: numbers) ?? false })
    }
    var user = DoctorFacts.User()
    user.name = Self.name(ofUser: geteuid(), in: users) ?? "\(geteuid())"
    user.isRoot = geteuid() == 0
    var numbers = [gid_t](repeating: 0, count: 256)
    let count = getgroups(Int32(numbers.count), &numbers)
    user.groups = Set(numbers.prefix(Int(max(0, count))) + [getegid()])
      .compactMap { Self.name(ofGroup: $0, in: groups) }.sorted()
    // The kernel's answer respects ACLs, too.
    return (user, { FileTree.canConnect($0) })
  }

  /// The existing devices that the player opens.
  public func devices(mayOpen: (String) -> Bool) -> [DoctorFacts.Device] {
    let groups = root.text("/etc/group")
    let kinds = [
      ("/dev/dri", ["card", "renderD"]), ("/dev/input", ["event"]), ("/dev/snd", ["pcm", "control"]),
      ("/dev", ["video", "media"]),
    ]
    return kinds.flatMap { folder, starts in
      root.names(folder).filter { name in
        starts.contains {
          name.hasPrefix($0) && name.dropFirst($0.count).first.map { $0.isNumber || $0 == "C" } == true
        }
      }.map { root.path("\(folder)/\($0)") }
    }.map { path in
      let group = (try? FileTree.owner(of: path)).flatMap { Self.name(ofGroup: $0.group, in: groups) ?? "\($0.group)" }
      return DoctorFacts.Device(path: path, group: group ?? "root", mayOpen: mayOpen(path))
    }
  }

  /// The columns of a line such as `name:x:1000:1000:...`.
  private static func entry(_ name: String, in text: String) -> [String]? {
    text.split(separator: "\n").first { $0.hasPrefix("\(name):") }.map {
      $0.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
    }
  }

  /// The name in a line's first column, found by the number in its third.
  private static func name(ofUser number: UInt32, in text: String) -> String? {
    for line in text.split(separator: "\n") {
      let parts: [Substring] = line.split(separator: ":", omittingEmptySubsequences: false)
      if parts.count > 2, UInt32(parts[2]) == number { return String(parts[0]) }
    }
    return nil
  }

  private static func name(ofGroup number: UInt32, in text: String) -> String? { name(ofUser: number, in: text) }

  private static func groups(of user: String, or names: [String], in text: String) -> [UInt32] {
    text.split(separator: "\n").compactMap { line in
      let parts = line.split(separator: ":", omittingEmptySubsequences: false)
      guard parts.count > 3, let number = UInt32(parts[2]) else { return nil }
      let isMember = parts[3].split(separator: ",").contains { $0 == user }
      return isMember || names.contains(String(parts[0])) ? number : nil
    }
  }
}
