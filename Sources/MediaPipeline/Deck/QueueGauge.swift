internal import CGStreamer
internal import CGStreamerShims
internal import MainLoop
internal import PlaybackCore

/// How much of an item is buffered: what its pipeline tells, or, for adaptive streams, what lies in the queue behind the
/// demultiplexer, as it comes and goes.
///
/// The percentages that such a queue tells by itself are no measure: until it has been full they only rise, so that after a
/// break nothing is told before there is more again than ever before.
final class QueueGauge: Sendable {
  private struct State: Sendable {
    var levels = StreamLevels()
    var told: Int?
  }
  private let scale: Duration
  private let tell: @Sendable (Int) -> Void
  private let state = Locked(State())

  /// - Parameters:
  ///   - scale: what 100 % stands for.
  ///   - tell: gets the percentage, on any thread, when it changes. 0 comes first. Must not wait.
  init(scale: Duration, tell: @escaping @Sendable (Int) -> Void) {
    self.scale = scale
    self.tell = tell
  }

  /// Watches the queues of a pipeline, which keeps the gauge. Before it starts.
  func attach(to pipeline: Element) {
    let box = Unmanaged.passRetained(self).toOpaque()
    vit_watch_queues(
      pipeline.pointer,
      { data, stream, level in
        let level = level?.pointee
        Unmanaged<QueueGauge>.fromOpaque(data).takeUnretainedValue().noteLevel(
          of: UInt(stream),
          level.map { level in
            StreamLevels.Level(
              media: .nanoseconds(Int64(clamping: level.media)), isFull: level.is_full != 0,
              hasEnded: level.has_ended != 0)
          })
      }, box, { data in if let data { Unmanaged<QueueGauge>.fromOpaque(data).release() } })
  }

  /// What the pipeline tells; it counts where there is no such queue.
  func pipelineTold(_ percent: Int) {
    state.withLock { if $0.levels.percent(of: scale) == nil { tell(percent, in: &$0) } }
  }

  private func noteLevel(of stream: UInt, _ level: StreamLevels.Level?) {
    state.withLock { state in
      state.levels.noteLevel(of: stream, level)
      if let percent = state.levels.percent(of: scale) { tell(percent, in: &state) }
    }
  }

  /// Under the lock, so that what is told last is how it is.
  private func tell(_ percent: Int, in state: inout State) {
    guard percent != state.told else { return }
    // A buffer begins empty, also one that was filled while its pipeline was put together: how much is to be there before
    // the start is for others to say.
    if state.told == nil, percent > 0 { tell(0) }
    state.told = percent
    tell(percent)
  }
}
