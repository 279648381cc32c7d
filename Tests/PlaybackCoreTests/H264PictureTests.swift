import PlaybackCore
import Testing

@Suite("Pictures of H.264 that may be left out")
struct H264PictureTests {
  private struct Units: CustomTestStringConvertible, Sendable {
    var what: String
    /// The header byte of each unit of the picture.
    var headers: [UInt8]
    var mayGo: Bool
    var testDescription: String { what }

    /// Each unit with one more byte, after its length in `prefix` bytes, or after a start code when that is 0.
    func bytes(prefix: Int) -> [UInt8] {
      headers.flatMap { header -> [UInt8] in
        let lead: [UInt8] = prefix == 0 ? [0, 0, 1] : Array(repeating: 0, count: prefix - 1) + [2]
        return lead + [header, 0x88]
      }
    }
  }

  private static let pictures: [Units] = [
    Units(what: "a slice without references to it", headers: [0x01], mayGo: true),
    Units(what: "two of them, after a delimiter and a note", headers: [0x09, 0x06, 0x01, 0x01], mayGo: true),
    Units(what: "partitions without references to them", headers: [0x02, 0x03, 0x04], mayGo: true),
    Units(what: "a slice that others refer to", headers: [0x21], mayGo: false),
    Units(what: "a field without references to it, and one with some", headers: [0x01, 0x41], mayGo: false),
    Units(what: "a key frame", headers: [0x65], mayGo: false),
    Units(what: "parameters beside it", headers: [0x67, 0x68, 0x01], mayGo: false),
    Units(what: "the end of a sequence", headers: [0x01, 0x0A], mayGo: false),
    Units(what: "another layer", headers: [0x01, 0x14], mayGo: false),
    Units(what: "no picture", headers: [0x09, 0x06], mayGo: false),
  ]

  /// `#expect` can't hold a span.
  private static func isDisposable(_ bytes: [UInt8], _ framing: H264Picture.Framing) -> Bool {
    H264Picture.isDisposable(bytes.span.bytes, framing)
  }

  @Test("A picture without references to it may be left out", arguments: pictures, [0, 1, 2, 4])
  private func disposable(_ units: Units, prefix: Int) {
    let bytes = units.bytes(prefix: prefix)
    #expect(Self.isDisposable(bytes, prefix == 0 ? .startCodes : .lengths(prefix)) == units.mayGo)
  }

  @Test("A truncated picture stays")
  func broken() {
    let lengths: [[UInt8]] = [
      [], [0], [0, 0, 0, 0], [0, 0, 0, 3, 0x01, 0x88], [0xFF, 0xFF, 0xFF, 0xFF, 0x01], [0, 0, 0, 1, 0x01, 0, 0],
    ]
    for bytes in lengths { #expect(!Self.isDisposable(bytes, .lengths(4)), "\(bytes)") }
    let codes: [[UInt8]] = [[], [0, 0, 1], [0, 0, 0, 0, 0], [0x01, 0x88]]
    for bytes in codes { #expect(!Self.isDisposable(bytes, .startCodes), "\(bytes)") }
    let bytes: [UInt8] = [0, 0, 0, 0, 1, 0x01]
    for prefix in [-1, 0, 5] { #expect(!Self.isDisposable(bytes, .lengths(prefix))) }
  }
}
