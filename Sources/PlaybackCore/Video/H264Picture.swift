/// A coded picture of H.264, as containers and parsers hand it over: a row of units, each with a byte that says what it is.
///
/// ITU-T H.264, 7.3.1 and table 7-1. Any bytes may come.
public enum H264Picture {
  /// How units are told apart.
  public enum Framing: Hashable, Sendable {
    /// By 0, 0, 1 before each (annex B).
    case startCodes
    /// By each one's length before it, in so many bytes, 1 to 4 (ISO/IEC 14496-15).
    case lengths(Int)
  }

  private enum Verdict { case saysNothing, mayGo, mustStay }

  /// Whether the picture may be left out: no other is made from it, and nothing stands beside it that a decoder has to know.
  public static func isDisposable(_ bytes: RawSpan, _ framing: Framing) -> Bool {
    switch framing {
    case .startCodes: isDisposable(startCodes: bytes)
    case .lengths(let prefix): (1...4).contains(prefix) && isDisposable(lengths: bytes, prefix)
    }
  }

  private static func verdict(_ header: UInt8) -> Verdict {
    switch header & 0x1F {
    // Slices and partitions; the reference's two bits.
    case 1...5: header & 0x60 == 0 ? .mayGo : .mustStay
    // Notes, delimiters, filling.
    case 6, 9, 12: .saysNothing
    // Parameter sets, ends of sequences, and what is newer than this.
    default: .mustStay
    }
  }

  private static func byte(_ bytes: RawSpan, _ index: Int) -> UInt8 {
    bytes.unsafeLoad(fromByteOffset: index, as: UInt8.self)
  }

  private static func isDisposable(lengths bytes: RawSpan, _ prefix: Int) -> Bool {
    var mayGo = false
    var place = 0
    while place < bytes.byteCount {
      guard bytes.byteCount - place >= prefix else { return false }
      var length = 0
      for index in 0..<prefix { length = length << 8 | Int(byte(bytes, place + index)) }
      place += prefix
      guard length > 0, length <= bytes.byteCount - place else { return false }
      switch verdict(byte(bytes, place)) {
      case .mustStay: return false
      case .mayGo: mayGo = true
      case .saysNothing: break
      }
      place += length
    }
    return mayGo
  }

  private static func isDisposable(startCodes bytes: RawSpan) -> Bool {
    var mayGo = false
    var zeros = 0
    var place = 0
    while place < bytes.byteCount {
      let value = byte(bytes, place)
      place += 1
      if value == 1, zeros >= 2, place < bytes.byteCount {
        switch verdict(byte(bytes, place)) {
        case .mustStay: return false
        case .mayGo: mayGo = true
        case .saysNothing: break
        }
      }
      zeros = value == 0 ? zeros + 1 : 0
    }
    return mayGo
  }
}
