internal import CElements
internal import PlaybackCore

/// Resamples sound for a device whose clock runs faster or slower than the output's: from the frames that are due in a
/// stretch of time it makes as many as the device plays in it.
///
/// Frames go in one after the other, and none is lost between two calls: the ratio may change with each call.
struct SoundStretcher: Sendable {
  /// The input frames that are still needed. The first `reach - 1` of them come before `place`.
  private var frames: [Int16]
  /// The position of the next output frame: after the first unfinished input frame, less than 1.
  private var place = 0.0

  private static let reach = Int(VIT_STRETCH_REACH)

  init() {
    // Silence before the beginning.
    frames = [Int16](repeating: 0, count: (Self.reach - 1) * SoundFormat.channels)
  }

  /// How many input frames lie ahead of the place.
  private var available: Int { frames.count / SoundFormat.channels - (Self.reach - 1) }

  /// - Parameters:
  ///   - count: output frames.
  ///   - ratio: input frames for each output frame.
  ///   - more: gives this many of the next input frames.
  mutating func make(_ count: Int, ratio: Double, more: (Int) -> [Int16]) -> [Int16] {
    let end = place + ratio * Double(count)
    let needed = Int(end.rounded(.down)) + Self.reach + 1
    if needed > available { frames += more(needed - available) }
    let out = [Int16](unsafeUninitializedCapacity: count * SoundFormat.channels) { memory, filled in
      frames.withUnsafeBufferPointer { input in
        guard let from = input.baseAddress, let to = memory.baseAddress else { return }
        vit_stretch(from, place, ratio, to, count)
        filled = count * SoundFormat.channels
      }
    }
    let passed = Int(end.rounded(.down))
    frames.removeFirst(passed * SoundFormat.channels)
    place = end - Double(passed)
    return out
  }
}
