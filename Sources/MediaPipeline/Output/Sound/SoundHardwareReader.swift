internal import Glibc
internal import ScreenModel

extension SoundHardware {
  /// Reads what the kernel tells in sysfs and procfs. What can't be read is left out.
  ///
  /// - Parameter root: where `sys` and `proc` are; another one in tests.
  static func read(root: String = "") -> SoundHardware {
    SoundHardware(connectors: readConnectors("\(root)/sys/class/drm"), cards: readCards(root))
  }

  private static func readConnectors(_ folder: String) -> [Connector] {
    Directory.names(in: folder).sorted().compactMap { entry in
      // card1-HDMI-A-1
      guard entry.hasPrefix("card"), let dash = entry.firstIndex(of: "-") else { return nil }
      return Connector(
        name: String(entry[entry.index(after: dash)...]),
        id: Directory.line("\(folder)/\(entry)/connector_id").flatMap { UInt32($0) },
        isConnected: Directory.line("\(folder)/\(entry)/status") == "connected",
        screen: EDID.monitorName(Directory.bytes("\(folder)/\(entry)/edid")) ?? "")
    }
  }

  private static func readCards(_ root: String) -> [Card] {
    let folder = "\(root)/proc/asound"
    let numbers = Directory.names(in: folder).compactMap { name in
      name.hasPrefix("card") ? Int(name.dropFirst(4)) : nil
    }
    return numbers.sorted().compactMap { number in
      guard let id = Directory.line("\(folder)/card\(number)/id") else { return nil }
      let device = Directory.target(ofLink: "\(root)/sys/class/sound/card\(number)/device") ?? ""
      let ports = Directory.names(in: "\(folder)/card\(number)").filter { $0.hasPrefix("eld#") }.sorted(by: byNumber)
      return Card(id: id, device: device, ports: ports.map { port("\(folder)/card\(number)/\($0)") })
    }
  }

  /// eld#0.10 comes after eld#0.9.
  private static func byNumber(_ a: String, _ b: String) -> Bool {
    func numbers(_ name: String) -> [Int] { name.dropFirst(4).split(separator: ".").compactMap { Int($0) } }
    return numbers(a).lexicographicallyPrecedes(numbers(b))
  }

  /// Lines of a name, tabs and a value.
  private static func port(_ path: String) -> Port {
    var port = Port(isScreenPresent: false, screen: "")
    for line in Directory.text(path).split(separator: "\n") {
      let words = line.split(separator: "\t", maxSplits: 1, omittingEmptySubsequences: true)
      guard words.count == 2 else { continue }
      let value = String(words[1].drop { $0 == "\t" || $0 == " " })
      switch words[0] {
      case "monitor_present": port.isScreenPresent = value == "1"
      case "monitor_name": port.screen = EDID.plainText(value.utf8)
      default: break
      }
    }
    return port
  }
}

/// Small files and folders of the kernel.
enum Directory {
  /// Names in a folder, without those that begin with a dot; none where it can't be read.
  static func names(in folder: String) -> [String] {
    guard let handle = opendir(folder) else { return [] }
    defer { closedir(handle) }
    var names: [String] = []
    while let entry = readdir(handle) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if !name.hasPrefix(".") { names.append(name) }
    }
    return names
  }

  /// At most 64 kB; empty where it can't be read.
  static func bytes(_ path: String) -> [UInt8] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return [] }
    defer { close(descriptor) }
    var all: [UInt8] = []
    var part = [UInt8](repeating: 0, count: 4096)
    while all.count < 65_536 {
      let count = Glibc.read(descriptor, &part, part.count)
      guard count > 0 else { break }
      all += part[..<count]
    }
    return all
  }

  static func text(_ path: String) -> String { String(decoding: bytes(path), as: UTF8.self) }

  /// The first line; nil where it can't be read.
  static func line(_ path: String) -> String? {
    text(path).split(separator: "\n", maxSplits: 1).first.map(String.init)
  }

  static func target(ofLink path: String) -> String? {
    var buffer = [CChar](repeating: 0, count: 4096)
    let count = readlink(path, &buffer, buffer.count - 1)
    guard count > 0 else { return nil }
    return String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
