import Foundation
import KioskTestSupport
import PlaybackCore
import Testing

@testable import MediaPipeline

@Suite(
  "The headset's sound, real files", .serialized,
  .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/ffmpeg"), "FFmpeg is not installed (make setup)"))
struct HeadsetTests {
  private let usual = TrackPreferences(audioLanguages: ["en"], subtitles: .off)
  private let german = TrackPreferences(audioLanguages: ["de"], subtitles: .off)

  @Test("Until somebody chooses, the headset has what the loudspeaker has, block by block")
  func same() async throws {
    let folder = try await SoundFolder(seconds: 3)
    try folder.number("hall.de.wav")
    for wish in [usual, german] {
      let taped = try TapedDeck(folder.film, tracks: wish, loudspeaker: wish)
      taped.play(try await taped.ready())
      _ = try await taped.next { if case .streamEnded(.video, _, _, _) = $0 { true } else { nil } }
      #expect(taped.tape.all.count > 20 && taped.tape.all.map(\.stamp) == taped.other.all.map(\.stamp))
      taped.deck.drop()
    }
  }

  @Test(
    "A visitor's choice goes to the headset alone, in step over 50 seeks, from a file beside the film or from the film",
    arguments: ["hall.mp4", "two.mkv", "two.mp4", "two.ts"])
  func chosen(name: String) async throws {
    let folder = try await SoundFolder()
    try folder.number("hall.de.wav")
    var item = folder.film
    if name == "two.ts" {
      // A transport stream has no sound without loss. Its clock doesn't begin at zero.
      try await folder.clicks("clicks.flac")
      try await folder.make(
        name,
        ["-i", folder.folder.path("hall.mp4"), "-i", folder.folder.path("clicks.flac"), "-map", "0", "-map", "1"]
          + ["-c", "copy", "-c:a:1", "mp2", "-b:a:1", "384k", "-metadata:s:a:0", "language=eng"]
          + ["-metadata:s:a:1", "language=deu"])
      item = MediaItem(uri: folder.film.uri.replacing("hall.mp4", with: name), kind: .file)
    } else if name != "hall.mp4" {
      item = try await folder.film(name, withTrack: "hall.de.wav")
    }
    let taped = try TapedDeck(item, tracks: usual, loudspeaker: usual)
    var readiness = try await taped.ready()
    taped.play(readiness)
    _ = try await taped.otherBlock { $0.end > .milliseconds(300) }
    taped.deck.setTracks(german)
    _ = try await taped.otherBlock(\.isOfSide)
    var worst = 0.0
    for number in 1...50 as ClosedRange<UInt32> {
      readiness = try await taped.seek(to: .milliseconds(Int.random(in: 0..<28_000)), number: number)
      let before = (taped.tape.all.count, taped.other.all.count)
      taped.play(readiness)
      let until = readiness.firstRunningTime + (name == "two.ts" ? .milliseconds(600) : .milliseconds(60))
      _ = try await taped.otherBlock { $0.stamp.tag.epoch == FrameEpoch(seek: number) && $0.end > until }
      let blocks = Array(taped.other.all[before.1...])
      #expect(blocks.allSatisfy { $0.isOfSide } && taped.tape.all[before.0...].allSatisfy { !$0.isOfSide })
      if name == "two.ts" {
        for click in blocks.clicks() {
          let position = (readiness.firstPosition + (click - readiness.firstRunningTime)).inSeconds * 2
          worst = max(worst, abs(position - position.rounded()) * 500)
        }
      } else {
        for block in blocks { worst = max(worst, abs(block.lag(on: readiness).inMilliseconds)) }
      }
    }
    // MPEG sound, layer II, is late by 481 samples, the loudspeaker's too. Matroska counts in milliseconds.
    #expect(worst < (name == "two.ts" ? 11 : 1.1))
    #expect(taped.allWarnings == [])
    // Back to what the loudspeaker has.
    taped.deck.setTracks(usual)
    _ = try await taped.otherBlock { !$0.isOfSide }
    taped.deck.drop()
  }

  @Test("A broken file on the headset leaves the loudspeaker alone, and the headset has its sound")
  func broken() async throws {
    let folder = try await SoundFolder(seconds: 5)
    _ = try folder.folder.write("no sound", as: "hall.de.mp3")
    let taped = try TapedDeck(folder.film, tracks: german, loudspeaker: usual)
    taped.play(try await taped.ready())
    _ = try await taped.otherBlock { $0.end > .milliseconds(500) }
    #expect(taped.allWarnings.map(\.number) == [7690])
    #expect(taped.tape.all.allSatisfy { !$0.isOfSide } && taped.other.all.allSatisfy { !$0.isOfSide })
    taped.deck.drop()
  }
}
