import EngineTestSupport
import MediaPipeline
import PlaybackCore
import Testing

@testable import VitrinePlayback

/// With fake outputs and decks, in simulated time.
@Suite("The engine, without GStreamer (0122)")
struct PlayerEngineTests {
  static func item(_ name: String) -> MediaItem { MediaItem(uri: "file:///\(name).mp4", kind: .file) }

  static func bench() throws -> EngineBench { try EngineBench([item("a"), item("b"), item("c")]) }

  @Test("A deck that doesn't go down in time is given up, and counted as hung until it does")
  func deckGivenUp() async throws {
    try await Self.bench().run { bench in
      bench.stage.medium = { recipe in
        var medium = FakeStage.Medium.film()
        medium.hangs = recipe.item == Self.item("a")
        return medium
      }
      await bench.begin()
      let first = try #require(bench.machine.current?.id)
      await bench.showFrame(at: .zero)
      bench.engine.feed(.nextRequested)
      await bench.settle()
      let second = try #require(bench.machine.current?.id)
      #expect(second != first)
      // The second frame proves that the first has replaced the previous item's picture.
      for frame in 0..<2 { await bench.showFrame(at: .milliseconds(40) * frame) }
      #expect(bench.stage.deck(first)?.wasDropped == true)
      await bench.advance(by: EngineTiming.deckTeardown - .milliseconds(1))
      #expect(bench.told.contains(.gaveUp(first)) == false && bench.engine.hungDecks.isEmpty)
      await bench.advance(by: .milliseconds(1))
      #expect(bench.told.contains(.gaveUp(first)) && bench.engine.hungDecks.contains(first))
      #expect(bench.report.decksAbandoned == 1 && bench.engine.book[first] == nil)
      bench.stage.deck(first)?.comeDown()
      await bench.settle()
      #expect(bench.engine.hungDecks.isEmpty && bench.report.decksAbandoned == 1)
      #expect(bench.machine.current?.id == second)
    }
  }

  @Test(
    "A playing film reports only further frames, except for its first two and frames with consequences"
  )
  func framesOfFilm() async throws {
    try await Self.bench().run { bench in
      await bench.begin()
      let before = bench.settled
      for frame in 0..<2 { await bench.showFrame(at: .milliseconds(40) * frame) }
      #expect(bench.settled >= before + 2 && bench.followed == 0)
      // Preparing the next item is reported as well.
      for frame in 2..<10 { await bench.showFrame(at: .milliseconds(40) * frame) }
      let (settled, followed) = (bench.settled, bench.followed)
      for frame in 10..<20 { await bench.showFrame(at: .milliseconds(40) * frame) }
      #expect(bench.settled == settled && bench.followed == followed + 10)
      bench.engine.feed(.pauseRequested)
      #expect(bench.settled == settled + 1)
    }
  }

  @Test("A choice of tracks reaches the decks that are there, and those that are built later")
  func tracks() async throws {
    try await Self.bench().run { bench in
      bench.engine.trackPreferences = TrackPreferences(audioLanguages: ["en"])
      await bench.begin()
      let first = try #require(bench.machine.current?.id)
      #expect(bench.stage.deck(first)?.ownRecipe.tracks == TrackPreferences(audioLanguages: ["en"]))
      var wish = TrackWish()
      wish.captions = .on(LanguageTag("de"))
      bench.engine.trackWish = wish
      var wanted = TrackPreferences(audioLanguages: ["en"], subtitleLanguages: ["de"], subtitles: .always)
      wanted.hardOfHearing = true
      #expect(bench.stage.deck(first)?.commands.last == .tracks(wanted))
      bench.engine.trackWish = wish
      #expect(bench.stage.deck(first)?.commands.count { $0 == .tracks(wanted) } == 1, "nothing new")
      bench.engine.feed(.nextRequested)
      await bench.settle()
      let second = try #require(bench.machine.current?.id)
      #expect(second != first && bench.stage.deck(second)?.ownRecipe.tracks == wanted)
      // What a loudspeaker beside a headset keeps.
      let configured = bench.stage.deck(second)?.ownRecipe.configuredTracks
      #expect(configured == TrackPreferences(audioLanguages: ["en"]))
      let track = MediaTrack(id: "text-0", kind: .text, language: "de", isEnabled: true)
      bench.stage.deck(second)?.emit(.tracks([track]))
      await bench.settle()
      #expect(bench.engine.tracks(of: second) == [track] && bench.engine.tracks(of: first).isEmpty)
    }
  }

  @Test("A deck that doesn't answer is replaced by another, and may come down at any time")
  func deckSilent() async throws {
    try await Self.bench().run { bench in
      bench.stage.medium = { _ in FakeStage.Medium(readiness: nil, hangs: true) }
      await bench.begin()
      let first = try #require(bench.machine.current?.id)
      bench.stage.medium = { _ in .film() }
      await bench.advance(by: bench.machine.policy.localPrerollDeadline)
      let second = try #require(bench.machine.current)
      #expect(second.id != first && second.item == bench.machine.queue.entries[0].id && !second.isPreparing)
      #expect(bench.told.contains(.gaveUp(first)) && bench.engine.hungDecks.contains(first))
      // Later events of the abandoned deck are ignored.
      bench.stage.deck(first)?.emit(.ready(DeckReadiness()))
      bench.stage.deck(first)?.comeDown()
      await bench.settle()
      #expect(bench.machine.current?.id == second.id && bench.engine.hungDecks.isEmpty)
    }
  }

  @Test("A new output takes over while the old one closes; frames of the old one are only counted")
  func outputReplaced() async throws {
    try await Self.bench().run { bench in
      bench.stage.outputHangs = true
      await bench.begin()
      await bench.showFrame(at: .zero)
      await bench.showFrame(at: .milliseconds(40))
      let deck = try #require(bench.machine.current.flatMap { bench.stage.deck($0.id) })
      var detached = 0
      bench.engine.detach { detached += 1 }
      bench.stage.outputHangs = false
      bench.attach()
      await bench.settle()
      #expect(bench.stage.outputs.count == 2 && bench.engine.isDetaching && detached == 0)
      let current = try #require(bench.machine.current)
      // At the last frame's position, on the new output.
      #expect(current.id != deck.ownRecipe.id && !current.isPreparing)
      #expect(bench.stage.deck(current.id)?.ownRecipe.from == .milliseconds(40))
      let counted = bench.report.framesRendered
      bench.stage.outputs[0].show(deck, at: .milliseconds(80), now: bench.clock.now)
      await bench.settle()
      #expect(bench.report.framesRendered == counted + 1 && bench.machine.current?.hasShownFrames == false)
      bench.stage.outputs[0].emit(.closed)
      await bench.settle()
      #expect(detached == 1 && !bench.engine.isDetaching && !bench.engine.hasAbandonedOutput)
      // The deadline of the retired output has no effect any more.
      await bench.advance(by: EngineTiming.outputTeardown)
      #expect(detached == 1 && !bench.engine.hasAbandonedOutput)
    }
  }

  @Test("An output that doesn't go down delays a detach by its deadline at most")
  func outputHangs() async throws {
    try await Self.bench().run { bench in
      bench.stage.outputHangs = true
      await bench.begin()
      var detached = 0
      bench.engine.detach { detached += 1 }
      await bench.advance(by: EngineTiming.outputTeardown - .milliseconds(1))
      #expect(detached == 0)
      await bench.advance(by: .milliseconds(1))
      #expect(detached == 1 && bench.engine.hasAbandonedOutput && !bench.engine.isDetaching)
    }
  }

  @Test("A deck with a silent decoder is rebuilt under its number; events of the old one are ignored")
  func rebuilt() async throws {
    try await Self.bench().run { bench in
      bench.stage.medium = { _ in FakeStage.Medium(readiness: nil, decoder: "v4l2h264dec", hangs: true) }
      await bench.begin()
      let id = try #require(bench.machine.current?.id)
      let first = try #require(bench.stage.deck(id))
      await bench.advance(by: DecoderFallback.firstPicture)
      #expect(first.wasDropped && bench.stage.decks.count == 1)
      // Too late: the deck is going.
      first.emit(.ready(DeckReadiness()))
      await bench.settle()
      #expect(bench.machine.current?.isPreparing == true)
      bench.stage.medium = { _ in .film() }
      first.comeDown()
      await bench.settle()
      #expect(bench.stage.decks.count == 2 && bench.stage.decks[1].ownRecipe == first.ownRecipe)
      #expect(bench.machine.current?.id == id && bench.machine.current?.isPreparing == false)
      #expect(bench.report.decksAbandoned == 0 && bench.stage.avoided.isEmpty)
    }
  }

  @Test("A deck is rebuilt even if the old one hangs, and after its second failure the decoder is avoided")
  func rebuiltBesideHung() async throws {
    try await Self.bench().run { bench in
      bench.stage.medium = { _ in FakeStage.Medium(readiness: nil, decoder: "v4l2h264dec", hangs: true) }
      await bench.begin()
      await bench.advance(by: DecoderFallback.firstPicture + EngineTiming.deckTeardown)
      #expect(bench.stage.decks.count == 2 && bench.report.decksAbandoned == 1 && bench.stage.avoided.isEmpty)
      await bench.advance(by: DecoderFallback.firstPicture)
      #expect(bench.stage.avoided == ["v4l2h264dec"])
      bench.stage.medium = { _ in .film() }
      await bench.advance(by: EngineTiming.deckTeardown)
      #expect(bench.stage.decks.count == 3 && bench.machine.current?.isPreparing == false)
    }
  }

  @Test(
    "If an output fails before a frame in a decoder's own memory is shown, frames take another way; later they don't",
    arguments: [false, true])
  func wayGivenUp(wasShown: Bool) async throws {
    try await Self.bench().run { bench in
      bench.stage.medium = { _ in
        var medium = FakeStage.Medium.film()
        medium.decoder = "vah264dec:untouched"
        return medium
      }
      await bench.begin()
      if wasShown { await bench.showFrame(at: .zero) }
      let error = VitrineError(5401, subject: "s", message: "m", remedy: "r")
      try #require(bench.stage.outputs.last).emit(.failed(error))
      await bench.settle()
      #expect(bench.stage.avoided == (wasShown ? [] : ["vah264dec:untouched"]))
    }
  }

  @Test("The end waits for the decks and then for the output, each up to a deadline", arguments: [false, true])
  func end(outputHangs: Bool) async throws {
    try await Self.bench().run { bench in
      bench.stage.medium = { _ in FakeStage.Medium(readiness: FakeStage.Medium.film().readiness, hangs: true) }
      bench.stage.outputHangs = outputHangs
      await bench.begin()
      await bench.showFrame(at: .zero)
      var ended = 0
      bench.engine.end { ended += 1 }
      await bench.advance(by: EngineTiming.finalTeardown - .milliseconds(1))
      let output = bench.stage.outputs[0]
      #expect(output.commands.last != .close(showsLast: false) && ended == 0)
      await bench.advance(by: .milliseconds(1))
      #expect(output.commands.last == .close(showsLast: false))
      #expect(ended == (outputHangs ? 0 : 1))
      await bench.advance(by: EngineTiming.finalTeardown)
      #expect(ended == 1 && bench.engine.hasAbandonedOutput == outputHangs)
    }
  }

  @Test("The end is immediate when all decks go down")
  func quickEnd() async throws {
    try await Self.bench().run { bench in
      await bench.begin()
      var ended = 0
      bench.engine.end { ended += 1 }
      await bench.settle()
      #expect(ended == 1)
    }
  }
}

extension PlayerEngineTests {
  @Test("A film's subtitles stay as long as its frames, even after the next picture is armed")
  func subtitlesAtSeam() async throws {
    var picture = Self.item("picture")
    picture.kind = .picture
    let bench = try EngineBench([Self.item("a"), picture])
    try await bench.run { bench in
      await bench.begin()
      let first = try #require(bench.machine.current.flatMap { bench.stage.deck($0.id) })
      let cue = SubtitleCue(start: .seconds(9), end: .seconds(10), text: "the end")
      first.emit(.tracks([MediaTrack(id: "text", kind: .text, isEnabled: true)]))
      first.emit(.cue(cue))
      for second in 0...9 {
        await bench.showFrame(at: .seconds(second))
        await bench.advance(by: .seconds(second == 9 ? 0 : 1))
      }
      #expect(bench.subtitles == [cue])
      first.emit(.streamEnded(.video, at: .seconds(10), buffers: 250, lastDuration: .milliseconds(40)))
      await bench.advance(by: .milliseconds(700))
      #expect(bench.machine.current?.id != first.ownRecipe.id, "it is armed")
      #expect(bench.subtitles == [cue])
      await bench.advance(by: .milliseconds(400))
      await bench.showFrame(at: .zero)
      #expect(bench.subtitles == [])
    }
  }
}

extension PlayerEngineTests {
  @Test("New time-outs apply from the next deck on, even if no other server setting has changed")
  func timeouts() async throws {
    try await Self.bench().run { bench in
      await bench.begin()
      let first = try #require(bench.stage.decks.first)
      var policy = bench.machine.policy
      policy.source.timeout = .seconds(3)
      bench.engine.feed(.policyReplaced(policy))
      for frame in 0..<2 { await bench.showFrame(at: .milliseconds(40) * frame) }
      let second = try #require(bench.stage.decks.last)
      #expect(first !== second)
      #expect(first.ownRecipe.servers.source.timeout == SourcePolicy().timeout)
      #expect(second.ownRecipe.servers.source.timeout == .seconds(3))
    }
  }

  @Test("Each deck keeps its server settings: new ones apply from the next deck on")
  func access() async throws {
    try await Self.bench().run { bench in
      await bench.begin()
      let first = try #require(bench.machine.current.flatMap { bench.stage.deck($0.id) })
      var access = ServerAccess()
      access.proxy = "http://127.0.0.1:3128"
      bench.engine.access = access
      for frame in 0..<2 { await bench.showFrame(at: .milliseconds(40) * frame) }
      let second = try #require(bench.machine.next.flatMap { bench.stage.deck($0.id) })
      #expect(first.ownRecipe.servers.access.proxy == nil && second.ownRecipe.servers.access == access)
      // Setting equal values again doesn't read the certificates again.
      let servers = bench.engine.servers
      bench.engine.access = access
      #expect(bench.engine.servers === servers)
    }
  }
}
