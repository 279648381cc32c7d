internal import CGStreamer
internal import CGStreamerShims
internal import MainLoop

/// The time of a medium's own clock at which the item begins.
///
/// Transport and program streams, FLV and the HLS made of them pass on the times of the stream's own clock, which
/// begins at any value. Everything outside of a deck counts in the item's time, from zero: this class converts times
/// that come out of the pipeline, and times that go in.
final class MediaStart: Sendable {
  /// Demultiplexers that pass on such times. All others already give the item's times: a sound that begins later than
  /// the picture, say by an edit list, has to stay later.
  private static let demultiplexers: Set<String> = ["tsdemux", "mpegpsdemux", "flvdemux", "hlsdemux", "dashdemux"]
  /// DASH has times from zero, except for the delay by which reordered frames put off the first one: the edit lists
  /// that remove it in files are ignored in DASH. A start later than this is intended.
  private static let longestReordering: Duration = .milliseconds(500)
  /// Demultiplexers whose duration is counted from the clock's zero.
  private static let endTellers: Set<String> = ["flvdemux"]
  /// Demultiplexers whose duration is an estimate.
  private static let estimators: Set<String> = ["tsdemux", "mpegpsdemux"]
  /// An estimate differs from the length that was read in the file by less than this, unless the file is joined of
  /// several with different clocks: then the estimate is the better one. Decoders may buffer at most a second.
  private static let farthestEstimate: Duration = .seconds(1)

  /// How much earlier than its target a seek has to begin, because the demultiplexer would otherwise begin behind the
  /// target.
  private enum RunUp: Sendable {
    case none
    /// HLS and DASH find segments by the times of their lists, which begin at 0 whatever the clock in the segments
    /// says.
    case start
    /// Program streams are entered anywhere, and no picture is shown before the next key frame: a second is more than
    /// one group of pictures of DVDs and broadcasts.
    case time(Duration)
  }

  private struct State: Sendable {
    var time: Duration = .zero
    var isInDuration = false
    var runUp = RunUp.none
    /// The length that was read in the file.
    var measured: Duration?
    var isExact = false
    var isEstimated = false
  }
  private let state = Locked(State())

  /// Sets the item's length where it was read in its file. Call before the pipeline starts.
  ///
  /// - Parameter isExact: the clock was mended, so all times in the file are of one clock, and the read length beats
  ///   any estimate.
  func measured(_ length: Duration?, isExact: Bool) {
    state.withLock { state in
      state.measured = length
      state.isExact = isExact
    }
  }

  /// Finds the start. Call once, when the first samples are there and before any has passed.
  ///
  /// - Parameters:
  ///   - samples: the time of the first sample of each stream that exists.
  ///   - elements: the names of the pipeline's elements.
  func find(_ samples: [Duration], elements: Set<String>) {
    let isEstimated = !elements.isDisjoint(with: Self.estimators)
    state.withLock { $0.isEstimated = isEstimated }
    guard let first = samples.min(), first > .zero, !elements.isDisjoint(with: Self.demultiplexers) else { return }
    if elements.contains("dashdemux"), first > Self.longestReordering { return }
    let looksUpByList = !elements.isDisjoint(with: ["hlsdemux", "dashdemux"])
    let runUp: RunUp =
      looksUpByList ? .start : elements.contains("mpegpsdemux") ? .time(.seconds(1)) : .none
    state.withLock {
      $0.time = first
      $0.isInDuration = !elements.isDisjoint(with: Self.endTellers)
      $0.runUp = runUp
    }
  }

  /// Converts a time of the pipeline into the item's time.
  func inItem(_ time: Duration) -> Duration { max(.zero, time - state.withLock { $0.time }) }

  /// Converts a time of the item into the pipeline's time.
  func inMedium(_ time: Duration) -> Duration { time + state.withLock { $0.time } }

  /// The target of a key-frame seek, in the pipeline's time.
  func entry(_ time: Duration) -> Duration {
    let state = state.withLock { $0 }
    if case .start = state.runUp { return time }
    return time + state.time
  }

  /// The place where an exact seek has to begin, in the pipeline's time; samples before the target's `inMedium` are to
  /// be thrown away.
  ///
  /// - Parameter frame: from one picture to the next; nil where that isn't known. Decoders cut the picture that begins
  ///   before a seek's target: a seek that begins one picture earlier gets it whole, with its real start.
  func runUp(to time: Duration, frame: Duration?) -> Duration {
    let state = state.withLock { $0 }
    return switch state.runUp {
    case .none: max(state.time, time + state.time - (frame ?? .zero))
    case .start: time
    case .time(let lead): max(.zero, time + state.time - lead)
    }
  }

  /// The item's length, from the duration that the pipeline reports.
  func length(_ duration: Duration) -> Duration {
    let state = state.withLock { $0 }
    if state.isEstimated, let measured = state.measured,
      state.isExact || max(measured - duration, duration - measured) < Self.farthestEstimate
    {
      return measured
    }
    return state.isInDuration ? max(.zero, duration - state.time) : duration
  }
}
