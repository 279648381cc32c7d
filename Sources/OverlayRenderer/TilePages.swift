import CPangoCairo
import InteractionCore
import PlaybackCore

/// The pages of tiles as pictures: each is drawn once, and moving pages are copied from them.
struct TilePages {
  /// The facts from which a page's picture was drawn.
  private struct Key: Hashable {
    var tiles: ArraySlice<Tile>
    var grid: TileGrid
    var focus: Int?
    var pressed: Int?
    var density: Double?
  }

  private struct Page {
    var key: Key
    var pixels: [UInt32]
  }

  private var pages: [Int: Page] = [:]
  /// How many pages are in memory.
  var count: Int { pages.count }
  /// How many pages had to be drawn so far.
  private(set) var drawn = 0

  /// The pages that a position shows, from left to right on the screen, each with the column of the screen at which it
  /// begins.
  static func visible(_ wall: TileWall) -> [(page: Int, x: Int)] {
    let grid = wall.sheet.grid
    let width = grid.screen.width
    let first = Int(wall.position.rounded(.down))
    let shift = Int(((wall.position - Double(first)) * Double(width)).rounded())
    let ways =
      grid.isRightToLeft
      ? [(first + 1, shift - width), (first, shift)] : [(first, -shift), (first + 1, width - shift)]
    return ways.filter { $0.1 < width && $0.1 > -width }.map { (page: $0.0, x: $0.1) }
  }

  /// Fills the whole screen with the pages of a position.
  ///
  /// - Parameters:
  ///   - ground: a pixel where there is no page: before the first one, and after the last.
  ///   - draw: draws a page: its films, by their numbers in the list.
  mutating func fill(
    _ pixels: UnsafeMutableBufferPointer<UInt32>, _ wall: TileWall, density: Double?, ground: UInt32,
    draw: (Range<Int>) -> [UInt32]?
  ) {
    let grid = wall.sheet.grid
    let (width, height) = (grid.screen.width, grid.screen.height)
    guard pixels.count == width * height else { return pixels.initialize(repeating: ground) }
    let shown = Self.visible(wall)
    for (page, _) in shown where (0..<grid.pages).contains(page) {
      let tiles = grid.tiles(on: page)
      let key = Key(
        tiles: wall.sheet.tiles[tiles], grid: grid, focus: wall.focus.flatMap { tiles.contains($0) ? $0 : nil },
        pressed: wall.pressed.flatMap { tiles.contains($0) ? $0 : nil }, density: density)
      if pages[page]?.key == key { continue }
      drawn += 1
      pages[page] = draw(tiles).map { Page(key: key, pixels: $0) }
    }
    // A finger may come back to a page beside; more would only take memory.
    pages = pages.filter { page, _ in shown.contains { abs($0.page - page) <= 1 } }
    guard let base = pixels.baseAddress else { return }
    for (page, x) in shown {
      let columns = max(0, x)..<min(width, x + width)
      guard !columns.isEmpty else { continue }
      let picture = pages[page]?.pixels
      for row in 0..<height {
        let to = base + row * width + columns.lowerBound
        guard let picture else {
          to.initialize(repeating: ground, count: columns.count)
          continue
        }
        picture.withUnsafeBufferPointer { from in
          guard let start = from.baseAddress else { return }
          to.initialize(from: start + row * width + columns.lowerBound - x, count: columns.count)
        }
      }
    }
  }
}
