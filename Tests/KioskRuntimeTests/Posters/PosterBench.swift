import EngineTestSupport
import Foundation
import InteractionCore
import KioskTestSupport
import Logging
import MainLoop
import PlaybackCore
import Testing
import VitrinePlayback

@testable import KioskRuntime

/// A session of posters on a loop: real processes make the pictures, its pauses are a clock's of the test.
actor PosterBench {
  nonisolated let executor: GLibExecutor
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  private let folder: String?
  private let program: String
  private let mostInMemory: Int
  private var session: PosterSession?
  private var made: ManualClock?
  private(set) var changes = 0
  private nonisolated let lines = Locked<[String]>([])
  /// The lines of the log.
  nonisolated var told: [String] { lines.withLock { $0 } }

  /// - Parameter program: makes the pictures; nil is a program that doesn't exist.
  init(folder: String?, program: String? = Player.path, mostInMemory: Int = 64) throws {
    executor = try GLibExecutor.start(name: "poster-bench")
    self.folder = folder
    self.program = program ?? "/nowhere/vitrine"
    self.mostInMemory = mostInMemory
  }

  private var clock: ManualClock {
    if let made { return made }
    let clock = ManualClock()
    made = clock
    return clock
  }

  private var posters: PosterSession {
    if let session { return session }
    let lines = lines
    let log = Logger(label: "posters") { _ in LineLog(lines) }
    let prober = MediaProber(program: program, isIdle: true) { MediaProber.Avoided(isSoftwareOnly: true) }
    let session = PosterSession(
      folder: folder, on: EventLoop(executor: executor), clock: clock, prober: prober, log: log,
      mostInMemory: mostInMemory)
    session.onChange = { [weak self] in self?.assumeIsolated { $0.changes += 1 } }
    self.session = session
    return session
  }

  func follow(_ items: [MediaItem], copies: [String: MediaCopy] = [:]) { posters.follow(items, copies: copies) }
  func facts(of item: MediaItem) -> TileFacts { posters.facts(of: item) }
  func show(_ items: [MediaItem]) { posters.inView(items) }
  func copiesChanged(_ copies: [String: MediaCopy]) -> Bool { posters.copiesChanged(copies) }

  /// When the next film begins, from now; nil without a timer.
  var nextBegin: Duration? { clock.nextDue.map { $0 - clock.now } }

  /// Lets the next pause pass, if there is one.
  func passPause() { _ = clock.step(until: clock.now + .seconds(3600)) }

  func stop() {
    session?.stop()
    session = nil
  }

  /// Passes the pauses until something holds.
  nonisolated func until(_ what: String, _ isIt: @escaping (PosterBench) async -> Bool) async throws {
    try await eventually("\(what): \(told)") {
      await passPause()
      return await isIt(self)
    }
  }

  /// The picture of a film, once it is there.
  nonisolated func poster(of item: MediaItem) async throws -> TilePoster {
    try await until("a picture of \(item.uri)") { await $0.facts(of: item).poster != nil }
    let poster = await facts(of: item).poster
    return try #require(poster)
  }
}

private struct LineLog: LogHandler {
  let lines: Locked<[String]>
  var metadata: Logger.Metadata = [:]
  var logLevel = Logger.Level.trace

  init(_ lines: Locked<[String]>) { self.lines = lines }

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) { lines.withLock { $0.append("\(event.level): \(event.message)") } }
}

extension TilePoster {
  /// The mean of red, green and blue in a part of the picture, 0 to 255.
  ///
  /// - Parameters:
  ///   - columns, rows: parts of the width and height, 0 to 1.
  func brightness(_ columns: ClosedRange<Double> = 0...1, _ rows: ClosedRange<Double> = 0...1) -> Int {
    var (sum, count) = (0, 0)
    for y in 0..<size.height where rows.contains((Double(y) + 0.5) / Double(size.height)) {
      for x in 0..<size.width where columns.contains((Double(x) + 0.5) / Double(size.width)) {
        let pixel = pixels[y * size.width + x]
        for shift: UInt32 in [0, 8, 16] { sum += Int(pixel >> shift & 255) }
        count += 3
      }
    }
    return sum / max(1, count)
  }

  /// The mean difference of two pictures of one size, 0 to 255.
  func difference(from other: TilePoster) -> Double {
    var sum = 0
    for (one, two) in zip(pixels, other.pixels) {
      for shift: UInt32 in [0, 8, 16] { sum += abs(Int(one >> shift & 255) - Int(two >> shift & 255)) }
    }
    return Double(sum) / Double(3 * max(1, pixels.count))
  }

  /// As a picture file for people.
  var ppm: Data {
    var bytes = Data("P6 \(size.width) \(size.height) 255\n".utf8)
    for pixel in pixels { for shift: UInt32 in [16, 8, 0] { bytes.append(UInt8(pixel >> shift & 255)) } }
    return bytes
  }
}
