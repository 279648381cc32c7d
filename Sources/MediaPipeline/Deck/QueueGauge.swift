internal import CGStreamer
internal import CGStreamerShims
internal import MainLoop
internal import PlaybackCore

/// What lies in the queue behind the demultiplexer of an adaptive stream, as it comes and goes.
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
  ///   - tell: gets the percentage, on streaming threads, when it changes. 0 comes first. Must not wait.
  init(scale: Duration, tell: @escaping @Sendable (Int) -> Void) {
    self.scale = scale
    self.tell = tell
  }

  /// There is such a queue: what else the pipeline tells of its buffers doesn't count.
  var isInUse: Bool { state.withLock { $0.told != nil } }

  /// Before the pipeline starts, which keeps the gauge.
  func attach(to pipeline: Element) {
    let box = Unmanaged.passRetained(self).toOpaque()
    vit_handed_over(box)
    vit_watch_queues(
      pipeline.pointer,
      { data, stream, level in
        vit_taken_over(data)
        let level = level?.pointee
        Unmanaged<QueueGauge>.fromOpaque(data).takeUnretainedValue().note(
          UInt(stream),
          level.map { level in
            StreamLevels.Level(
              media: .nanoseconds(Int64(clamping: level.media)), isFull: level.is_full != 0,
              hasEnded: level.has_ended != 0)
          })
      }, box, { data in if let data { Unmanaged<QueueGauge>.fromOpaque(data).release() } })
  }

  private func note(_ stream: UInt, _ level: StreamLevels.Level?) {
    state.withLock { state in
      let before = state.told
      state.levels.note(stream, level)
      guard let percent = state.levels.percent(of: scale), percent != before else { return }
      state.told = percent
      // A buffer begins empty, also one that was filled while its pipeline was put together: how much is to be there
      // before the start is for others to say. Told under the lock, so that what is told last is how it is.
      if before == nil, percent > 0 { tell(0) }
      tell(percent)
    }
  }
}
