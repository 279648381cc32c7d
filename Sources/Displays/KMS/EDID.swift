/// What a screen tells of itself (VESA E-EDID, base block of 128 bytes).
enum EDID {
  /// The screen's name, else its maker's three letters and the product number; nil for bytes that are no EDID.
  static func name(_ bytes: [UInt8]) -> String? {
    guard bytes.count >= 128, bytes.starts(with: [0x00, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x00]) else { return nil }
    // Four descriptors of 18 bytes; one that begins like this holds the name.
    for start in stride(from: 54, to: 126, by: 18)
    where bytes[start..<(start + 5)].elementsEqual([0x00, 0x00, 0x00, 0xFC, 0x00]) {
      // Ended by a line feed where it is shorter than its 13 bytes. It goes to terminals: nothing but plain text.
      let text = bytes[(start + 5)..<(start + 18)].prefix { $0 != 0x0A && $0 != 0 }.filter {
        (0x20...0x7E).contains($0)
      }
      let name = String(decoding: text, as: UTF8.self)
      if let last = name.lastIndex(where: { $0 != " " }) { return String(name[...last]) }
    }
    let maker = UInt16(bytes[8]) << 8 | UInt16(bytes[9])
    let letters = [10, 5, 0].map { UInt8(truncatingIfNeeded: maker >> $0 & 0x1F) + 0x40 }
    guard letters.allSatisfy({ (0x41...0x5A).contains($0) }) else { return nil }
    return "\(String(decoding: letters, as: UTF8.self)) \(Int(bytes[10]) | Int(bytes[11]) << 8)"
  }
}
