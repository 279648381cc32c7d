import CPangoCairo
import PlaybackCore

/// Letters that no installed font has, so that boxes are drawn in their place.
public struct FontGap: Hashable, Sendable {
  /// The Debian package with a font for them; nil where none is known.
  public var package: String?
  /// Some of the letters, in the order of the texts.
  public var letters: String

  /// The most letters that are listed: enough to find the text by.
  private static let mostLetters = 8

  /// The letters of texts that can't be shown with a theme's fonts, by package, in the order of the texts. Reads the
  /// font configuration, which takes tens of milliseconds, unless all texts are ASCII.
  public static func find(in texts: [String], theme: Theme = Theme()) -> [FontGap] {
    let foreign = texts.filter { text in text.utf8.contains { $0 >= 0x80 } }
    guard !foreign.isEmpty, let context = TextContext(theme) else {
      return []
    }
    let style = TextStyle(size: OverlayMetrics.titleType * 20, weight: PANGO_WEIGHT_SEMIBOLD)
    var known: [Unicode.Scalar: Bool] = [:]
    return find(in: foreign.filter { context.line($0, style).hasUnknownLetters }) { scalar in
      if let isShown = known[scalar] { return isShown }
      let isShown = !context.line(String(Character(scalar)), style).hasUnknownLetters
      known[scalar] = isShown
      return isShown
    }
  }

  static func find(in texts: [String], isShown: (Unicode.Scalar) -> Bool) -> [FontGap] {
    var gaps: [FontGap] = []
    for scalar in texts.lazy.flatMap(\.unicodeScalars) where !scalar.isASCII && !isShown(scalar) {
      let package = package(of: scalar)
      if let index = gaps.firstIndex(where: { $0.package == package }) {
        guard gaps[index].letters.unicodeScalars.count < mostLetters,
          !gaps[index].letters.unicodeScalars.contains(scalar)
        else { continue }
        gaps[index].letters.unicodeScalars.append(scalar)
      } else {
        gaps.append(FontGap(package: package, letters: String(Character(scalar))))
      }
    }
    return gaps
  }

  /// The Debian package with a font for a letter.
  static func package(of scalar: Unicode.Scalar) -> String? {
    switch scalar.value {
    // Jamo; radicals, kana, Han and their punctuation; Hangul; compatibility characters of older sets, half and full
    // widths; the planes of Han.
    case 0x1100...0x11FF, 0x2E80...0x9FFF, 0xA960...0xA97F, 0xAC00...0xD7FF, 0xF900...0xFAFF, 0xFE30...0xFE4F,
      0xFF00...0xFFEF, 0x20000...0x3FFFF:
      "fonts-noto-cjk"
    case _ where scalar.properties.isEmoji: "fonts-noto-color-emoji"
    default:
      switch scalar.properties.generalCategory {
      case .privateUse, .unassigned, .surrogate: nil
      default: "fonts-noto-core"
      }
    }
  }

  /// The fault, for people; `remedy` says what to do about it.
  public var message: String { "no font here has \(letters), so boxes are shown" }
  public var remedy: String {
    package.map { "install \($0) where it plays" } ?? "install a font that has them, or write it in other letters"
  }
}
