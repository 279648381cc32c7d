import InteractionCore
import KioskTestSupport
import PlaybackCore
import Testing

private func facts(
  position: Duration? = .seconds(10), duration: Duration? = .seconds(600), playing: Bool = true, live: Bool = false,
  buffering: Int? = nil, message: VisitorText? = nil, card: ErrorCard? = nil
) -> OverlayFacts {
  OverlayFacts(
    bar: TransportBar(title: "Film", position: position, duration: duration, isPlaying: playing, isLive: live),
    bufferingPercent: buffering, message: message, card: card)
}

private let card = ErrorCard(number: 2503, headline: "No answer", body: "Again in 16 s", footer: "booth-03")

@Suite("Overlay presenter")
struct OverlayPresenterTests {
  @Test("Subtitles show at once in each mode, and give way to a card", arguments: OverlayMode.allCases)
  func subtitles(mode: OverlayMode) {
    func cue(_ text: String) -> SubtitleCue { SubtitleCue(start: .zero, end: .seconds(1), text: text) }
    var presenter = OverlayPresenter(mode: mode)
    var facts = facts()
    for (time, text) in [(0, "one"), (10, "two"), (20, "three")] as [(Int64, String)] {
      facts.subtitles = [cue(text)]
      let shown = presenter.present(facts, at: at(time))
      #expect(shown.isChanged && shown.model.subtitles == [cue(text)])
    }
    facts.card = card
    #expect(presenter.present(facts, at: at(30)).model.subtitles.isEmpty)
    facts.card = nil
    #expect(presenter.present(facts, at: at(40)).model.subtitles == [cue("three")])
    facts.subtitles = []
    #expect(presenter.present(facts, at: at(50)).model.subtitles.isEmpty)
  }

  @Test("Alerts show at once in each mode, above all else or in place of it", arguments: OverlayMode.allCases)
  func alerts(mode: OverlayMode) {
    var presenter = OverlayPresenter(mode: mode)
    var facts = facts(message: "Back at two")
    facts.card = card
    _ = presenter.present(facts, at: at(0))
    facts.alerts = [ShownAlert("Leave by stair B")]
    let above = presenter.present(facts, at: at(1))
    #expect(above.isChanged && above.model.alerts == facts.alerts && above.model.card == card)
    facts.alerts = [ShownAlert("Leave by stair B", isInstead: true)]
    let instead = presenter.present(facts, at: at(2))
    var only = OverlayModel()
    only.alerts = facts.alerts
    #expect(instead.isChanged && instead.model == only)
    facts.alerts = []
    #expect(presenter.present(facts, at: at(3)).model.card == card)
  }

  @Test(
    "A veil is presented at each call, in each mode, and marks a change", arguments: OverlayMode.allCases)
  func veil(mode: OverlayMode) {
    var presenter = OverlayPresenter(mode: mode)
    var facts = facts()
    facts.veilChangesAt = at(20)
    #expect(presenter.present(facts, at: at(0)).nextRefresh == at(20))
    for (time, opacity) in [(20, 0.25), (40, 0.5)] as [(Int64, Double)] {
      facts.veil = OverlayVeil(opacity: opacity, colour: 0x102030)
      facts.veilChangesAt = at(time + 20)
      let shown = presenter.present(facts, at: at(time))
      #expect(shown.isChanged && shown.model.veil == facts.veil && shown.nextRefresh == at(time + 20))
    }
    facts.veil = OverlayVeil(opacity: 0.001, colour: 0)
    #expect(facts.veil == nil, "an invisible veil counts as none")
    #expect(presenter.present(facts, at: at(60)).model.veil == nil)
  }

  @Test(
    "The bar stays and moves where there is nothing else to see, unless no bar is wanted",
    arguments: OverlayMode.allCases)
  func keptBar(mode: OverlayMode) {
    var presenter = OverlayPresenter(mode: mode)
    var facts = facts()
    facts.keepsBar = true
    for second in [0, 60, 120] as [Int64] {
      facts.bar.position = .seconds(second)
      let shown = presenter.present(facts, at: at(second * 1000))
      #expect(shown.model.bar?.position == (mode == .never ? nil : .seconds(second)))
      #expect((shown.nextRefresh != nil) == (mode != .never))
    }
    facts.card = card
    #expect((presenter.present(facts, at: at(130_000)).model.bar != nil) == (mode == .always))
    facts.card = nil
    facts.keepsBar = false
    #expect((presenter.present(facts, at: at(140_000)).model.bar != nil) == (mode == .always))
  }

  @Test("The bar stays while the film is paused, until it is hidden; the next pause brings it back")
  func paused() {
    var presenter = OverlayPresenter(mode: .auto)
    #expect(presenter.present(facts(), at: at(0)).model.bar == nil)
    let paused = presenter.present(facts(playing: false), at: at(1000))
    #expect(paused.isChanged && paused.model.bar?.isPlaying == false)
    // Nothing moves during a pause, so no refresh is due.
    let later = presenter.present(facts(playing: false), at: at(3_600_000))
    #expect(later.model.bar != nil && !later.isChanged && later.nextRefresh == nil)
    presenter.hideBar()
    #expect(presenter.present(facts(playing: false), at: at(3_601_000)).model.bar == nil)
    #expect(presenter.present(facts(), at: at(3_602_000)).model.bar == nil)
    #expect(presenter.present(facts(playing: false), at: at(3_603_000)).model.bar != nil)
    presenter.hideBar()
    presenter.touched(at: at(3_604_000))
    #expect(presenter.present(facts(playing: false), at: at(3_700_000)).model.bar != nil)
    // The bar is hidden over a card, and before the first frame.
    #expect(presenter.present(facts(playing: false, card: card), at: at(3_701_000)).model.bar == nil)
    #expect(presenter.present(facts(position: nil, playing: false), at: at(3_702_000)).model.bar == nil)
    var never = OverlayPresenter(mode: .never)
    #expect(never.present(facts(playing: false), at: at(0)).model.bar == nil)
  }

  @Test("Each mode shows its parts of the overlay", arguments: OverlayMode.allCases)
  func modes(mode: OverlayMode) {
    // The buffering is long enough for the ring to be due at the second call.
    var presenter = OverlayPresenter(mode: mode)
    _ = presenter.present(facts(buffering: 30), at: at(0))
    let waiting = presenter.present(facts(buffering: 30, message: "Hello"), at: at(1000)).model
    let failed = presenter.present(facts(buffering: 30, message: "Hello", card: card), at: at(2000)).model
    let playing = presenter.present(facts(), at: at(3000)).model
    let bar = TransportBar(title: "Film", position: .seconds(10), duration: .seconds(600))
    switch mode {
    case .auto:
      #expect(waiting == OverlayModel(message: "Hello", bufferingPercent: 30))
      #expect(failed == OverlayModel(card: card))
      #expect(playing == .nothing)
    case .always:
      #expect(waiting == OverlayModel(bar: bar, message: "Hello", bufferingPercent: 30))
      #expect(failed == OverlayModel(bar: bar, card: card))
      #expect(playing == OverlayModel(bar: bar))
    case .never:
      #expect(waiting == .nothing)
      #expect(failed == OverlayModel(card: card))
      #expect(playing == .nothing)
    }
  }

  @Test("The ring comes after 400 ms of a single wait, and the presenter asks for a refresh then")
  func ringDelay() {
    var presenter = OverlayPresenter(mode: .auto)
    let first = presenter.present(facts(buffering: 5), at: at(1000))
    #expect(first.model == .nothing)
    #expect(first.nextRefresh == at(1400))
    #expect(presenter.present(facts(buffering: 20), at: at(1399)).model == .nothing)
    #expect(presenter.present(facts(buffering: 25), at: at(1400)).model.bufferingPercent == 25)
    #expect(presenter.present(facts(), at: at(1401)).model == .nothing)
    // A new wait starts its own 400 ms.
    #expect(presenter.present(facts(buffering: 5), at: at(1500)).model == .nothing)
    #expect(presenter.present(facts(buffering: 6), at: at(1899)).model == .nothing)
  }

  @Test("The percentage stays within 0...100", arguments: [(-5, 0), (101, 100), (64, 64)])
  func percentRange(given: Int, shown: Int) {
    var presenter = OverlayPresenter(mode: .auto)
    _ = presenter.present(facts(buffering: given), at: at(0))
    #expect(presenter.present(facts(buffering: given), at: at(400)).model.bufferingPercent == shown)
  }

  @Test("60 calls a second give at most four models a second, with positions in quarters of a second")
  func rateLimit() {
    var presenter = OverlayPresenter(mode: .always)
    var changes = 0
    for tick: Int64 in 0..<600 {
      // Rate 3, so that the quarters alone would allow twelve a second.
      let now = tick * 1000 / 60
      let given = presenter.present(facts(position: .milliseconds(now * 3)), at: at(now))
      changes += given.isChanged ? 1 : 0
      #expect(given.model.bar?.position.map { $0.wholeNanoseconds % 250_000_000 } == 0)
    }
    #expect(changes > 30)
    #expect(changes <= 40)
  }

  @Test("A running percentage is limited too, and the result says when to call again")
  func percentLimit() {
    var presenter = OverlayPresenter(mode: .auto)
    _ = presenter.present(facts(buffering: 1), at: at(0))
    #expect(presenter.present(facts(buffering: 40), at: at(400)).isChanged)
    let held = presenter.present(facts(buffering: 41), at: at(500))
    #expect(held == .init(model: OverlayModel(bufferingPercent: 40), isChanged: false, nextRefresh: at(650)))
    #expect(presenter.present(facts(buffering: 41), at: at(650)).model.bufferingPercent == 41)
  }

  @Test("Pauses, titles, messages and cards don't wait for the next refresh")
  func discreteChanges() {
    var presenter = OverlayPresenter(mode: .always)
    #expect(presenter.present(facts(), at: at(0)).isChanged)
    #expect(presenter.present(facts(playing: false), at: at(1)).model.bar?.isPlaying == false)
    #expect(presenter.present(facts(playing: false, message: "Hello"), at: at(2)).model.message == "Hello")
    #expect(presenter.present(facts(playing: false, card: card), at: at(3)).model.card == card)
    #expect(presenter.present(facts(position: nil), at: at(4)).model.bar?.position == nil)
  }

  @Test("While paused nothing changes, and no refresh is asked for")
  func pausedIsStill() {
    var presenter = OverlayPresenter(mode: .always)
    _ = presenter.present(facts(playing: false), at: at(0))
    let later = presenter.present(facts(playing: false), at: at(60_000))
    #expect(!later.isChanged)
    #expect(later.nextRefresh == nil)
  }

  @Test(
    "Refreshes are as far apart as they can be unseen",
    arguments: [
      // duration, live, expected step in ms
      (.seconds(60), false, 250),
      (.seconds(1024), false, 250),
      (.seconds(1800), false, 500),
      (.seconds(7200), false, 1000),
      (nil, false, 1000),
      (.seconds(60), true, 1000),
    ] as [(Duration?, Bool, Int64)])
  func steps(duration: Duration?, live: Bool, step: Int64) {
    var presenter = OverlayPresenter(mode: .always)
    let given = presenter.present(
      facts(position: .milliseconds(20_000 + step - 1), duration: duration, live: live), at: at(0))
    #expect(given.model.bar?.position == .seconds(20))
    #expect(given.nextRefresh == at(1))
  }
}

@Suite("The bar and fingers")
struct OverlayTouchTests {
  @Test("A touch brings the bar at once, which goes three seconds after the last touch")
  func stay() {
    var presenter = OverlayPresenter(mode: .auto)
    // An unknown position doesn't move.
    let still = facts(position: nil)
    #expect(presenter.present(still, at: at(0)).model.bar == nil)
    presenter.touched(at: at(1000))
    let shown = presenter.present(still, at: at(1000))
    #expect(shown.isChanged && shown.model.bar != nil && shown.nextRefresh == at(4000))
    presenter.touched(at: at(2000))
    #expect(presenter.present(still, at: at(4999)).model.bar != nil)
    let hidden = presenter.present(still, at: at(5000))
    #expect(hidden.isChanged && hidden.model == .nothing && hidden.nextRefresh == nil)
    presenter.touched(at: at(6000))
    presenter.hideBar()
    #expect(presenter.present(facts(), at: at(6000)).model == .nothing)
  }

  @Test("A touch brings no bar over a card or in a mode without a bar")
  func notThere() {
    var presenter = OverlayPresenter(mode: .auto)
    presenter.touched(at: at(0))
    #expect(presenter.present(facts(card: card), at: at(10)).model == OverlayModel(card: card))
    presenter.mode = .never
    #expect(presenter.present(facts(), at: at(20)).model == .nothing)
  }

  @Test("The status card shows in each mode and updates four times a second, behind an error card")
  func status() {
    var presenter = OverlayPresenter(mode: .never)
    var facts = facts()
    func status(_ frames: Int) -> StatusCard {
      StatusCard(title: "booth", health: .healthy, rows: [.init(.frames, .name("\(frames)"))])
    }
    facts.status = status(1)
    #expect(presenter.present(facts, at: at(0)).model == OverlayModel(status: status(1)))
    facts.status = status(2)
    #expect(!presenter.present(facts, at: at(100)).isChanged)
    #expect(presenter.present(facts, at: at(250)).model == OverlayModel(status: status(2)))
    facts.card = card
    #expect(presenter.present(facts, at: at(260)).model == OverlayModel(card: card))
  }

  @Test(
    "A dragged bar stays and follows each touch, or as many as slow drawing leaves time for",
    arguments: [(120, 0, 600), (240, 0, 1200), (1000, 0, 1250), (120, 10, 125), (120, 200, 20)])
  func dragged(touchesPerSecond: Int64, drawing: Int64, wanted: Int) {
    var presenter = OverlayPresenter(mode: .auto)
    presenter.touched(at: at(0))
    for _ in 0..<OverlayPresenter.drawingsCounted { presenter.drew(in: .milliseconds(drawing)) }
    let interval = 1_000_000_000 / touchesPerSecond
    var changes = 0
    for step in 0..<5 * touchesPerSecond {
      var dragged = facts(position: .milliseconds(10_003 + step * 17))
      dragged.bar.isDragged = true
      var now = Instant(nanoseconds: step * interval)
      var presentation = presenter.present(dragged, at: now)
      // Calls again when the presenter asks for it, unless another touch comes first, as the loop does.
      while let next = presentation.nextRefresh, next < Instant(nanoseconds: (step + 1) * interval) {
        changes += presentation.isChanged ? 1 : 0
        now = next
        presentation = presenter.present(dragged, at: now)
      }
      changes += presentation.isChanged ? 1 : 0
      if presentation.isChanged { #expect(presentation.model.bar?.position == dragged.bar.position) }
    }
    // Five seconds of it.
    #expect(abs(changes - wanted) <= 2, "\(changes)")
  }

  @Test("A single slow drawing holds no later one back; several in a row do")
  func interruptedDrawing() {
    var presenter = OverlayPresenter(mode: .auto)
    presenter.touched(at: at(0))
    func isDrawn(at milliseconds: Int64) -> Bool {
      var dragged = facts(position: .milliseconds(10_000 + milliseconds))
      dragged.bar.isDragged = true
      return presenter.present(dragged, at: at(milliseconds)).isChanged
    }
    var now: Int64 = 0
    for drawing: Int64 in [9, 1, 1, 9, 9, 1] {
      now += 8
      #expect(isDrawn(at: now))
      presenter.drew(in: .milliseconds(drawing))
    }
    for _ in 0..<3 { presenter.drew(in: .milliseconds(9)) }
    #expect(!isDrawn(at: now + 8))
    #expect(isDrawn(at: now + 36))
  }
}
