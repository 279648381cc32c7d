import KioskTestSupport
import PlaybackCore
import ScreenModel
import Testing

@Suite("EDIDs of screens")
struct EDIDTests {
  @Test("A screen is named by its EDID, else by its maker; other bytes have no name")
  func edid() {
    var bytes = [UInt8](repeating: 0, count: 128)
    bytes.replaceSubrange(0..<8, with: [0, 255, 255, 255, 255, 255, 255, 0])
    bytes.replaceSubrange(8..<12, with: [0x10, 0xAC, 0x7B, 0xA0])
    #expect(EDID.name(bytes) == "DEL 41083")
    bytes.replaceSubrange(72..<90, with: [0, 0, 0, 0xFC, 0] + Array("Hall\u{1B}[2J 4\n    ".utf8.prefix(13)))
    #expect(EDID.name(bytes) == "Hall[2J 4")
    #expect(EDID.name(Array(bytes.prefix(100))) == nil)
    #expect(EDID.name([UInt8](repeating: 0, count: 128)) == nil)
  }

  @Test("A name is plain text, and a maker's name doesn't count as a screen's when names are compared")
  func monitorNames() {
    var bytes: [UInt8] = [0x00, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x00, 0x10, 0xAC, 0x7B, 0xA0]
    bytes += [UInt8](repeating: 0, count: 116)
    #expect(EDID.name(bytes) == "DEL 41083" && EDID.monitorName(bytes) == nil)
    bytes.replaceSubrange(72..<90, with: [0, 0, 0, 0xFC, 0] + Array("LG TV\n       ".utf8))
    #expect(EDID.name(bytes) == "LG TV" && EDID.monitorName(bytes) == "LG TV")
    #expect(EDID.plainText(Array("a\u{1B}[1m\u{E9} b  ".utf8)) == "a[1m b")
  }

  private let hdr: [UInt8] = [0xE6, 0x06, 0b1101, 0x01, 0x78, 0x5A, 0x32]
  private let colorimetry: [UInt8] = [0xE3, 0x05, 0xC0, 0x00]
  private let video: [UInt8] = [0x42, 0x10, 0x1F]

  @Test("HDR curves and colours are found among other blocks")
  func found() {
    let screen = ScreenHDR(edid: madeEDID([video, colorimetry, hdr]))
    #expect(screen.transfers == [.pq, .hlg] && screen.takesRGB2020 && screen.takesYCC2020)
    #expect(ScreenHDR(edid: madeEDID([[0xE3, 0x06, 0b0101, 0x01]])).transfers == [.pq])
    #expect(ScreenHDR(edid: madeEDID([[0xE3, 0x06, 0b1001, 0x01]])).transfers == [.hlg])
    // SDR only; no metadata that the player could send.
    #expect(ScreenHDR(edid: madeEDID([[0xE3, 0x06, 0b0001, 0x01]])).transfers == [])
    #expect(ScreenHDR(edid: madeEDID([[0xE3, 0x06, 0b1101, 0x00]])).transfers == [])
    #expect(ScreenHDR(edid: madeEDID([video])) == ScreenHDR())
  }

  @Test("A damaged EDID gives no HDR transfers, and parsing it is safe")
  func damaged() {
    #expect(ScreenHDR(edid: madeEDID([hdr], repairsChecksum: false)).transfers == [])
    // Blocks that reach beyond their end, or are empty.
    #expect(ScreenHDR(edid: madeEDID([hdr], timingsAt: 6)).transfers == [])
    #expect(ScreenHDR(edid: madeEDID([[0xE0]])).transfers == [])
    #expect(ScreenHDR(edid: madeEDID([[0xE1, 0x06]])).transfers == [])
    #expect(ScreenHDR(edid: madeEDID([[0xE2, 0x06, 0xFF]])).transfers == [])
    #expect(ScreenHDR(edid: madeEDID([[0xFF, 0x06, 0x0C]], timingsAt: 255)).transfers == [])
    let whole = madeEDID([video, colorimetry, hdr])
    for length in 0...whole.count { _ = ScreenHDR(edid: Array(whole.prefix(length))) }
    var generator = SystemRandomNumberGenerator()
    for _ in 0..<2000 {
      var bytes = whole
      for _ in 0..<3 {
        bytes[128 + Int.random(in: 0..<127, using: &generator)] = .random(in: 0...255, using: &generator)
      }
      bytes[255] = 0 &- bytes[128..<255].reduce(0, &+)
      _ = ScreenHDR(edid: bytes)
    }
  }
}
