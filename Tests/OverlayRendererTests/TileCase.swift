import InteractionCore
import OverlayRenderer
import PlaybackCore
import Testing

/// A golden picture of tiles.
struct TileCase: CustomTestStringConvertible, Sendable {
  var name: String
  var width: Int
  var height: Int
  var titles = Self.english
  var count = 30
  var position = 0.0
  var focus: Int?
  var pressed: Int?
  var look = OverlayLook()
  /// Pixels per millimetre.
  var density: Double?
  var testDescription: String { name }
  var size: PixelSize { PixelSize(width: width, height: height) }

  static let english = [
    "The Great Hall, restored 2019–2024", "Harbour in the morning", "Bells", "How a violin is made",
    "A walk through the collection of instruments, with the curator and two of her restorers",
  ]
  private static let german = [
    "Der große Saal, restauriert 2019–2024", "Hafen am Morgen", "Geigenbau", "Donaudampfschifffahrtsgesellschaft",
  ]
  private static let arabic = ["القاعة الكبرى، ترميم 2019–2024", "الميناء في الصباح", "Bells", "كيف يُصنع الكمان"]
  private static let japanese = ["大広間、修復の記録 2019–2024", "朝の港", "鐘", "バイオリンができるまで"]

  static let latin: [TileCase] = [
    TileCase(name: "tiles-1280x720", width: 1280, height: 720),
    TileCase(name: "tiles-640x480", width: 640, height: 480),
    TileCase(name: "tiles-1920x1080", width: 1920, height: 1080),
    TileCase(name: "tiles-720x1280", width: 720, height: 1280),
    TileCase(name: "tiles-7-inch", width: 800, height: 480, focus: 1, density: 480.0 / 86),
    TileCase(name: "tiles-7-inch-upright", width: 480, height: 800, pressed: 2, density: 480.0 / 86),
    TileCase(name: "tiles-few-1280x720", width: 1280, height: 720, count: 3, focus: 0),
    TileCase(name: "tiles-four-1280x720", width: 1280, height: 720, count: 4),
    TileCase(name: "tiles-one-720x1280", width: 720, height: 1280, count: 1),
    TileCase(name: "tiles-between-1280x720", width: 1280, height: 720, position: 0.4),
    TileCase(name: "tiles-last-1280x720", width: 1280, height: 720, count: 500, position: 33),
    TileCase(name: "tiles-contrast-1280x720", width: 1280, height: 720, focus: 7, look: look { $0.contrast = .high }),
    TileCase(name: "tiles-largest-720x1280", width: 720, height: 1280, look: look { $0.scale = 3 }),
    TileCase(
      name: "tiles-german-800x480", width: 800, height: 480, titles: german, look: look(in: "de"),
      density: 480.0 / 86),
    TileCase(
      name: "tiles-arabic-1280x720", width: 1280, height: 720, titles: arabic, focus: 0, look: look(in: "ar")),
    TileCase(
      name: "tiles-arabic-between-1280x720", width: 1280, height: 720, titles: arabic, position: 0.4,
      look: look(in: "ar")),
  ]
  static let han = [
    TileCase(name: "tiles-japanese-1280x720", width: 1280, height: 720, titles: japanese, look: look(in: "ja"))
  ]

  private static func look(in language: String) -> OverlayLook { look { $0.language = LanguageTag(language) } }

  private static func look(_ change: (inout OverlayLook) -> Void) -> OverlayLook {
    var look = OverlayLook()
    change(&look)
    return look
  }

  /// A landscape: each film's sky has another colour.
  static func poster(_ number: Int) -> TilePoster? {
    let size = PixelSize(width: 160, height: 90)
    let sky = [0x6FA8DC, 0xE8A87C, 0x85C1A5, 0xC38D9E, 0xE2C55B][number % 5]
    let pixels = (0..<size.height * size.width).map { place -> UInt32 in
      let (x, y) = (place % size.width, place / size.width)
      let hill = 60 - abs(x - (40 + 17 * (number % 7))) / 2
      let shade = y > hill ? 30 : 100 - y / 2
      func part(_ shift: Int) -> UInt32 { UInt32((sky >> shift & 0xFF) * shade / 100) << UInt32(shift) }
      return 0xFF00_0000 | part(16) | part(8) | part(0)
    }
    return TilePoster(number: number, size: size, pixels: pixels)
  }

  func wall(_ renderer: OverlayRenderer) -> TileWall {
    let tiles = (0..<count).map { number -> Tile in
      var facts = TileFacts(
        length: .seconds(37 + 211 * number % 4000), poster: number % 6 == 4 ? nil : Self.poster(number))
      facts.hasCaptions = number % 3 == 0
      facts.hasDescription = number % 6 == 0
      facts.hasLanguages = number % 4 == 0
      return Tile(title: titles[number % titles.count], facts: facts)
    }
    let grid = renderer.tileGrid(count: count, screen: size, density: density)
    return TileWall(TileSheet(tiles: tiles, grid: grid), position: position, focus: focus, pressed: pressed)
  }

  func render() throws -> Picture {
    let renderer = OverlayRenderer(theme: Theme(look, texts: Languages.texts(look)))
    var model = OverlayModel()
    model.tiles = wall(renderer)
    let overlay = try #require(renderer.render(model, screen: size, density: density))
    return try Composition.render(
      screen: size, background: RGBColor(red: 128, green: 128, blue: 128), overlay: overlay)
  }
}
