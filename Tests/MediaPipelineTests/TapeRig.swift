import CGStreamer
import Foundation
import KioskTestSupport
import MainLoop
import PlaybackCore
import Testing

@testable import MediaPipeline

/// Takes the blocks of a deck's sound that are heard, with their stamps.
final class Tape: SoundWitness {
  struct Block: Sendable {
    var stamp: SampleStamp
    /// Left and right in turn.
    var samples: [Int16]
    var frames: Int { samples.count / SoundFormat.channels }
    var end: Duration { stamp.running + SoundFormat.duration(ofFrames: frames) }
  }

  private let state = Locked((blocks: [Block](), base: Instant?.none))
  let blocks: AsyncStream<Block>
  private let heard: AsyncStream<Block>.Continuation

  init() { (blocks, heard) = AsyncStream.makeStream() }

  func push(_ sample: OpaquePointer, _ stamp: SampleStamp) -> GstFlowReturn {
    let block = Block(stamp: stamp, samples: Self.samples(of: sample))
    state.withLock { $0.blocks.append(block) }
    heard.yield(block)
    return GST_FLOW_OK
  }

  var all: [Block] { state.withLock { $0.blocks } }
}

/// A folder with a film of 25 pictures a second, whose own sound is a tone of 440 Hz, and files beside it.
struct SoundFolder {
  let folder: TemporaryDirectory
  let seconds: Int
  var film: MediaItem { MediaItem(uri: URL(filePath: folder.path("hall.mp4")).absoluteString, kind: .file) }

  /// Puts numbered sound into a film as its second track, without a loss.
  func film(_ name: String, withTrack track: String) async throws -> MediaItem {
    try await make(
      name,
      ["-i", folder.path("hall.mp4"), "-i", folder.path(track), "-map", "0", "-map", "1", "-c:v", "copy"]
        // AAC begins before the picture, which Matroska can't say: all else would be moved.
        // FFmpeg 7 would write 32 bits, which GStreamer doesn't decode.
        + ["-c:a", "flac", "-sample_fmt", "s16"]
        + ["-metadata:s:a:0", "language=eng", "-metadata:s:a:1", "language=deu", "-strict", "-2"])
    return MediaItem(uri: URL(filePath: folder.path(name)).absoluteString, kind: .file)
  }

  /// - Parameter hasSound: whether the film has sound of its own.
  init(seconds: Int = 30, hasSound: Bool = true) async throws {
    folder = try TemporaryDirectory()
    self.seconds = seconds
    let sound = hasSound ? ["-f", "lavfi", "-i", "sine=440:d=\(seconds):r=48000", "-c:a", "aac"] : []
    try await make(
      "hall.mp4",
      ["-f", "lavfi", "-i", "testsrc2=s=160x90:r=25:d=\(seconds)"] + sound
        + ["-c:v", "libx264", "-preset", "ultrafast", "-g", "25", "-pix_fmt", "yuv420p"])
  }

  func make(_ name: String, _ options: [String]) async throws {
    let outcome = try await Tool.run("ffmpeg", ["-v", "error", "-y"] + options + [folder.path(name)])
    try #require(outcome.status == 0, "\(outcome.errors)")
  }

  /// Writes sound in which each frame has its own number: the lower 15 bits on the left, the others on the right.
  func number(_ name: String, seconds: Int? = nil) throws {
    let count = (seconds ?? self.seconds) * SoundFormat.framesPerSecond
    var samples: [Int16] = []
    samples.reserveCapacity(count * 2)
    for frame in 0..<count {
      samples.append(Int16(frame & 0x7FFF))
      samples.append(Int16(frame >> 15))
    }
    try wave(name, samples, channels: 2)
  }

  /// Writes sound with a click each half second, on a ground of noise that is too soft to be taken for one.
  func clicks(_ name: String, _ options: [String] = []) async throws {
    var samples = [Int16](repeating: 0, count: seconds * SoundFormat.framesPerSecond)
    for click in stride(from: SoundFormat.framesPerSecond / 2, to: samples.count, by: SoundFormat.framesPerSecond / 2) {
      for place in 0..<48 { samples[click + place] = place % 8 < 4 ? 20_000 : -20_000 }
    }
    try wave("clicks.wav", samples, channels: 1)
    try await make(name, ["-i", folder.path("clicks.wav")] + options)
  }

  private func wave(_ name: String, _ samples: [Int16], channels: Int) throws {
    func bytes<T: FixedWidthInteger>(_ value: T) -> [UInt8] { withUnsafeBytes(of: value.littleEndian) { Array($0) } }
    let length = samples.count * 2
    let rate = SoundFormat.framesPerSecond
    var file = Array("RIFF".utf8) + bytes(UInt32(36 + length)) + Array("WAVEfmt ".utf8) + bytes(UInt32(16))
    file += bytes(UInt16(1)) + bytes(UInt16(channels)) + bytes(UInt32(rate)) + bytes(UInt32(rate * channels * 2))
    file += bytes(UInt16(channels * 2)) + bytes(UInt16(16)) + Array("data".utf8) + bytes(UInt32(length))
    var data = Data(file)
    samples.withUnsafeBytes { data.append(contentsOf: $0) }
    try data.write(to: URL(filePath: folder.path(name)))
  }
}

/// A deck whose sound goes onto a tape.
final class TapedDeck: Sendable {
  let deck: Deck
  let tape = Tape()
  /// The headset's.
  let other = Tape()
  let eye = Eye()
  private let events: AsyncStream<DeckEvent>
  private let warnings = Locked<[VitrineError]>([])
  var allWarnings: [VitrineError] { warnings.withLock { $0 } }

  init(
    _ item: MediaItem, tracks: TrackPreferences = TrackPreferences(audioLanguages: ["de"], subtitles: .off),
    from: Duration = .zero, rate: Double = 1, loudspeaker: TrackPreferences? = nil
  ) throws {
    try GStreamerLibrary.start()
    let (events, post) = AsyncStream<DeckEvent>.makeStream()
    self.events = events
    let warnings = warnings
    var recipe = DeckRecipe(
      id: DeckID(generation: 1), item: item, from: from, rate: rate, pictureDuration: .seconds(1), tracks: tracks)
    recipe.configuredTracks = loudspeaker
    deck = try Deck(
      recipe,
      format: DeckFormat(
        videoCaps: try #require(Caps("video/x-raw")), video: VideoDemand(shape: .asDecoded),
        soundCaps: Caps(SoundPipeline.capsText), soundLead: DeckTiming.soundLead,
        screen: PixelSize(width: 640, height: 360)),
      video: eye, sound: tape, headset: loudspeaker == nil ? nil : other
    ) { event in
      if case .warning(let error) = event { warnings.withLock { $0.append(error) } }
      post.yield(event)
    }
    deck.prepare()
  }

  func next<T: Sendable>(_ pick: @escaping @Sendable (DeckEvent) -> T?) async throws -> T {
    try await first(of: events, pick)
  }

  func ready() async throws -> DeckReadiness {
    try await next { if case .ready(let readiness) = $0 { readiness } else { nil } }
  }

  func tracks(_ isRight: @escaping @Sendable ([MediaTrack]) -> Bool = { _ in true }) async throws -> [MediaTrack] {
    try await next { if case .tracks(let tracks) = $0, isRight(tracks) { tracks } else { nil } }
  }

  /// Plays from the place of a start or a seek.
  ///
  /// - Returns: the instant of the deck's running time zero.
  @discardableResult
  func play(_ readiness: DeckReadiness) -> Instant {
    let base = Instant.monotonicNow + .milliseconds(60) - readiness.firstRunningTime
    deck.play(base: base)
    return base
  }

  func seek(to position: Duration, _ mode: SeekMode = .exact, number: UInt32, rate: Double = 1) async throws
    -> DeckReadiness
  {
    deck.pause()
    deck.seek(to: position, mode, rate: rate, seek: number, preview: true)
    return try await next {
      if case .seekFinished(seek: number, let readiness) = $0 { readiness } else { nil }
    }
  }

  /// The headset's next block for which this holds.
  func otherBlock(_ isRight: @escaping @Sendable (Tape.Block) -> Bool) async throws -> Tape.Block {
    try await first(of: other.blocks) { isRight($0) ? $0 : nil }
  }

  /// The next block for which this holds.
  func block(_ isRight: @escaping @Sendable (Tape.Block) -> Bool) async throws -> Tape.Block {
    try await first(of: tape.blocks) { isRight($0) ? $0 : nil }
  }
}

extension Tape.Block {
  var isOfSide: Bool { stamp.lane != 0 }

  /// By how much the content of numbered sound is behind its place on the line of a start or a seek.
  func lag(on readiness: DeckReadiness, rate: Double = 1) -> Duration {
    let frame = Int(samples[0]) | Int(samples[1]) << 15
    let due = readiness.firstPosition + (stamp.running - readiness.firstRunningTime) * rate
    return due - SoundFormat.duration(ofFrames: frame)
  }
}

extension [Tape.Block] {
  /// The running times at which clicks begin.
  func clicks(above level: Int16 = 6000) -> [Duration] {
    var found: [Duration] = []
    for block in self {
      for frame in 0..<block.frames where abs(Int(block.samples[frame * SoundFormat.channels])) > Int(level) {
        let at = block.stamp.running + SoundFormat.duration(ofFrames: frame)
        if let last = found.last, at - last < .milliseconds(100) { continue }
        found.append(at)
      }
    }
    return found
  }
}
