internal import FileModel
internal import FileSystem
public import KioskCore
public import PlaylistConfig

/// Reads facts on the machine from /proc, /sys and /boot. Blocks for small files.
public struct MachineReader: Sendable {
  private let root: SystemRoot

  public init(_ root: SystemRoot) { self.root = root }

  // MARK: Board

  /// The board's name from the firmware; empty where it has none.
  public var boardName: String {
    root.word("/proc/device-tree/model") ?? root.word("/sys/class/dmi/id/product_name") ?? ""
  }

  public var facts: BoardFacts { BoardFacts.read(release: root.word("/proc/sys/kernel/osrelease") ?? "", files: root) }

  public func memory() -> DoctorFacts.Memory {
    var memory = DoctorFacts.Memory()
    for line in root.text("/proc/meminfo").split(separator: "\n") {
      let words = line.split(whereSeparator: { $0 == ":" || $0 == " " })
      guard words.count > 1, let kilobytes = Int64(words[1]) else { continue }
      switch words[0] {
      case "MemTotal": memory.total = kilobytes * 1024
      case "MemAvailable": memory.available = kilobytes * 1024
      case "CmaTotal" where kilobytes > 0: memory.cma = kilobytes * 1024
      default: break
      }
    }
    let own = root.text("/proc/self/cgroup").split(separator: "\n").first { $0.hasPrefix("0::") }?.dropFirst(3)
    for group in ["/system.slice/vitrine.service", own.map(String.init)].compactMap({ $0 }) {
      // `max` means no limit, and isn't a number.
      guard let limit = root.word("/sys/fs/cgroup\(group)/memory.max") else { continue }
      memory.limit = Int64(limit)
      break
    }
    return memory
  }

  // MARK: Graphics

  /// The folder of VA-API's drivers: only on PCs are they in packages that may not be installed.
  private static let graphicsDrivers = "/usr/lib/x86_64-linux-gnu/dri"

  /// A PC's graphics chips that decode; other boards' have no PCI vendor.
  public func renderNodes() -> [DoctorFacts.Decoding.RenderNode] {
    guard root.isThere("/usr/lib/x86_64-linux-gnu") else { return [] }
    return root.names("/sys/class/drm").filter { $0.hasPrefix("renderD") }.compactMap { name in
      guard let word = root.word("/sys/class/drm/\(name)/device/vendor"), word.hasPrefix("0x"),
        let vendor = Int(word.dropFirst(2), radix: 16)
      else { return nil }
      return DoctorFacts.Decoding.RenderNode(path: "/dev/dri/\(name)", vendor: vendor)
    }
  }

  /// The names of the installed VA-API drivers, such as `iHD` for `iHD_drv_video.so`.
  public func graphicsDrivers() -> [String] {
    let end = "_drv_video.so"
    return root.names(Self.graphicsDrivers).filter { $0.hasSuffix(end) }.map { String($0.dropLast(end.count)) }
  }

  // MARK: Power

  public func power() -> DoctorFacts.Power {
    var power = DoctorFacts.Power()
    // The file has hexadecimal digits, without 0x.
    power.throttled = root.word("/sys/devices/platform/soc/soc:firmware/get_throttled").flatMap {
      UInt32($0.hasPrefix("0x") ? String($0.dropFirst(2)) : $0, radix: 16)
    }
    for name in root.names("/sys/class/hwmon") where root.word("/sys/class/hwmon/\(name)/name") == "rpi_volt" {
      power.isUnderVoltage = root.number("/sys/class/hwmon/\(name)/in0_lcrit_alarm").map { $0 != 0 }
    }
    power.temperature = root.names("/sys/class/thermal").filter { $0.hasPrefix("thermal_zone") }
      .compactMap { root.number("/sys/class/thermal/\($0)/temp") }.max().map { Double($0) / 1000 }
    return power
  }

  // MARK: Disks

  public func disks() -> [DoctorFacts.Disk] {
    var disks: [String: DoctorFacts.Disk] = [:]
    for name in root.names("/sys/block") {
      let used = words("/sys/block/\(name)/device/life_time").max()
      let reserve = words("/sys/block/\(name)/device/pre_eol_info").first
      guard used != nil || reserve != nil else { continue }
      disks[name] = DoctorFacts.Disk(name: name, lifeUsed: used, reserve: reserve)
    }
    for partition in root.names("/sys/fs/ext4") {
      guard let kilobytes = root.number("/sys/fs/ext4/\(partition)/lifetime_write_kbytes") else { continue }
      let name = disk(of: partition)
      var disk = disks[name] ?? DoctorFacts.Disk(name: name)
      disk.written = (disk.written ?? 0) + kilobytes * 1024
      disk.faults += Int(clamping: root.number("/sys/fs/ext4/\(partition)/errors_count") ?? 0)
      disks[name] = disk
    }
    return disks.values.sorted { $0.name < $1.name }
  }

  /// The numbers in a file such as `0x01 0x02`.
  private func words(_ path: String) -> [Int] {
    (root.word(path) ?? "").split(separator: " ").compactMap { word in
      word.hasPrefix("0x") ? Int(word.dropFirst(2), radix: 16) : Int(word)
    }
  }

  /// The disk of a partition: `mmcblk0p2` is on mmcblk0, `sda1` on sda.
  private func disk(of partition: String) -> String {
    root.names("/sys/block").filter { partition.hasPrefix($0) }.max { $0.count < $1.count } ?? partition
  }

  // MARK: Folders

  /// - Parameter path: a folder of this system, not below `root`: users name folders by their real paths.
  public func folder(_ path: String, _ purpose: String) -> DoctorFacts.Folder {
    var folder = DoctorFacts.Folder(path: path, purpose: purpose)
    guard FileTree.isThere(path) else {
      folder.isThere = false
      return folder
    }
    let mount = Self.mount(of: path, in: SmallFile.text("/proc/self/mounts"))
    folder.mount = mount.path
    folder.isReadOnly = mount.isReadOnly
    folder.isWritable = (try? FileTree.checkWritable(path)) != nil
    folder.freeBytes = try? FileTree.freeBytes(in: path)
    return folder
  }

  /// The mount point that a path is on, from the kernel's list; the last mount at a place counts.
  static func mount(of path: String, in mounts: String) -> (path: String, isReadOnly: Bool) {
    var best = (path: "/", isReadOnly: false)
    for line in mounts.split(separator: "\n") {
      let words = line.split(separator: " ")
      guard words.count > 3 else { continue }
      // The kernel writes a blank within a name as \040.
      let place = String(words[1]).split(separator: "\\040", omittingEmptySubsequences: false).joined(separator: " ")
      let isOver = path == place || path.hasPrefix(place.hasSuffix("/") ? place : place + "/")
      guard isOver, place.count >= best.path.count else { continue }
      best = (place, words[3].split(separator: ",").contains("ro"))
    }
    return best
  }

  // MARK: Boot

  /// - Parameter settings: the board profile's, such as `config.txt: disable_splash=1`.
  public func boot(_ settings: [String]) -> DoctorFacts.Boot {
    var boot = DoctorFacts.Boot()
    boot.commandLine = root.word("/proc/cmdline") ?? ""
    // Texts of the device tree end with a NUL.
    let model = (root.word("/proc/device-tree/model") ?? "").filter { $0 != "\0" }
    boot.settings = settings.map { setting in
      let parts = setting.split(separator: ":", maxSplits: 1).map { $0.drop { $0 == " " } }
      guard parts.count == 2 else { return DoctorFacts.Boot.Setting(text: setting, file: nil, missing: []) }
      let (place, wanted) = (String(parts[0]), String(parts[1]))
      let file = self.file(place)
      let text = file.map { SmallFile.text($0) } ?? ""
      let missing = BootSetting.missing(of: wanted, place, in: text, commandLine: boot.commandLine, model: model)
      return DoctorFacts.Boot.Setting(text: setting, file: file, missing: missing)
    }
    return boot
  }

  private func file(_ place: String) -> String? {
    let candidates = place.hasPrefix("/") ? [place] : ["/boot/firmware/\(place)", "/boot/\(place)"]
    return candidates.first(where: root.isThere).map(root.path)
  }
}
