import PlaybackCore
import Testing

@Suite("Joined MP3s")
struct JoinedSoundTests {
  private static let sync: [UInt8] = [0xFF, 0xFB, 0x90, 0x00]

  /// An MP3 of one 400-byte frame with a header, followed by `rest`.
  private func file(
    _ name: String, tag: [UInt8] = [], hasFrames: Bool = true, says length: Int = 400, then rest: [UInt8] = []
  ) -> [UInt8] {
    func number(_ value: Int) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) } }
    var frame = Self.sync + [UInt8](repeating: 0, count: 32) + Array(name.utf8)
    frame +=
      name == "VBRI"
      ? [UInt8](repeating: 0, count: 6) + number(length)
      : number(hasFrames ? 3 : 2) + (hasFrames ? number(10) : []) + number(length)
    return tag + frame + [UInt8](repeating: 1, count: 400 - frame.count) + rest
  }

  private func isJoined(_ file: [UInt8]) -> Bool {
    JoinedSound.isJoined(size: file.count) { place, count in
      place >= 0 && place <= file.count - count ? Array(file[place..<(place + count)]) : nil
    }
  }

  private let another = JoinedSoundTests.sync + [UInt8](repeating: 2, count: 60)

  @Test("A second MP3 behind the end that the header gives counts as joined", arguments: ["Xing", "Info", "VBRI"])
  func joined(name: String) {
    #expect(isJoined(file(name, then: another)))
    #expect(isJoined(file(name, hasFrames: false, then: another)))
    #expect(isJoined(file(name, then: Array("ID3".utf8) + another)))
    let tag: [UInt8] = Array("ID3".utf8) + [4, 0, 0, 0, 0, 1, 2] + [UInt8](repeating: 9, count: 130)
    #expect(isJoined(file(name, tag: tag, then: another)))
  }

  @Test("A single MP3 doesn't count as joined, with any tags at its end, without a header, or with an empty one")
  func alone() {
    for rest in [[], Array("TAG".utf8) + [UInt8](repeating: 0, count: 125), Array("APETAGEX".utf8) + [0, 0, 0, 0]] {
      #expect(!isJoined(file("Xing", then: rest)))
    }
    #expect(!isJoined(file("None", then: another)))
    #expect(!isJoined(file("Xing", says: 0, then: another)) && !isJoined(file("Xing", says: 1 << 31, then: another)))
    for count in 0..<40 { #expect(!isJoined(Array(file("Xing").prefix(count)))) }
  }
}
