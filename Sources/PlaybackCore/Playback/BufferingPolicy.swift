/// How much of a network item must be buffered before it plays, each number with its reason.
public struct BufferingPolicy: Hashable, Sendable {
  /// Media that 100 % of a pipeline's own gauge stands for: decks ask for that much (`DeckTiming.networkBuffer`), and
  /// adaptive streams take as much by themselves.
  public var fullScale: Duration = .seconds(10)
  /// An item starts with this much: media3 takes 1 s, mpv 1 s; two bring a slow link over its first hiccup.
  public var start: Duration = .seconds(2)
  /// After playback has run dry, so much: one long wait is better than many short ones.
  public var resume: Duration = .seconds(4)
  /// Every time that it runs dry again within `memory` it is twice as much, up to this.
  public var longest: Duration = .seconds(10)
  /// How long a dry run is remembered.
  public var memory: Duration = .seconds(60)
  /// With this little left playback has run dry: what remains may be one stream's only.
  public var dry: Duration = .milliseconds(200)

  public init() {}

  /// What has to be there after so many dry runs within `memory`.
  func needed(afterDryRuns count: Int) -> Duration {
    count == 0 ? start : min(longest, resume * (1 << min(count - 1, 8)))
  }

  func media(percent: Int) -> Duration { fullScale * Double(percent) / 100 }
}

/// The buffer of one deck: a level with two marks, so that playback doesn't flutter.
///
/// flowing -> dry (below `dry`, or empty before the start and after a seek) -> flowing (at what is needed).
struct BufferGauge: Hashable, Sendable {
  /// 0...100, as the pipeline tells it.
  var percent = 100
  /// Playback waits for data.
  var isDry = false

  /// - Returns: whether it has just run dry.
  mutating func update(percent new: Int, needed: Duration, policy: BufferingPolicy) -> Bool {
    percent = new
    let media = policy.media(percent: new)
    if isDry {
      isDry = new < 100 && media < needed
      return false
    }
    isDry = new < 100 && media <= policy.dry
    return isDry
  }
}
