/// Finds by how much the sound in an MP3 comes later than the times of its frames say. GStreamer plays what encoder
/// and decoder put in front of the first sample; the other formats of files beside a film have it removed.
public enum SoundDelay {
  /// Samples by which every decoder of MP3 is late.
  private static let decoder = 529
  /// Samples that LAME and FFmpeg put in front, for files that don't say.
  private static let usual = 576
  /// Place of the encoder's delay behind the name of the Xing or Info header: behind its four fields, the encoder's
  /// name, and its settings.
  private static let place = 141
  /// Enough for the first frame's header and what LAME writes into it.
  private static let searched = 256

  /// The delay; zero for files that are no MP3.
  ///
  /// - Parameter read: returns `count` bytes from a place on; nil where they aren't all there.
  public static func find(_ read: (_ place: Int, _ count: Int) -> [UInt8]?) -> Duration {
    guard let head = read(0, JoinedSound.headLength),
      let frame = read(JoinedSound.endOfTags(head), searched), JoinedSound.isFrame(frame),
      let rate = rate(of: frame)
    else { return .zero }
    var encoder = usual
    if let header = JoinedSound.header(in: frame), header.place + place + 1 < frame.count {
      let (high, low) = (Int(frame[header.place + place]), Int(frame[header.place + place + 1]))
      // Twelve bits; zeros where an encoder writes the header and not this part of it.
      let stated = high << 4 | low >> 4
      if stated > 0, namesEncoder(frame[(header.place + 120)...]) { encoder = stated }
    }
    return .nanoseconds(Int64(encoder + decoder) * 1_000_000_000 / Int64(rate))
  }

  private static func namesEncoder(_ bytes: ArraySlice<UInt8>) -> Bool {
    ["LAME", "Lavc", "Lavf", "L3.9"].contains { bytes.starts(with: $0.utf8) }
  }

  /// Samples a second of a frame of layer III; nil for the other layers, whose decoders have no such delay.
  private static func rate(of frame: [UInt8]) -> Int? {
    guard frame[1] & 0x06 == 0x02 else { return nil }
    let full = [44_100, 48_000, 32_000]
    let index = Int(frame[2] >> 2 & 3)
    guard index < full.count else { return nil }
    // Version 1, 2 (half of its rates) and 2.5 (a quarter).
    return switch frame[1] >> 3 & 3 {
    case 3: full[index]
    case 2: full[index] / 2
    default: full[index] / 4
    }
  }
}
