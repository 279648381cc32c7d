import InteractionCore
import PlaybackCore
import Testing

@Suite("Tiles: places, pages, focus")
struct TileTests {
  /// Three columns and two rows on a screen of 1000x600.
  static func grid(_ count: Int, isRightToLeft: Bool = false) -> TileGrid {
    TileGrid(
      screen: PixelSize(width: 1000, height: 600), count: count, columns: 3, rows: 2,
      first: .init(x: 100, y: 50, width: 240, height: 200), stepX: 270, stepY: 250, isRightToLeft: isRightToLeft)
  }

  static func board(_ count: Int, isRightToLeft: Bool = false) -> TileBoard {
    var board = TileBoard()
    board.grid = grid(count, isRightToLeft: isRightToLeft)
    board.show(isNewVisit: true)
    return board
  }

  private static func at(_ milliseconds: Int) -> Instant { Instant(nanoseconds: Int64(milliseconds) * 1_000_000) }

  private static func drag(_ from: Double, _ to: Double) -> Drag {
    Drag(
      kind: .horizontal, start: ScreenPoint(x: from, y: 300), point: ScreenPoint(x: to, y: 300),
      scale: TouchScale(unit: 10))
  }

  @Test("Pages hold the films in their order, and a point leads to the film that is drawn there")
  func places() {
    let grid = Self.grid(14)
    #expect(grid.pages == 3 && grid.tiles(on: 1) == 6..<12 && grid.tiles(on: 2) == 12..<14)
    #expect(grid.tiles(on: 3).isEmpty && grid.tiles(on: -1).isEmpty)
    for tile in 0..<14 {
      let area = grid.area(of: tile)
      let middle = ScreenPoint(x: area.x + area.width / 2, y: area.y + area.height / 2)
      #expect(grid.tile(at: middle, on: grid.page(of: tile)) == tile)
    }
    #expect(grid.tile(at: ScreenPoint(x: 360, y: 100), on: 0) == nil, "between two tiles")
    #expect(grid.tile(at: ScreenPoint(x: 900, y: 400), on: 2) == nil, "the last page is shorter")
    let mirrored = Self.grid(14, isRightToLeft: true)
    #expect(mirrored.area(of: 0).x == grid.area(of: 2).x && mirrored.area(of: 2).x == grid.area(of: 0).x)
    #expect(Self.grid(0).pages == 1)
  }

  @Test("Arrow keys reach every film and go over the sides of pages; up and down stay on the page")
  func neighbours() {
    let grid = Self.grid(14)
    #expect(grid.neighbour(of: 0, .right) == 1 && grid.neighbour(of: 2, .right) == 6)
    #expect(grid.neighbour(of: 6, .left) == 2 && grid.neighbour(of: 0, .left) == nil)
    #expect(grid.neighbour(of: 9, .left) == 5, "the same row")
    #expect(grid.neighbour(of: 11, .right) == 13, "the next page has no such row")
    #expect(grid.neighbour(of: 1, .down) == 4 && grid.neighbour(of: 4, .down) == nil)
    #expect(grid.neighbour(of: 4, .up) == 1 && grid.neighbour(of: 1, .up) == nil)
    #expect(grid.neighbour(of: 13, .right) == nil)
    // The row below has one film.
    #expect(Self.grid(4).neighbour(of: 2, .down) == 3)
    let mirrored = Self.grid(14, isRightToLeft: true)
    #expect(mirrored.neighbour(of: 0, .left) == 1 && mirrored.neighbour(of: 0, .right) == nil)
    for count in [1, 2, 3, 7, 14, 40] {
      for isRightToLeft in [false, true] {
        let grid = Self.grid(count, isRightToLeft: isRightToLeft)
        var reached: Set = [0]
        var open = [0]
        while let tile = open.popLast() {
          for way in TileStep.allCases {
            if let next = grid.neighbour(of: tile, way), reached.insert(next).inserted { open.append(next) }
          }
        }
        #expect(reached == Set(0..<count))
      }
    }
  }

  @Test("A tap chooses the film below it; one on moving pages, or beside all films, chooses none")
  func taps() {
    var board = Self.board(14)
    #expect(board.handle(.recognised(.tap(ScreenPoint(x: 500, y: 100))), at: Self.at(0)) == 1)
    #expect(board.handle(.recognised(.tap(ScreenPoint(x: 360, y: 100))), at: Self.at(0)) == nil)
    board.turn(.right, at: Self.at(0))
    #expect(board.handle(.recognised(.tap(ScreenPoint(x: 500, y: 100))), at: Self.at(100)) == nil)
    #expect(board.handle(.recognised(.tap(ScreenPoint(x: 500, y: 100))), at: Self.at(400)) == 7)
  }

  @Test("Pages follow a finger exactly, come to a whole page, and a slow finger that goes less than half way goes back")
  func drags() {
    var board = Self.board(14)
    _ = board.handle(.dragBegan(Self.drag(800, 780)), at: Self.at(0))
    #expect(abs(board.scroll.position(at: Self.at(0)) - 0.02) < 1e-9)
    _ = board.handle(.dragMoved(Self.drag(800, 600)), at: Self.at(500))
    #expect(abs(board.scroll.position(at: Self.at(500)) - 0.2) < 1e-9)
    // It rests before it is lifted: no speed.
    _ = board.handle(.dragMoved(Self.drag(800, 600)), at: Self.at(900))
    _ = board.handle(.dragEnded(Self.drag(800, 600), .lifted), at: Self.at(1000))
    #expect(board.isSettling && board.scroll.page == 0)
    #expect(board.scroll.position(at: Self.at(1400)) == 0)
    // A flick of the same way turns the page.
    _ = board.handle(.dragBegan(Self.drag(800, 780)), at: Self.at(2000))
    _ = board.handle(.dragMoved(Self.drag(800, 600)), at: Self.at(2080))
    _ = board.handle(.dragEnded(Self.drag(800, 600), .lifted), at: Self.at(2090))
    #expect(board.scroll.page == 1)
    board.timePassed(at: Self.at(2500))
    #expect(!board.isSettling && board.scroll.position(at: Self.at(2500)) == 1)
    // A drag that wasn't meant comes back.
    _ = board.handle(.dragBegan(Self.drag(800, 780)), at: Self.at(3000))
    _ = board.handle(.dragMoved(Self.drag(800, 100)), at: Self.at(3080))
    _ = board.handle(.dragEnded(Self.drag(800, 100), .cancelled), at: Self.at(3090))
    #expect(board.scroll.page == 1)
  }

  @Test("Before the first and after the last page a finger meets a spring, and the page comes back")
  func edges() {
    var board = Self.board(14)
    _ = board.handle(.dragBegan(Self.drag(100, 100)), at: Self.at(0))
    _ = board.handle(.dragMoved(Self.drag(100, 600)), at: Self.at(400))
    let position = board.scroll.position(at: Self.at(400))
    #expect(position < 0 && position > -0.2)
    _ = board.handle(.dragEnded(Self.drag(100, 600), .lifted), at: Self.at(410))
    #expect(board.scroll.page == 0)
    // The hardest flick ends on the last page.
    _ = board.handle(.dragBegan(Self.drag(900, 900)), at: Self.at(1000))
    _ = board.handle(.dragMoved(Self.drag(900, -1e6)), at: Self.at(1001))
    _ = board.handle(.dragEnded(Self.drag(900, -1e6), .lifted), at: Self.at(1002))
    #expect(board.scroll.page == 2)
    // To the right of a language that is written from the right lie the pages before.
    var mirrored = Self.board(14, isRightToLeft: true)
    _ = mirrored.handle(.dragBegan(Self.drag(200, 220)), at: Self.at(0))
    _ = mirrored.handle(.dragMoved(Self.drag(200, 420)), at: Self.at(80))
    _ = mirrored.handle(.dragEnded(Self.drag(200, 420), .lifted), at: Self.at(90))
    #expect(mirrored.scroll.page == 1)
  }

  @Test("A page comes to its place without a swing and without a jump, whatever the finger did")
  func settling() {
    var random = SplitMix64(state: 7)
    for _ in 0..<300 {
      var board = Self.board(40)
      var time = 0
      _ = board.handle(.dragBegan(Self.drag(500, 500)), at: Self.at(time))
      var x = 500.0
      for _ in 0..<Int.random(in: 1...6, using: &random) {
        time += Int.random(in: 1...60, using: &random)
        x += Double.random(in: -300...300, using: &random)
        _ = board.handle(.dragMoved(Self.drag(500, x)), at: Self.at(time))
      }
      let before = board.scroll.position(at: Self.at(time))
      _ = board.handle(.dragEnded(Self.drag(500, x), .lifted), at: Self.at(time))
      let target = Double(board.scroll.page)
      var last = before
      #expect(abs(board.scroll.position(at: Self.at(time)) - before) < 1e-9)
      for step in 1...40 {
        let next = board.scroll.position(at: Self.at(time + step * 10))
        #expect(min(before, target) - 1e-9 <= next && next <= max(before, target) + 1e-9)
        #expect(abs(target - next) <= abs(target - last) + 1e-9)
        last = next
      }
      #expect(last == target && (0..<7).contains(board.scroll.page))
    }
  }

  @Test("The first key shows the focus, further ones move it with its page, and Enter chooses")
  func keys() {
    var board = Self.board(14)
    #expect(board.focus == nil)
    #expect(board.enter(at: Self.at(0)) == nil && board.focus == 0)
    for _ in 0..<3 { board.move(.right, at: Self.at(0)) }
    #expect(board.focus == 6 && board.scroll.page == 1)
    #expect(board.enter(at: Self.at(500)) == 6)
    board.advance(by: -7, at: Self.at(500))
    #expect(board.focus == 13 && board.scroll.page == 2, "the list is a ring for keys that only go on and back")
    // A finger takes the focus away.
    board.touched(ScreenPoint(x: 150, y: 100), at: Self.at(1000))
    #expect(board.focus == nil && board.pressed == 12)
    board.letGo()
    #expect(board.pressed == nil)
  }

  @Test("A visitor who comes back from a film finds its page; a new visitor begins with the first page")
  func again() {
    var board = Self.board(14)
    board.turn(.right, at: Self.at(0))
    let chosen = board.handle(.recognised(.tap(ScreenPoint(x: 500, y: 100))), at: Self.at(500))
    #expect(chosen == 7)
    board.hide()
    #expect(board.wall(TileSheet(tiles: [], grid: Self.grid(14)), at: Self.at(600)) == nil)
    board.show(isNewVisit: false)
    #expect(board.scroll.page == 1 && board.focus == nil)
    board.hide()
    board.show(isNewVisit: true)
    #expect(board.scroll.page == 0)
    // The list has become shorter meanwhile.
    board.turn(.right, at: Self.at(1000))
    board.grid = Self.grid(3)
    #expect(board.scroll.page == 0 && board.handle(.recognised(.swipe(.left, fingers: 1)), at: Self.at(2000)) == nil)
  }
}
