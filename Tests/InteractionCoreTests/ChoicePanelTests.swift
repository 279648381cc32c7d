import InteractionCore
import PlaybackCore
import Testing

@Suite("The panel of choices")
struct ChoicePanelTests {
  /// Ten lines of 50 pixels at the right of a screen of 1000x600.
  private static func grid(isRightToLeft: Bool = false) -> ChoiceGrid {
    ChoiceGrid(
      screen: PixelSize(width: 1000, height: 600), area: .init(x: 700, y: 60, width: 280, height: 520), lineHeight: 50,
      padding: 10, isRightToLeft: isRightToLeft)
  }

  static let tracks = [
    MediaTrack(id: "audio-0", kind: .audio, language: "en", isEnabled: true),
    MediaTrack(id: "audio-1", kind: .audio, language: "de"),
    MediaTrack(id: "audio-2", kind: .audio, language: "en", isDescription: true),
    MediaTrack(id: "text-0", kind: .text, language: "deu"), MediaTrack(id: "text-1", kind: .text, language: "fr"),
    MediaTrack(id: "text-2", kind: .text, language: "fr", isForced: true),
  ]

  /// Languages as ISO 639 has them, more than fit on any screen.
  static let manyCaptions = [
    "ar", "bg", "ca", "cs", "cy", "da", "de", "el", "en", "es", "et", "eu", "fa", "fi", "fr", "ga", "gl", "he", "hi",
    "hr", "hu", "is", "it", "ja", "ko", "lb", "lt", "lv", "mt", "nb", "nl", "pl", "pt", "ro", "ru", "sk", "sl", "sr",
    "sv", "th",
  ].map { (language: String) in MediaTrack(id: "text-\(language)", kind: .text, language: language) }

  private static func list(
    _ tracks: [MediaTrack] = tracks, _ choices: VisitorChoices = VisitorChoices(), hasSound: Bool = true
  ) -> ChoiceList {
    ChoiceList(tracks, choices, hasSound: hasSound, hasHighContrast: false)
  }

  private static func at(_ milliseconds: Int) -> Instant { Instant(nanoseconds: Int64(milliseconds) * 1_000_000) }

  /// An open panel as it is drawn first.
  private static func panel(_ list: ChoiceList = list(), _ grid: ChoiceGrid = grid()) -> ChoicePanel {
    var panel = ChoicePanel()
    panel.open(at: at(0))
    _ = panel.wall(list, grid, at: at(0))
    return panel
  }

  private static func middle(_ choice: Choice, _ list: ChoiceList, at position: Double = 0) throws -> ScreenPoint {
    let area = grid().area(of: try #require(list.place(of: choice)), in: list, at: position)
    return ScreenPoint(x: area.x + area.width / 2, y: area.y + area.height / 2)
  }

  private static let enter = Binding.command(.playPause)
  private static let next = Binding.command(.next)

  // MARK: What there is to choose

  @Test("A version in sign language is a switch of its own, also where there is nothing else to choose")
  func signed() throws {
    let version = MediaTrack(id: "version", kind: .video, isSigned: true)
    let list = Self.list([version])
    #expect(list.lines.map(\.heading) == [.picture, nil])
    let cell = list[try #require(list.place(of: .signed))]
    #expect(cell.kind == .toggle && !cell.isOn)
    var choices = VisitorChoices()
    choices.choose(cell, of: [version])
    #expect(choices.tracks.isSigned)
    var shown = version
    shown.isEnabled = true
    let on = Self.list([shown], choices)
    #expect(on[try #require(on.place(of: .signed))].isOn)
  }

  @Test("The list names the sound's languages and the description, then captions, then how those look")
  func content() throws {
    let list = Self.list()
    let choices = list.places.map { list[$0].choice }
    let (de, en, fr) = (try tag("de"), try tag("en"), try tag("fr"))
    #expect(
      choices == [
        .close, .language(en), .language(de), .description, .captions(.off), .captions(.language(de)),
        .captions(.language(fr)), .size(.normal), .size(.large), .size(.larger), .ground(.outline), .ground(.box),
        .highContrast,
      ])
    #expect(list.lines.compactMap(\.heading) == [.sound, .captions, .captionLook])
    #expect(
      list.places.filter { list[$0].isOn }.map { list[$0].choice } == [
        .language(en), .captions(.off), .size(.normal), .ground(.outline),
      ])
    #expect(list.place(of: .language(de)).map { list[$0].label } == .name("Deutsch"))
  }

  private func tag(_ text: String) throws -> LanguageTag { try #require(LanguageTag(text)) }

  @Test("Only what an item has is listed; an item with nothing to choose has no list")
  func absent() throws {
    #expect(Self.list([]).isEmpty && Self.list([Self.tracks[0]]).isEmpty)
    #expect(Self.list([Self.tracks[5]]).isEmpty, "texts for foreign parts aren't captions")
    #expect(Self.list(Array(Self.tracks[0...1])).lines.compactMap(\.heading) == [.sound])
    #expect(Self.list(hasSound: false).lines.compactMap(\.heading) == [.captions, .captionLook])
    #expect(Self.list([Self.tracks[0], Self.tracks[2]]).lines.count == 2, "the description alone")
    // Captions without a language can only be on or off.
    let unknown = Self.list([MediaTrack(id: "text-0", kind: .text, title: "Commentary", isEnabled: true)])
    #expect(unknown.place(of: .captions(.on)).map { unknown[$0].isOn } == true)
    #expect(unknown.place(of: .captions(.on)).map { unknown[$0].label } == .name("Commentary"))
  }

  @Test("A choice shows at once, before the player has changed the track; contrast begins as configured")
  func marks() throws {
    var choices = VisitorChoices()
    func choose(_ choice: Choice) throws {
      let list = Self.list(Self.tracks, choices)
      choices.choose(list[try #require(list.place(of: choice))], of: Self.tracks)
    }
    try choose(.captions(.language(tag("fr"))))
    try choose(.language(tag("de")))
    try choose(.size(.larger))
    try choose(.ground(.box))
    try choose(.highContrast)
    let list = Self.list(Self.tracks, choices)
    // Captions follow the sound, and there are some in it.
    #expect(
      try list.places.filter { list[$0].isOn }.map { list[$0].choice } == [
        .language(tag("de")), .captions(.language(tag("de"))), .size(.larger), .ground(.box), .highContrast,
      ])
    #expect(choices.captions.hasHighContrast == true)
    let configured = ChoiceList(Self.tracks, VisitorChoices(), hasSound: true, hasHighContrast: true)
    let contrast = configured[try #require(configured.place(of: .highContrast))]
    #expect(contrast.isOn)
    var less = VisitorChoices()
    less.choose(contrast, of: Self.tracks)
    #expect(less.captions.hasHighContrast == false)
    try choose(.captions(.off))
    #expect(choices.tracks.captions == .off)
    try choose(.description)
    #expect(choices.tracks.hearsDescription)
  }

  // MARK: Fingers

  @Test("A touch on a row chooses at once and the panel stays; one beside it, or on its sign, closes it")
  func fingers() throws {
    let list = Self.list()
    var panel = Self.panel()
    for choice in list.places.map({ list[$0].choice }) where choice != .close {
      guard try #require(list.place(of: choice)).line < 10 else { continue }
      let point = try Self.middle(choice, list)
      panel.touched(point, at: Self.at(100))
      #expect(panel.pressed == list.place(of: choice))
      guard case .chosen(let cell) = panel.handle(.recognised(.tap(point)), at: Self.at(200)) else {
        Issue.record("\(choice)")
        continue
      }
      #expect(cell.choice == choice && panel.isShown && panel.pressed == nil)
    }
    #expect(panel.handle(.recognised(.tap(ScreenPoint(x: 100, y: 300))), at: Self.at(300)) == .closed)
    #expect(panel.handle(.recognised(.tap(ScreenPoint(x: 730, y: 95))), at: Self.at(300)) == .moved, "a heading")
    #expect(try panel.handle(.recognised(.tap(Self.middle(.close, list))), at: Self.at(300)) == .closed)
  }

  @Test("40 languages: a finger moves the lines, which come to rest on a whole one; a tap on moving lines stops them")
  func scrolling() throws {
    let list = Self.list(Self.manyCaptions)
    var panel = Self.panel(list)
    func drag(_ from: Double, _ to: Double) -> Drag {
      Drag(
        kind: .vertical, start: ScreenPoint(x: 800, y: from), point: ScreenPoint(x: 800, y: to),
        scale: TouchScale(unit: 10))
    }
    _ = panel.handle(.dragBegan(drag(500, 490)), at: Self.at(0))
    _ = panel.handle(.dragMoved(drag(500, 100)), at: Self.at(80))
    #expect(panel.wall(list, Self.grid(), at: Self.at(80))?.position == 8)
    _ = panel.handle(.dragEnded(drag(500, 100), .lifted), at: Self.at(90))
    #expect(panel.isSettling)
    let point = ScreenPoint(x: 800, y: 300)
    #expect(panel.handle(.recognised(.tap(point)), at: Self.at(100)) == .moved)
    let rested = panel.wall(list, Self.grid(), at: Self.at(1000))
    let position = try #require(rested).position
    #expect(position == position.rounded() && position > 8)
    guard case .chosen = panel.handle(.recognised(.tap(point)), at: Self.at(1100)) else {
      Issue.record("nothing chosen")
      return
    }
    // The hardest flick ends on the last line.
    _ = panel.handle(.dragBegan(drag(500, 500)), at: Self.at(2000))
    _ = panel.handle(.dragMoved(drag(500, -1e6)), at: Self.at(2001))
    _ = panel.handle(.dragEnded(drag(500, -1e6), .lifted), at: Self.at(2002))
    #expect(panel.wall(list, Self.grid(), at: Self.at(3000))?.position == Double(list.lines.count - 10))
  }

  // MARK: Keys

  @Test("Arrow keys alone reach every choice and show where they are; OK chooses, Back, Esc and Menu close")
  func keys() throws {
    for (isRightToLeft, tracks) in [(false, Self.tracks), (true, Self.tracks), (false, Self.manyCaptions)] {
      let list = Self.list(tracks)
      var panel = Self.panel(list, Self.grid(isRightToLeft: isRightToLeft))
      #expect(panel.press("KEY_OK", Self.enter, at: Self.at(0)) == .moved, "the first key shows the ring")
      #expect(panel.focus == list.places[1])
      var reached: Set<ChoiceList.Place> = [list.places[1]]
      // Up to the sign, then down through all lines, each from one side to the other.
      for key in ["KEY_UP"] + Array(repeating: "KEY_DOWN", count: list.lines.count) {
        _ = panel.press(key, .command(.changeVolume(byPercent: 5)), at: Self.at(0))
        for side in ["KEY_LEFT", "KEY_LEFT", "KEY_RIGHT", "KEY_RIGHT"] {
          _ = panel.press(side, .command(.skip(by: .seconds(10))), at: Self.at(0))
          if let focus = panel.focus { reached.insert(focus) }
        }
        // What is in focus is in view.
        let focus = try #require(panel.focus)
        let wall = panel.wall(list, Self.grid(isRightToLeft: isRightToLeft), at: Self.at(10_000))
        #expect(wall.map { (0..<10).contains(focus.line - Int($0.position)) } == true)
      }
      #expect(reached == Set(list.places))
      #expect(panel.press("KEY_OK", Self.enter, at: Self.at(0)) == .chosen(list[try #require(panel.focus)]))
    }
    for key in ["KEY_BACK", "KEY_ESC", "KEY_MENU"] {
      var panel = Self.panel()
      #expect(panel.press(key, .command(.showStatus(nil)), at: Self.at(0)) == .closed)
    }
  }

  @Test("Two plain buttons reach every choice, of 40 languages too, and go round; the volume is as ever")
  func buttons() {
    for tracks in [Self.tracks, Self.manyCaptions] {
      let list = Self.list(tracks)
      var panel = Self.panel(list)
      var chosen: [Choice] = []
      _ = panel.press(nil, Self.next, at: Self.at(0))
      for _ in list.places {
        if case .chosen(let cell) = panel.press(nil, Self.enter, at: Self.at(0)) { chosen.append(cell.choice) }
        _ = panel.press(nil, Self.next, at: Self.at(0))
      }
      #expect(chosen == list.places.dropFirst().map { list[$0].choice })
      #expect(panel.focus == list.places[1], "round")
      _ = panel.press(nil, .command(.previous), at: Self.at(0))
      #expect(panel.press(nil, Self.enter, at: Self.at(0)) == .closed, "the sign is before the first choice")
      #expect(panel.press(nil, .command(.changeVolume(byPercent: 5)), at: Self.at(0)) == nil)
    }
  }

  // MARK: Time and tracks

  @Test("The panel closes 20 s after the last touch or key, and never under a finger")
  func stay() {
    var panel = Self.panel()
    #expect(panel.deadline == Self.at(20_000))
    _ = panel.press(nil, Self.next, at: Self.at(15_000))
    #expect(panel.deadline == Self.at(35_000) && !panel.timePassed(at: Self.at(20_000), isHeld: false))
    #expect(!panel.timePassed(at: Self.at(35_000), isHeld: true) && panel.isShown)
    #expect(panel.timePassed(at: Self.at(55_000), isHeld: false) && !panel.isShown && panel.deadline == nil)
  }

  @Test("A track that vanishes while it is open takes its row away; the ring stays with its choice, or near its place")
  func vanishing() throws {
    let list = Self.list()
    var panel = Self.panel()
    let german = Choice.captions(.language(try tag("de")))
    for _ in 0..<5 { _ = panel.press(nil, Self.next, at: Self.at(0)) }
    #expect(panel.focus.map { list[$0].choice } == german)
    // The sound's second language goes: the ring goes up with its row.
    var tracks = Self.tracks
    tracks.remove(at: 1)
    let less = Self.list(tracks)
    #expect(panel.wall(less, Self.grid(), at: Self.at(0))?.focus == less.place(of: german))
    // The row itself goes, and the panel is as high as the rest.
    tracks.removeAll { $0.language == "deu" }
    let rest = Self.list(tracks)
    let wall = panel.wall(rest, Self.grid(), at: Self.at(0))
    let french = Choice.captions(.language(try tag("fr")))
    #expect(wall?.focus.map { rest[$0].choice } == french)
    // A touch where the row was meets what is there now, and all tracks may go.
    _ = panel.handle(.recognised(.tap(ScreenPoint(x: 800, y: 570))), at: Self.at(0))
    #expect(panel.wall(Self.list([]), Self.grid(), at: Self.at(0)) == nil && !panel.isShown)
  }

  @Test("Lines that become fewer than are in view come to the top; whatever comes, the ring is on a row")
  func random() {
    var random = SplitMix64(state: 3)
    var panel = Self.panel()
    var tracks = Self.tracks + Self.manyCaptions
    for step in 0..<3000 {
      let now = Self.at(step * 40)
      if Int.random(in: 0..<5, using: &random) == 0 {
        tracks = (Self.tracks + Self.manyCaptions).filter { _ in Int.random(in: 0..<3, using: &random) == 0 }
      }
      let list = Self.list(tracks)
      if !panel.isShown { panel.open(at: now) }
      if let wall = panel.wall(list, Self.grid(isRightToLeft: step % 2 == 0), at: now) {
        #expect(wall.focus.map { list.places.contains($0) } ?? true)
        #expect(wall.pressed.map { list.places.contains($0) } ?? true)
        #expect(wall.position > -9 && wall.position < Double(list.lines.count) + 9)
      }
      let point = ScreenPoint(
        x: Double.random(in: 0..<1000, using: &random), y: Double.random(in: 0..<600, using: &random))
      let drag = Drag(kind: .vertical, start: point, point: point, scale: TouchScale(unit: 10))
      switch Int.random(in: 0..<8, using: &random) {
      case 0: panel.touched(point, at: now)
      case 1: _ = panel.handle(.recognised(.tap(point)), at: now)
      case 2: _ = panel.handle(.dragBegan(drag), at: now)
      case 3: _ = panel.handle(.dragMoved(drag), at: now)
      case 4: _ = panel.handle(.dragEnded(drag, .lifted), at: now)
      case 5: _ = panel.press("KEY_DOWN", .nothing, at: now)
      case 6: _ = panel.press(nil, Self.enter, at: now)
      default: _ = panel.press(nil, Self.next, at: now)
      }
    }
  }
}
