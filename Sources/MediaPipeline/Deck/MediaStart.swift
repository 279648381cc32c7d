internal import CGStreamer
internal import CGStreamerShims
internal import MainLoop

/// Where a medium's own time begins that is the item's zero.
///
/// Transport and program streams, FLV and the HLS that is made of them pass on the times of the stream's own clock, which
/// begins anywhere. Everything outside of a deck is in the item's time, from zero: what comes out of the pipeline is
/// brought to it here, and what goes in is brought back.
final class MediaStart: Sendable {
  /// Demultiplexers that pass such times on. Of all others the times are the item's: a sound that begins later than the
  /// picture, say by an edit list, has to stay later.
  private static let demultiplexers: Set<String> = ["tsdemux", "mpegpsdemux", "flvdemux", "hlsdemux", "dashdemux"]
  /// DASH has its own times, but for what reordering of frames puts before the first: edit lists, which take it away in files, don't
  /// count there. What begins later than this means to.
  private static let longestReordering: Duration = .milliseconds(500)
  /// Those of them whose duration is counted from the clock's zero.
  private static let endTellers: Set<String> = ["flvdemux"]
  /// Those of them whose duration is an estimate.
  private static let estimators: Set<String> = ["tsdemux", "mpegpsdemux"]
  /// An estimate and what was read in the file differ by less, unless the file is put together of several, whose times are of
  /// several clocks: then the estimate is better. What decoders may buffer is a second at the most.
  private static let farthestEstimate: Duration = .seconds(1)

  /// How much earlier than its target a seek has to begin, because the demultiplexer would begin behind it.
  private enum RunUp: Sendable {
    case none
    /// HLS and DASH look up their parts by the times of their lists, which begin at 0 whatever the clock in the parts says.
    case start
    /// Program streams are entered anywhere, and nothing is seen before the next key frame: a second is more than one
    /// group of pictures of DVDs and broadcasts.
    case time(Duration)
  }

  private struct State: Sendable {
    var time: Duration = .zero
    var isInDuration = false
    var runUp = RunUp.none
    /// As read in the file.
    var measured: Duration?
    var isEstimated = false
  }
  private let state = Locked(State())

  /// The item's length as its file has it, where that was read. Before the pipeline starts.
  func measured(_ length: Duration?) { state.withLock { $0.measured = length } }

  /// Called once, when the first samples are there and before anything has passed.
  ///
  /// - Parameters:
  ///   - samples: of each stream that exists the time of its first sample.
  ///   - elements: what the pipeline has put together.
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

  /// A time that the pipeline tells, in the item.
  func inItem(_ time: Duration) -> Duration { max(.zero, time - state.withLock { $0.time }) }

  /// A time of the item, as the pipeline wants it.
  func inMedium(_ time: Duration) -> Duration { time + state.withLock { $0.time } }

  /// Where a seek to a key frame leads, as the pipeline wants it.
  func entry(_ time: Duration) -> Duration {
    let state = state.withLock { $0 }
    if case .start = state.runUp { return time }
    return time + state.time
  }

  /// Where a seek to the very frame has to begin, as the pipeline wants it; what comes before `inMedium` of it is to be
  /// thrown away.
  ///
  /// - Parameter frame: from one picture to the next; nil where that isn't known. Decoders cut the picture that begins before a
  ///   seek's target: one earlier, it is whole, and says when it really begins.
  func runUp(to time: Duration, frame: Duration?) -> Duration {
    let state = state.withLock { $0 }
    return switch state.runUp {
    case .none: max(state.time, time + state.time - (frame ?? .zero))
    case .start: time
    case .time(let lead): max(.zero, time + state.time - lead)
    }
  }

  /// How long the item is where the pipeline says this.
  func length(_ duration: Duration) -> Duration {
    let state = state.withLock { $0 }
    if state.isEstimated, let measured = state.measured,
      max(measured - duration, duration - measured) < Self.farthestEstimate
    {
      return measured
    }
    return state.isInDuration ? max(.zero, duration - state.time) : duration
  }
}

/// Throws away what comes before the target of a seek that began earlier, so that the first sample that a held deck stands
/// on is the one that was sought.
final class SeekTrimmer: Sendable {
  private struct State: Sendable {
    /// From the next flush on.
    var next: Duration?
    /// Samples that end before are dropped; nil lets all pass.
    var target: Duration?
    /// How long a sample lasts that doesn't say so.
    var usual: Duration = .zero
  }
  private let state = Locked(State())

  /// Sums of rounded times may end so much too late.
  private static let rounding: Duration = .microseconds(1)

  /// - Parameters:
  ///   - target: as the pipeline has it; nil for a seek that begins where it should.
  ///   - usual: how long a sample lasts that doesn't say so.
  func arm(_ target: Duration?, usual: Duration? = nil) {
    state.withLock { state in
      state.next = target
      state.usual = usual ?? .zero
    }
  }

  /// The pad has been flushed: what comes now is of the seek.
  func flushed() {
    state.withLock { state in
      state.target = state.next
      state.next = nil
    }
  }

  func attach(to pad: Pad) {
    // An address: the pad owns what is called, and a reference would keep it for ever.
    let address = UInt(bitPattern: pad.pointer)
    pad.intercept(GST_PAD_PROBE_TYPE_BUFFER) { [self] info in
      let (armed, usual) = state.withLock { ($0.target, $0.usual) }
      guard let pad = UnsafeMutablePointer<GstPad>(bitPattern: address), let target = armed,
        let buffer = gst_pad_probe_info_get_buffer(info), let time = vit_stream_time(pad, buffer).duration
      else { return GST_PAD_PROBE_OK }
      let end = time + (vit_buffer_duration(buffer).duration ?? usual)
      if time < target, end <= target + Self.rounding { return GST_PAD_PROBE_DROP }
      state.withLock { $0.target = nil }
      return GST_PAD_PROBE_OK
    }
  }
}
