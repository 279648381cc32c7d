import CGStreamer
import Foundation
import KioskTestSupport
import PlaybackCore
import Testing

@testable import MediaPipeline

@Suite(
  "Sound beside the film, real files", .serialized,
  .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/ffmpeg"), "FFmpeg is not installed (make setup)"))
struct SideSoundTests {
  @Test("Over 200 seeks every sample is where the picture says, and none of the film's own sound is heard")
  func seeks() async throws {
    let folder = try await SoundFolder()
    try folder.number("hall.de.wav")
    let taped = try TapedDeck(folder.film)
    var readiness = try await taped.ready()
    var worst = Duration.zero
    var random = SystemRandomNumberGenerator()
    for number in 0...200 as ClosedRange<UInt32> {
      if number > 0 {
        let target = Duration.milliseconds(Int.random(in: 0..<(folder.seconds * 1000 - 1500), using: &random))
        readiness = try await taped.seek(to: target, number % 4 == 0 ? .keyframe : .exact, number: number)
      }
      let before = taped.tape.all.count
      taped.play(readiness)
      let epoch = FrameEpoch(seek: number)
      let first = try await taped.block { $0.stamp.tag.epoch == epoch || number == 0 }
      _ = try await taped.block { $0.end > first.end + .milliseconds(60) }
      let blocks = taped.tape.all[before...].filter { $0.stamp.tag.epoch == first.stamp.tag.epoch }
      #expect(blocks.allSatisfy { $0.isOfSide }, "seek \(number)")
      for block in blocks { worst = max(worst, max(block.lag(on: readiness), .zero - block.lag(on: readiness))) }
      // From the first picture on.
      #expect(first.stamp.running - readiness.firstRunningTime < .milliseconds(1), "seek \(number)")
    }
    #expect(worst < .milliseconds(1))
    #expect(taped.allWarnings == [])
    taped.deck.drop()
  }

  @Test(
    "The usual formats are in step, wherever they are entered",
    arguments: [
      ("m4a", ["-c:a", "aac"]), ("mp3", ["-c:a", "libmp3lame"]), ("ogg", ["-c:a", "libvorbis"]),
      ("opus", ["-c:a", "libopus"]), ("flac", []), ("aiff", []), ("wav", ["-ar", "22050"]),
      ("mp3", ["-ar", "22050", "-c:a", "libmp3lame"]), ("mp3", ["-ar", "44100", "-write_xing", "0"]),
      ("m4a", ["-ar", "44100", "-ac", "2", "-c:a", "aac"]),
    ])
  func formats(name: String, options: [String]) async throws {
    let folder = try await SoundFolder(seconds: 12)
    try await folder.clicks("hall.de.\(name)", options)
    let taped = try TapedDeck(folder.film)
    var readiness = try await taped.ready()
    var offs: [Double] = []
    for (number, target) in [0, 3333, 8210, 1007].enumerated() {
      if number > 0 { readiness = try await taped.seek(to: .milliseconds(target), number: UInt32(number)) }
      let before = taped.tape.all.count
      taped.play(readiness)
      let until = readiness.firstRunningTime + .milliseconds(1100)
      let epoch = FrameEpoch(seek: UInt32(number))
      _ = try await taped.block { $0.end > until && ($0.stamp.tag.epoch == epoch || number == 0) }
      let blocks = Array(taped.tape.all[before...]).filter(\.isOfSide)
      for click in blocks.clicks() {
        let position = readiness.firstPosition + (click - readiness.firstRunningTime)
        offs.append((position.inSeconds * 2 - (position.inSeconds * 2).rounded()) * 500)
      }
    }
    #expect(offs.count >= 8)
    for off in offs { #expect(abs(off) < 3, "\(off) ms") }
    taped.deck.drop()
  }

  /// The filter that keeps the pitch lays strides of 30 ms over each other, up to 14 ms from their place.
  @Test("At other speeds it is as much in step as the film's own sound", arguments: [0.5, 1.5, 2])
  func speeds(rate: Double) async throws {
    let folder = try await SoundFolder(seconds: 12)
    try await folder.clicks("hall.de.wav")
    try await folder.make(
      "loud.mp4",
      ["-i", folder.folder.path("hall.mp4"), "-i", folder.folder.path("clicks.wav"), "-map", "0:v"]
        + ["-map", "1", "-c:v", "copy", "-c:a", "flac", "-strict", "-2"])
    for item in [folder.film, MediaItem(uri: folder.film.uri.replacing("hall.mp4", with: "loud.mp4"), kind: .file)] {
      let taped = try TapedDeck(item)
      _ = try await taped.ready()
      let readiness = try await taped.seek(to: .seconds(2), number: 1, rate: rate)
      taped.play(readiness)
      let until = readiness.firstRunningTime + .seconds(3)
      _ = try await taped.block { $0.end > until }
      let offs = taped.tape.all.clicks().map { click in
        let position = (readiness.firstPosition + (click - readiness.firstRunningTime) * rate).inSeconds * 2
        return (position - position.rounded()) * 500
      }
      #expect(offs.count >= 2)
      for off in offs { #expect(abs(off) < 44, "\(off) ms") }
      taped.deck.drop()
    }
  }

  @Test("The files are tracks like others: by language, description and preference; forty of them are no trouble")
  func tracks() async throws {
    let folder = try await SoundFolder(seconds: 3)
    try folder.number("hall.de.wav")
    let languages = [
      "en", "fr", "it", "es", "nl", "pl", "pt", "sv", "da", "fi", "no", "cs", "sk", "hu", "ro", "bg", "el", "tr", "et",
    ]
    for name in languages + languages.map({ "ad.\($0)" }) + ["ad"] {
      try FileManager.default.linkItem(
        atPath: folder.folder.path("hall.de.wav"), toPath: folder.folder.path("hall.\(name).wav"))
    }
    let taped = try TapedDeck(
      folder.film, tracks: TrackPreferences(audioLanguages: ["en"], subtitles: .off, audioDescription: true))
    let sounds = try await taped.tracks().filter { $0.kind == .audio }
    #expect(sounds.count == 41 && sounds[0].file == nil)
    let heard = sounds.filter(\.isEnabled)
    #expect(heard.map { $0.file?.hasSuffix("/hall.ad.en.wav") } == [true] && heard[0].isDescription)
    #expect(heard[0].codec == "WAV" && heard[0].language == "en")
    let readiness = try await taped.ready()
    taped.play(readiness)
    let first = try await taped.block { _ in true }
    #expect(first.isOfSide)
    // Back to the film's own, as a visitor's second press does.
    taped.deck.setTracks(TrackPreferences(audioLanguages: ["xx"], subtitles: .off))
    _ = try await taped.block { !$0.isOfSide }
    taped.deck.drop()
  }

  @Test("Tiles know of a description beside a film before it plays")
  func besideFiles() throws {
    let folder = try TemporaryDirectory()
    for name in ["a.mp4", "a.ad.en.mp3", "b.mp4", "b.de.mp3", "b.en.srt"] { _ = try folder.write("", as: name) }
    let films = ["a", "b"].map { MediaItem(uri: URL(filePath: folder.path("\($0).mp4")).absoluteString, kind: .file) }
    let found = FilesBeside.find(for: films)
    #expect(found.map(\.hasDescription) == [true, false] && found.map(\.hasCaptions) == [false, true])
  }

  @Test("A choice while the film plays is heard in step, without a gap or the same moment twice; held, it waits")
  func later() async throws {
    let folder = try await SoundFolder()
    try folder.number("hall.de.wav")
    let none = TrackPreferences(audioLanguages: ["en"], subtitles: .off)
    let german = TrackPreferences(audioLanguages: ["de"], subtitles: .off)
    let taped = try TapedDeck(folder.film, tracks: none)
    let readiness = try await taped.ready()
    var base = taped.play(readiness)
    let own = try await taped.block { $0.end > .milliseconds(700) }
    #expect(!own.isOfSide)
    taped.deck.setTracks(german)
    let first = try await taped.block(\.isOfSide)
    let film = try #require(taped.tape.all.last { !$0.isOfSide })
    #expect(first.stamp.running < film.end + .milliseconds(1), "no gap")
    #expect(abs(first.lag(on: readiness).inMilliseconds) < 1)
    taped.deck.setTracks(none)
    _ = try await taped.block { !$0.isOfSide && $0.stamp.running > first.end }
    // Chosen while the film is held.
    taped.deck.pause()
    let heldAt = Instant.monotonicNow - base
    taped.deck.setTracks(german)
    _ = try await taped.tracks { $0.contains { $0.file != nil && $0.isEnabled } }
    base = .monotonicNow + .milliseconds(40) - heldAt
    taped.deck.play(base: base)
    let again = try await taped.block { $0.isOfSide && $0.stamp.running > first.end }
    #expect(abs(again.lag(on: readiness).inMilliseconds) < 1)
    // And held and played on.
    taped.deck.pause()
    let secondAt = Instant.monotonicNow - base
    taped.deck.play(base: .monotonicNow + .milliseconds(40) - secondAt)
    let end = secondAt + .milliseconds(500)
    _ = try await taped.block { $0.stamp.running > end }
    let blocks = taped.tape.all.filter { $0.isOfSide && $0.stamp.running >= again.stamp.running }
    for (one, two) in zip(blocks, blocks.dropFirst()) {
      #expect(abs((two.stamp.running - one.end).inMilliseconds) < 0.1 && abs(two.lag(on: readiness).inMilliseconds) < 1)
    }
    taped.deck.drop()
  }

  @Test("Backwards it is silent, as the film's own sound is; forwards again it is in step")
  func backwards() async throws {
    let folder = try await SoundFolder(seconds: 8)
    try folder.number("hall.de.wav")
    let taped = try TapedDeck(folder.film)
    taped.play(try await taped.ready())
    _ = try await taped.block(\.isOfSide)
    let back = try await taped.seek(to: .seconds(5), number: 1, rate: -1)
    let before = taped.tape.all.count
    taped.play(back)
    let eye = taped.eye
    _ = try await KioskTestSupport.first(of: eye.frames) { eye.count > 60 ? true : nil }
    #expect(taped.tape.all.count == before)
    let forth = try await taped.seek(to: .seconds(4), number: 2)
    taped.play(forth)
    let first = try await taped.block { $0.stamp.tag.epoch == FrameEpoch(seek: 2) }
    #expect(first.isOfSide && abs(first.lag(on: forth).inMilliseconds) < 1)
    taped.deck.drop()
  }

  @Test("A film without sound of its own is heard from the file beside it")
  func silentFilm() async throws {
    let folder = try await SoundFolder(seconds: 3, hasSound: false)
    try folder.number("hall.de.wav")
    let taped = try TapedDeck(folder.film, tracks: TrackPreferences())
    let readiness = try await taped.ready()
    taped.play(readiness)
    let first = try await taped.block { _ in true }
    #expect(first.isOfSide && abs(first.lag(on: readiness).inMilliseconds) < 1)
    _ = try await taped.next { if case .streamEnded(.video, _, _, _) = $0 { true } else { nil } }
    taped.deck.drop()
  }

  @Test("A sound that ends before the film is told once, with silence behind it; a longer sound ends with the film")
  func lengths() async throws {
    for (seconds, number) in [(2, 7692), (9, nil)] as [(Int, Int?)] {
      let folder = try await SoundFolder(seconds: 5)
      try folder.number("hall.de.wav", seconds: seconds)
      let taped = try TapedDeck(folder.film)
      for round in 0..<2 as Range<UInt32> {
        let readiness = round == 0 ? try await taped.ready() : try await taped.seek(to: .seconds(1), number: round)
        taped.play(readiness)
        _ = try await taped.next { if case .streamEnded(.sound, _, _, _) = $0 { true } else { nil } }
        let blocks = taped.tape.all.filter { $0.stamp.tag.epoch == FrameEpoch(seek: round) || round == 0 }
        let end = try #require(blocks.map(\.end).max()) - readiness.firstRunningTime
        #expect(abs((readiness.firstPosition + end - .seconds(min(seconds, 5))).inMilliseconds) < 50)
      }
      #expect(taped.tape.all.allSatisfy { $0.isOfSide })
      #expect(taped.allWarnings.map(\.number) == [number].compactMap(\.self))
      // Behind its end.
      let readiness = try await taped.seek(to: .seconds(4), number: 2)
      let count = taped.tape.all.count
      taped.play(readiness)
      _ = try await taped.next { if case .streamEnded(.sound, _, _, _) = $0 { true } else { nil } }
      #expect((taped.tape.all.count > count) == (seconds > 5))
      taped.deck.drop()
    }
  }

  @Test(
    "A file that is no sound is told once (7690), is no track any more, and the film's own sound is heard",
    arguments: ["text", "film", "empty", "list", "cut"])
  func bad(what: String) async throws {
    let folder = try await SoundFolder(seconds: 4)
    let path = folder.folder.path("hall.de.mp3")
    switch what {
    case "text": _ = try folder.folder.write(String(repeating: "This is no sound.\n", count: 500), as: "hall.de.mp3")
    case "film":
      try await folder.make("silent.mp4", ["-i", folder.folder.path("hall.mp4"), "-an", "-c", "copy"])
      try FileManager.default.moveItem(atPath: folder.folder.path("silent.mp4"), toPath: path)
    case "list": _ = try folder.folder.write("#EXTM3U\n#EXTINF:4,\nhall.mp4\n", as: "hall.de.mp3")
    case "cut":
      try await folder.clicks("hall.de.m4a", ["-c:a", "aac"])
      let whole = try Data(contentsOf: URL(filePath: folder.folder.path("hall.de.m4a")))
      try whole.prefix(whole.count / 2).write(to: URL(filePath: path))
      try FileManager.default.removeItem(atPath: folder.folder.path("hall.de.m4a"))
    default: _ = try folder.folder.write("", as: "hall.de.mp3")
    }
    let taped = try TapedDeck(folder.film)
    let readiness = try await taped.ready()
    taped.play(readiness)
    let tracks = try await taped.tracks { !$0.contains { $0.file != nil } }
    #expect(tracks.filter { $0.kind == .audio }.map(\.isEnabled) == [true])
    let warnings = taped.allWarnings
    #expect(warnings.map(\.number) == [7690] && warnings[0].subject.hasSuffix("/hall.de.mp3"), "\(warnings)")
    let own = try await taped.block { _ in true }
    #expect(!own.isOfSide)
    _ = try await taped.next { if case .streamEnded(.video, _, _, _) = $0 { true } else { nil } }
    taped.deck.drop()
  }

  @Test("After a broken one the next best is heard")
  func nextBest() async throws {
    let folder = try await SoundFolder(seconds: 6)
    _ = try folder.folder.write("nothing", as: "hall.ad.de.wav")
    try folder.number("hall.ad.wav")
    let taped = try TapedDeck(
      folder.film, tracks: TrackPreferences(audioLanguages: ["de"], subtitles: .off, audioDescription: true))
    let readiness = try await taped.ready()
    taped.play(readiness)
    let first = try await taped.block(\.isOfSide)
    #expect(first.stamp.lane == 2 && abs(first.lag(on: readiness).inMilliseconds) < 1)
    taped.deck.drop()
  }

  @Test("A file that is deleted while it plays goes on, through seeks; one that appears is there at the next opening")
  func comesAndGoes() async throws {
    let folder = try await SoundFolder(seconds: 10)
    try folder.number("hall.de.wav")
    let taped = try TapedDeck(folder.film)
    taped.play(try await taped.ready())
    _ = try await taped.block(\.isOfSide)
    try FileManager.default.removeItem(atPath: folder.folder.path("hall.de.wav"))
    let readiness = try await taped.seek(to: .seconds(5), number: 1)
    taped.play(readiness)
    let first = try await taped.block { $0.stamp.tag.epoch == FrameEpoch(seek: 1) }
    #expect(first.isOfSide && abs(first.lag(on: readiness).inMilliseconds) < 1)
    try folder.number("hall.ad.de.wav")
    let next = try TapedDeck(folder.film)
    let files = try await next.tracks().compactMap(\.file)
    #expect(files.map { $0.hasSuffix("/hall.ad.de.wav") } == [true])
    for deck in [taped, next] { deck.deck.drop() }
  }

  @Test("The pipeline of a side sound is freed with its deck, and with the choice of another sound")
  func freed() async throws {
    let folder = try await SoundFolder(seconds: 6)
    try folder.number("hall.de.wav")
    weak var lanes: SoundLanes?
    func play() async throws {
      let taped = try TapedDeck(folder.film)
      taped.play(try await taped.ready())
      _ = try await taped.block(\.isOfSide)
      lanes = taped.deck.soundOutput
      taped.deck.drop()
      _ = try await taped.next { if case .gone = $0 { true } else { nil } }
    }
    try await play()
    try await eventually("the lanes are freed") { lanes == nil }
  }
}
