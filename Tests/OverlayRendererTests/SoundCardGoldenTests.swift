import InteractionCore
import OverlayRenderer
import PlaybackCore
import Testing

/// The card of an item without a picture, with the bar over it; GoldenTests.swift says how to update the goldens.
struct CardCase: CustomTestStringConvertible, Sendable {
  var name: String
  var card: NowPlayingCard
  var hasCover = true
  var width: Int
  var height: Int
  var look = OverlayLook()
  var screen: PixelSize { PixelSize(width: width, height: height) }
  var testDescription: String { name }

  private static let song = NowPlayingCard(
    title: "So What", lines: ["Miles Davis", "Kind of Blue (Legacy Edition)"])
  private static let long = NowPlayingCard(
    title: "Concerto for Two Violins, Strings and Basso Continuo in D minor, BWV 1043: II. Largo ma non tanto, live in "
      + "the great hall, the night before the restoration began, with the audience still in the foyer",
    lines: [
      "Netherlands Bach Society, Shunske Sato and Emily Deans, violins; with many others of the ensemble",
      "All of Bach, recorded in the churches and living rooms of Utrecht and its surroundings, volume 17",
    ])
  private static let arabic = NowPlayingCard(title: "إنت عمري", lines: ["أم كلثوم", "Live in Cairo, 1964"])
  private static let station = NowPlayingCard(
    title: "Nina Simone – My Baby Just Cares for Me", lines: ["Lobby Jazz"], isStation: true)
  private static let sizes = [(640, 480), (1280, 720), (1920, 1080), (720, 1280)]

  static let all: [CardCase] =
    sizes.flatMap { width, height in
      [
        CardCase(name: "card-\(width)x\(height)", card: song, width: width, height: height),
        CardCase(name: "card-bare-\(width)x\(height)", card: song, hasCover: false, width: width, height: height),
        CardCase(name: "card-long-\(width)x\(height)", card: long, width: width, height: height),
        CardCase(
          name: "card-arabic-\(width)x\(height)", card: arabic, width: width, height: height, look: GoldenCase.arabic),
      ]
    } + [
      CardCase(name: "card-station-1280x720", card: station, hasCover: false, width: 1280, height: 720),
      CardCase(name: "card-contrast-1280x720", card: song, width: 1280, height: 720, look: highContrast),
    ]
  private static let highContrast: OverlayLook = {
    var look = OverlayLook()
    look.contrast = .high
    return look
  }()

  /// A picture like a cover, a sun over hills, computed from numbers.
  static let cover: CoverPixels? = {
    let side = 300
    let pixels = (0..<(side * side)).map { index -> UInt32 in
      let (x, y) = (index % side, index / side)
      let (dx, dy) = (x - 190, y - 110)
      if dx * dx + dy * dy < 62 * 62 { return 0xFF_F2_C1_4E }
      if y > 210 + (x - 80) * (x - 80) / 400 { return 0xFF_14_3D_59 }
      if y > 235 - x / 4 { return 0xFF_1F_5F_7A }
      return 0xFF00_0000 | UInt32(0xB0 - y / 4) << 16 | UInt32(0x50 + y / 5) << 8 | UInt32(0x4A + y / 6)
    }
    return CoverPixels(size: PixelSize(width: side, height: side), pixels: pixels)
  }()

  func render() throws -> Picture {
    let theme = Theme(look)
    let picture = try #require(
      SoundCardPicture.render(card, cover: hasCover ? Self.cover : nil, screen: screen, theme: theme))
    var bar = TransportBar(
      title: card.title, position: .seconds(83), duration: card.isStation ? nil : .seconds(562),
      isSeekable: !card.isStation)
    bar.hidesTitle = true
    bar.buttons = [.previous, .playPause, .next, .mute]
    let overlay = OverlayRenderer(theme: theme).render(OverlayModel(bar: bar), screen: screen)
    let bytes = picture.pixels.flatMap { pixel in (0..<4).map { UInt8(truncatingIfNeeded: pixel >> (8 * $0)) } }
    let layout = VideoFrameLayout(
      size: screen, stride: 4 * width, destination: PixelRect(x: 0, y: 0, width: width, height: height))
    return try Composition.render(screen: screen, frame: VideoFrame(pixels: bytes, layout: layout), overlay: overlay)
  }
}
