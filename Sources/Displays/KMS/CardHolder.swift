import FileSystem
import Glibc

/// A process that has a card open, as far as the system lets us see it.
struct CardHolder: Hashable, Sendable {
  var pid: Int
  var name: String

  var description: String { "\(name) (pid \(pid))" }

  /// The master of a card as the kernel's debugfs tells it, else whoever else has the card open; empty when neither may
  /// be read.
  static func find(card path: String) -> [CardHolder] {
    let digits = path.utf8.reversed().prefix { (0x30...0x39).contains($0) }.reversed()
    let number = String(decoding: Array(digits), as: UTF8.self)
    if let master = master(inClients: SmallFile.text("/sys/kernel/debug/dri/\(number)/clients")) { return [master] }
    return openers(of: path)
  }

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
      let name = SmallFile.firstLine("/proc/\(pid)/comm") ?? "?"
      return CardHolder(pid: pid, name: name)
    }
  }
}
