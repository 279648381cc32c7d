internal import FileSystem
internal import ScreenModel

extension SoundHardware {
  /// Reads the machine's sound hardware from sysfs and procfs. Unreadable parts are left out.
  ///
  /// - Parameter root: the folder that `sys` and `proc` are in; tests use their own.
  static func read(root: String = "") -> SoundHardware {
    SoundHardware(connectors: readConnectors("\(root)/sys/class/drm"), cards: readCards(root))
  }

  private static func readConnectors(_ folder: String) -> [Connector] {
    SmallFile.names(in: folder).sorted().compactMap { entry in
      // card1-HDMI-A-1
      guard entry.hasPrefix("card"), let dash = entry.firstIndex(of: "-") else { return nil }
      return Connector(
        name: String(entry[entry.index(after: dash)...]),
        id: SmallFile.firstLine("\(folder)/\(entry)/connector_id").flatMap { UInt32($0) },
        isConnected: SmallFile.firstLine("\(folder)/\(entry)/status") == "connected",
        screen: EDID.monitorName(SmallFile.bytes("\(folder)/\(entry)/edid")) ?? "")
    }
  }

  private static func readCards(_ root: String) -> [Card] {
    let folder = "\(root)/proc/asound"
    let numbers = SmallFile.names(in: folder).compactMap { name in
      name.hasPrefix("card") ? Int(name.dropFirst(4)) : nil
    }
    return numbers.sorted().compactMap { number in
      guard let id = SmallFile.firstLine("\(folder)/card\(number)/id") else { return nil }
      let device = FileTree.target(ofLink: "\(root)/sys/class/sound/card\(number)/device") ?? ""
      let ports = SmallFile.names(in: "\(folder)/card\(number)").filter { $0.hasPrefix("eld#") }.sorted(by: byNumber)
      return Card(id: id, device: device, ports: ports.map { port("\(folder)/card\(number)/\($0)") })
    }
  }

  /// eld#0.10 comes after eld#0.9.
  private static func byNumber(_ a: String, _ b: String) -> Bool {
    func numbers(_ name: String) -> [Int] { name.dropFirst(4).split(separator: ".").compactMap { Int($0) } }
    return numbers(a).lexicographicallyPrecedes(numbers(b))
  }

  /// Reads an ELD file: lines of a name, tabs and a value.
  private static func port(_ path: String) -> Port {
    var port = Port(isScreenPresent: false, screen: "")
    for line in SmallFile.text(path).split(separator: "\n") {
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
