import PlaybackCore
import Testing

@Suite("The checksum of PNG and zip")
struct CRC32Tests {
  /// The first is the usual check value of a CRC; the second ends each PNG file, for the chunk IEND has no content.
  @Test(
    "Values that are known",
    arguments: [("123456789", 0xCBF4_3926), ("IEND", 0xAE42_6082), ("", 0)] as [(String, UInt32)])
  func values(text: String, expected: UInt32) {
    #expect(CRC32.checksum(of: text.utf8) == expected)
    #expect(CRC32.checksum(of: text.utf8.lazy.map { $0 }) == expected)
  }
}
