import Displays
import EngineTestSupport
import InteractionCore
import KioskCore
import MediaPipeline
import PlaybackCore
import PlaylistConfig
import Testing
import VitrinePlayback

@testable import KioskRuntime

/// One screen and its playback, without GStreamer, a card or a clock.
@Suite("Screen session")
struct ScreenSessionTests {
  private let film = MediaItem(uri: "file:///film.mp4", kind: .file)
  private let other = MediaItem(uri: "file:///other.mp4", kind: .file)
  private let gone = VitrineError(5004, subject: "card0", message: "no screen", remedy: "plug one in")

  @Test("A session opens a display, plays, reports the first frame once, and closes the display at the end")
  func life() async throws {
    try await ScreenBench([film, other]).run { bench in
      await bench.begin()
      #expect(bench.session.presence == .on && bench.display != nil)
      await bench.advance(by: .milliseconds(100))
      await bench.showFrame(at: .zero)
      await bench.showFrame(at: .milliseconds(40))
      #expect(bench.told.filter { $0 == "firstFrame" }.count == 1)
      #expect(bench.session.status.counters[.framesRendered] == 2)
      var hasEnded = false
      bench.session.end { hasEnded = true }
      await bench.advance(by: .seconds(2))
      #expect(hasEnded && bench.display?.isClosed == true && bench.displays.left == [""])
      #expect(bench.session.perform(.next) == .refused(.isEnding))
    }
  }

  @Test("Without a screen the session waits, reports that once, and opens the screen that comes")
  func waits() async throws {
    let gone = gone
    try await ScreenBench([film]).run { bench in
      bench.displays.problem = gone
      await bench.begin()
      await bench.advance(by: .seconds(5))
      #expect(bench.session.presence == .none && bench.told == ["problem"])
      bench.displays.problem = nil
      await bench.advance(by: .seconds(2))
      #expect(bench.session.presence == .on && bench.displays.opened.count == 1)
    }
  }

  @Test(
    "For a trial, frames of listed items are good, a still film is bad, and removed items don't count"
  )
  func verdict() async throws {
    let other = other
    try await ScreenBench([film]).run { bench in
      await bench.begin()
      #expect(bench.session.framesVerdict() == false)
      await bench.advance(by: .milliseconds(100))
      await bench.showFrame(at: .zero)
      #expect(bench.session.framesVerdict() == true)
      await bench.advance(by: .seconds(3))
      #expect(bench.session.framesVerdict() == false)
      let old = bench.session.machine.current?.id
      var options = bench.session.options
      options.queue = [other]
      bench.session.apply(options)
      await bench.showFrame(of: old, at: .milliseconds(40))
      #expect(bench.session.framesVerdict() == false)
    }
  }

  @Test("After unplugging, another display is opened, and playback goes on at its place")
  func unplugged() async throws {
    let gone = gone
    try await ScreenBench([film]).run { bench in
      await bench.begin()
      await bench.advance(by: .milliseconds(100))
      await bench.showFrame(at: .seconds(3))
      bench.displays.problem = gone
      bench.display?.onEvent?(.unplugged(gone))
      await bench.advance(by: .seconds(3))
      #expect(bench.displays.opened[0].isClosed && bench.session.presence == .none)
      bench.displays.problem = nil
      await bench.advance(by: .seconds(12))
      #expect(bench.displays.opened.count == 2 && bench.session.presence == .on)
      #expect(bench.stage.decks.last?.ownRecipe.from == .seconds(3))
    }
  }

  @Test("If frames come and aren't shown, a new sink, then the reopened card, then another process follow (0139)")
  func stuck() async throws {
    try await ScreenBench([film]).run { bench in
      await bench.begin()
      await bench.showFrame(at: .zero)
      await bench.blockOutput()
      #expect(bench.stage.outputs.count == 2 && bench.displays.opened.count == 1)
      await bench.blockOutput()
      #expect(bench.stage.outputs.count == 3 && bench.displays.opened.count == 2 && bench.displays.opened[0].isClosed)
      #expect(bench.session.presence == .on && !bench.told.contains("pipelinesHang"))
      await bench.blockOutput()
      #expect(bench.told.last == "pipelinesHang" && bench.told.filter { $0 == "problem" }.count == 3)
      #expect(bench.session.status.counters[.outputFaults] == 3)
    }
  }

  @Test("A display that ends while its former sink is going down is closed after that")
  func endWhileSinkGoes() async throws {
    let gone = gone
    try await ScreenBench([film]).run { bench in
      bench.stage.outputHangs = true
      await bench.begin()
      await bench.showFrame(at: .zero)
      bench.displays.problem = gone
      bench.display?.onEvent?(.unplugged(gone))
      await bench.settle()
      var hasEnded = false
      bench.session.end { hasEnded = true }
      await bench.advance(by: .milliseconds(500))
      #expect(hasEnded && !bench.displays.opened[0].isClosed)
      bench.stage.outputs[0].emit(.closed)
      await bench.settle()
      #expect(bench.displays.opened[0].isClosed && !bench.session.engine.hasAbandonedOutput)
    }
  }

  @Test("Settings that no screen can serve are rolled back if possible; else the session waits")
  func rollBack() async throws {
    let wrong = VitrineError(5005, subject: "card0", message: "no such connector", remedy: "see displays")
    try await ScreenBench([film]).run { bench in
      bench.allowRollBack()
      bench.displays.problem = wrong
      await bench.begin()
      #expect(bench.told.first == "settingsFailed")
    }
  }

  @Test("Each command gets a reply with its outcome")
  func commands() async throws {
    try await ScreenBench([film, other]) { $0.settings.audio.isEnabled = false }.run { bench in
      await bench.begin()
      await bench.showFrame(at: .zero)
      #expect(bench.session.perform(.pause) == .done && !bench.session.machine.wantsToPlay)
      #expect(bench.session.perform(.playPause) == .done && bench.session.machine.wantsToPlay)
      #expect(bench.session.perform(.select(number: 9)) == .refused(.noSuchItem))
      #expect(bench.session.perform(.changeVolume(byPercent: 5)) == .refused(.noSound))
      #expect(bench.session.perform(.playClip("/no/such/file.mp4")) == .refused(.noSuchClip))
      #expect(bench.session.perform(.switchScreen(isOn: false)) == .done)
      await bench.advance(by: .seconds(4))
      #expect(bench.session.presence == .asleep && bench.display?.isLit == false)
      #expect(bench.session.perform(.switchScreen(isOn: true)) == .done)
      await bench.advance(by: .seconds(4))
      #expect(bench.session.presence == .on && bench.display?.isLit == true)
    }
  }

  @Test(
    "In the loop, a labelled button plays its film at the first press; without a film it starts the list and says so")
  func labelledButtons() async throws {
    let films = (1...3).map { MediaItem(uri: "file:///\($0).mp4", kind: .file) }
    let loop = film
    func press(_ key: String, _ look: @escaping @Sendable (isolated ScreenBench) async -> Void) async throws {
      try await ScreenBench([loop]) {
        $0.visitorsQueue = films
        $0.settings.audio.isEnabled = false
      }.run { bench in
        await bench.begin()
        await bench.showFrame(at: .zero)
        await bench.key(key)
        await look(bench)
      }
    }
    try await press("KEY_2") { bench in #expect(bench.session.machine.current?.media == films[1]) }
    try await press("KEY_RIGHT") { bench in #expect(bench.session.machine.current?.media == films[0]) }
    try await press("KEY_I") { bench in
      #expect(bench.session.machine.current?.media == loop && bench.session.interaction.isStatusShown)
    }
    try await press("KEY_9") { bench in
      #expect(bench.session.machine.current?.media == films[0])
      #expect(bench.session.interaction.model.message == VisitorText(.noItem))
    }
  }

  @Test("A visit begins with the visitors' list and ends with the loop, and programs are told of both")
  func visits() async throws {
    let films = [other]
    func visits(_ list: [MediaItem], _ act: @escaping @Sendable (isolated ScreenBench) async -> Void) async throws {
      try await ScreenBench([film]) {
        $0.visitorsQueue = list
        $0.interaction.attract = AttractSettings(idleAfter: .seconds(20), returns: .atOnce)
        $0.settings.audio.isEnabled = false
      }.run { bench in
        await bench.begin()
        await bench.showFrame(at: .zero)
        await act(bench)
      }
    }
    try await visits(films) { bench in
      // The loop goes on: nobody has come for the list.
      await bench.key("KEY_I")
      await bench.advance(by: .seconds(21))
      #expect(bench.visits.isEmpty)
      for round in 1...2 {
        await bench.touch(.down(ScreenPoint(x: 500, y: 200)))
        await bench.touch(.up)
        await bench.key("KEY_RIGHT")
        #expect(bench.visits.count == 2 * round - 1 && bench.visits.last == "visit-started")
        await bench.advance(by: .seconds(21))
        #expect(bench.visits.count == 2 * round && bench.visits.last == "visit-ended")
      }
    }
    // A configuration that takes the list away ends the visit.
    try await visits(films) { bench in
      await bench.key("KEY_1")
      var options = bench.session.options
      options.visitorsQueue = []
      bench.session.apply(options)
      #expect(bench.visits == ["visit-started", "visit-ended"])
    }
    // Without a list nothing takes the loop's place.
    try await visits([]) { bench in
      await bench.key("KEY_RIGHT")
      await bench.advance(by: .seconds(21))
      #expect(bench.visits.isEmpty)
    }
  }

  @Test("An item that is held is held also after another one; an item can end the visit, and no other follows it")
  func ends() async throws {
    let held = (1...2).map {
      var item = MediaItem(uri: "file:///held\($0).mp4", kind: .file)
      item.atEnd = .hold
      return item
    }
    try await ScreenBench(held) { $0.settings.audio.isEnabled = false }.run { bench in
      await bench.begin()
      for item in held {
        await bench.showFrame(at: .zero)
        #expect(bench.session.machine.current?.media == item && bench.session.machine.endAction == .pause)
        _ = bench.session.perform(.next)
        await bench.settle()
      }
    }
    var last = other
    last.atEnd = .attract
    let (loop, films) = (film, [last, film])
    try await ScreenBench([loop]) {
      $0.visitorsQueue = films
      $0.settings.audio.isEnabled = false
    }.run { bench in
      await bench.begin()
      await bench.showFrame(at: .zero)
      #expect(bench.session.machine.endAction == .advance)
      await bench.key("KEY_1")
      await bench.showFrame(at: .zero)
      let visit = try #require(bench.session.machine.current?.id)
      #expect(bench.session.machine.current?.media == films[0] && bench.visits == ["visit-started"])
      bench.stage.deck(visit)?.emit(
        .streamEnded(.video, at: .milliseconds(40), buffers: 1, lastDuration: .milliseconds(40)))
      await bench.advance(by: .seconds(1))
      #expect(bench.visits == ["visit-started", "visit-ended"])
      #expect(bench.session.machine.queue.entries.map(\.item) == [loop])
      #expect(bench.session.machine.endAction == .advance && bench.session.machine.wantsToPlay)
    }
  }

  @Test("A clip is an item of a playlist: a key or a client plays it once, and the loop goes on where it was")
  func clips() async throws {
    let clip = MediaItem(uri: "file:///clip.mp4", kind: .file)
    let (loop, second) = (film, other)
    try await ScreenBench([loop]) {
      $0.clips = ["hall": [second, clip]]
      $0.interaction.actions.keys["KEY_F1"] = Binding("clip hall --item 2")
      $0.settings.audio.isEnabled = false
    }.run { bench in
      await bench.begin()
      await bench.showFrame(at: .seconds(3))
      #expect(bench.session.perform(.playOnce(ClipRequest(list: "hall", number: 3))) == .refused(.noSuchClip))
      #expect(bench.session.perform(.playOnce(ClipRequest(list: "halls"))) == .refused(.noSuchClip))
      #expect(bench.session.machine.current?.media == loop)
      await bench.key("KEY_F1")
      #expect(bench.session.machine.current?.media == clip)
      await bench.showFrame(at: .zero)
      #expect(bench.session.perform(.playOnce(ClipRequest(list: "hall"))) == .done)
      await bench.settle()
      #expect(bench.session.machine.current?.media == second)
      await bench.showFrame(at: .zero)
      _ = bench.session.perform(.playOnce(ClipRequest(list: "hall", number: 2, start: .seconds(30), isHeldAtEnd: true)))
      await bench.settle()
      #expect(bench.session.machine.current?.media == clip && bench.session.machine.shownPosition == .seconds(30))
      await bench.showFrame(at: .seconds(30))
      _ = bench.session.perform(.select(number: 1))
      await bench.advance(by: .seconds(1))
      await bench.showFrame(at: .seconds(3))
      #expect(bench.session.machine.current?.media == loop)
      #expect(bench.session.machine.queue.entries.map(\.item) == [loop])
    }
  }

  @Test("A sleeping screen without frames doesn't count as stuck")
  func sleepIsNoStall() async throws {
    try await ScreenBench([film, other]) { $0.settings.audio.isEnabled = false }.run { bench in
      await bench.begin()
      await bench.showFrame(at: .zero)
      _ = bench.session.perform(.switchScreen(isOn: false))
      await bench.advance(by: .seconds(4))
      _ = bench.session.perform(.switchScreen(isOn: true))
      await bench.advance(by: .seconds(4))
      await bench.showFrame(at: .milliseconds(40))
      #expect(bench.session.engine.ledger.counters[.stalls] == 0)
    }
  }

  @Test("A key acts at once; a tap acts after the time for a second one")
  func input() async throws {
    try await ScreenBench([film, other]).run { bench in
      await bench.begin()
      await bench.showFrame(at: .zero)
      await bench.key("KEY_PAUSE")
      #expect(!bench.session.machine.wantsToPlay)
      await bench.touch(.down(ScreenPoint(x: 500, y: 100)))
      await bench.advance(by: .milliseconds(50))
      await bench.touch(.up)
      #expect(!bench.session.machine.wantsToPlay)
      await bench.advance(by: .seconds(1))
      #expect(bench.session.machine.wantsToPlay)
    }
  }

  @Test("A turn of the loop ends with one drawing, however many events it had")
  func oneDrawing() async throws {
    try await ScreenBench([film, other]) { $0.settings.overlay.osd = .always }.run { bench in
      await bench.begin()
      await bench.showFrame(at: .zero)
      await bench.advance(by: .seconds(1))
      let before = bench.display?.overlays.count ?? 0
      bench.session.turn {
        _ = bench.session.perform(.pause)
        _ = bench.session.perform(.toggleMute)
        _ = bench.session.perform(.showStatus(true))
        #expect(bench.display?.overlays.count == before)
      }
      #expect(bench.display?.overlays.count == before + 1)
    }
  }

  @Test("The bar of a playing film moves by the clock; while paused or with a status card, it moves by frames")
  func barMovesByItself() async throws {
    try await ScreenBench([film, other]) { $0.settings.overlay.osd = .always }.run { bench in
      await bench.begin()
      await bench.showFrame(at: .zero)
      let before = bench.display?.overlays.count ?? 0
      for frame in 1...50 {
        await bench.advance(by: .milliseconds(40))
        await bench.showFrame(at: .milliseconds(40 * frame))
        #expect(!bench.session.interaction.followsFrames)
      }
      // At 0.25 s, 0.5 s, and so on; the one at 2 s may come before or after this check.
      let drawn = (bench.display?.overlays.count ?? 0) - before
      #expect((7...8).contains(drawn), "\(drawn)")
      _ = bench.session.perform(.showStatus(true))
      #expect(bench.session.interaction.followsFrames)
      _ = bench.session.perform(.showStatus(false))
      _ = bench.session.perform(.pause)
      #expect(bench.session.interaction.followsFrames)
    }
  }

  @Test("Each changed setting has its own effect, and no other")
  func settings() async throws {
    let other = other
    try await ScreenBench([film]).run { bench in
      await bench.begin()
      await bench.showFrame(at: .zero)
      var options = bench.session.options
      options.policy.pictureDuration = .seconds(7)
      bench.session.apply(options)
      #expect(bench.session.machine.policy.pictureDuration == .seconds(7))
      #expect(bench.displays.opened.count == 1 && bench.stage.decks.count <= 2)
      options.queue.append(other)
      bench.session.apply(options)
      #expect(bench.session.machine.queue.count == 2 && bench.session.machine.current?.media.uri == "file:///film.mp4")
      options.settings.display.rotation = .half
      bench.session.apply(options)
      #expect(bench.session.output.machine.isOutdated && bench.displays.opened.count == 1)
    }
  }

  @Test("The playlist's end is reported; a list that is edited meanwhile goes on")
  func end() async throws {
    try await ScreenBench([]).run { bench in
      await bench.begin()
      await bench.advance(by: .seconds(1))
      #expect(bench.told.allSatisfy { $0 == "playlistEnded" || $0 == "problem" })
    }
  }
}
