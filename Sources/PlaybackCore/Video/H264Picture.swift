/// A coded picture of H.264 in a container's or parser's form: a series of NAL units, each with a header byte for its
/// type.
///
/// ITU-T H.264, 7.3.1 and table 7-1. Arbitrary bytes are accepted.
public enum H264Picture {
  /// How NAL units are separated.
  public enum Framing: Hashable, Sendable {
    /// By the start code 0, 0, 1 before each unit (annex B).
    case startCodes
    /// By the length before each unit, in this many bytes, 1 to 4 (ISO/IEC 14496-15).
    case lengths(Int)
  }

  private enum Verdict { case saysNothing, mayGo, mustStay }

  /// Whether the picture may be dropped: no other picture refers to it, and no unit beside it matters to a decoder.
  public static func isDisposable(_ bytes: RawSpan, _ framing: Framing) -> Bool {
    switch framing {
    case .startCodes: isDisposable(startCodes: bytes)
    case .lengths(let prefix): (1...4).contains(prefix) && isDisposable(lengths: bytes, prefix)
    }
  }

  private static func verdict(_ header: UInt8) -> Verdict {
    switch header & 0x1F {
    // Slices and partitions; the two bits are nal_ref_idc.
    case 1...5: header & 0x60 == 0 ? .mayGo : .mustStay
    // Supplemental information, delimiters, filler data.
    case 6, 9, 12: .saysNothing
    // Parameter sets, ends of sequences, and newer types.
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
