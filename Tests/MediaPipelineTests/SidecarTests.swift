import Foundation
import KioskTestSupport
import PlaybackCore
import Testing

@testable import MediaPipeline

@Suite("Subtitles beside the film, real files", .serialized)
struct SidecarTests {
  private static let told: @Sendable (Rig.Event) -> [MediaTrack]? = {
    if case .deck(_, .tracks(let tracks)) = $0 { tracks } else { nil }
  }
  private static let read: @Sendable (Rig.Event) -> (timeline: SubtitleTimeline, track: String)? = {
    if case .deck(_, .subtitles(let timeline, let track)) = $0 { (timeline, track) } else { nil }
  }

  /// A folder with a film, whose name has a blank and a letter outside of ASCII.
  private func film(_ clip: String = "h264-640x360-30-2s.mp4") async throws -> (
    folder: TemporaryDirectory, item: MediaItem
  ) {
    let folder = try TemporaryDirectory()
    let path = folder.path("Der Film ü.\(clip.split(separator: ".").last ?? "")")
    try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: try await Media.path(clip))
    return (folder, MediaItem(uri: URL(filePath: path).absoluteString, kind: .file))
  }

  private let german = "1\n00:00:01,000 --> 00:00:02,000\nGuten Abend\n"

  @Test("Sidecar files are offered as text tracks with the languages of their names, and the preferred one is read")
  func beside() async throws {
    let rig = try await Rig()
    let (folder, item) = try await film()
    _ = try folder.write(german, as: "Der Film ü.de.srt")
    _ = try folder.write("WEBVTT\n\n00:01.000 --> 00:02.000\nGood evening\n", as: "Der Film ü.en.forced.vtt")
    _ = try folder.write(german, as: "Ein anderer.de.srt")
    let deck = try rig.deck(1, item, tracks: TrackPreferences(subtitleLanguages: ["ger"], subtitles: .always))
    let text = try await rig.next(Self.told).filter { $0.kind == .text }
    #expect(text.map(\.language) == ["de", "en"])
    #expect(text.map(\.isForced) == [false, true])
    #expect(text.map(\.codec) == ["SubRip", "WebVTT"])
    #expect(text.map(\.isEnabled) == [true, false])
    let file = try await rig.next(Self.read)
    #expect(file.track == text[0].id && text[0].file == file.track)
    #expect(file.timeline.cues(at: .milliseconds(1500)).map(\.text) == ["Guten Abend"])
    // A second file is read when it is switched on by hand.
    deck.setTrack(text[1].id, isEnabled: true)
    #expect(try await rig.next(Self.told).filter(\.isEnabled).map(\.id) == ["video-0", text[1].id])
    #expect(try await rig.next(Self.read).timeline.cues.map(\.text) == ["Good evening"])
    deck.drop()
  }

  @Test("Sidecar files are listed beside the item's own subtitles, and the preferences choose among all")
  func besideEmbedded() async throws {
    let rig = try await Rig()
    let (folder, item) = try await film("tracks-320x240-25.mkv")
    _ = try folder.write(german, as: "Der Film ü.de.srt")
    let deck = try rig.deck(1, item, tracks: TrackPreferences(subtitleLanguages: ["de"], subtitles: .always))
    // The language of an embedded track may be reported after the first frame.
    let tracks = try await rig.next { event in
      Self.told(event).flatMap { $0.filter { $0.kind == .text }.map(\.language) == ["en", "de"] ? $0 : nil }
    }
    #expect(tracks.filter { $0.kind == .text && $0.isEnabled }.map(\.language) == ["de"])
    #expect(tracks.filter(\.isEnabled).count == 3)
    deck.drop()
  }

  @Test(
    "A bad file gives a warning with its number, and the film is ready all the same",
    arguments: [("Nothing in here.\n", 3203), (String(repeating: "x", count: 8 << 20 | 1), 3201)])
  func bad(text: String, number: Int) async throws {
    let rig = try await Rig()
    let (folder, item) = try await film()
    _ = try folder.write(text, as: "Der Film ü.srt")
    let deck = try rig.deck(1, item, tracks: TrackPreferences(subtitles: .always))
    #expect(try await rig.ready().hasVideo)
    let problem = try await rig.next { if case .deck(_, .warning(let error)) = $0 { error } else { nil } }
    #expect(problem.number == number)
    #expect(problem.subject.hasSuffix(".srt"))
    deck.play(base: rig.now)
    #expect(try await rig.frame(of: 1).wasRendered)
    deck.drop()
  }

  @Test("A subtitle file that the item names and that is missing gives a warning (3204)")
  func missing() async throws {
    let rig = try await Rig()
    var (folder, item) = try await film()
    item.subtitles = [URL(filePath: folder.path("gone.de.srt")).absoluteString]
    let deck = try rig.deck(1, item, tracks: TrackPreferences(subtitles: .always))
    let text = try await rig.next(Self.told).filter { $0.kind == .text }
    #expect(text.map(\.language) == ["de"])
    let problem = try await rig.next { if case .deck(_, .warning(let error)) = $0 { error } else { nil } }
    #expect(problem.number == 3204)
    deck.drop()
  }

  @Test("Bitmap subtitles aren't shown, and don't stop the item")
  func bitmaps() async throws {
    let rig = try await Rig()
    let deck = try await rig.deck(
      1, "bitmap-subtitles-320x240-25.ts", tracks: TrackPreferences(subtitles: .always))
    #expect(try await rig.next(Self.told).map(\.kind) == [.video, .text])
    deck.play(base: rig.now)
    let end = try await rig.next {
      switch $0 {
      case .deck(_, .streamEnded(.video, _, let buffers, _)): Int(buffers)
      case .deck(_, .cue): -1
      case .deck(_, .failed): -2
      default: nil
      }
    }
    #expect(end == 50)
    deck.drop()
  }

  @Test("A missing folder, and one with thousands of files, do no harm")
  func folders() throws {
    #expect(TextFile.names(in: "/nowhere/at/all", limit: 10).isEmpty)
    let folder = try TemporaryDirectory()
    for index in 0..<200 { _ = try folder.write(german, as: "film.\(index).srt") }
    #expect(TextFile.names(in: folder.url.path, limit: 50).count == 50)
    let film = MediaItem(uri: folder.url.appending(path: "film.mp4").absoluteString, kind: .file)
    let sidecars = Sidecars(of: film, servers: ServerSetup()) {
      _ in
    }
    sidecars.find()
    #expect(sidecars.tracks.count == FilesBeside.maximumCount)
    sidecars.close()
  }
}
