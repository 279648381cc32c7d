import InteractionCore
import PlaybackCore
import Testing

@testable import KioskCore

@Suite("Interaction machine: the panel of choices")
struct InteractionMachineChoiceTests {
  private static let tracks = [
    MediaTrack(id: "audio-0", kind: .audio, language: "en", isEnabled: true),
    MediaTrack(id: "audio-1", kind: .audio, language: "de"), MediaTrack(id: "text-0", kind: .text, language: "de"),
  ]
  private static let grid = ChoiceGrid(
    screen: PixelSize(width: 1000, height: 600), area: .init(x: 700, y: 0, width: 280, height: 600), lineHeight: 40,
    padding: 10)

  /// A screen that shows a film with captions, with a visitor before it.
  private static func booth(_ change: (inout InteractionSettings) -> Void = { _ in }) -> Booth {
    var booth = Booth {
      $0.attract = AttractSettings(hasInteractiveList: true, idleAfter: .seconds(60), returns: .atOnce)
      change(&$0)
    }
    let film = MediaItem(uri: "file:///film.mp4", kind: .file)
    var playback = PlaybackMachine(queue: [film], loops: false, seed: 1)
    for event in [PlaybackEvent.start, .outputReady] { _ = playback.handle(event, at: booth.now) }
    booth.overlay.playback = playback
    booth.overlay.subtitles = [SubtitleCue(start: .zero, end: .seconds(9), text: "A word")]
    booth.overlay.choices = grid
    show(tracks, in: &booth)
    _ = booth.tap()
    return booth
  }

  private static func show(_ tracks: [MediaTrack], in booth: inout Booth) {
    booth.scene.tracks = tracks
    booth.overlay.tracks = tracks
    booth.machine.shown.tracks = tracks
  }

  private static func opened(_ change: (inout InteractionSettings) -> Void = { _ in }) -> Booth {
    var booth = booth(change)
    _ = booth.feed(.commanded(.showChoices))
    _ = booth.renderOverlay()
    return booth
  }

  private static func tap(_ choice: Choice, _ booth: inout Booth) throws -> [InteractionMachine.Action] {
    let wall = try #require(booth.machine.model.choices)
    let area = grid.area(of: try #require(wall.list.place(of: choice)), in: wall.list, at: wall.position)
    return tap(ScreenPoint(x: area.x + area.width / 2, y: area.y + area.height / 2), &booth)
  }

  private static func tap(_ point: ScreenPoint, _ booth: inout Booth) -> [InteractionMachine.Action] {
    var actions = booth.finger(.down(point))
    booth.now = booth.now + .milliseconds(50)
    actions += booth.finger(.up)
    return actions
  }

  private static let beside = ScreenPoint(x: 300, y: 300)

  @Test("The command opens the panel in the place of the bar, and closes it; the film goes on")
  func command() {
    var booth = Self.booth()
    #expect(booth.renderOverlay().bar != nil)
    #expect(booth.feed(.commanded(.showChoices)) == [])
    let open = booth.renderOverlay()
    #expect(open.choices != nil && open.bar == nil && open.subtitles.count == 1)
    #expect(booth.feed(.commanded(.showChoices)) == [])
    #expect(booth.renderOverlay().choices == nil && booth.machine.model.bar != nil)
  }

  @Test("A touch on a row chooses at once, without the wait for a double tap; a touch beside it closes it")
  func touch() throws {
    var booth = Self.opened()
    var wish = TrackWish()
    wish.captions = .on(LanguageTag("de"))
    #expect(try Self.tap(.captions(.language(#require(LanguageTag("de")))), &booth) == [.setTracks(wish)])
    #expect(booth.renderOverlay().choices != nil && booth.machine.model.message == nil)
    #expect(try Self.tap(.size(.larger), &booth) == [])
    #expect(booth.renderOverlay().captionLook.size == .larger)
    #expect(Self.tap(Self.beside, &booth) == [] && booth.renderOverlay().choices == nil)
    // Touches mean what they always do.
    #expect(booth.machine.recognizer.settings.hasDoubleTap)
    #expect(booth.tap().commands == [.playPause])
    // The look stays for the next item, and the panel shows it again.
    Self.show(Self.tracks, in: &booth)
    _ = booth.feed(.commanded(.showChoices))
    #expect(booth.renderOverlay().captionLook.size == .larger)
  }

  @Test("A slow finger chooses, too: one that presses for half a second, and one that stays", arguments: [500, 900])
  func slow(milliseconds: Int) throws {
    var booth = Self.opened()
    let wall = try #require(booth.machine.model.choices)
    let area = Self.grid.area(of: try #require(wall.list.place(of: .size(.large))), in: wall.list, at: 0)
    _ = booth.finger(.down(ScreenPoint(x: area.x + area.width / 2, y: area.y + area.height / 2)))
    _ = booth.wait(.milliseconds(milliseconds))
    _ = booth.finger(.up)
    #expect(booth.renderOverlay().captionLook.size == .large && booth.machine.showsChoices)
    #expect(!booth.machine.isStatusShown)
  }

  @Test("The end of the visit closes the panel, and brings the configured look and tracks back")
  func end() throws {
    var booth = Self.opened()
    _ = try Self.tap(.ground(.box), &booth)
    _ = try Self.tap(.highContrast, &booth)
    _ = try Self.tap(.captions(.language(#require(LanguageTag("de")))), &booth)
    #expect(booth.renderOverlay().captionLook.hasHighContrast == true)
    #expect(booth.wait(.seconds(61)) == [.setTracks(TrackWish()), .returnToLoop])
    let model = booth.renderOverlay()
    #expect(model.choices == nil && model.captionLook == CaptionLook())
    #expect(booth.machine.recognizer.settings.hasDoubleTap)
  }

  @Test("The panel closes by itself after 20 s, and the machine asks to be called then")
  func time() throws {
    var booth = Self.opened()
    let due = try #require(booth.machine.deadline)
    #expect(due <= booth.now + ChoicePanel.stay)
    #expect(booth.wait(ChoicePanel.stay) == [])
    #expect(booth.renderOverlay().choices == nil && booth.machine.recognizer.settings.hasDoubleTap)
  }

  @Test("Keys alone: arrows and OK are the panel's, Back closes it; other keys do what they always do")
  func keys() throws {
    var booth = Self.booth { $0.actions.keys["KEY_F1"] = .command(.showChoices) }
    #expect(booth.key("KEY_F1").commands == [.showChoices])
    _ = booth.feed(.commanded(.showChoices))
    _ = booth.renderOverlay()
    #expect(booth.key("KEY_DOWN").isEmpty)
    #expect(booth.renderOverlay().choices?.focus != nil)
    #expect(booth.key("KEY_DOWN").isEmpty && booth.key("KEY_LEFT").isEmpty)
    var wish = TrackWish()
    wish.language = LanguageTag("de")
    #expect(booth.key("KEY_OK") == [.setTracks(wish)])
    #expect(booth.key("KEY_VOLUMEUP").commands == [.changeVolume(byPercent: 5)])
    #expect(booth.key("KEY_3").commands == [.select(number: 3)])
    #expect(booth.key("KEY_BACK").isEmpty && booth.renderOverlay().choices == nil)
    #expect(booth.key("KEY_DOWN").commands == [.changeVolume(byPercent: -5)])
  }

  @Test("Nothing to choose is told; an item that takes the last choice away closes the panel, as an error does")
  func nothing() {
    var booth = Self.booth()
    Self.show([], in: &booth)
    #expect(booth.feed(.commanded(.showChoices)) == [])
    #expect(booth.renderOverlay().message == VisitorText(.noChoices) && booth.machine.model.choices == nil)
    var vanished = Self.opened()
    Self.show([], in: &vanished)
    #expect(vanished.renderOverlay().choices == nil && !vanished.machine.showsChoices)
    #expect(vanished.machine.recognizer.settings.hasDoubleTap)
    for cover in [
      { (booth: inout Booth) in
        booth.overlay.card = ErrorCard(number: 1, headline: .name("a"), body: .name("b"), footer: .name("c"))
      }, { $0.overlay.alerts = [ShownAlert("Leave by stair B", isInstead: true)] },
      { _ = $0.feed(.commanded(.showStatus(true))) },
    ] {
      var booth = Self.opened()
      cover(&booth)
      #expect(booth.renderOverlay().choices == nil && !booth.machine.showsChoices)
    }
  }

  @Test("Over the loop, a key opens the panel and a touch of it starts no list; its choices end with the visit")
  func loop() throws {
    var booth = Self.booth { $0.actions.keys["KEY_F1"] = .command(.showChoices) }
    _ = booth.wait(.seconds(61))
    #expect(booth.key("KEY_F1").commands == [.showChoices])
    _ = booth.feed(.commanded(.showChoices))
    _ = booth.renderOverlay()
    #expect(try Self.tap(.size(.large), &booth) == [])
    #expect(booth.renderOverlay().captionLook.size == .large && !booth.machine.isVisited)
    #expect(booth.wait(.seconds(61)) == [.returnToLoop])
    #expect(booth.renderOverlay().captionLook.size == .normal)
  }

  @Test("A drag that has begun ends where the panel opens: playback isn't held for good")
  func drag() {
    var booth = Self.booth()
    booth.machine.setOverlayMode(.always)
    _ = booth.renderOverlay()
    var actions = booth.finger(.down(ScreenPoint(x: 500, y: 564)))
    booth.now = booth.now + .milliseconds(50)
    actions += booth.finger(.moved(ScreenPoint(x: 600, y: 564)))
    #expect(actions.contains(.hold))
    #expect(booth.feed(.commanded(.showChoices)).contains(.letGo))
    #expect(booth.finger(.up) == [] && booth.machine.scrubTarget == nil)
  }

  @Test("Behind tiles there is nothing to choose, and tiles that come close the panel")
  func tiles() {
    var booth = Self.booth { $0.attract.layout = .tiles }
    #expect(booth.machine.tiles.isShown)
    _ = booth.feed(.commanded(.showChoices))
    #expect(!booth.machine.showsChoices && booth.renderOverlay().message == VisitorText(.noChoices))
    var film = Self.booth { $0.attract.layout = .tiles }
    film.machine.hideTiles()
    _ = film.feed(.commanded(.showChoices))
    #expect(film.machine.showsChoices)
    _ = film.feed(.commanded(.showTiles))
    #expect(!film.machine.showsChoices && film.machine.tiles.isShown)
  }

  @Test("The bar has the button where there is more to choose than the quick buttons can")
  func button() {
    func has(_ tracks: [MediaTrack], hasSound: Bool = true) -> Bool {
      var booth = Self.booth()
      Self.show(tracks, in: &booth)
      return booth.machine.shown.useful(
        [.choices], isSoundEnabled: hasSound, hasOthers: false, hasTiles: false) == [.choices]
    }
    let (english, german, german2) = (Self.tracks[0], Self.tracks[1], Self.tracks[2])
    let french = MediaTrack(id: "audio-2", kind: .audio, language: "fr")
    let described = MediaTrack(id: "audio-3", kind: .audio, language: "en", isDescription: true)
    #expect(!has([]) && !has([english]) && !has([english, german]) && !has([english, described]))
    #expect(has([german2]) && has([english, german, french]) && has([english, german, described]))
    #expect(!has([english, german, french], hasSound: false) && has([german2], hasSound: false))
  }
}
