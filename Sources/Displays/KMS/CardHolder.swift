import FileSystem
import Glibc

/// A process that has a card open, as far as the system lets us see it.
struct CardHolder: Hashable, Sendable {
  var pid: Int
  var name: String

  var description: String {
    // It keeps files for services, and has no use for a card itself.
    if pid == 1 { return "\(name) (pid 1), which keeps it for a service; see systemctl list-units" }
    return "\(name) (pid \(pid))"
  }

  /// The master of a card as the kernel's debugfs tells it, else whoever else has the card open; empty when neither may
  /// be read.
  static func find(card path: String) -> [CardHolder] {
    let digits = path.utf8.reversed().prefix { (0x30...0x39).contains($0) }.reversed()
    let number = String(decoding: Array(digits), as: UTF8.self)
    let master = master(inClients: SmallFile.text("/sys/kernel/debug/dri/\(number)/clients"))
    return choose(master: master, openers: openers(of: path))
  }

  /// - Parameters:
  ///   - master: who used the card last as its master. It may be dead, and somebody keep the file that it had.
  ///   - openers: whoever has the card open, as far as that may be seen.
  static func choose(master: CardHolder?, openers: [CardHolder]) -> [CardHolder] {
    if let master, openers.isEmpty || openers.contains(where: { $0.pid == master.pid }) { return [master] }
    let players = openers.filter { !$0.isKeeper }
    return players.isEmpty ? openers : players
  }

  /// Whether it has cards open for others only.
  private var isKeeper: Bool { pid == 1 || name.hasSuffix(" supervise") }

  /// The master in the text of debugfs' `clients` file: columns command, tgid, dev, master, a ... The command may hold
  /// blanks.
  static func master(inClients text: String) -> CardHolder? {
    for line in text.split(separator: "\n") {
      let words = line.split(separator: " ")
      for index in words.indices.dropFirst() where index + 3 < words.count {
        guard let pid = Int(words[index]), Int(words[index + 1]) != nil, words[index + 2] == "y",
          ["y", "n"].contains(words[index + 3])
        else { continue }
        return CardHolder(pid: pid, name: words[..<index].joined(separator: " "))
      }
    }
    return nil
  }

  private static func openers(of path: String) -> [CardHolder] {
    let own = Int(getpid())
    return SmallFile.names(in: "/proc").compactMap { Int($0) }.sorted().filter { pid in
      pid != own
        && SmallFile.names(in: "/proc/\(pid)/fd").contains { FileTree.target(ofLink: "/proc/\(pid)/fd/\($0)") == path }
    }.map { pid in
      CardHolder(
        pid: pid,
        name: name(
          command: SmallFile.firstLine("/proc/\(pid)/comm") ?? "?", line: SmallFile.text("/proc/\(pid)/cmdline")))
    }
  }

  /// A keeper of ours has the same name as what it keeps.
  ///
  /// - Parameter line: as the kernel has it, with a zero behind each word.
  static func name(command: String, line: String) -> String {
    let words = line.split(separator: "\0")
    return words.count > 1 && words[1] == "supervise" ? "\(command) supervise" : command
  }
}
