/// Finds the identifier of one build of a program or library: the note that linkers write (GNU build id).
public enum BuildID {
  /// The number of bytes from a file's beginning that contain the note: linkers put notes before the code.
  public static let looksAt = 64 * 1024

  private static let (programHeader64, note, gnu) = (56, UInt32(4), UInt32(3))

  /// - Parameter bytes: the beginning of an ELF file, 64 bits, little endian.
  /// - Returns: the build id in hexadecimal digits; nil for a file without one, or for another kind of file.
  public static func find(in bytes: [UInt8]) -> String? {
    guard bytes.count > 64, bytes.starts(with: [0x7F, 0x45, 0x4C, 0x46, 2, 1]) else { return nil }
    let (headers, size, count) = (number(bytes, 32, 8), number(bytes, 54, 2), number(bytes, 56, 2))
    guard let headers, size == programHeader64, let count else { return nil }
    for index in 0..<count {
      let (at, overflows) = headers.addingReportingOverflow(index * programHeader64)
      guard !overflows, number(bytes, at, 4) == Int(note) else { continue }
      guard let offset = number(bytes, at + 8, 8), let length = number(bytes, at + 32, 8) else { continue }
      if let found = search(bytes, offset, length) { return found }
    }
    return nil
  }

  private static func search(_ bytes: [UInt8], _ start: Int, _ length: Int) -> String? {
    guard start >= 0, length >= 0, length <= bytes.count, start <= bytes.count - length else { return nil }
    var at = start
    while at <= start + length - 12 {
      guard let name = number(bytes, at, 4), let size = number(bytes, at + 4, 4), let type = number(bytes, at + 8, 4),
        name <= 256, size <= 256
      else { return nil }
      let value = at + 12 + (name + 3) / 4 * 4
      guard value + size <= bytes.count else { return nil }
      if type == Int(gnu), bytes[(at + 12)...].starts(with: Array("GNU\0".utf8)), (8...64).contains(size) {
        return bytes[value..<value + size].map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
      }
      at = value + (size + 3) / 4 * 4
    }
    return nil
  }

  /// A number at an offset; nil outside of the bytes, and for values that can't be a file offset.
  private static func number(_ bytes: [UInt8], _ place: Int, _ width: Int) -> Int? {
    guard place >= 0, place <= bytes.count - width else { return nil }
    let value = bytes[place..<place + width].reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    return value <= 1 << 40 ? Int(value) : nil
  }
}
