import Testing

@testable import PlaybackCore

@Suite("Playback machine: versions in sign language")
struct PlaybackMachineVersionTests {
  private static let error = VitrineError(3001, subject: "s", message: "m", remedy: "r")

  /// Films of which those with these numbers have a signed version.
  private func films(_ count: Int, signed: Set<Int>) -> [MediaItem] {
    files(count).enumerated().map { number, film in
      var film = film
      if signed.contains(number) { film.signed = "file:///signed\(number).mp4" }
      film.sha256 = nil
      return film
    }
  }

  private func built(_ actions: [PlaybackAction]) -> [String] {
    actions.compactMap { action in
      guard case .buildDeck(_, let media, let item, let position, _) = action else { return nil }
      let name = media.uri.split(separator: "/").last.map(String.init) ?? ""
      return "\(item.rawValue - 1) \(name) \(position.inSeconds)"
    }
  }

  private func dropped(_ actions: [PlaybackAction]) -> [DeckID] {
    actions.compactMap { if case .dropDeck(let id) = $0 { id } else { nil } }
  }

  @Test("The film goes on in its signed version at its position, and back, as one play of one item")
  func back() {
    var bench = Bench(films(2, signed: [0]))
    _ = bench.begin()
    bench.feed(.frameShown(deck(1), streamTime: .seconds(2)), after: .seconds(2))
    let signed = bench.feed(.versionChosen(isSigned: true))
    #expect(built(signed) == ["0 signed0.mp4 2.0"] && dropped(signed) == [deck(1)])
    #expect(bench.notices.contains(.versionChanged(item: 0, deck(3), nil)))
    bench.feed(.deckReady(deck(3), DeckReadiness(duration: .seconds(4))))
    #expect(!bench.notices.contains { if case .itemStarted = $0 { true } else { false } })
    bench.feed(.frameShown(deck(3), streamTime: .seconds(2)))
    #expect(bench.machine.wantsToPlay && bench.machine.current?.item == 0)
    #expect(built(bench.feed(.versionChosen(isSigned: false))) == ["0 clip0.mp4 2.0"])
    #expect(bench.feed(.versionChosen(isSigned: false)) == [])
  }

  @Test("A seek that is under way ends in the other version")
  func seek() {
    var bench = Bench(films(1, signed: [0]))
    _ = bench.begin()
    bench.feed(.seekRequested(to: .seconds(3), .exact))
    #expect(built(bench.feed(.versionChosen(isSigned: true))) == ["0 signed0.mp4 3.0"])
    #expect(bench.machine.seekInFlight == nil && bench.machine.seekTarget == nil)
  }

  @Test("A film without a signed version isn't touched; the next film, which has one, is prepared again")
  func next() {
    var bench = Bench(films(2, signed: [1]))
    _ = bench.begin()
    #expect(bench.machine.next?.id == deck(2))
    let actions = bench.feed(.versionChosen(isSigned: true))
    #expect(built(actions) == ["1 signed1.mp4 0.0"] && dropped(actions) == [deck(2)])
    #expect(bench.machine.current?.id == deck(1))
    // A version that can't be played is the film itself, and the item isn't left out.
    let failed = bench.feed(.deckFailed(deck(3), Self.error))
    #expect(built(failed) == ["1 clip1.mp4 0.0"] && bench.machine.failures.shouldTry(1))
    // Asked for again, it is tried again.
    bench.feed(.versionChosen(isSigned: false))
    #expect(built(bench.feed(.versionChosen(isSigned: true))) == ["1 signed1.mp4 0.0"])
  }

  @Test("A signed version that can't be opened, or breaks off, leaves the film where it was, and is told once")
  func broken() {
    var bench = Bench(films(1, signed: [0]), loops: true)
    _ = bench.begin()
    bench.feed(.frameShown(deck(1), streamTime: .seconds(2)), after: .seconds(2))
    bench.feed(.versionChosen(isSigned: true))
    guard let version = bench.machine.current?.id else { return #expect(Bool(false), "there is no deck") }
    #expect(built(bench.feed(.deckFailed(version, Self.error))) == ["0 clip0.mp4 2.0"])
    let again = bench.machine.current?.id
    #expect(again.map { bench.notices.contains(.versionChanged(item: 0, $0, Self.error)) } == true)
    #expect(bench.machine.failures.shouldTry(0) && bench.machine.wantsToPlay)
    guard let again else { return }
    bench.feed(.deckReady(again, DeckReadiness(duration: .seconds(4))))
    bench.feed(.frameShown(again, streamTime: .seconds(2)))
    // The next round doesn't try it again.
    #expect(bench.machine.next == nil || bench.machine.next?.media.uri == "file:///clip0.mp4")
  }

  @Test("During a pause the other version's frame is shown; at a held end nothing changes")
  func paused() {
    var bench = Bench(films(1, signed: [0]))
    _ = bench.begin()
    bench.feed(.frameShown(deck(1), streamTime: .seconds(2)), after: .seconds(2))
    bench.feed(.pauseRequested)
    bench.feed(.versionChosen(isSigned: true))
    guard let version = bench.machine.current?.id else { return #expect(Bool(false), "there is no deck") }
    let actions = bench.feed(.deckReady(version, DeckReadiness(duration: .seconds(4))))
    #expect(actions.contains(.previewDeck(version)) && !bench.machine.wantsToPlay)

    var ended = Bench(films(1, signed: [0]))
    let first = ended.begin()
    ended.feed(.streamEnded(first, .video, at: .seconds(4)))
    ended.feed(.timerFired(.end(first)), after: .seconds(4))
    #expect(ended.feed(.versionChosen(isSigned: true)) == [])
  }

  @Test("The file of a version needs no checksum of the film, and brings its own captions")
  func details() {
    var film = files(1)[0]
    film.signed = "file:///signed0.mp4"
    (film.sha256, film.subtitles, film.start) = (String(repeating: "a", count: 64), ["file:///a.srt"], .seconds(1))
    let version = film.signedVersion(but: [])
    #expect(version.uri == "file:///signed0.mp4" && version.sha256 == nil && version.subtitles == [])
    #expect(version.start == .seconds(1) && version.signed == film.signed)
    #expect(film.signedVersion(but: ["file:///signed0.mp4"]) == film)
  }
}
