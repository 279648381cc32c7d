internal import CGStreamer
internal import CGStreamerShims
internal import MainLoop
internal import PlaybackCore

/// Measures how much of an item is buffered: the pipeline's own percentage or, for adaptive streams, the fill level of
/// the queue behind the demultiplexer.
///
/// The percentage that such a queue posts itself is useless: until the queue has been full once it only rises, so after
/// an interruption nothing is posted before the queue is fuller than ever before.
final class QueueGauge: Sendable {
  private struct State: Sendable {
    var levels = StreamLevels()
    var told: Int?
  }
  private let scale: Duration
  private let tell: @Sendable (Int) -> Void
  private let state = Locked(State())

  /// - Parameters:
  ///   - scale: the length of media that counts as 100 %.
  ///   - tell: gets the percentage, on any thread, when it changes. The first value is 0. Must not block.
  init(scale: Duration, tell: @escaping @Sendable (Int) -> Void) {
    self.scale = scale
    self.tell = tell
  }

  /// Watches the queues of a pipeline, which then keeps the gauge alive. Call before the pipeline starts.
  func attach(to pipeline: Element) {
    let box = Unmanaged.passRetained(self).toOpaque()
    vit_watch_queues(
      pipeline.pointer,
      { data, stream, level in
        let level = level?.pointee
        Unmanaged<QueueGauge>.fromOpaque(data).takeUnretainedValue().updateLevel(
          of: UInt(stream),
          level.map { level in
            StreamLevels.Level(
              media: .nanoseconds(Int64(clamping: level.media)), isFull: level.is_full != 0,
              hasEnded: level.has_ended != 0)
          })
      }, box, { data in if let data { Unmanaged<QueueGauge>.fromOpaque(data).release() } })
  }

  /// The percentage that the pipeline posted; it counts where there is no queue behind a demultiplexer.
  func pipelineTold(_ percent: Int) {
    state.withLock { if $0.levels.percent(of: scale) == nil { reportPercent(percent, in: &$0) } }
  }

  private func updateLevel(of stream: UInt, _ level: StreamLevels.Level?) {
    state.withLock { state in
      state.levels.updateLevel(of: stream, level)
      if let percent = state.levels.percent(of: scale) { reportPercent(percent, in: &state) }
    }
  }

  /// Reports under the lock, so that the last report is the current level.
  private func reportPercent(_ percent: Int, in state: inout State) {
    guard percent != state.told else { return }
    // The first report is 0, even of a buffer that was filled while its pipeline was put together: how much must be
    // there before the start is decided elsewhere.
    if state.told == nil, percent > 0 { tell(0) }
    state.told = percent
    tell(percent)
  }
}
