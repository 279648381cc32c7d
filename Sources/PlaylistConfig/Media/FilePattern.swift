/// A name with `*` for any bytes and `?` for one character.
struct FilePattern: Hashable, Sendable {
  private let pattern: [UInt8]

  init(_ text: String) { pattern = Array(text.utf8) }

  /// Takes time in the product of both lengths at most: it backtracks only to the last `*`.
  func matches(_ name: [UInt8]) -> Bool {
    var p = 0
    var n = 0
    var star: (pattern: Int, name: Int)?
    while n < name.count {
      if p < pattern.count, pattern[p] == UInt8(ascii: "*") {
        star = (p, n)
        p += 1
      } else if p < pattern.count, pattern[p] == UInt8(ascii: "?") || pattern[p] == name[n] {
        let isAny = pattern[p] == UInt8(ascii: "?")
        p += 1
        n += 1
        // A character may be several bytes.
        while isAny, n < name.count, name[n] & 0xC0 == 0x80 { n += 1 }
      } else if let last = star {
        p = last.pattern + 1
        n = last.name + 1
        star = (last.pattern, last.name + 1)
      } else {
        return false
      }
    }
    while p < pattern.count, pattern[p] == UInt8(ascii: "*") { p += 1 }
    return p == pattern.count
  }
}
