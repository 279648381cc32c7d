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
    if let text = readFile("/sys/kernel/debug/dri/\(number)/clients"), let master = master(inClients: text) {
      return [master]
    }
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
    return directoryEntries("/proc").compactMap { Int($0) }.sorted().filter { pid in
      pid != own && directoryEntries("/proc/\(pid)/fd").contains { linkTarget("/proc/\(pid)/fd/\($0)") == path }
    }.map { pid in
      let name = (readFile("/proc/\(pid)/comm") ?? "?").split(separator: "\n").first.map(String.init) ?? "?"
      return CardHolder(pid: pid, name: name)
    }
  }
}

/// Names in a directory; empty when it can't be read.
func directoryEntries(_ path: String) -> [String] {
  guard let directory = opendir(path) else { return [] }
  defer { closedir(directory) }
  var names: [String] = []
  while let entry = readdir(directory) {
    let name = withUnsafeBytes(of: &entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    if name != ".", name != ".." { names.append(name) }
  }
  return names
}

private func linkTarget(_ path: String) -> String? {
  var buffer = [CChar](repeating: 0, count: 256)
  let length = readlink(path, &buffer, buffer.count)
  return length > 0 ? String(decoding: buffer.prefix(length).map { UInt8(bitPattern: $0) }, as: UTF8.self) : nil
}

/// A small file of /proc or /sys, whose size isn't told beforehand.
private func readFile(_ path: String) -> String? {
  let descriptor = open(path, O_RDONLY | O_CLOEXEC)
  guard descriptor >= 0 else { return nil }
  defer { close(descriptor) }
  var bytes: [UInt8] = []
  var chunk = [UInt8](repeating: 0, count: 4096)
  while bytes.count < 1 << 20 {
    let count = read(descriptor, &chunk, chunk.count)
    guard count > 0 else { return count == 0 ? String(decoding: bytes, as: UTF8.self) : nil }
    bytes += chunk.prefix(count)
  }
  return nil
}
