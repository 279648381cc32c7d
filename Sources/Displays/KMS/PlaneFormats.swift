/// The property IN_FORMATS of a plane: which layouts of memory it takes of each format (`struct drm_format_modifier_blob`).
enum PlaneFormats {
  /// Row by row.
  static let linear: UInt64 = 0

  /// Reads the kernel's IN_FORMATS blob. Entries beyond its end are ignored.
  static func modifiers(_ blob: [UInt8]) -> [FourCC: Set<UInt64>] {
    // version, flags, then the count and the place of each of the two lists.
    guard word(blob, at: 0) == 1, let formatCount = word(blob, at: 8), let formatPlace = word(blob, at: 12),
      let modifierCount = word(blob, at: 16), let modifierPlace = word(blob, at: 20)
    else { return [:] }
    var found: [FourCC: Set<UInt64>] = [:]
    // A count from outside may be anything; a list ends with the bytes in any case.
    for index in 0..<min(Int(modifierCount), blob.count / modifierSize) {
      let place = Int(modifierPlace) + index * modifierSize
      guard let low = word(blob, at: place), let high = word(blob, at: place + 4),
        let offset = word(blob, at: place + 8),
        let modifierLow = word(blob, at: place + 16), let modifierHigh = word(blob, at: place + 20)
      else { break }
      let modifier = UInt64(modifierHigh) << 32 | UInt64(modifierLow)
      let mask = UInt64(high) << 32 | UInt64(low)
      for bit in 0..<64 where mask & (1 << UInt64(bit)) != 0 {
        let number = Int(offset) + bit
        guard number < formatCount, let format = word(blob, at: Int(formatPlace) + number * 4) else { break }
        found[FourCC(rawValue: format), default: []].insert(modifier)
      }
    }
    return found
  }

  /// 64 formats as bits, the number of the first one, padding, and the modifier.
  private static let modifierSize = 24

  private static func word(_ bytes: [UInt8], at place: Int) -> UInt32? {
    guard place >= 0, place <= bytes.count - 4 else { return nil }
    return (0..<4).reduce(0) { $0 | UInt32(bytes[place + $1]) << UInt32($1 * 8) }
  }
}
