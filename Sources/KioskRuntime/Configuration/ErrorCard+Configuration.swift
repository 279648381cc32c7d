internal import FileModel
internal import FileSystem
internal import InteractionCore
internal import PlaybackCore
internal import PlaylistConfig

extension ErrorCard {
  /// What a card has room for.
  private static let mostLines = 3

  /// Nothing can be played, and nothing was ever kept: the screen says where the fault is, what to write, and how to reach the board.
  ///
  /// - Parameters:
  ///   - refusal: nil where nobody knows why.
  ///   - drive: how the boot partition is called on another computer; nil asks this machine.
  static func configurationErrors(_ refusal: ConfigurationRefusal?, drive: String? = nil) -> ErrorCard {
    let number = refusal?.error.number ?? ErrorNumber.configurationInvalid.rawValue
    let lines = refusal.map { refusal in
      refusal.lines.isEmpty
        ? ["\(refusal.error.subject): \(refusal.error.message)", refusal.error.remedy].filter { !$0.isEmpty }
        : refusal.lines
    }
    var told = lines ?? []
    if told.contains(where: { BootDrive.isOn($0) }) {
      let drive = drive ?? BootDrive.name()
      told = told.map { BootDrive.renamed($0, drive) }
    }
    let more = told.count - mostLines
    let body = told.prefix(mostLines) + (more > 0 ? ["and \(more) more"] : [])
    return ErrorCard(
      number: number, headline: "The configuration can't be used", body: body.joined(separator: "\n"),
      footer: ([HostName.text] + HostAddresses.all).joined(separator: "  "))
  }
}

/// The boot partition, as somebody sees it who puts the board's card into another computer: a drive with a name.
enum BootDrive {
  /// Where a board has it; the longer first.
  private static let folders = ["/boot/firmware/", "/boot/"]
  /// What our image calls it.
  private static let usual = "VITRINE"

  static func isOn(_ text: String) -> Bool { folders.contains { text.hasPrefix($0) } }

  /// `vitrine.toml on the drive VITRINE:4:7: ...`
  static func renamed(_ line: String, _ drive: String) -> String {
    guard let folder = folders.first(where: { line.hasPrefix($0) }) else { return line }
    let rest = line.dropFirst(folder.count)
    let name = rest.prefix { $0 != ":" }
    // The place in the file, where there is one.
    let place = rest.dropFirst(name.count).dropFirst().split(
      separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
    guard place.count == 3, let line = Int(place[0]), let column = Int(place[1]) else {
      return "\(name) on the drive \(drive)\(rest.dropFirst(name.count))"
    }
    return "\(name) on the drive \(drive), line \(line), column \(column):\(place[2])"
  }

  /// The label of the file system that is mounted there, as /dev/disk/by-label has it.
  static func name(mounts: String? = nil, labels folder: String = "/dev/disk/by-label") -> String {
    let mounts = mounts ?? SmallFile.text("/proc/self/mounts")
    let found = folders.lazy.compactMap { folder in
      mounts.split(separator: "\n").map { $0.split(separator: " ") }
        .last { $0.count > 2 && "\($0[1])/" == folder }.map { String($0[0]) }
    }.first
    guard let device = found?.split(separator: "/").last else { return usual }
    for label in SmallFile.names(in: folder)
    where FileTree.target(ofLink: "\(folder)/\(label)")?.split(separator: "/").last == device {
      return unescaped(label)
    }
    return usual
  }

  /// udev writes what may not stand in a name as `\x20`.
  private static func unescaped(_ label: String) -> String {
    var bytes: [UInt8] = []
    var rest = Array(label.utf8)[...]
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "\\"), rest.first == UInt8(ascii: "x"),
        let code = UInt8(String(decoding: rest.dropFirst().prefix(2), as: UTF8.self), radix: 16)
      {
        bytes.append(code)
        rest = rest.dropFirst(3)
      } else {
        bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
