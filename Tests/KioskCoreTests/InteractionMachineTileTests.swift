import InteractionCore
import PlaybackCore
import Testing

@testable import KioskCore

@Suite("Interaction machine: tiles")
struct InteractionMachineTileTests {
  private static func booth(_ change: (inout InteractionSettings) -> Void = { _ in }) -> Booth {
    var booth = Booth {
      $0.attract = AttractSettings(
        hasInteractiveList: true, idleAfter: .seconds(30), returns: .itemBoundary, layout: .tiles)
      change(&$0)
    }
    // Three columns and two rows; the films stand at 100, 370 and 640, and at 50 and 300.
    let grid = TileGrid(
      screen: PixelSize(width: 1000, height: 600), count: 14, columns: 3, rows: 2,
      first: .init(x: 100, y: 50, width: 240, height: 200), stepX: 270, stepY: 250)
    booth.overlay.tiles = TileSheet(tiles: (0..<14).map { Tile(title: "Film \($0)") }, grid: grid)
    return booth
  }

  private static func visited(_ change: (inout InteractionSettings) -> Void = { _ in }) -> Booth {
    var booth = booth(change)
    _ = booth.tap()
    _ = booth.renderOverlay()
    return booth
  }

  /// The second film is in the first row.
  private static let second = ScreenPoint(x: 500, y: 100)

  private static func tap(_ booth: inout Booth, _ point: ScreenPoint = second) -> [InteractionMachine.Action] {
    var actions = booth.finger(.down(point))
    booth.now = booth.now + .milliseconds(50)
    actions += booth.finger(.up)
    return actions
  }

  private static func starts(_ actions: [InteractionMachine.Action]) -> [Int?] {
    actions.compactMap { if case .startVisitorsList(let number) = $0 { .some(number) } else { nil } }
  }

  @Test("The first touch shows the tiles over the loop, which goes on; a tap on one starts that film at once")
  func choose() {
    var booth = Self.booth()
    let first = booth.tap()
    #expect(Self.starts(first).isEmpty && first.commands.isEmpty)
    let wall = booth.renderOverlay()
    #expect(wall.tiles?.position == 0 && wall.tiles?.focus == nil && wall.bar == nil)
    #expect(Self.starts(booth.finger(.down(Self.second))).isEmpty)
    #expect(booth.renderOverlay().tiles?.pressed == 1)
    booth.now = booth.now - .milliseconds(900)
    #expect(Self.starts(booth.finger(.up)) == [2], "no wait for a second tap")
    #expect(booth.renderOverlay().tiles == nil)
    // During the film touches mean what they always do.
    #expect(booth.tap().commands == [.playPause])
  }

  @Test("Without the layout, nothing is different: the first touch starts the first film")
  func list() {
    var booth = Self.booth { $0.attract.layout = .list }
    #expect(Self.starts(booth.tap()) == [nil])
    #expect(booth.machine.refusal(of: .showTiles) == .noTiles && booth.feed(.commanded(.showTiles)) == [])
    #expect(booth.feed(.itemStarted(1, atEnd: nil)) == [])
  }

  @Test("A film's end leads back to the tiles, over the loop; an item may say otherwise")
  func end() {
    var booth = Self.visited()
    _ = Self.tap(&booth)
    #expect(booth.feed(.itemStarted(7, atEnd: nil)) == [.followDetour(.holdAtEnd)])
    let ended = booth.feed(.playbackSettled([.stoppedAtEnd(item: 7)]))
    #expect(ended == [.followDetour(.advanceAtEnd), .playLoopBehindTiles])
    #expect(booth.renderOverlay().tiles != nil)
    // The loop's own items aren't held behind the tiles.
    #expect(booth.feed(.itemStarted(1, atEnd: nil)) == [])
    #expect(booth.feed(.queueEnded) == [])
    #expect(booth.wait(.seconds(31)) == [.returnToLoop])
    #expect(booth.renderOverlay().tiles == nil)

    var next = Self.visited()
    _ = Self.tap(&next)
    #expect(next.feed(.itemStarted(7, atEnd: .next)) == [])
    #expect(next.feed(.queueEnded) == [.playLoopBehindTiles], "after the last film")
    var over = Self.visited()
    _ = Self.tap(&over)
    _ = over.feed(.itemStarted(7, atEnd: .attract))
    #expect(over.feed(.playbackSettled([.stoppedAtEnd(item: 7)])) == [.followDetour(.advanceAtEnd), .returnToLoop])
    #expect(over.renderOverlay().tiles == nil)
  }

  @Test("A film that is held at its end leads back to the tiles once it is released, and not to the next film")
  func held() {
    for releases in [{ (booth: inout Booth) in booth.feed(.commanded(.release)) }, { $0.key("KEY_PLAY") }] {
      var booth = Self.visited()
      _ = Self.tap(&booth)
      #expect(booth.feed(.itemStarted(7, atEnd: .hold)) == [.followDetour(.holdAtEnd)])
      #expect(booth.feed(.playbackSettled([.stoppedAtEnd(item: 7)])) == [])
      #expect(releases(&booth) == [.followDetour(.advanceAtEnd), .playLoopBehindTiles])
      #expect(booth.renderOverlay().tiles != nil)
    }
  }

  @Test("A visitor who goes during a film finds the loop and no tiles after it")
  func left() {
    var booth = Self.visited()
    _ = Self.tap(&booth)
    _ = booth.feed(.itemStarted(7, atEnd: nil))
    #expect(booth.wait(.seconds(31)) == [])
    let ended = booth.feed(.playbackSettled([.stoppedAtEnd(item: 7)]))
    #expect(ended == [.followDetour(.advanceAtEnd), .returnToLoop])
    #expect(booth.renderOverlay().tiles == nil)
  }

  @Test("The bar has a button for the tiles where visitors choose from some, during a visit")
  func button() {
    var playback = PlaybackMachine(queue: [MediaItem(uri: "file:///film.mp4", kind: .file)], loops: false, seed: 1)
    for event in [PlaybackEvent.start, .outputReady] { _ = playback.handle(event, at: Booth().now) }
    func buttons(_ booth: inout Booth) -> [OverlayButton] {
      booth.overlay.playback = playback
      booth.overlay.buttons = OverlayButton.allCases
      return booth.renderOverlay().bar?.buttons ?? []
    }
    var loop = Self.booth()
    #expect(buttons(&loop) == [.playPause, .mute])
    var visit = Self.visited()
    _ = Self.tap(&visit)
    visit.machine.setOverlayMode(.always)
    #expect(buttons(&visit) == [.tiles, .playPause, .mute])
    var list = Self.booth { $0.attract.layout = .list }
    _ = list.tap()
    #expect(buttons(&list) == [.playPause, .mute])
  }

  @Test("Back and the command lead back to the tiles in the middle of a film, and from the loop")
  func back() {
    var booth = Self.visited()
    _ = Self.tap(&booth)
    #expect(booth.feed(.commanded(.showTiles)) == [.playLoopBehindTiles])
    #expect(booth.renderOverlay().tiles != nil)
    #expect(booth.feed(.commanded(.showTiles)) == [])
    var byKey = Self.visited()
    _ = Self.tap(&byKey)
    #expect(byKey.key("KEY_BACK").commands == [.showTiles])
    var loop = Self.booth()
    #expect(loop.feed(.commanded(.showTiles)) == [])
    #expect(loop.renderOverlay().tiles != nil)
    #expect(loop.wait(.seconds(31)) == [.returnToLoop], "who asked by the command may go, too")
  }

  @Test("Keys alone: the first shows the tiles, the next the focus; arrows move it and Enter starts the film")
  func keys() {
    var booth = Self.booth()
    #expect(Self.starts(booth.key("KEY_RIGHT")).isEmpty)
    #expect(booth.renderOverlay().tiles?.focus == nil)
    #expect(booth.key("KEY_RIGHT").isEmpty)
    #expect(booth.renderOverlay().tiles?.focus == 0)
    #expect(booth.key("KEY_RIGHT").isEmpty && booth.key("KEY_DOWN").isEmpty)
    #expect(booth.renderOverlay().tiles?.focus == 4)
    #expect(Self.starts(booth.key("KEY_ENTER")) == [5])
    // Three plain buttons are enough, and a number leads there at once.
    var buttons = Self.booth {
      $0.actions.keys = [
        "BTN_0": .command(.next), "BTN_1": .command(.playPause), "BTN_2": .command(.previous),
        "KEY_3": .command(.select(number: 3)),
      ]
    }
    _ = buttons.key("BTN_0")
    _ = buttons.renderOverlay()
    for name in ["BTN_0", "BTN_0", "BTN_0", "BTN_2"] { #expect(buttons.key(name).isEmpty) }
    #expect(Self.starts(buttons.key("BTN_1")) == [2])
    _ = buttons.feed(.commanded(.showTiles))
    _ = buttons.renderOverlay()
    #expect(Self.starts(buttons.key("KEY_3")) == [3])
  }

  @Test("A finger draws the pages with it, they come to rest in time, and time alone is known to move them")
  func pages() throws {
    var booth = Self.visited { $0.attract.countdown = .zero }
    _ = booth.finger(.down(ScreenPoint(x: 800, y: 300)))
    for x in stride(from: 780.0, through: 600, by: -20) {
      booth.now = booth.now + .milliseconds(8)
      #expect(booth.finger(.moved(ScreenPoint(x: x, y: 300))).commands.isEmpty)
    }
    let dragged = booth.machine.overlay(booth.overlay, at: booth.now)
    #expect(dragged.isChanged && abs((dragged.model.tiles?.position ?? 0) - 0.2) < 1e-9)
    #expect(dragged.nextRefresh == nil, "a finger that rests moves nothing")
    _ = booth.finger(.up)
    // From one frame of the screen to the next, and no further than needed.
    var frames = 0
    var positions: [Double] = []
    while true {
      let presentation = booth.machine.overlay(booth.overlay, at: booth.now)
      positions.append(try #require(presentation.model.tiles).position)
      guard let next = presentation.nextRefresh else { break }
      frames += 1
      #expect(next - booth.now == OverlayPresenter.movingInterval)
      booth.now = next
    }
    #expect(positions == positions.sorted() && positions.last == 1 && Set(positions).count >= 20, "\(positions)")
    #expect((20...22).contains(frames))
  }

  @Test("Nobody watches the loop behind the tiles: the visit ends in time, and is announced in the middle")
  func countdown() {
    var booth = Self.visited { $0.attract.countdown = .seconds(10) }
    booth.now = booth.now + .seconds(20)
    let card = booth.renderOverlay()
    #expect(card.countdown?.isAside == false && card.tiles != nil)
    #expect(Self.starts(Self.tap(&booth)).isEmpty, "the touch that answers does nothing else")
    #expect(booth.renderOverlay().countdown == nil && booth.machine.tiles.isShown)
    #expect(booth.wait(.seconds(31)) == [.returnToLoop], "the loop's item needn't end first")
  }

  @Test("A film that can't be shown is told, and leads back to the tiles")
  func failure() {
    var booth = Self.visited()
    _ = Self.tap(&booth)
    let error = VitrineError(3003, subject: "film", message: "damaged", remedy: "")
    #expect(booth.feed(.playbackSettled([.itemFailed(item: 7, error)])) == [.playLoopBehindTiles])
    let model = booth.renderOverlay()
    #expect(model.tiles != nil && model.message == VisitorText(.noFilm))
    // The loop's own failures are no visitor's matter.
    #expect(booth.feed(.playbackSettled([.itemFailed(item: 1, error)])) == [])
  }

  @Test("A configuration without tiles takes them away, and touches mean what they always do")
  func removed() {
    var booth = Self.visited()
    var settings = booth.machine.settings
    settings.attract.layout = .list
    _ = booth.feed(.settingsReplaced(settings))
    #expect(booth.renderOverlay().tiles == nil && booth.tap().commands == [.playPause])
    #expect(booth.machine.recognizer.settings.hasDoubleTap)
  }

  @Test("An alert stands above the tiles, or in place of them; the status card's first touch only takes it away")
  func above() {
    var booth = Self.visited()
    booth.overlay.alerts = [ShownAlert("Leave by stair B")]
    #expect(booth.renderOverlay().alerts.count == 1 && booth.machine.model.tiles != nil)
    booth.overlay.alerts = [ShownAlert("Leave by stair B", isInstead: true)]
    #expect(booth.renderOverlay().tiles == nil)
    booth.overlay.alerts = []
    _ = booth.feed(.commanded(.showStatus(true)))
    #expect(booth.renderOverlay().status != nil)
    #expect(Self.starts(Self.tap(&booth)).isEmpty && booth.renderOverlay().status == nil)
    #expect(Self.starts(Self.tap(&booth)) == [2])
  }
}
