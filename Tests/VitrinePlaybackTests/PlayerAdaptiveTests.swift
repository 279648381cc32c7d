import PlaybackCore
import Testing

@testable import VitrinePlayback

@Suite("Player: DASH, HLS, and addresses that don't show the kind of medium", .serialized)
struct PlayerAdaptiveTests {
  /// Each stream with the number of the frame at 7.5 s.
  private static let streams = [
    ("hls-fmp4/clip.m3u8", 225),
    ("hls-ranges/clip.m3u8", 225), ("hls-breaks/clip.m3u8", 45), ("hls-key/clip.m3u8", 225),
    ("hls-parts/clip.m3u8", 225), ("hls-tracks/clip.m3u8", 225), ("dash-tracks/clip.mpd", 225),
    ("dash-number/clip.mpd", 225), ("dash-ranges/clip.mpd", 225),
  ]

  @Test("An adaptive stream has its duration, plays, and a seek shows the exact frame", arguments: streams)
  func seek(name: String, frame: Int) async throws {
    let clips = try await AdaptiveClips()
    let player = try makePlayer(clips.item(name))
    let ready = try await player.ready()
    let duration = try #require(ready.duration)
    #expect(isClose(duration, .seconds(12), .milliseconds(200)) && ready.canSeek && !ready.isLive)
    _ = await player.seek(to: .milliseconds(7500))
    #expect(isClose(player.status.position, .milliseconds(7500)))
    let shown = frameNumber(await player.captureFrame())
    #expect(shown == frame)
    // Key frames are a second apart.
    let rough = await player.seek(to: .milliseconds(9400), tolerance: .nearestKeyframe)
    let key = frameNumber(await player.captureFrame()).map { $0 + (frame == 225 ? 0 : 180) } ?? -1
    // DASH seeks by its segments of two seconds, and may take a neighbouring one.
    #expect((name.hasPrefix("dash") ? [240, 270, 300] : [270, 300]).contains(key), "\(key), \(rough)")
    _ = await player.seek(to: .milliseconds(7500))
    await player.play()
    _ = try await player.reaches("frames after it") { $0.position > .milliseconds(8500) }
    await player.pause()
    _ = await player.seek(to: .milliseconds(500))
    let back = frameNumber(await player.captureFrame())
    #expect(back == 15, "and back")
    await player.stop()
  }

  @Test("DASH with several periods reports that it can't be sought, and plays from one into the next")
  func periods() async throws {
    let clips = try await AdaptiveClips()
    let player = try makePlayer(clips.item("dash-periods/clip.mpd"))
    let ready = try await player.ready()
    #expect(isClose(try #require(ready.duration), .seconds(12), .milliseconds(200)) && !ready.canSeek)
    await player.play()
    _ = try await player.reaches("the second period") { $0.position > .milliseconds(6500) }
    await player.stop()
  }

  @Test(
    "Sound in two languages and subtitles in separate streams are tracks like others",
    arguments: ["dash-tracks/clip.mpd", "hls-tracks/clip.m3u8"])
  func tracks(name: String) async throws {
    let clips = try await AdaptiveClips()
    let player = try makePlayer(
      clips.item(name), tracks: TrackPreferences(subtitleLanguages: ["de"], subtitles: .always))
    await player.play()
    _ = try await player.reaches("the picture") { $0.position > .seconds(3) }
    let tracks = player.status.tracks
    #expect(tracks.filter { $0.kind == .audio }.count == 2, "\(tracks)")
    let text = try #require(tracks.first { $0.kind == .text })
    #expect(text.isEnabled, "\(tracks)")
    if name.hasPrefix("hls") { #expect(text.language == "de" && text.title == "Deutsch", "\(text)") }
    await player.stop()
  }

  @Test("Subtitles that HLS has in many small files are shown at their times")
  func subtitlesInParts() async throws {
    let clips = try await AdaptiveClips()
    let player = try makePlayer(
      clips.item("hls-tracks/clip.m3u8"), tracks: TrackPreferences(subtitleLanguages: ["de"], subtitles: .always))
    _ = try await player.ready()
    for (position, text) in [(6, "Zwei"), (4, nil), (2, "Eins")] {
      _ = await player.seek(to: .seconds(position))
      let shown = player.subtitles()
      let wanted = text.map { [$0] } ?? []
      let found = try await inTime("\(wanted)") { await shown.first { $0.map(\.text) == wanted } }
      #expect(found != nil)
    }
    await player.stop()
  }

  @Test(
    "The first bytes tell the kind of medium: it is reopened once at most, and no item fails (S22)",
    arguments: [
      ("hls-fmp4/7", "as=hls-fmp4/clip.m3u8"), ("dash-tracks/7", "as=dash-tracks/clip.mpd&type=text/plain"),
      ("7.jpg", "as=film/film.mp4"), ("7.m3u8", "as=film/film.mp4&type=audio/x-mpegurl"),
    ])
  func unknown(path: String, wishes: String) async throws {
    let clips = try await AdaptiveClips()
    let guess: MediaKind = path.hasSuffix("jpg") ? .picture : path.hasSuffix("m3u8") ? .adaptive : .progressive
    let player = try makePlayer(clips.item(path, wishes, kind: guess))
    let events = player.events()
    let ready = try await player.ready()
    let duration = try #require(ready.duration)
    #expect(isClose(duration, .seconds(12), .milliseconds(200)))
    await player.play()
    _ = try await player.reaches("some of it") { $0.position > .milliseconds(300) }
    await player.stop()
    let failures = try await events.all().filter { if case .itemFailed = $0 { true } else { false } }
    #expect(failures.isEmpty, "\(failures)")
  }

  @Test("A picture at an address without an extension stays for a picture's usual time")
  func picture() async throws {
    let clip = try await ServedClip("stream", "as=picture-640x480.jpg")
    let player = try makePlayer(clip.item)
    let ready = try await player.ready()
    #expect(ready.duration == PlaybackPolicy().pictureDuration && !ready.canSeek)
    await player.stop()
  }

  @Test("A list of addresses fails as an item in a program without a list reader")
  func list() async throws {
    let clips = try await AdaptiveClips()
    // A playlist, in an application without a reader of lists.
    let player = try makePlayer(clips.item("list", "as=film/list.m3u", kind: .progressive))
    let events = player.events()
    await player.play()
    let told = try await events.until("a failure") { if case .itemFailed = $0 { true } else { false } }
    #expect("\(told)".contains("3005"), "\(told)")
    await player.stop()
  }
}
