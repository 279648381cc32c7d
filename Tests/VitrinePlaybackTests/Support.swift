import MainLoop
import PlaybackCore
import Testing

@testable import VitrinePlayback

let twoSeconds = "h264-640x360-30-2s.mp4"
let minute = "h264-60s-640x360-30.mp4"
let withSound = "h264-aac-640x360-30.mp4"

/// The entry of an item by its index in the first list.
func entry(_ number: UInt64) -> ItemID { ItemID(rawValue: number + 1) }

/// A player with an output into memory.
func makePlayer(
  _ items: MediaItem..., loops: Bool = false, tracks: TrackPreferences = TrackPreferences(subtitles: .off),
  executor: GLibExecutor? = nil
) throws -> Player {
  try Player(
    configuration: PlayerConfiguration(
      items: items, loops: loops, output: .memory(size: PixelSize(width: 640, height: 360)), wantsSound: false,
      tracks: tracks),
    executor: executor)
}

extension PlayerSequence where Element: Equatable {
  /// Takes elements until one equals `last`; returns all of them.
  func until(_ last: Element) async throws -> [Element] { try await until("\(last)") { $0 == last } }
}

extension PlayerSequence {
  /// Takes elements until `isLast` holds; returns all of them.
  func until(_ what: String, _ isLast: @escaping @Sendable (Element) -> Bool) async throws -> [Element] {
    try await inTime(what) {
      var taken: [Element] = []
      for await element in self {
        taken.append(element)
        if isLast(element) { return taken }
      }
      throw Ended(what: what, after: taken.count)
    }
  }

  /// Takes all elements to the end of the sequence.
  func all() async throws -> [Element] {
    try await inTime("the end") {
      var taken: [Element] = []
      for await element in self { taken.append(element) }
      return taken
    }
  }
}

struct Ended: Error {
  var what: String
  var after: Int
}

extension Player {
  /// Waits for a status and returns it.
  func reaches(_ what: String, _ isMeant: @escaping @Sendable (PlayerStatus) -> Bool) async throws -> PlayerStatus {
    // The sequence begins with the present status, so that none is missed.
    try #require(try await statuses().until(what, isMeant).last)
  }

  func ready() async throws -> PlayerStatus {
    prepare()
    return try await reaches("ready") { $0.itemStatus == .readyToPlay }
  }
}

func isClose(_ a: Duration, _ b: Duration, _ reach: Duration = .milliseconds(34)) -> Bool {
  abs((a - b).inSeconds) <= reach.inSeconds
}
