/// The single format of sound within the program: 16 bits, 48 kHz, two interleaved channels. A frame is one sample of
/// each channel.
public enum SoundFormat {
  public static let framesPerSecond = 48_000
  public static let channels = 2

  /// Number of frames in a duration, to the nearest.
  public static func frames(in duration: Duration) -> Int {
    let nanoseconds = duration.wholeNanoseconds
    // In two parts: nanoseconds times frames a second would exceed 64 bits after two days.
    let (seconds, rest) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
    let fine = rest * Int64(framesPerSecond)
    let rounding: Int64 = fine < 0 ? -500_000_000 : 500_000_000
    return Int(seconds) * framesPerSecond + Int((fine + rounding) / 1_000_000_000)
  }

  /// Duration of a number of frames.
  public static func duration(ofFrames frames: Int) -> Duration {
    let (seconds, rest) = frames.quotientAndRemainder(dividingBy: framesPerSecond)
    return .seconds(Int64(seconds)) + .nanoseconds(Int64(rest) * 1_000_000_000 / Int64(framesPerSecond))
  }
}
