import InteractionCore
import PlaybackCore

// Measures of the tiles that visitors choose from. In u unless a name says otherwise.
extension OverlayMetrics {
  /// Opacity of the ground over the film: white type on it has more than 4.5:1 over a white film (contrast tests), and a
  /// film still shows through.
  static let tileGroundOpacity = 0.8
  static let contrastTileGroundOpacity = 0.94
  static let tileGap = 1.5
  /// From a picture to its title: clear of the ring around the picture in focus.
  static let tileTitleGap = 0.9
  static let tileTitleType = 1.45
  /// A title has two lines; a longer one ends with an ellipsis.
  static let tileTitleLines = 2
  static let tileLineSpacing = 1.05
  /// Height of a line of Inter in ems, with that spacing.
  static let tileLine = 1.3
  /// The narrowest picture: six of them beside each other on a wide screen, each with a title of some ten letters a line.
  static let narrowestTile = 16.0
  /// The narrowest picture in millimetres: twice what a finger needs. A film is told by its picture from 25 mm on.
  static let narrowestTileMillimetres = 30.0
  /// The widest one: two fill a wide screen. A single film needn't fill it.
  static let widestTile = 40.0
  static let tileCorner = 0.6
  /// The ring around the picture that keys have reached.
  static let tileFocus = 0.4
  static let tileFocusGap = 0.3
  /// The veil over a picture under a finger.
  static let tilePressedOpacity = 0.3
  /// The ground of a picture that isn't there (yet): it can be told from the dimmed film, whether that is black or white.
  static let tileEmptyOpacity = 0.25
  /// The length, and the signs, in a corner of the picture.
  static let tileBadgeType = 1.15
  static let tileBadgePadding = 0.45
  static let tileBadgeMargin = 0.5
  static let tileBadgeOpacity = 0.8
  /// Dots that tell the pages, near the bottom edge; a number where there are more pages.
  static let pageDot = 0.34
  static let pageDotStep = 1.5
  static let pageDotRest = 0.4
  static let mostPageDots = 12
  static let pagesHeight = 3.6

  var tileGroundOpacity: Double { hasHighContrast ? Self.contrastTileGroundOpacity : Self.tileGroundOpacity }
  var tileTitleType: Double { Self.tileTitleType * typeScale }
  /// From the picture's lower edge to the end of its title.
  var tileTitleHeight: Double {
    Self.tileTitleGap + Double(Self.tileTitleLines) * tileTitleType * Self.tileLine
  }

  /// Height of a picture for its width: that of most films.
  static func tileHeight(_ width: Double) -> Double { width * 9 / 16 }

  /// The places of so many films: as large as they can be on one page, down to the narrowest, and more pages then.
  func tileGrid(count: Int, isRightToLeft: Bool) -> TileGrid {
    let (wide, high) = (width / unit, height / unit)
    let room = wide - 2 * Self.sideMargin
    let rowsRoom = max(1, high - lower / unit - Self.sideMargin - Self.pagesHeight)
    let least = min(
      room, max(Self.narrowestTile, Self.narrowestTileMillimetres * (unitsInMillimetre ?? 0) / scale))
    let mostColumns = max(1, Int((room + Self.tileGap) / (least + Self.tileGap)))
    func layout(_ columns: Int) -> (width: Double, stepY: Double, rows: Int) {
      let gaps = Double(columns - 1) * Self.tileGap
      // One row always fits.
      let tallest = max(1, rowsRoom - tileTitleHeight) * 16 / 9
      let width = max(1, min((room - gaps) / Double(columns), Self.widestTile, tallest))
      let stepY = Self.tileHeight(width) + tileTitleHeight + Self.tileGap
      return (width, stepY, max(1, Int((rowsRoom + Self.tileGap) / stepY)))
    }
    let columns =
      (1...mostColumns).first { columns in columns * layout(columns).rows >= count } ?? mostColumns
    let (width, stepY, rows) = layout(columns)
    let usedRows = min(rows, max(1, (count + columns - 1) / columns))
    // On one page the rows are as even as they can be: four films are two and two.
    let usedColumns = min(columns, max(1, (count + usedRows - 1) / usedRows))
    let wholeWidth = Double(usedColumns) * (width + Self.tileGap) - Self.tileGap
    let wholeHeight = Double(usedRows) * stepY - Self.tileGap
    let x = (wide - wholeWidth) / 2
    let y = Self.sideMargin + max(0, (rowsRoom - wholeHeight) / 2)
    return TileGrid(
      screen: screen, count: count, columns: usedColumns, rows: usedRows,
      first: OverlayTargets.Area(
        x: pixels(x).rounded(), y: pixels(y).rounded(), width: pixels(width).rounded(),
        height: pixels(Self.tileHeight(width) + tileTitleHeight).rounded()),
      stepX: pixels(width + Self.tileGap), stepY: pixels(stepY), isRightToLeft: isRightToLeft)
  }
}
