import PlaybackCore
import Testing

@testable import VitrinePlayback

@Suite("Player: subtitles as timed text", .serialized)
struct PlayerSubtitleTests {
  private func player(_ item: MediaItem, _ tracks: TrackPreferences) throws -> Player {
    try Player(
      configuration: PlayerConfiguration(
        items: [item], output: .memory(size: PixelSize(width: 640, height: 360)), wantsSound: false, tracks: tracks))
  }

  /// Collects the texts as they change, up to the second empty list; the first is from before playback.
  private func texts(_ player: Player) async throws -> [[String]] {
    let sequence = player.subtitles(buffering: 64)
    await player.play()
    let told = try await inTime("subtitles that come and go") {
      var told: [[SubtitleCue]] = []
      for await cues in sequence {
        told.append(cues)
        if told.count > 1, cues.isEmpty { break }
      }
      return told
    }
    await player.stop()
    return told.map { $0.map(\.text) }
  }

  @Test("Embedded subtitles come and go with the frames of their time")
  func embedded() async throws {
    let player = try player(
      try await clip("tracks-320x240-25.mkv"), TrackPreferences(subtitleLanguages: ["en"], subtitles: .always))
    #expect(try await texts(player) == [[], ["Good evening"], []])
  }

  @Test("Subtitles of a file beside the film come and go too, two at once where they overlap")
  func sidecar() async throws {
    let film = try await FilmWithSubtitles(
      twoSeconds, subtitles: "1\n00:00:00,300 --> 00:00:01,500\nEins\n\n2\n00:00:00,900 --> 00:00:01,200\nZwei\n",
      as: ".de.srt")
    let player = try player(film.item, TrackPreferences(subtitleLanguages: ["de"], subtitles: .always))
    #expect(try await texts(player) == [[], ["Eins"], ["Eins", "Zwei"], ["Eins"], []])
  }

  @Test("A faulty subtitle file causes a warning, and the film plays on to its end")
  func broken() async throws {
    let film = try await FilmWithSubtitles(twoSeconds, subtitles: "No cue in here", as: ".srt")
    let player = try player(film.item, TrackPreferences(subtitles: .always))
    let events = player.events()
    await player.play()
    let told = try await events.until(.endOfQueue)
    let warnings = told.compactMap { event -> Int? in
      if case .warning(entry(0), let problem) = event { return problem.number }
      return nil
    }
    #expect(warnings == [3203])
    #expect(told.contains(.itemEnded(entry(0), .playedOut)))
    await player.stop()
  }

  @Test("An item's track preferences override the player's")
  func ofItem() async throws {
    var item = try await clip("tracks-320x240-25.mkv")
    item.tracks = TrackPreferences(audioLanguages: ["de"], subtitles: .off)
    let player = try player(item, TrackPreferences(audioLanguages: ["en"], subtitles: .always))
    await player.prepare()
    let status = try await player.reaches("its tracks") { $0.tracks.compactMap(\.language).count >= 3 }
    #expect(status.tracks.filter(\.isEnabled).map(\.id) == ["video-0", "audio-1"])
    await player.stop()
  }

  @Test("A seek shows the subtitles of its target, during a pause too; a later seek removes them")
  func seek() async throws {
    let film = try await FilmWithSubtitles(
      minute, subtitles: "1\n00:00:20,000 --> 00:00:30,000\nHier\n", as: ".srt")
    let player = try player(film.item, TrackPreferences(subtitles: .always))
    let sequence = player.subtitles(buffering: 64)
    await player.prepare()
    _ = await player.seek(to: .seconds(25))
    let there = try await inTime("the subtitle of the target") { await sequence.first { !$0.isEmpty } }
    #expect(there?.map(\.text) == ["Hier"])
    _ = await player.seek(to: .seconds(40))
    let now = player.subtitles()
    #expect(try await inTime("none after it") { await now.first { $0.isEmpty } } == [])
    await player.stop()
  }
}
