import Displays
import EngineTestSupport
import InteractionCore
import KioskCore
import PlaybackCore
import PlaylistConfig
import Testing
import VitrinePlayback

@testable import KioskRuntime

/// Reports of playback that a screen makes to the cues.
@Suite("Cues of a screen")
struct ScreenCueTests {
  private let film = MediaItem(uri: "file:///film.mp4", kind: .file)
  private let other = MediaItem(uri: "file:///other.mp4", kind: .file)

  private func play(_ body: @escaping @Sendable (isolated ScreenBench) async throws -> Void) async throws {
    try await ScreenBench([film, other]) {
      $0.settings.audio.isEnabled = false
      $0.settings.playback.loop = true
    }.run { bench in
      bench.follow([
        (.itemStarted, nil, "start"), (.itemEnded, nil, "end"), (.time, .seconds(5), "five"),
      ])
      await bench.begin()
      await bench.advance(by: .milliseconds(100))
      #expect(bench.cues.isEmpty)
      await bench.showFrame(at: .zero)
      #expect(bench.cues == ["start"])
      try await body(bench)
    }
  }

  @Test("Playing over a time tells it; a pause, a seek over it and a finger on the bar don't")
  func times() async throws {
    try await play { bench in
      await bench.showFrame(at: .milliseconds(5010))
      #expect(bench.cues == ["start", "five"])
      _ = bench.session.perform(.pause)
      await bench.showFrame(at: .milliseconds(5010))
      _ = bench.session.perform(.seek(to: .seconds(2)))
      await bench.settle()
      await bench.showFrame(at: .seconds(2))
      _ = bench.session.perform(.play)
      await bench.advance(by: .seconds(1))
      await bench.showFrame(at: .seconds(3))
      // A finger drags the film to and fro, over the very frame.
      await bench.touch(.down(ScreenPoint(x: 300, y: 300)))
      for x in [350.0, 400, 500, 450, 500, 550] {
        await bench.touch(.moved(ScreenPoint(x: x, y: 300)))
        await bench.advance(by: .milliseconds(100))
        if bench.session.interaction.scrubTarget != nil { await bench.showFrame(at: .seconds(5)) }
      }
      #expect(bench.session.interaction.scrubTarget != nil)
      await bench.showFrame(at: .seconds(8))
      await bench.touch(.up)
      await bench.advance(by: .seconds(1))
      await bench.showFrame(at: .seconds(8))
      #expect(bench.cues == ["start", "five"])
      _ = bench.session.perform(.seek(to: .seconds(4)))
      await bench.advance(by: .seconds(1))
      await bench.showFrame(at: .seconds(4))
      await bench.showFrame(at: .seconds(5))
      #expect(bench.cues == ["start", "five", "five"])
    }
  }

  @Test("A change of rate and backwards: told once forwards, not backwards, and again forwards")
  func rates() async throws {
    try await play { bench in
      await bench.showFrame(at: .milliseconds(4960))
      await bench.showFrame(at: .seconds(5))
      bench.session.engine.feed(.rateRequested(2))
      await bench.advance(by: .milliseconds(100))
      await bench.showFrame(at: .seconds(5))
      await bench.showFrame(at: .milliseconds(5080))
      #expect(bench.cues == ["start", "five"])
    }
  }

  @Test("The next item begins with its first frame, which ends the one before")
  func items() async throws {
    try await play { bench in
      _ = bench.session.perform(.next)
      await bench.advance(by: .milliseconds(500))
      #expect(bench.cues == ["start"])
      await bench.showFrame(at: .zero)
      #expect(bench.cues == ["start", "end", "start"])
    }
  }

  @Test("A screen that comes back goes on in its item: nothing is told twice")
  func unplugged() async throws {
    try await play { bench in
      await bench.showFrame(at: .seconds(5))
      let gone = VitrineError(5004, subject: "card0", message: "no screen", remedy: "plug one in")
      bench.displays.problem = gone
      bench.display?.onEvent?(.unplugged(gone))
      await bench.advance(by: .seconds(3))
      bench.displays.problem = nil
      await bench.advance(by: .seconds(12))
      await bench.showFrame(at: .seconds(5))
      await bench.showFrame(at: .milliseconds(5040))
      #expect(bench.opened == 2 && bench.cues == ["start", "five"])
    }
  }
}
