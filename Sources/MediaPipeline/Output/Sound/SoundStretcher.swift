internal import CSoundStretch
internal import PlaybackCore

/// Sound for a device whose second isn't ours: as many frames as it takes, made of those that are due meanwhile.
///
/// Frames go in one after the other, and nothing is lost between two stretches: the ratio may change with each.
struct SoundStretcher: Sendable {
  /// What is still needed of what went in. The first `reach - 1` frames come before the place.
  private var frames: [Int16]
  /// Of the next frame that comes out: after the first that went in and isn't over, less than 1.
  private var place = 0.0

  private static let reach = Int(VIT_STRETCH_REACH)

  init() {
    // Before the beginning there is silence.
    frames = [Int16](repeating: 0, count: (Self.reach - 1) * SoundFormat.channels)
  }

  /// How much of what went in hasn't come out, beyond the frame at hand.
  private var available: Int { frames.count / SoundFormat.channels - (Self.reach - 1) }

  /// - Parameters:
  ///   - count: frames to come out.
  ///   - ratio: frames that go in for each that comes out.
  ///   - more: gives the next so many.
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
