import FileSystem
import Glibc

/// A process that has a card open, as far as this process may see it.
struct CardHolder: Hashable, Sendable {
  var pid: Int
  var name: String

  var description: String {
    // The service manager keeps descriptors for services, and doesn't use a card itself.
    if pid == 1 { return "\(name) (pid 1), which keeps it for a service; see systemctl list-units" }
    return "\(name) (pid \(pid))"
  }

  /// The card's master by the kernel's debugfs, else the processes that have the card open; empty if neither can be
  /// read.
  static func find(card path: String) -> [CardHolder] {
    let digits = path.utf8.reversed().prefix { (0x30...0x39).contains($0) }.reversed()
    let number = String(decoding: Array(digits), as: UTF8.self)
    let master = master(inClients: SmallFile.text("/sys/kernel/debug/dri/\(number)/clients"))
    return choose(master: master, openers: openers(of: path))
  }

  /// - Parameters:
  ///   - master: the last process to use the card as its master. It may be dead while a keeper still has its open file.
  ///   - openers: the processes known to have the card open.
  static func choose(master: CardHolder?, openers: [CardHolder]) -> [CardHolder] {
    if let master, openers.isEmpty || openers.contains(where: { $0.pid == master.pid }) { return [master] }
    let players = openers.filter { !$0.isKeeper }
    return players.isEmpty ? openers : players
  }

  /// Whether the process keeps cards open for others only.
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

  /// Tells the player's keeper from the player itself: both have the same command name.
  ///
  /// - Parameter line: the content of /proc/PID/cmdline, with a zero after each word.
  static func name(command: String, line: String) -> String {
    let words = line.split(separator: "\0")
    return words.count > 1 && words[1] == "supervise" ? "\(command) supervise" : command
  }
}
