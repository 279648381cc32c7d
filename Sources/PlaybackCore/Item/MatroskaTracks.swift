/// Reads the marks of the tracks in a Matroska or WebM file (RFC 9559).
enum MatroskaTracks {
  /// The numbers of elements.
  private enum ID {
    static let header: UInt64 = 0x1A45_DFA3
    static let segment: UInt64 = 0x1853_8067
    static let tracks: UInt64 = 0x1654_AE6B
    static let cluster: UInt64 = 0x1F43_B675
    static let track: UInt64 = 0xAE
    static let kind: UInt64 = 0x83
    static let forced: UInt64 = 0x55AA
    static let hardOfHearing: UInt64 = 0x55AB
    static let visuallyImpaired: UInt64 = 0x55AC
  }

  /// Most elements before the tracks, and most bytes of the tracks: fonts and covers come behind them as a rule.
  private static let (mostElements, mostBytes) = (64, 1 << 20)

  private struct Element {
    var id: UInt64
    /// Of its content, in the file or in the bytes that were read.
    var start: UInt64
    /// Nil where the file doesn't say, as in a stream that was being written.
    var count: UInt64?
  }

  /// - Returns: empty for a file of another kind, and for one that has its tracks behind its pictures.
  static func marks(_ read: (_ place: UInt64, _ count: Int) -> [UInt8]?) -> [MediaTrack.Kind: [TrackMarks]] {
    guard let header = element(at: 0, read), header.id == ID.header, let size = header.count,
      let segment = element(at: header.start &+ size, read), segment.id == ID.segment
    else { return [:] }
    var place = segment.start
    for _ in 0..<mostElements {
      guard let next = element(at: place, read), next.id != ID.cluster, let size = next.count else { break }
      if next.id == ID.tracks {
        guard size <= mostBytes, let bytes = read(next.start, Int(size)) else { break }
        return marks(in: bytes)
      }
      let (end, isTooFar) = next.start.addingReportingOverflow(size)
      guard !isTooFar else { break }
      place = end
    }
    return [:]
  }

  private static func marks(in tracks: [UInt8]) -> [MediaTrack.Kind: [TrackMarks]] {
    var found: [MediaTrack.Kind: [TrackMarks]] = [:]
    forEach(in: tracks[...]) { element, content in
      guard element.id == ID.track else { return }
      var marks = TrackMarks()
      var kind: MediaTrack.Kind?
      forEach(in: content) { fact, value in
        let number = value.suffix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        switch fact.id {
        case ID.kind: kind = number == 1 ? .video : number == 2 ? .audio : number == 0x11 ? .text : nil
        case ID.forced: marks.isForced = number == 1
        case ID.hardOfHearing: marks.isForHardOfHearing = number == 1
        case ID.visuallyImpaired: marks.isDescription = number == 1
        default: break
        }
      }
      if let kind { found[kind, default: []].append(marks) }
    }
    return found
  }

  /// Calls `body` for each element of `bytes` that is whole.
  private static func forEach(in bytes: ArraySlice<UInt8>, _ body: (Element, ArraySlice<UInt8>) -> Void) {
    var rest = bytes
    while let element = element(
      at: UInt64(rest.startIndex),
      { place, count in
        Int(exactly: place).flatMap {
          $0 <= rest.endIndex && count <= rest.endIndex - $0 ? Array(rest[$0..<$0 + count]) : nil
        }
      })
    {
      guard let size = element.count, let start = Int(exactly: element.start), let count = Int(exactly: size),
        count <= rest.endIndex - start
      else { return }
      body(element, rest[start..<start + count])
      rest = rest[(start + count)...]
    }
  }

  private static func element(at place: UInt64, _ read: (UInt64, Int) -> [UInt8]?) -> Element? {
    guard let id = number(at: place, keepsLength: true, longest: 4, read),
      let size = number(at: id.end, keepsLength: false, longest: 8, read)
    else { return nil }
    return Element(id: id.value, start: size.end, count: size.isUnknown ? nil : size.value)
  }

  /// A number whose first byte tells its length by its leading zeros.
  private static func number(
    at place: UInt64, keepsLength: Bool, longest: Int, _ read: (UInt64, Int) -> [UInt8]?
  ) -> (value: UInt64, end: UInt64, isUnknown: Bool)? {
    guard let first = read(place, 1)?.first else { return nil }
    let length = first.leadingZeroBitCount + 1
    guard length <= longest, let bytes = read(place, length) else { return nil }
    let value = bytes.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    let bits = UInt64(1) << UInt64(7 * length)
    let (end, isTooFar) = place.addingReportingOverflow(UInt64(length))
    guard !isTooFar else { return nil }
    return (keepsLength ? value : value & (bits - 1), end, value & (bits - 1) == bits - 1)
  }
}
