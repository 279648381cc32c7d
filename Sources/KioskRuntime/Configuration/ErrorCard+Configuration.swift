internal import FileModel
internal import FileSystem
internal import InteractionCore
internal import PlaybackCore
internal import PlaylistConfig

extension ErrorCard {
  /// The number of lines that fit on a card.
  private static let mostLines = 3

  /// The card for a board that can play nothing and has no last good configuration: it shows the errors, the remedies,
  /// and how to reach the board.
  ///
  /// - Parameters:
  ///   - refusal: nil where the reason isn't known.
  ///   - drive: the boot partition's label, as another computer shows it; nil asks this machine.
  static func configurationErrors(_ refusal: ConfigurationRefusal?, drive: String? = nil) -> ErrorCard {
    let number = refusal?.error.number ?? ErrorNumber.configurationInvalid.rawValue
    var told: [VisitorText] = []
    if let refusal {
      let isOnDrive = (refusal.lines + [refusal.error.subject]).contains { BootDrive.isOn($0) }
      let drive = isOnDrive ? drive ?? BootDrive.name() : ""
      told =
        refusal.lines.isEmpty
        ? lines(of: refusal.error, drive) : refusal.lines.map { BootDrive.renamed($0, drive) }
    }
    let more = told.count - mostLines
    if more > 0 { told = told.prefix(mostLines) + [VisitorText(.andMore, ["count": .number(more)])] }
    return ErrorCard(
      number: number, headline: VisitorText(.configurationUnusable), body: .lines(told), footer: .boardName)
  }

  private static func lines(of error: VitrineError, _ drive: String) -> [VisitorText] {
    let subject = BootDrive.renamed(error.subject, drive)
    let fault = VisitorText(.fault, ["subject": .text(subject), "error": .text(.error(error))])
    return error.remedy.isEmpty ? [fault] : [fault, .detail(error.remedy)]
  }
}

extension VisitorText {
  /// The board's name and its addresses: how to reach it.
  static var boardName: VisitorText { .names([HostName.text] + HostAddresses.all) }
}

/// The boot partition as another computer shows it when the board's card is put into it: a drive with a label.
enum BootDrive {
  /// The folders that boards mount it at; the longer path first, because the shorter is its prefix.
  private static let folders = ["/boot/firmware/", "/boot/"]
  /// The label that the project's image gives it.
  private static let usual = "VITRINE"

  static func isOn(_ text: String) -> Bool { folders.contains { text.hasPrefix($0) } }

  /// Puts the drive in the place of its folder: `/boot/vitrine.toml:4:7: the fault` gives `vitrine.toml on the drive
  /// VITRINE, line 4, column 7: the fault`.
  static func renamed(_ line: String, _ drive: String) -> VisitorText {
    guard let folder = folders.first(where: { line.hasPrefix($0) }) else { return .detail(line) }
    let rest = line.dropFirst(folder.count)
    let name = rest.prefix { $0 != ":" }
    var place: [String: VisitorText.Argument] = ["file": .name(String(name)), "drive": .name(drive)]
    let behind = rest.dropFirst(name.count).dropFirst()
    guard !behind.isEmpty else { return VisitorText(.onDrive, place) }
    func fault(_ subject: VisitorText, _ text: Substring) -> VisitorText {
      let text = String(text.drop { $0 == " " })
      return VisitorText(.fault, ["subject": .text(subject), "error": .detail(text)])
    }
    // The place in the file, where there is one.
    let parts = behind.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count == 3, let line = Int(parts[0]), let column = Int(parts[1]) else {
      return fault(VisitorText(.onDrive, place), behind)
    }
    place["line"] = .number(line)
    place["column"] = .number(column)
    return fault(VisitorText(.onDriveAt, place), parts[2])
  }

  /// The label of the mounted boot partition, from /dev/disk/by-label.
  static func name(mounts: String? = nil, labels folder: String = "/dev/disk/by-label") -> String {
    let mounts = (mounts ?? SmallFile.text("/proc/self/mounts")).split(separator: "\n").map { $0.split(separator: " ") }
    func source(mountedAt folder: String) -> Substring? {
      mounts.last { $0.count > 2 && "\($0[1])/" == folder }?.first
    }
    let partition = folders.compactMap { source(mountedAt: $0) }.first
    guard let device = partition?.split(separator: "/").last else { return usual }
    for label in SmallFile.names(in: folder)
    where FileTree.target(ofLink: "\(folder)/\(label)")?.split(separator: "/").last == device {
      return unescaped(label)
    }
    return usual
  }

  /// Undoes udev's escapes: it writes characters that a file name may not have as `\x20`.
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
