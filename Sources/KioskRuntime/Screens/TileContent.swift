internal import InteractionCore
internal import OverlayRenderer
internal import PlaybackCore

/// The films that visitors of one screen choose from, as its tiles show them.
struct TileContent {
  /// How the tiles are seen.
  struct View: Hashable {
    var screen: PixelSize
    /// Pixels in a millimetre of the glass; nil where it isn't known.
    var density: Double?
    /// Of the titles.
    var language: LanguageTag?
    var page: Int
  }

  /// The facts from which the sheet was made.
  private struct Made: Equatable {
    var films: [MediaItem]
    var view: View
    var renderer: ObjectIdentifier
    var facts: Int
  }

  /// Knows the films; nil for a screen outside a group, where tiles have titles alone.
  weak var posters: PosterSession?
  /// Counts the changes of what is known of the films.
  private var facts = 0
  private var made: Made?
  private var sheet: TileSheet?

  mutating func filmsChanged() { facts += 1 }

  /// The tiles of these films; made anew where something has changed.
  mutating func sheet(of films: [MediaItem], _ view: View, _ renderer: OverlayRenderer) -> TileSheet {
    let now = Made(films: films, view: view, renderer: ObjectIdentifier(renderer), facts: facts)
    if let sheet, made == now { return sheet }
    let grid = renderer.tileGrid(count: films.count, screen: view.screen, density: view.density)
    var tiles = films.map { Tile(title: $0.title(in: view.language)) }
    // The page in view, and then those beside it: the pictures of all films would fill the memory.
    let near = [view.page, view.page + 1, view.page - 1].flatMap { grid.tiles(on: $0) }
    posters?.inView(near.map { films[$0] })
    for film in near { tiles[film].facts = posters?.facts(of: films[film]) ?? TileFacts() }
    let sheet = TileSheet(tiles: tiles, grid: grid)
    (made, self.sheet) = (now, sheet)
    return sheet
  }
}
