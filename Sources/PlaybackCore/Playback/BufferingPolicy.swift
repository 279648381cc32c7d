/// How much of a network item must be buffered before it plays, each number with its reason.
public struct BufferingPolicy: Hashable, Sendable, Codable {
  /// Media that 100 % of a pipeline's own gauge stands for: decks ask for that much.
  public var fullScale: Duration = .seconds(10)
  /// What `fullScale` is where nobody has asked for another: less is a wish to be kept to, and not the board's limit.
  public private(set) var usualScale: Duration = .seconds(10)
  /// What the buffer may take in memory, in bytes per second of it: 20 Mbit/s, more than signage in 4K has. Without a limit
  /// 10 s of an item of 80 Mbit/s take 100 MB, in each deck (measured).
  public var highestRate = 2_500_000
  /// An item starts with this much: media3 takes 1 s, mpv 1 s; two bring a slow link over its first hiccup.
  public var start: Duration = .seconds(2)
  /// After playback has run dry, so much: one long wait is better than many short ones.
  public var resume: Duration = .seconds(4)
  /// The same where data come in faster than they are used up: then it was a break and not a slow link, and what is missing
  /// comes while it plays. mpv takes a second; this is the fourth part of it less, because a try that comes late (1.1 s) and
  /// the wait for this over a link half as fast again as the item (0.5 s) are to be over within 2 s. With each further dry
  /// run within `memory` it is as much more: a link that breaks often isn't to flutter, but to wait longer for what it gives
  /// anyhow while it plays would only add to the time without a picture.
  public var quickResume: Duration = .milliseconds(750)
  /// Faster by this much: below, the margin of a link isn't worth relying on.
  public var quickRatio = 1.25
  /// What comes in is measured for at least so long: shorter, one burst out of a queue would count as a fast link.
  public var quickMeasure: Duration = .milliseconds(300)
  /// Every time that it runs dry again within `memory` it is twice as much, up to this.
  public var longest: Duration = .seconds(10)
  /// How long a dry run is remembered.
  public var memory: Duration = .seconds(60)
  /// With this little left playback has run dry: what remains may be one stream's only.
  public var dry: Duration = .milliseconds(200)
  /// What the gauge doesn't see lies behind it, in the queues of the decoders: up to two seconds, measured. So playback
  /// is held only when frames stay away for so long (or three of them, where they are further apart).
  public var drained: Duration = .milliseconds(150)

  public init() {}

  /// - Parameter memory: of the board, in bytes; nil while unknown. 10 s of 20 Mbit/s are 25 MB in the queue, and two decks
  ///   may have that much: too much where all has to live in 512 MB.
  public init(memory: Int?) {
    if let memory, memory < 1 << 30 {
      fullScale = .seconds(5)
      usualScale = fullScale
      longest = .seconds(5)
    }
  }

  /// In bytes, what a buffer of that length takes at most.
  public func bytes(in buffer: Duration) -> Int {
    let bytes = buffer.bounded / .seconds(1) * Double(highestRate)
    return bytes < Double(Int32.max) ? max(0, Int(bytes)) : Int(Int32.max)
  }

  /// Less than this a download isn't held to: smaller, each answer of a server would be waited for.
  private static let leastBytes = 1 << 16

  /// What a buffer of that length holds of an item of that size and length.
  ///
  /// - Returns: in bytes; nil where the limit is `limit` as it is.
  public static func bytes(of buffer: Duration, size: Int64, duration: Duration, limit: Int) -> Int? {
    guard buffer > .zero, duration > .zero, size > 0 else { return nil }
    let bytes = Double(size) * min(1, buffer / duration)
    guard bytes < Double(limit) else { return nil }
    return max(leastBytes, Int(bytes))
  }

  /// What has to be there after so many dry runs within `memory`.
  func needed(afterDryRuns count: Int) -> Duration {
    count == 0 ? start : min(longest, resume * (1 << min(count - 1, 8)))
  }

  /// The same where data come in fast.
  func quickNeeded(afterDryRuns count: Int) -> Duration {
    min(needed(afterDryRuns: count), quickResume * max(1, count))
  }
}
