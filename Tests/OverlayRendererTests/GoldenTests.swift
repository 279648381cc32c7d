// Golden pictures: each state over a mid-grey film, compared with the PNG of its name in Golden/.
//
// After a change of the look, update them, check each of them by eye, and commit them with the change:
//
//   VITRINE_UPDATE_GOLDEN=1 swift test --filter OverlayRendererTests
//
// Pictures with Han letters and emoji need Noto Sans CJK and Noto Color Emoji (fonts-noto-cjk,
// fonts-noto-color-emoji) beside Inter (fonts-inter). Those of Debian 13 are made in `make shell SUITE=trixie`. A
// failed comparison leaves NAME.actual.png and NAME.diff.png in build/golden-failures.

import Glibc
import InteractionCore
import OverlayRenderer
import PlaybackCore
import Testing

struct GoldenCase: CustomTestStringConvertible, Sendable {
  var name: String
  var model: OverlayModel
  var width: Int
  var height: Int
  var look = OverlayLook()
  /// Pixels per millimetre.
  var density: Double?
  var size: PixelSize { PixelSize(width: width, height: height) }
  var testDescription: String { name }

  static let latin = [
    GoldenCase(name: "playing-1280x720", model: States.playing, width: 1280, height: 720),
    GoldenCase(name: "playing-640x480", model: States.playing, width: 640, height: 480),
    GoldenCase(name: "playing-1920x1080", model: States.playing, width: 1920, height: 1080),
    GoldenCase(name: "playing-720x1280", model: States.playing, width: 720, height: 1280),
    GoldenCase(name: "dragging-1280x720", model: States.dragging, width: 1280, height: 720),
    GoldenCase(name: "dragging-640x480", model: States.dragging, width: 640, height: 480),
    GoldenCase(name: "dragging-1920x1080", model: States.dragging, width: 1920, height: 1080),
    GoldenCase(name: "dragging-720x1280", model: States.dragging, width: 720, height: 1280),
    GoldenCase(name: "dragging-start-1280x720", model: States.draggingAtStart, width: 1280, height: 720),
    GoldenCase(
      name: "dragging-arabic-1280x720", model: States.draggingArabic, width: 1280, height: 720, look: arabic),
    GoldenCase(name: "unknown-1280x720", model: States.unknown, width: 1280, height: 720),
    GoldenCase(name: "paused-1280x720", model: States.paused, width: 1280, height: 720),
    GoldenCase(name: "live-1280x720", model: States.live, width: 1280, height: 720),
    GoldenCase(name: "buffering-1280x720", model: States.buffering, width: 1280, height: 720),
    GoldenCase(name: "message-640x480", model: States.message, width: 640, height: 480),
    GoldenCase(name: "error-1280x720", model: States.error, width: 1280, height: 720),
    GoldenCase(name: "error-720x1280", model: States.error, width: 720, height: 1280),
    GoldenCase(name: "error-long-640x480", model: States.longError, width: 640, height: 480),
    GoldenCase(name: "status-1280x720", model: States.status, width: 1280, height: 720),
    GoldenCase(name: "status-640x480", model: States.status, width: 640, height: 480),
    GoldenCase(name: "status-720x1280", model: States.status, width: 720, height: 1280),
    GoldenCase(name: "status-trouble-1280x720", model: States.statusTrouble, width: 1280, height: 720),
    GoldenCase(name: "subtitles-640x480", model: States.subtitles, width: 640, height: 480),
    GoldenCase(name: "subtitles-1280x720", model: States.subtitles, width: 1280, height: 720),
    GoldenCase(name: "subtitles-1920x1080", model: States.subtitles, width: 1920, height: 1080),
    GoldenCase(name: "subtitles-720x1280", model: States.subtitles, width: 720, height: 1280),
    GoldenCase(name: "subtitles-bar-1280x720", model: States.subtitlesAndBar, width: 1280, height: 720),
    GoldenCase(name: "subtitles-bar-720x1280", model: States.subtitlesAndBar, width: 720, height: 1280),
    GoldenCase(name: "subtitles-arabic-1280x720", model: States.subtitlesArabic, width: 1280, height: 720),
    GoldenCase(name: "buttons-640x480", model: States.buttons, width: 640, height: 480),
    GoldenCase(name: "buttons-1280x720", model: States.buttons, width: 1280, height: 720),
    GoldenCase(name: "buttons-1920x1080", model: States.buttons, width: 1920, height: 1080),
    GoldenCase(name: "buttons-720x1280", model: States.buttons, width: 720, height: 1280),
    GoldenCase(name: "buttons-dragging-640x480", model: States.buttonsDragging, width: 640, height: 480),
    GoldenCase(name: "buttons-dragging-1280x720", model: States.buttonsDragging, width: 1280, height: 720),
    GoldenCase(name: "buttons-dragging-720x1280", model: States.buttonsDragging, width: 720, height: 1280),
    GoldenCase(
      name: "buttons-arabic-1280x720", model: States.buttonsArabic, width: 1280, height: 720, look: arabic),
    GoldenCase(name: "captions-on-640x480", model: States.captionsOn, width: 640, height: 480),
    GoldenCase(name: "captions-on-1280x720", model: States.captionsOn, width: 1280, height: 720),
    GoldenCase(name: "captions-off-1280x720", model: States.captionsOff, width: 1280, height: 720),
    GoldenCase(name: "captions-on-720x1280", model: States.captionsOn, width: 720, height: 1280),
    GoldenCase(name: "description-on-1280x720", model: States.descriptionOn, width: 1280, height: 720),
    GoldenCase(name: "description-on-720x1280", model: States.descriptionOn, width: 720, height: 1280),
    GoldenCase(name: "signed-on-1280x720", model: States.signedOn, width: 1280, height: 720),
    GoldenCase(name: "description-off-640x480", model: States.descriptionOff, width: 640, height: 480),
    GoldenCase(name: "offline-640x480", model: States.offline, width: 640, height: 480),
    GoldenCase(name: "offline-1280x720", model: States.offline, width: 1280, height: 720),
    GoldenCase(name: "offline-720x1280", model: States.offline, width: 720, height: 1280),
    GoldenCase(
      name: "offline-arabic-1280x720", model: States.offlineArabic, width: 1280, height: 720, look: arabic),
    GoldenCase(name: "buffering-640x480", model: States.buffering, width: 640, height: 480),
    GoldenCase(name: "buffering-720x1280", model: States.buffering, width: 720, height: 1280),
    GoldenCase(name: "error-1920x1080", model: States.error, width: 1920, height: 1080),
    GoldenCase(name: "status-1920x1080", model: States.status, width: 1920, height: 1080),
    GoldenCase(name: "contrast-640x480", model: States.contrast, width: 640, height: 480, look: highContrast),
    GoldenCase(name: "contrast-1280x720", model: States.contrast, width: 1280, height: 720, look: highContrast),
    GoldenCase(name: "contrast-720x1280", model: States.contrast, width: 720, height: 1280, look: highContrast),
    GoldenCase(name: "contrast-status-1280x720", model: States.status, width: 1280, height: 720, look: highContrast),
    GoldenCase(name: "large-1280x720", model: States.buttons, width: 1280, height: 720, look: large),
    GoldenCase(name: "arabic-1280x720", model: States.arabic, width: 1280, height: 720, look: arabic),
    GoldenCase(name: "arabic-in-english-1280x720", model: States.arabic, width: 1280, height: 720),
    GoldenCase(name: "tiles-button-1280x720", model: States.tilesButton, width: 1280, height: 720),
    GoldenCase(name: "countdown-640x480", model: States.countdown, width: 640, height: 480),
    GoldenCase(name: "countdown-1280x720", model: States.countdown, width: 1280, height: 720),
    GoldenCase(name: "countdown-1920x1080", model: States.countdown, width: 1920, height: 1080),
    GoldenCase(name: "countdown-720x1280", model: States.countdown, width: 720, height: 1280),
    GoldenCase(name: "countdown-aside-1280x720", model: States.countdownAside, width: 1280, height: 720),
    GoldenCase(
      name: "countdown-contrast-1280x720", model: States.countdown, width: 1280, height: 720, look: highContrast),
    GoldenCase(name: "countdown-largest-720x1280", model: States.countdown, width: 720, height: 1280, look: largest),
    GoldenCase(name: "alert-1280x720", model: States.alertAbove, width: 1280, height: 720),
    GoldenCase(name: "alert-others-1280x720", model: States.alertWithOthers, width: 1280, height: 720),
    GoldenCase(name: "alert-720x1280", model: States.alertAbove, width: 720, height: 1280),
    GoldenCase(name: "alert-test-1280x720", model: States.alertTest, width: 1280, height: 720),
    GoldenCase(name: "alert-instead-1280x720", model: States.alertInstead, width: 1280, height: 720),
    GoldenCase(name: "alert-long-640x480", model: States.alertLong, width: 640, height: 480),
    GoldenCase(name: "alert-arabic-1280x720", model: States.alertArabic, width: 1280, height: 720, look: arabic),
    GoldenCase(name: "alert-contrast-1280x720", model: States.alertTest, width: 1280, height: 720, look: highContrast),
    GoldenCase(name: "alerts-1280x720", model: States.alertsMany, width: 1280, height: 720),
    GoldenCase(name: "paused-buttons-1280x720", model: States.pausedButtons, width: 1280, height: 720),
    GoldenCase(name: "clip-1280x720", model: States.clip, width: 1280, height: 720, look: short),
    GoldenCase(name: "largest-1280x720", model: States.pausedButtons, width: 1280, height: 720, look: largest),
    GoldenCase(name: "largest-720x1280", model: States.pausedButtons, width: 720, height: 1280, look: largest),
  ]
  /// Screens of known sizes: a touch panel of 154x86 mm, the same upright, and a wall screen of 953x536 mm.
  static let onGlass: [GoldenCase] = [
    (name: "7-inch", width: 800, height: 480, density: 480.0 / 86),
    (name: "7-inch-upright", width: 480, height: 800, density: 480.0 / 86),
    (name: "43-inch", width: 1920, height: 1080, density: 1920.0 / 953),
  ].flatMap { glass in
    func on(_ name: String, _ model: OverlayModel, _ look: OverlayLook = OverlayLook()) -> GoldenCase {
      GoldenCase(
        name: "\(glass.name)-\(name)", model: model, width: glass.width, height: glass.height, look: look,
        density: glass.density)
    }
    return [
      on("playing", States.buttons), on("paused", States.pausedButtons), on("dragging", States.buttonsDragging),
      on("arabic", States.pausedArabic, arabic), on("clip", States.clip, short), on("error", States.error),
      on("captions", States.captionsOn), on("message", States.message), on("offline", States.offline),
      on("status", States.status), on("countdown", States.countdown),
    ]
  }
  /// On the smallest screen that is usual, where sentences have the least room.
  static func translated(_ language: String, title: String, item: String) -> [GoldenCase] {
    var look = OverlayLook()
    look.language = LanguageTag(language)
    return [
      ("paused", States.translatedBar(title: title)), ("error", States.translatedError(item: item)),
      ("status", States.translatedStatus(item: item)), ("countdown", States.countdown),
    ].map { name, model in
      GoldenCase(
        name: "language-\(language)-\(name)", model: model, width: 800, height: 480, look: look, density: 480.0 / 86)
    }
  }
  static let german = translated("de", title: "Der große Saal, restauriert 2019–2024", item: "Hafen am Morgen")
  static let arabicTexts = translated("ar", title: "القاعة الكبرى، ترميم 2019–2024", item: "harbour-morning.mp4")
  static let japaneseTexts = translated("ja", title: "大広間、修復の記録 2019–2024", item: "朝の港")
  private static let short: OverlayLook = {
    var look = OverlayLook()
    look.times = .short
    return look
  }()
  static let arabic: OverlayLook = {
    var look = OverlayLook()
    look.language = LanguageTag("ar") ?? .english
    return look
  }()
  private static let largest: OverlayLook = {
    var look = OverlayLook()
    look.scale = 3
    return look
  }()
  private static let highContrast: OverlayLook = {
    var look = OverlayLook()
    look.contrast = .high
    return look
  }()
  private static let large: OverlayLook = {
    var look = OverlayLook()
    look.scale = 1.5
    look.accent = 0x7ADCFF
    return look
  }()
  static let han = [
    GoldenCase(name: "japanese-720x1280", model: States.japanese, width: 720, height: 1280, look: japanese),
    GoldenCase(
      name: "7-inch-cjk", model: States.manyScripts, width: 800, height: 480, look: japanese, density: 480.0 / 86),
    GoldenCase(
      name: "43-inch-cjk", model: States.manyScripts, width: 1920, height: 1080, look: japanese, density: 1920.0 / 953),
  ]
  private static let japanese: OverlayLook = {
    var look = OverlayLook()
    look.language = LanguageTag("ja") ?? .english
    return look
  }()
}

/// The difference between two pictures.
struct PictureDifference {
  /// Mean of the absolute differences of all channels, 0...255.
  var mean = 0.0
  /// Share of pixels with a channel that is off by more than 48.
  var offShare = 0.0
  /// The number of such pixels as a share of the golden's edge pixels. Letters are edges, so a missing word or a wrong
  /// digit shows here, however large and empty the picture is.
  var offShareOfEdges = 0.0

  var isSmall: Bool { mean < 2 && offShare < 0.01 && offShareOfEdges < 0.02 }

  init(_ actual: Picture, _ golden: Picture) {
    // Most pictures equal their golden one, and comparing pixel by pixel takes a second for each in a debug build.
    let isSame = actual.pixels.withUnsafeBytes { a in
      golden.pixels.withUnsafeBytes { b in
        guard a.count == b.count, let first = a.baseAddress, let second = b.baseAddress else { return false }
        return memcmp(first, second, a.count) == 0
      }
    }
    if isSame { return }
    var (sum, off, edges) = (0, 0, 0)
    // Skips pixels that equal their neighbour and their counterpart, which are the most.
    var before: UInt32?
    for (a, b) in zip(actual.pixels, golden.pixels) {
      if a != b {
        let difference = Self.difference(a, b)
        sum += difference.sum
        if difference.largest > 48 { off += 1 }
      }
      if let before, before != b, Self.difference(b, before).largest > 48 { edges += 1 }
      before = b
    }
    mean = Double(sum) / Double(3 * max(1, actual.pixels.count))
    offShare = Double(off) / Double(max(1, actual.pixels.count))
    offShareOfEdges = Double(off) / Double(max(1, edges))
  }

  static func difference(_ a: UInt32, _ b: UInt32) -> (sum: Int, largest: Int) {
    let red = abs(Int(a >> 16 & 0xFF) - Int(b >> 16 & 0xFF))
    let green = abs(Int(a >> 8 & 0xFF) - Int(b >> 8 & 0xFF))
    let blue = abs(Int(a & 0xFF) - Int(b & 0xFF))
    return (red + green + blue, max(red, green, blue))
  }
}

@Suite(
  "Golden pictures",
  .enabled(if: Fonts.hasInter, "The pictures are set in Inter, which isn't installed here (package fonts-inter)"))
struct GoldenTests {
  private static let folder: String = {
    let file = #filePath
    return String(file[..<(file.lastIndex(of: "/") ?? file.endIndex)])
  }()

  private func picture(
    _ model: OverlayModel, _ size: PixelSize, _ look: OverlayLook = OverlayLook(), density: Double? = nil
  ) throws -> Picture {
    let overlay = try #require(
      OverlayRenderer(theme: Theme(look, texts: Languages.texts(look))).render(
        model, screen: size, density: density))
    return try Composition.render(
      screen: size, background: RGBColor(red: 128, green: 128, blue: 128), overlay: overlay)
  }

  private func check(_ golden: GoldenCase) throws {
    try check(picture(golden.model, golden.size, golden.look, density: golden.density), name: golden.name)
  }

  private func check(_ actual: Picture, name: String) throws {
    let common = "\(Self.folder)/Golden/\(name).png"
    let own = "\(Self.folder)/Golden/\(Fonts.goldenFolder ?? "")\(name).png"
    if getenv("VITRINE_UPDATE_GOLDEN") != nil {
      // A picture of another Pango that is close to the common one needs no file of its own.
      if own != common, let picture = Picture(png: common), PictureDifference(actual, picture).isSmall {
        unlink(own)
      } else {
        try PNGWriter.write(actual, to: own)
      }
      return
    }
    let path = access(own, R_OK) == 0 ? own : common
    let expected = try #require(Picture(png: path), "no golden picture at \(path)")
    try #require(expected.size == actual.size)
    let difference = PictureDifference(actual, expected)
    if !difference.isSmall { try keep(actual, expected, name: name) }
    #expect(difference.isSmall, "\(difference); see build/golden-failures/\(name).*.png")
  }

  private func keep(_ actual: Picture, _ expected: Picture, name: String) throws {
    let build = Self.folder + "/../../build"
    mkdir(build, 0o755)
    mkdir(build + "/golden-failures", 0o755)
    let pixels = zip(actual.pixels, expected.pixels).map { a, b in
      let off = UInt32(PictureDifference.difference(a, b).largest)
      return 0xFF00_0000 | off << 16 | off << 8 | off
    }
    let diff = try #require(Picture(size: actual.size, pixels: pixels))
    try PNGWriter.write(actual, to: "\(build)/golden-failures/\(name).actual.png")
    try PNGWriter.write(diff, to: "\(build)/golden-failures/\(name).diff.png")
  }

  @Test(
    "Each state looks like its golden picture",
    .enabled(if: Fonts.goldenFolder != nil, Fonts.notAsInGoldenPictures),
    arguments: GoldenCase.latin + GoldenCase.onGlass + GoldenCase.german + GoldenCase.arabicTexts)
  func latin(golden: GoldenCase) throws { try check(golden) }

  @Test(
    "Cards of items without a picture look like their golden pictures",
    .enabled(if: Fonts.goldenFolder != nil, Fonts.notAsInGoldenPictures), arguments: CardCase.all)
  func cards(golden: CardCase) throws { try check(golden.render(), name: golden.name) }

  @Test(
    "Tiles look like their golden pictures",
    .enabled(if: Fonts.goldenFolder != nil, Fonts.notAsInGoldenPictures), arguments: TileCase.latin)
  func tiles(golden: TileCase) throws { try check(golden.render(), name: golden.name) }

  @Test(
    "The panel of choices, captions as a visitor wants them, and a bar that stands higher look like their golden pictures",
    .enabled(if: Fonts.goldenFolder != nil, Fonts.notAsInGoldenPictures), arguments: ChoiceCase.latin)
  func choices(golden: ChoiceCase) throws { try check(golden.render(), name: golden.name) }

  @Test(
    "The panel of choices with Han letters looks like its golden picture",
    .enabled(
      if: Fonts.hasGoldenHan, "the fonts aren't installed here (packages fonts-noto-cjk, fonts-noto-color-emoji)"),
    .enabled(if: Fonts.goldenFolder != nil, Fonts.notAsInGoldenPictures), arguments: ChoiceCase.han)
  func choicesInHan(golden: ChoiceCase) throws { try check(golden.render(), name: golden.name) }

  @Test(
    "Tiles with Han letters look like their golden pictures",
    .enabled(
      if: Fonts.hasGoldenHan, "the fonts aren't installed here (packages fonts-noto-cjk, fonts-noto-color-emoji)"),
    .enabled(if: Fonts.goldenFolder != nil, Fonts.notAsInGoldenPictures), arguments: TileCase.han)
  func tilesInHan(golden: TileCase) throws { try check(golden.render(), name: golden.name) }

  @Test(
    "Han letters and emoji look like their golden pictures",
    .enabled(
      if: Fonts.hasGoldenHan, "the fonts aren't installed here (packages fonts-noto-cjk, fonts-noto-color-emoji)"),
    .enabled(if: Fonts.goldenFolder != nil, Fonts.notAsInGoldenPictures),
    arguments: GoldenCase.han + GoldenCase.japaneseTexts)
  func han(golden: GoldenCase) throws { try check(golden) }

  @Test("The comparison notices a lost title, one wrong digit and a lost ring")
  func comparisonIsSharp() throws {
    let size = PixelSize(width: 1280, height: 720)
    let golden = try picture(States.buffering, size)
    #expect(PictureDifference(golden, golden).isSmall)
    var changed = [States.buffering, States.buffering, States.buffering]
    changed[0].bar?.title = ""
    changed[1].bar?.position = .seconds(58)
    changed[2].bufferingPercent = nil
    for model in changed {
      #expect(!PictureDifference(try picture(model, size), golden).isSmall)
    }
  }
}
