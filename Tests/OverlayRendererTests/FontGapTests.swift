import PlaybackCore
import Testing

@testable import OverlayRenderer

@Suite("Letters without a font")
struct FontGapTests {
  @Test("A missing letter is reported once, under its font package, in the order of the texts")
  func packages() {
    let gaps = FontGap.find(in: ["Hall 大広間 🎬", "大 \u{E000} ኢትዮጵያ Å"]) { $0 == "Å" }
    #expect(
      gaps == [
        FontGap(package: "fonts-noto-cjk", letters: "大広間"), FontGap(package: "fonts-noto-color-emoji", letters: "🎬"),
        FontGap(package: nil, letters: "\u{E000}"), FontGap(package: "fonts-noto-core", letters: "ኢትዮጵያ"),
      ])
    #expect(FontGap.find(in: ["Hall", "大"]) { _ in true }.isEmpty)
  }

  @Test("Letters of one package are listed up to eight: enough to find the title by")
  func many() {
    let letters = String(String.UnicodeScalarView((0x4E00..<0x4E40).compactMap { Unicode.Scalar($0) }))
    #expect(FontGap.find(in: [letters]) { _ in false }.first?.letters.unicodeScalars.count == 8)
  }

  @Test(
    "East Asian scripts and emoji have their packages",
    arguments: [
      ("あ", "fonts-noto-cjk"), ("ア", "fonts-noto-cjk"), ("한", "fonts-noto-cjk"), ("国", "fonts-noto-cjk"),
      ("、", "fonts-noto-cjk"), ("🏛", "fonts-noto-color-emoji"), ("😀", "fonts-noto-color-emoji"),
      ("ᚠ", "fonts-noto-core"),
    ] as [(Unicode.Scalar, String)])
  func package(letter: Unicode.Scalar, package: String) { #expect(FontGap.package(of: letter) == package) }

  @Test("The machine's fonts are searched: ordinary letters have no gap, an unassigned one has")
  func real() {
    #expect(FontGap.find(in: ["The Great Hall, 2019–2024", "Größe, Ærø"]).isEmpty)
    #expect(FontGap.find(in: ["Hall", "Hall \u{10FFFD}"]) == [FontGap(package: nil, letters: "\u{10FFFD}")])
  }
}
