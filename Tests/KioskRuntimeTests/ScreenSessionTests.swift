import Displays
import EngineTestSupport
import InteractionCore
import KioskCore
import MediaPipeline
import PlaybackCore
import Testing
import VitrinePlayback

@testable import KioskRuntime

/// One screen with what plays on it, without GStreamer, a card or a clock.
@Suite("Screen session")
struct ScreenSessionTests {
  private let film = MediaItem(uri: "file:///film.mp4", kind: .file)
  private let other = MediaItem(uri: "file:///other.mp4", kind: .file)
  private let gone = VitrineError(5004, subject: "card0", message: "no screen", remedy: "plug one in")

  @Test("It opens a display, plays on it, tells of the first frame once, and closes it at the end")
  func life() async throws {
    try await ScreenBench([film, other]).run { bench in
      await bench.begin()
      #expect(bench.session.presence == .on && bench.display != nil)
      await bench.advance(by: .milliseconds(100))
      await bench.showFrame(at: .zero)
      await bench.showFrame(at: .milliseconds(40))
      #expect(bench.told.filter { $0 == "firstFrame" }.count == 1)
      #expect(bench.session.status.counters.framesRendered == 2)
      var hasEnded = false
      bench.session.end { hasEnded = true }
      await bench.advance(by: .seconds(2))
      #expect(hasEnded && bench.display?.isClosed == true && bench.displays.left == [""])
      #expect(bench.session.perform(.next) == .refused(.isEnding))
    }
  }

  @Test("No screen: it waits, says so once, and opens the one that comes")
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
    "For a trial, frames of what is listed are good, a film that stands still isn't, and what was taken out says nothing"
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

  @Test("Unplugged and back: the display is another one, and playback goes on where it was")
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

  @Test("Frames that come and aren't shown: another sink, then the card anew, then another process is asked for (0139)")
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
      #expect(bench.session.status.counters.outputFaults == 3)
    }
  }

  @Test("A screen that is let go while its former sink is still going is closed when that is down")
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
      bench.stage.outputs[0].tell(.closed)
      await bench.settle()
      #expect(bench.displays.opened[0].isClosed && !bench.session.engine.hasAbandonedOutput)
    }
  }

  @Test("Settings that no screen serves are taken back where they may be, else waited for")
  func rollBack() async throws {
    let wrong = VitrineError(5005, subject: "card0", message: "no such connector", remedy: "see displays")
    try await ScreenBench([film]).run { bench in
      bench.allowRollBack()
      bench.displays.problem = wrong
      await bench.begin()
      #expect(bench.told.first == "settingsFailed")
    }
  }

  @Test("Commands of every door: replies say what became of them")
  func commands() async throws {
    try await ScreenBench([film, other]) { $0.sound.isEnabled = false }.run { bench in
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
    "A labelled button in the loop plays its film at the first press; one without a film says so, and the list begins")
  func labelledButtons() async throws {
    let films = (1...3).map { MediaItem(uri: "file:///\($0).mp4", kind: .file) }
    let loop = film
    func press(_ key: String, _ look: @escaping @Sendable (isolated ScreenBench) async -> Void) async throws {
      try await ScreenBench([loop]) {
        $0.visitorsQueue = films
        $0.sound.isEnabled = false
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
      #expect(bench.session.interaction.model.message == "The playlist has no such item")
    }
  }

  @Test("A screen that sleeps shows nothing, and that is no stall")
  func sleepIsNoStall() async throws {
    try await ScreenBench([film, other]) { $0.sound.isEnabled = false }.run { bench in
      await bench.begin()
      await bench.showFrame(at: .zero)
      _ = bench.session.perform(.switchScreen(isOn: false))
      await bench.advance(by: .seconds(4))
      _ = bench.session.perform(.switchScreen(isOn: true))
      await bench.advance(by: .seconds(4))
      await bench.showFrame(at: .milliseconds(40))
      #expect(bench.session.engine.ledger.counters.stalls == 0)
    }
  }

  @Test("A key does what it is bound to; a tap comes after the time of a second one")
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

  @Test("A turn of the loop ends with one drawing, whatever it brought")
  func oneDrawing() async throws {
    try await ScreenBench([film, other]) { $0.overlay = .always }.run { bench in
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

  @Test("A bar above a film that plays moves by the clock; while it is held, or a status card shows, frames count")
  func barMovesByItself() async throws {
    try await ScreenBench([film, other]) { $0.overlay = .always }.run { bench in
      await bench.begin()
      await bench.showFrame(at: .zero)
      let before = bench.display?.overlays.count ?? 0
      for frame in 1...50 {
        await bench.advance(by: .milliseconds(40))
        await bench.showFrame(at: .milliseconds(40 * frame))
        #expect(!bench.session.interaction.followsFrames)
      }
      // At 0.25 s, 0.5 s, and so on; whether at 2 s too is a matter of who comes first.
      let drawn = (bench.display?.overlays.count ?? 0) - before
      #expect((7...8).contains(drawn), "\(drawn)")
      _ = bench.session.perform(.showStatus(true))
      #expect(bench.session.interaction.followsFrames)
      _ = bench.session.perform(.showStatus(false))
      _ = bench.session.perform(.pause)
      #expect(bench.session.interaction.followsFrames)
    }
  }

  @Test("Other settings: each does what it has to, and nothing else")
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
      options.rotation = .half
      bench.session.apply(options)
      #expect(bench.session.output.machine.isOutdated && bench.displays.opened.count == 1)
    }
  }

  @Test("The playlist's end is told; a list that is edited meanwhile goes on")
  func end() async throws {
    try await ScreenBench([]).run { bench in
      await bench.begin()
      await bench.advance(by: .seconds(1))
      #expect(bench.told.allSatisfy { $0 == "playlistEnded" || $0 == "problem" })
    }
  }
}
