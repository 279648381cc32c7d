import PlaybackCore
import Testing

@Suite("The matrix of MP4 files")
struct MP4OrientationTests {
  private func big(_ value: Int) -> [UInt8] { [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) } }
  private func box(_ kind: String, _ content: [UInt8]) -> [UInt8] { big(content.count + 8) + kind.utf8 + content }

  private func track(_ handler: String, _ matrix: [Int], version: UInt8 = 0) -> [UInt8] {
    let rows = [matrix[0], matrix[1], 0, matrix[2], matrix[3], 0, 0, 0, 0x4000].flatMap { big($0 * 0x10000) }
    let front = [version] + [UInt8](repeating: 0, count: (version == 1 ? 52 : 40) - 1)
    return box(
      "trak",
      box("tkhd", front + rows + [UInt8](repeating: 0, count: 8))
        + box("mdia", box("mdhd", []) + box("hdlr", [UInt8](repeating: 0, count: 8) + handler.utf8 + [0, 0])))
  }

  private func film(_ tracks: [UInt8]...) -> [UInt8] {
    box("ftyp", big(0)) + box("mdat", [UInt8](repeating: 7, count: 100))
      + box("moov", box("mvhd", []) + tracks.joined())
  }

  private func find(_ bytes: [UInt8]) -> PictureOrientation? {
    MP4Orientation.find { place, count in
      guard let start = Int(exactly: place), start <= bytes.count, count <= bytes.count - start else { return nil }
      return Array(bytes[start..<(start + count)])
    }
  }

  @Test("All eight orientations of the first video track are read, in headers of both versions")
  func eight() {
    var found: Set<PictureOrientation> = []
    for orientation in PictureOrientation.all {
      // The matrix's images of (1, 0) and (0, 1), computed from the orientation.
      func put(_ x: Int, _ y: Int) -> (Int, Int) {
        let x = orientation.isMirrored ? -x : x
        return switch orientation.rotation {
        case .none: (x, y)
        case .clockwise: (-y, x)
        case .half: (-x, -y)
        case .counterclockwise: (y, -x)
        }
      }
      let ((a, b), (c, d)) = (put(1, 0), put(0, 1))
      for version in [UInt8(0), 1] {
        let bytes = film(track("soun", [1, 0, 0, 1]), track("vide", [a, b, c, d], version: version))
        #expect(find(bytes) == orientation)
      }
      found.insert(orientation)
    }
    #expect(found.count == 8)
  }

  @Test("Other matrices, other files and films without pictures have no orientation")
  func others() {
    #expect(find(film(track("vide", [2, 0, 0, 2]))) == nil)
    #expect(find(film(track("soun", [-1, 0, 0, 1]))) == nil)
    #expect(find(film()) == nil && find([]) == nil)
    #expect(find(Array("RIFF, and so on and so on, moov trak tkhd".utf8)) == nil)
  }

  @Test("A file cut or changed anywhere causes no trap")
  func damaged() {
    let whole = film(track("soun", [1, 0, 0, 1]), track("vide", [-1, 0, 0, 1]))
    for end in whole.indices { _ = find(Array(whole[..<end])) }
    for index in whole.indices {
      for value in [UInt8(0), 1, 0x7F, 0x80, 0xFF] {
        var bent = whole
        bent[index] = value
        _ = find(bent)
      }
    }
    // 64-bit sizes beyond the file, and boxes that lead nowhere.
    let long = big(1) + Array("ftyp".utf8) + [UInt8](repeating: 0xFF, count: 8)
    #expect(find(long + whole) == nil)
    var reads = 0
    let nothing = MP4Orientation.find { place, count in
      reads += 1
      return place == 0 ? self.big(8) + Array("ftyp".utf8) : self.big(8) + Array("free".utf8)
    }
    #expect(nothing == nil && reads < 10_000)
  }
}
