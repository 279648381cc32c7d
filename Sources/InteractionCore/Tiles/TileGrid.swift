public import PlaybackCore

/// The places of tiles on a screen: pages that stand side by side, each as wide as the screen.
///
/// Films go from left to right and from the top down; where the language is written from the right, from right to left,
/// and the next page then lies to the left.
public struct TileGrid: Hashable, Sendable {
  public var screen: PixelSize
  /// How many films there are.
  public var count: Int
  public var columns: Int
  public var rows: Int
  /// The tile at the top left of a page, in pixels of the screen.
  public var first: OverlayTargets.Area
  /// From a tile to its neighbours beside and below, in pixels.
  public var stepX: Double
  public var stepY: Double
  public var isRightToLeft: Bool

  /// - Parameters:
  ///   - columns, rows: at least 1.
  ///   - stepX, stepY: from a tile to its neighbours beside and below, in pixels.
  public init(
    screen: PixelSize, count: Int, columns: Int, rows: Int, first: OverlayTargets.Area, stepX: Double, stepY: Double,
    isRightToLeft: Bool = false
  ) {
    self.screen = screen
    self.count = max(0, count)
    self.columns = max(1, columns)
    self.rows = max(1, rows)
    self.first = first
    self.stepX = stepX
    self.stepY = stepY
    self.isRightToLeft = isRightToLeft
  }

  public var tilesOnPage: Int { columns * rows }

  /// At least one, which is empty where there are no films.
  public var pages: Int { max(1, (count + tilesOnPage - 1) / tilesOnPage) }

  public func page(of tile: Int) -> Int { tile / tilesOnPage }

  /// How far a finger has moved towards later pages, in pages.
  func pages(of drag: Drag) -> Double {
    guard screen.width > 0 else { return 0 }
    let moved = (drag.point.x - drag.start.x) / Double(screen.width)
    return isRightToLeft ? moved : -moved
  }

  /// The films of a page, by their numbers in the list, from 0; none of a page that isn't there.
  public func tiles(on page: Int) -> Range<Int> {
    guard page >= 0 else { return 0..<0 }
    let start = min(page * tilesOnPage, count)
    return start..<min(start + tilesOnPage, count)
  }

  /// The place of a tile on its page.
  public func area(of tile: Int) -> OverlayTargets.Area {
    let slot = tile % tilesOnPage
    let (row, place) = (slot / columns, slot % columns)
    let column = isRightToLeft ? columns - 1 - place : place
    var area = first
    area.x += Double(column) * stepX
    area.y += Double(row) * stepY
    return area
  }

  /// The film at a point of a page; nil beside all tiles.
  public func tile(at point: ScreenPoint, on page: Int) -> Int? {
    tiles(on: page).first { area(of: $0).contains(point) }
  }

  /// The film one step away on the screen; nil at the edge. At the side of a page the next page begins.
  public func neighbour(of tile: Int, _ way: TileStep) -> Int? {
    let (page, slot) = (tile / tilesOnPage, tile % tilesOnPage)
    let (row, column) = (slot / columns, slot % columns)
    func at(_ page: Int, _ row: Int, _ column: Int) -> Int? {
      guard (0..<pages).contains(page) else { return nil }
      let films = tiles(on: page)
      guard !films.isEmpty else { return nil }
      let wanted = films.lowerBound + row * columns + column
      // A last page may be shorter: its last film is nearest.
      return films.contains(wanted) ? wanted : films.upperBound - 1
    }
    switch isRightToLeft ? way.mirrored : way {
    case .up: return row > 0 ? tile - columns : nil
    case .down:
      let below = tile + columns
      let films = tiles(on: page)
      if films.contains(below) { return below }
      // The row below may be shorter than this one.
      let hasRowBelow = (slot / columns) < (films.count - 1) / columns
      return hasRowBelow ? films.upperBound - 1 : nil
    case .left: return column > 0 ? tile - 1 : at(page - 1, row, columns - 1)
    case .right:
      return column < columns - 1 && tiles(on: page).contains(tile + 1) ? tile + 1 : at(page + 1, row, 0)
    }
  }
}

/// A direction on the screen.
public enum TileStep: String, Hashable, Sendable, CaseIterable {
  case left, right, up, down

  var mirrored: TileStep {
    switch self {
    case .left: .right
    case .right: .left
    case .up, .down: self
    }
  }
}
