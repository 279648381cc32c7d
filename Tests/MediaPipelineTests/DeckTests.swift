import CGStreamer
import Foundation
import KioskTestSupport
import MainLoop
import PlaybackCore
import Testing

@testable import MediaPipeline

@Suite("Decks in front of an output, real files", .serialized)
struct DeckTests {
  @Test("A deck reports its facts when its first frame is there, and shows nothing before it plays")
  func ready() async throws {
    let rig = try await Rig()
    let deck = try await rig.deck(1, "h264-640x360-30-2s.mp4")
    let readiness = try await rig.ready()
    #expect(readiness.hasVideo && !readiness.hasSound && !readiness.isLive && readiness.isSeekable)
    #expect(readiness.firstRunningTime == .zero)
    #expect(readiness.duration == .seconds(2))
    deck.play(base: rig.now)
    let frame = try await rig.frame(of: 1)
    #expect(frame.index == 0 && frame.streamTime == .zero && frame.wasRendered)
    deck.drop()
    _ = try await rig.next { if case .deck(_, .gone) = $0 { true } else { nil } }
  }

  @Test("The end of the stream is reported with its running time, its number of frames and the last one's length")
  func ends() async throws {
    let rig = try await Rig()
    let deck = try await rig.deck(1, "h264-640x360-30-2s.mp4", from: .milliseconds(1500))
    _ = try await rig.ready()
    deck.play(base: rig.now)
    let frame = try await rig.frame(of: 1)
    #expect(abs((frame.streamTime - .milliseconds(1500)).inMilliseconds) < 34)
    let end = try await rig.next {
      if case .deck(_, .streamEnded(.video, let at, let buffers, let last)) = $0 { (at, buffers, last) } else { nil }
    }
    #expect(abs(end.0.inSeconds - 0.5) < 0.04)
    #expect((14...16).contains(end.1))
    #expect(abs(end.2.inMilliseconds - 33.3) < 0.5)
    deck.drop()
  }

  @Test("An output that is closed while the last frame is on its way to the screen shows it first")
  func showsLast() async throws {
    let rig = try await Rig()
    let deck = try await rig.deck(1, "h264-640x360-30-2s.mp4", from: .milliseconds(1500))
    _ = try await rig.ready()
    deck.play(base: rig.now)
    let count = try await rig.next {
      if case .deck(_, .streamEnded(.video, _, let buffers, _)) = $0 { buffers } else { nil }
    }
    deck.drop()
    rig.output.close(showsLast: true)
    let isShown = try await rig.next { event -> Bool? in
      switch event {
      case .output(.frame(let frame)) where frame.index == count - 1: frame.wasRendered
      case .output(.closed): false
      default: nil
      }
    }
    #expect(isShown)
  }

  @Test("A deck that is gone leaves nothing in memory", arguments: ["h264-640x360-30-2s.mp4", "picture-640x480.jpg"])
  func leavesNothing(clip: String) async throws {
    final class Left: Sendable {
      weak let chain: VideoChain?
      init(_ chain: VideoChain) { self.chain = chain }
    }
    let rig = try await Rig()
    func play() async throws -> Left {
      let deck = try await rig.deck(1, clip, kind: clip.hasSuffix("jpg") ? .picture : .file)
      _ = try await rig.ready()
      deck.play(base: rig.now)
      _ = try await rig.next { if case .deck(_, .streamEnded) = $0 { true } else { nil } }
      deck.drop()
      _ = try await rig.next { if case .deck(_, .gone) = $0 { true } else { nil } }
      return Left(deck.parts.videoChain)
    }
    let left = try await play()
    // Reported from the deck's own thread, which may not have returned yet.
    try await eventually("the chain is freed") { left.chain == nil }
  }

  @Test("A picture is one frame that lasts as long as the recipe says")
  func picture() async throws {
    let rig = try await Rig()
    let deck = try await rig.deck(1, "picture-640x480.jpg", kind: .picture)
    let readiness = try await rig.ready()
    #expect(readiness.duration == .milliseconds(500) && !readiness.isSeekable)
    deck.play(base: rig.now)
    let end = try await rig.next {
      if case .deck(_, .streamEnded(.video, let at, let buffers, _)) = $0 { (at, buffers) } else { nil }
    }
    #expect(end.0 == .milliseconds(500) && end.1 == 1)
    deck.drop()
  }

  @Test(
    "A seek of a held deck shows its new frame at once: the exact one, or the nearest key frame (S19)",
    arguments: [(SeekMode.exact, 1240), (.keyframe, 1000)])
  func seek(mode: SeekMode, expected: Int) async throws {
    let rig = try await Rig()
    let deck = try await rig.deck(1, "h264-640x360-30-2s.mp4")
    _ = try await rig.ready()
    deck.seek(to: .milliseconds(1240), mode, rate: 1, seek: 7, preview: true)
    // The frame comes before the answer or after it: events are awaited in the order in which they come.
    let shown = try await rig.frame(of: 1)
    // Key frames are half a second apart; the exact frame is the one that covers the time.
    #expect(abs(shown.streamTime.inMilliseconds - Double(expected)) < 34, "\(shown)")
    deck.play(base: rig.now)
    let following = try await rig.frame(of: 1)
    #expect(following.streamTime > shown.streamTime, "the previewed frame isn't shown twice")
    deck.drop()
  }

  @Test("At twice the speed the item ends after half the running time (S18)")
  func doubleRate() async throws {
    let rig = try await Rig()
    let deck = try await rig.deck(1, "h264-640x360-30-2s.mp4")
    _ = try await rig.ready()
    deck.seek(to: .zero, .exact, rate: 2, seek: 1, preview: false)
    _ = try await rig.next { if case .deck(_, .seekFinished(1, let readiness)) = $0 { readiness } else { nil } }
    deck.play(base: rig.now)
    let end = try await rig.next { if case .deck(_, .streamEnded(.video, let at, _, _)) = $0 { at } else { nil } }
    #expect(abs(end.inSeconds - 1) < 0.04)
    deck.drop()
  }

  @Test(
    "A deck that reports reverse playback plays backwards: frames come in falling order down to the first (S18)",
    arguments: ["h264-640x360-30-2s.mp4", "vp8-vorbis-320x240-25.webm", "theora-vorbis-320x240-25.ogg"])
  func reverse(clip: String) async throws {
    let rig = try await Rig()
    let deck = try await rig.deck(1, clip)
    #expect(try await rig.ready().canPlayReverse)
    deck.seek(to: .milliseconds(1000), .exact, rate: -1, seek: 1, preview: false)
    _ = try await rig.next { if case .deck(_, .seekFinished(1, let readiness)) = $0 { readiness } else { nil } }
    deck.play(base: rig.now)
    var times: [Duration] = []
    while times.count < 20 { times.append(try await rig.frame(of: 1).streamTime) }
    #expect(times == times.sorted(by: >), "\(times)")
    #expect(times[0] <= .milliseconds(1040) && times[0] > .milliseconds(800))
    let end = try await rig.next { if case .deck(_, .streamEnded(.video, let at, _, _)) = $0 { at } else { nil } }
    #expect(abs(end.inSeconds - 1) < 0.1)
    deck.drop()
  }

  @Test("A picture reports neither seeking nor reverse playback")
  func pictureCannot() async throws {
    let rig = try await Rig()
    let deck = try await rig.deck(1, "picture-800x600.png", kind: .picture)
    let readiness = try await rig.ready()
    #expect(!readiness.canPlayReverse && !readiness.isSeekable)
    deck.drop()
  }

  @Test("Tracks are reported with their languages; the preferred ones are on; each can be switched (S20, S21)")
  func tracks() async throws {
    let rig = try await Rig()
    let deck = try await rig.deck(
      1, "tracks-320x240-25.mkv", tracks: TrackPreferences(audioLanguages: ["de"], subtitles: .off))
    let told: @Sendable (Rig.Event) -> [MediaTrack]? = {
      if case .deck(_, .tracks(let tracks)) = $0 { tracks } else { nil }
    }
    // The language of the subtitles may be reported after the first frame.
    let tracks = try await rig.next { event in
      told(event).flatMap { $0.dropFirst().map(\.language) == ["en", "de", "en"] ? $0 : nil }
    }
    #expect(tracks.map(\.kind) == [.video, .audio, .audio, .text])
    #expect(tracks.filter(\.isEnabled).map(\.id) == ["video-0", "audio-1"])
    // Tags of a stream that begins late may come in between, and are told, too.
    func on(_ wanted: [String]) async throws {
      _ = try await rig.next { told($0).flatMap { $0.filter(\.isEnabled).map(\.id) == wanted ? true : nil } }
    }
    deck.setTrack("audio-0", isEnabled: true)
    try await on(["video-0", "audio-0"])
    deck.setTrack("video-0", isEnabled: false)
    try await on(["audio-0"])
    deck.drop()
  }

  @Test("A video track that is off shows nothing, and the item ends all the same")
  func videoOff() async throws {
    let rig = try await Rig()
    let deck = try await rig.deck(1, "h264-640x360-30-2s.mp4", from: .milliseconds(1700))
    _ = try await rig.ready()
    deck.setTrack("video-0", isEnabled: false)
    _ = try await rig.next { if case .deck(_, .tracks(let tracks)) = $0, !tracks[0].isEnabled { true } else { nil } }
    deck.play(base: rig.now)
    let end = try await rig.next {
      switch $0 {
      case .output(.frame): (Duration.zero, UInt32.max)
      case .deck(_, .streamEnded(.video, let at, let buffers, _)): (at, buffers)
      default: nil
      }
    }
    #expect(end.1 == 0, "no frame came out")
    #expect(abs(end.0.inSeconds - 0.3) < 0.04)
    deck.drop()
  }

  @Test("Subtitles in the item come as cues in the item's time, in the preferred language")
  func subtitles() async throws {
    let rig = try await Rig()
    let deck = try await rig.deck(
      1, "tracks-320x240-25.mkv", tracks: TrackPreferences(subtitleLanguages: ["en"], subtitles: .always))
    _ = try await rig.ready()
    deck.play(base: rig.now)
    let cue = try await rig.next { if case .deck(_, .cue(let cue)) = $0 { cue } else { nil } }
    #expect(cue.text == "Good evening")
    #expect(cue.start == .seconds(1) && cue.end == .seconds(2))
    deck.drop()
  }

  @Test("Once a newer deck has pushed a frame, frames of older decks are not shown")
  func newestWins() async throws {
    let rig = try await Rig()
    let old = try await rig.deck(1, "h264-640x360-30-2s.mp4")
    _ = try await rig.ready()
    let new = try await rig.deck(2, "vp8-vorbis-320x240-25.webm")
    _ = try await rig.ready()
    old.play(base: rig.now)
    _ = try await rig.frame(of: 1)
    new.play(base: rig.now)
    _ = try await rig.frame(of: 2)
    for _ in 0..<10 {
      let deck = try await rig.next { if case .output(.frame(let frame)) = $0 { frame.deck } else { nil } }
      #expect(deck.generation == 2)
    }
    old.drop()
    new.drop()
  }

  @Test("The size is reported with the shape of its pixels (S5)")
  func anamorphic() async throws {
    let rig = try await Rig()
    let deck = try await rig.deck(1, "anamorphic-720x576.mp4")
    let size = try await rig.next { if case .deck(_, .mediaSize(let size, _)) = $0 { size } else { nil } }
    #expect(
      size
        == PresentationSize(
          pixels: PixelSize(width: 720, height: 576), pixelAspect: Ratio(numerator: 16, denominator: 15)))
    deck.drop()
  }

  @Test("An error is reported once, with its number, and the deck is taken down all the same")
  func fails() async throws {
    let rig = try await Rig()
    let deck = try await rig.deck(1, "text.mp4")
    let error = try await rig.next { if case .deck(_, .failed(let error)) = $0 { error } else { nil } }
    #expect(error.number == 3001)
    deck.drop()
    let isGone = try await rig.next {
      switch $0 {
      case .deck(_, .failed): false
      case .deck(_, .gone): true
      default: nil
      }
    }
    #expect(isGone)
  }

  @Test("The default track is the first that its container advises, once the flags of all tracks are known")
  func defaultTrack() {
    let (none, select, unselect) = (
      UInt32(0), UInt32(GST_STREAM_FLAG_SELECT.rawValue), UInt32(GST_STREAM_FLAG_UNSELECT.rawValue)
    )
    for (flags, wanted) in [
      ([], 0), ([none, none], 0), ([none, select], 1), ([select, select], 0), ([unselect, none], 1),
      ([unselect, unselect], 0), ([.max, select], 0), ([none, select, .max], 0),
    ] as [([UInt32], Int)] {
      #expect(PlaybinTracks.defaultIndex(flags) == wanted, "\(flags)")
    }
  }

  @Test("Frames of adaptive streams leave the deck as late with muted sound as without sound")
  func silentParts() async throws {
    let directory = try TemporaryDirectory()
    let command =
      "ffmpeg -nostdin -v error -f lavfi -i testsrc2=s=320x180:r=25:d=2 -f lavfi -i sine=d=2 -c:v libx264 -preset ultrafast "
      + "-pix_fmt yuv420p -c:a aac -f hls \"$0\""
    let list = directory.path("a.m3u8")
    #expect(try await Tool.run("sh", ["-c", command, list], limit: 60).status == 0)
    let rig = try await Rig()
    let deck = try rig.deck(1, MediaItem(uri: URL(filePath: list).absoluteString, kind: .adaptive))
    _ = try await rig.ready()
    let sink = UnsafeMutableRawPointer(deck.parts.videoSink.pointer).assumingMemoryBound(to: GstBaseSink.self)
    let offset = gst_base_sink_get_ts_offset(sink)
    let lead = Int64((deck.longestLead - DeckTiming.videoLead).wholeNanoseconds)
    #expect(lead > 0 && offset == lead)
    deck.drop()
  }

  @Test("A song that is opened again with its sound doesn't fail by what its pipeline says while it is shut down")
  func reopening() async throws {
    let rig = try await Rig()
    let deck = try await rig.deck(1, "tagged.mp3", prepares: false)
    let broken = MediaFault(domain: .stream, code: 1, message: "Internal data stream error.")
    // As between the first opening and the second one, which is too short to be met for sure.
    deck.state.withLock { $0.opening = .reopening }
    deck.receiveMessage(.error(broken))
    deck.state.withLock { $0.opening = .first }
    deck.prepare()
    let hasSound = try await rig.next { event -> Bool? in
      switch event {
      case .deck(_, .ready(let readiness)): readiness.hasSound
      case .deck(_, .failed): false
      default: nil
      }
    }
    #expect(hasSound)
    deck.drop()
  }

  @Test("The captured frame is the one on the screen, in its own size")
  func capture() async throws {
    let rig = try await Rig()
    let deck = try await rig.deck(1, "picture-640x480.jpg", kind: .picture)
    _ = try await rig.ready()
    deck.play(base: rig.now)
    _ = try await rig.frame(of: 1)
    let frame = await withCheckedContinuation { done in rig.output.captureFrame { done.resume(returning: $0.frame) } }
    // Pictures are fitted to the screen on their way: 640x480 on 640x360 becomes 480x360.
    #expect(frame?.size.pixels == PixelSize(width: 480, height: 360))
    #expect(frame?.pixels.count == 480 * 360)
    deck.drop()
  }
}
