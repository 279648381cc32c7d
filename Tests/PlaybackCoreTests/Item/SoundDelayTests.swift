import PlaybackCore
import Testing

@Suite("The delay of MP3s")
struct SoundDelayTests {
  private func delay(_ file: [UInt8]) -> Duration {
    SoundDelay.find { place, count in
      place >= 0 && place <= file.count - count ? Array(file[place..<(place + count)]) : nil
    }
  }

  /// - Parameters:
  ///   - head: the second and third byte, which have version, layer and rate.
  ///   - encoder: the name that stands behind the Xing header's fields; empty for a file without one.
  private func file(_ head: (UInt8, UInt8) = (0xFB, 0x94), encoder: String = "", samples: Int = 0) -> [UInt8] {
    var frame: [UInt8] = [0xFF, head.0, head.1, 0] + [UInt8](repeating: 0, count: 32)
    if !encoder.isEmpty {
      frame += Array("Info".utf8) + [0, 0, 0, 15] + [UInt8](repeating: 7, count: 112)
      frame += Array(encoder.utf8) + [UInt8](repeating: 0, count: 21 - encoder.utf8.count)
      frame += [UInt8(samples >> 4), UInt8(samples & 15) << 4, 0]
    }
    return frame + [UInt8](repeating: 0, count: 500)
  }

  private func samples(_ count: Int, _ rate: Int) -> Duration {
    .nanoseconds(Int64(count) * 1_000_000_000 / Int64(rate))
  }

  @Test("The delay is the encoder's, as the file states it or as LAME's is, and every decoder's")
  func encoders() {
    #expect(delay(file(encoder: "LAME3.100", samples: 1105)) == samples(1634, 48_000))
    #expect(delay(file(encoder: "Lavc59.37", samples: 576)) == samples(1105, 48_000))
    #expect(delay(file(encoder: "LAME3.100")) == samples(1105, 48_000))
    #expect(delay(file(encoder: "Another", samples: 2000)) == samples(1105, 48_000))
    #expect(delay(file()) == samples(1105, 48_000))
    let tag: [UInt8] = Array("ID3".utf8) + [4, 0, 0, 0, 0, 1, 2] + [UInt8](repeating: 9, count: 130)
    #expect(delay(tag + file(encoder: "LAME3.100", samples: 1105)) == samples(1634, 48_000))
  }

  @Test("The delay counts samples of the file's own rate", arguments: [(0xFB, 44_100), (0xF3, 22_050), (0xE3, 11_025)])
  func rates(head: Int, rate: Int) { #expect(delay(file((UInt8(head), 0x90))) == samples(1105, rate)) }

  @Test("Other files have none, nor have pieces of an MP3")
  func others() {
    let texts: [[UInt8]] = [[], Array("This is no sound. ".utf8), Array("RIFF".utf8), [0xFF, 0xF1, 0x50, 0x80]]
    for start in texts { #expect(delay(start + [UInt8](repeating: 0x20, count: 400)) == .zero) }
    // Layer II.
    #expect(delay(file((0xFD, 0x94))) == .zero)
    for count in 0..<250 { #expect(delay(Array(file().prefix(count))) == .zero) }
  }
}
