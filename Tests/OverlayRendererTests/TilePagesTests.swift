import InteractionCore
import KioskTestSupport
import PlaybackCore
import Testing

@testable import OverlayRenderer

@Suite("Pages of tiles")
struct TilePagesTests {
  private static let screen = PixelSize(width: 320, height: 180)

  /// A page is a picture of one colour: its number.
  private static func wall(_ films: Int, at position: Double, isRightToLeft: Bool = false) -> TileWall {
    let grid = TileGrid(
      screen: screen, count: films, columns: 3, rows: 2, first: .init(x: 10, y: 10, width: 80, height: 60), stepX: 100,
      stepY: 80, isRightToLeft: isRightToLeft)
    return TileWall(
      TileSheet(tiles: (0..<films).map { Tile(title: "Film \($0)") }, grid: grid), position: position)
  }

  /// The first row of the screen.
  private static func row(_ pages: inout TilePages, _ wall: TileWall) -> [UInt32] {
    let count = screen.width * screen.height
    let pixels = [UInt32](unsafeUninitializedCapacity: count) { buffer, initialized in
      pages.fill(UnsafeMutableBufferPointer(rebasing: buffer[..<count]), wall, density: nil, ground: 99) { films in
        [UInt32](repeating: UInt32(films.lowerBound / 6), count: count)
      }
      initialized = count
    }
    #expect(Array(pixels.suffix(screen.width)) == Array(pixels.prefix(screen.width)), "all rows are alike here")
    return Array(pixels.prefix(screen.width))
  }

  @Test("Between two pages each has its share of the screen; beyond the first and the last there is the ground")
  func places() {
    var pages = TilePages()
    func runs(_ row: [UInt32]) -> [[Int]] {
      row.reduce(into: [[Int]]()) { runs, pixel in
        if runs.last?[0] == Int(pixel) { runs[runs.count - 1][1] += 1 } else { runs.append([Int(pixel), 1]) }
      }
    }
    #expect(runs(Self.row(&pages, Self.wall(14, at: 0))) == [[0, 320]])
    #expect(runs(Self.row(&pages, Self.wall(14, at: 0.25))) == [[0, 240], [1, 80]])
    #expect(runs(Self.row(&pages, Self.wall(14, at: 1.75))) == [[1, 80], [2, 240]])
    #expect(runs(Self.row(&pages, Self.wall(14, at: -0.25))) == [[99, 80], [0, 240]])
    #expect(runs(Self.row(&pages, Self.wall(14, at: 2.5))) == [[2, 160], [99, 160]])
    // The next page lies to the left where reading goes that way.
    let mirrored = Self.wall(14, at: 0.25, isRightToLeft: true)
    #expect(runs(Self.row(&pages, mirrored)) == [[1, 80], [0, 240]])
  }

  @Test("500 films, a hundred pages of flicks: each page is drawn once when it comes, and three are in memory at most")
  func drawnOnce() {
    var pages = TilePages()
    var most = 0
    let last = Self.wall(500, at: 0).sheet.grid.pages - 1
    var turned = 0
    for page in 0..<100 {
      // There and back, 21 pictures a page.
      let (from, to) = page < last ? (page, page + 1) : (2 * last - page, 2 * last - page - 1)
      for step in 0...20 {
        _ = Self.row(&pages, Self.wall(500, at: Double(from) + Double(to - from) * Double(step) / 20))
        most = max(most, pages.count)
      }
      turned += 1
    }
    #expect(turned == 100 && most <= 3, "\(most)")
    #expect(pages.drawn <= turned + 2, "\(pages.drawn)")
  }

  @Test("Tiles that were laid out for another screen aren't drawn, whether it was larger or smaller")
  func otherScreen() {
    let renderer = OverlayRenderer()
    var model = OverlayModel()
    model.tiles = Self.wall(14, at: 0)
    #expect(renderer.render(model, screen: Self.screen)?.frame.size == Self.screen)
    for (width, height) in [(160, 90), (640, 360), (180, 320)] {
      let screen = PixelSize(width: width, height: height)
      #expect(renderer.render(model, screen: screen) == nil)
      model.message = "A message"
      #expect(renderer.render(model, screen: screen)?.frame.size != screen)
      model.message = nil
    }
    var pages = TilePages()
    let pixels = [UInt32](unsafeUninitializedCapacity: 9) { buffer, initialized in
      pages.fill(UnsafeMutableBufferPointer(rebasing: buffer[..<9]), Self.wall(14, at: 0), density: nil, ground: 99) {
        _ in nil
      }
      initialized = 9
    }
    #expect(pixels == [UInt32](repeating: 99, count: 9))
  }

  @Test("A film whose picture, title or ring has changed has its page drawn again, and no other page")
  func changes() {
    var pages = TilePages()
    var wall = Self.wall(14, at: 0.5)
    _ = Self.row(&pages, wall)
    #expect(pages.drawn == 2)
    wall.sheet.tiles[7].facts.length = .seconds(9)
    _ = Self.row(&pages, wall)
    #expect(pages.drawn == 3)
    wall.focus = 2
    _ = Self.row(&pages, wall)
    wall.focus = 3
    _ = Self.row(&pages, wall)
    #expect(pages.drawn == 5)
    wall.pressed = 8
    _ = Self.row(&pages, wall)
    _ = Self.row(&pages, wall)
    #expect(pages.drawn == 6)
  }
}
