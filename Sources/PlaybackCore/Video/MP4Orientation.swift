/// Finds the orientation of a film in an MP4 or QuickTime file: the matrix in the header of its first video track.
///
/// GStreamer 1.22 only: its demultiplexer reads the matrix too, but not where it mirrors.
public enum MP4Orientation {
  /// Most boxes that are read: real films have fewer, and a broken file must not be read for ever.
  private static let longestWalk = 4096

  /// - Parameter read: returns `count` bytes of the file from `place` on; nil where there are fewer.
  /// - Returns: nil for other files, for films without a matrix, and for matrices that do more than turn and mirror.
  public static func find(_ read: @escaping (_ place: UInt64, _ count: Int) -> [UInt8]?) -> PictureOrientation? {
    var walk = Walk(read: read, budget: longestWalk)
    guard let first = walk.box(at: 0, before: .max), starts.contains(first.kind),
      let movie = walk.first("moov", from: 0, before: .max)
    else { return nil }
    var place = movie.content
    while let track = walk.first("trak", from: place, before: movie.end) {
      place = track.end
      guard let media = walk.first("mdia", from: track.content, before: track.end),
        let handler = walk.first("hdlr", from: media.content, before: media.end),
        walk.text(at: handler.content, plus: 8) == "vide",
        let header = walk.first("tkhd", from: track.content, before: track.end)
      else { continue }
      return walk.matrix(of: header).flatMap(orientation)
    }
    return nil
  }

  /// Kinds of the first box of such files.
  private static let starts: Set<String> = ["ftyp", "moov", "mdat", "free", "skip", "wide", "pnot", "styp"]

  /// The orientation of the matrix x' = ax + cy, y' = bx + dy, with whole coefficients.
  private static func orientation(_ matrix: [Int32]) -> PictureOrientation? {
    switch matrix {
    case [1, 0, 0, 1]: .upright
    case [0, 1, -1, 0]: PictureOrientation(rotation: .clockwise)
    case [-1, 0, 0, -1]: PictureOrientation(rotation: .half)
    case [0, -1, 1, 0]: PictureOrientation(rotation: .counterclockwise)
    case [-1, 0, 0, 1]: PictureOrientation(isMirrored: true, rotation: .none)
    case [0, -1, -1, 0]: PictureOrientation(isMirrored: true, rotation: .clockwise)
    case [1, 0, 0, -1]: PictureOrientation(isMirrored: true, rotation: .half)
    case [0, 1, 1, 0]: PictureOrientation(isMirrored: true, rotation: .counterclockwise)
    default: nil
    }
  }

  private struct Box {
    var kind: String
    var content: UInt64
    var end: UInt64
  }

  private struct Walk {
    let read: (UInt64, Int) -> [UInt8]?
    var budget: Int

    /// The box that begins at `place`, cut at `limit`.
    mutating func box(at place: UInt64, before limit: UInt64) -> Box? {
      guard budget > 0, place < limit, place < .max - 16, let head = read(place, 8) else { return nil }
      budget -= 1
      var size = number(head[0..<4])
      var header: UInt64 = 8
      if size == 1 {
        guard let long = read(place + 8, 8) else { return nil }
        (size, header) = (number(long[...]), 16)
      }
      guard size == 0 || size >= header else { return nil }
      let (end, isTooLong) = place.addingReportingOverflow(size)
      // Size zero: the last box, which goes to the end of the file.
      return Box(
        kind: String(decoding: head[4..<8], as: UTF8.self), content: place + header,
        end: size == 0 || isTooLong ? limit : min(end, limit))
    }

    mutating func first(_ kind: String, from place: UInt64, before limit: UInt64) -> Box? {
      var place = place
      while let box = box(at: place, before: limit) {
        if box.kind == kind { return box }
        place = box.end
      }
      return nil
    }

    func text(at place: UInt64, plus offset: UInt64) -> String? {
      let (place, isTooFar) = place.addingReportingOverflow(offset)
      return isTooFar ? nil : read(place, 4).map { String(decoding: $0, as: UTF8.self) }
    }

    /// a, b, c and d of a track header's matrix; nil where they aren't whole.
    func matrix(of header: Box) -> [Int32]? {
      // The matrix follows version, times, identity, duration, layer and volume, which are longer in version 1.
      guard header.end > header.content, header.end - header.content >= 84, let bytes = read(header.content, 84) else {
        return nil
      }
      let start = bytes[0] == 1 ? 52 : 40
      // Rows have three coefficients; the third is for projections, which films don't have.
      let values = [0, 1, 3, 4].map { index in
        Int32(bitPattern: UInt32(truncatingIfNeeded: number(bytes[(start + 4 * index)..<(start + 4 * index + 4)])))
      }
      return values.allSatisfy { $0 % 0x10000 == 0 } ? values.map { $0 / 0x10000 } : nil
    }

    private func number(_ bytes: ArraySlice<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }
  }
}
