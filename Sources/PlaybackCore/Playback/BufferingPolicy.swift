/// Amounts of a network item that must be buffered before it plays, each number with its reason.
public struct BufferingPolicy: Hashable, Sendable, Codable {
  /// Media that 100 % of a pipeline's own gauge stands for; decks are set up with it.
  public var fullScale: Duration = .seconds(10)
  /// The default of `fullScale` on this board. A smaller `fullScale` was configured and must be kept to; it isn't the
  /// board's limit.
  public private(set) var usualScale: Duration = .seconds(10)
  /// Limit of a buffer's memory, in bytes per second of media: 20 Mbit/s, more than signage in 4K has. Without it 10 s
  /// of an item of 80 Mbit/s take 100 MB in each deck (measured).
  public var highestRate = 2_500_000
  /// Media buffered before an item starts: media3 takes 1 s, mpv 1 s; two bring a slow link over its first hiccup.
  public var start: Duration = .seconds(2)
  /// Media buffered after playback has run dry: one long wait is better than many short ones.
  public var resume: Duration = .seconds(4)
  /// Replaces `resume` while data come in faster than they are used up: then the link broke rather than being slow, and
  /// the missing data come while the item plays. mpv takes 1 s. This is a quarter less, because a late try (1.1 s) and
  /// the wait for this over a link half as fast again as the item (0.5 s) are to be over within 2 s. Each further dry
  /// run within `memory` adds as much again: a link that breaks often must not make playback flutter, but a longer
  /// wait, for data that come anyway while it plays, would only add to the time without a picture.
  public var quickResume: Duration = .milliseconds(750)
  /// Speed of the data, against their use, that counts as fast: a smaller margin isn't worth relying on.
  public var quickRatio = 1.25
  /// Shortest time over which incoming data are measured: in less, a burst out of a queue would count as a fast link.
  public var quickMeasure: Duration = .milliseconds(300)
  /// Limit of `resume`, which doubles with each dry run within `memory`.
  public var longest: Duration = .seconds(10)
  /// Time for which a dry run is remembered.
  public var memory: Duration = .seconds(60)
  /// Media at which the buffer counts as dry: the rest may belong to one stream only.
  public var dry: Duration = .milliseconds(200)
  /// Wait for a frame before an empty gauge holds playback (or three frames, where they are further apart). Decoders'
  /// queues behind the gauge hold up to two seconds more (measured), and playback goes on with those.
  public var drained: Duration = .milliseconds(150)

  public init() {}

  /// - Parameter memory: the board's, in bytes; nil while unknown. 10 s of 20 Mbit/s are 25 MB in the queue, and two
  ///   decks may have that much: too much where everything has to fit into 512 MB.
  public init(memory: Int?) {
    if let memory, memory < 1 << 30 {
      fullScale = .seconds(5)
      usualScale = fullScale
      longest = .seconds(5)
    }
  }

  /// Most memory of a buffer of that length, in bytes.
  public func bytes(in buffer: Duration) -> Int {
    let bytes = buffer.bounded / .seconds(1) * Double(highestRate)
    return bytes < Double(Int32.max) ? max(0, Int(bytes)) : Int(Int32.max)
  }

  /// Smallest limit of a download, in bytes: below it, playback would wait for each of the server's answers.
  private static let leastBytes = 1 << 16

  /// The bytes that a buffer of that length holds of an item, by the item's average rate.
  ///
  /// - Returns: nil where that isn't below `limit`.
  public static func bytes(of buffer: Duration, size: Int64, duration: Duration, limit: Int) -> Int? {
    guard buffer > .zero, duration > .zero, size > 0 else { return nil }
    let bytes = Double(size) * min(1, buffer / duration)
    guard bytes < Double(limit) else { return nil }
    return max(leastBytes, Int(bytes))
  }

  /// Media needed to go on after this many dry runs within `memory`.
  func needed(afterDryRuns count: Int) -> Duration {
    count == 0 ? start : min(longest, resume * (1 << min(count - 1, 8)))
  }

  /// As `needed`, while data come in fast.
  func quickNeeded(afterDryRuns count: Int) -> Duration {
    min(needed(afterDryRuns: count), quickResume * max(1, count))
  }
}
