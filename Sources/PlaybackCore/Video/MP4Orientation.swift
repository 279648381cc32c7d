/// Finds the orientation of a film in an MP4 or QuickTime file: the matrix in the header of its first video track.
///
/// GStreamer 1.22 only: its demultiplexer reads the matrix too, but not where it mirrors.
public enum MP4Orientation {
  /// - Parameter read: returns `count` bytes of the file from `place` on; nil where there are fewer.
  /// - Returns: nil for other files, for films without a matrix, and for matrices that do more than turn and mirror.
  public static func find(_ read: @escaping (_ place: UInt64, _ count: Int) -> [UInt8]?) -> PictureOrientation? {
    var file = MP4File(read)
    while let track = file.nextTrack() {
      guard track.kind == "vide", let header = file.first("tkhd", in: track.box) else { continue }
      return file.matrix(of: header).flatMap(orientation)
    }
    return nil
  }

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
}

extension MP4File {
  /// a, b, c and d of a track header's matrix; nil where they aren't whole.
  fileprivate func matrix(of header: Box) -> [Int32]? {
    // The matrix follows version, times, identity, duration, layer and volume, which are longer in version 1.
    guard let bytes = bytes(of: header, atMost: 84), bytes.count == 84 else { return nil }
    let start = bytes[0] == 1 ? 52 : 40
    // Rows have three coefficients; the third is for projections, which films don't have.
    let values = [0, 1, 3, 4].map { index in
      Int32(bitPattern: UInt32(truncatingIfNeeded: Self.number(bytes[(start + 4 * index)..<(start + 4 * index + 4)])))
    }
    return values.allSatisfy { $0 % 0x10000 == 0 } ? values.map { $0 / 0x10000 } : nil
  }
}
