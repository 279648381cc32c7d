/// Relates the times in a WebVTT file to the clock of the stream that the file is a part of: `X-TIMESTAMP-MAP` in the
/// file's header (RFC 8216 3.5).
struct TimestampMap: Hashable, Sendable {
  /// A moment on the stream's clock, at 90 kHz. The clock begins again after 33 bits, which is 26.5 hours.
  private let ticks: Int64
  /// That moment as the file's own times have it.
  private let local: Duration

  private static let name = "X-TIMESTAMP-MAP"
  private static let bits: Int64 = 33
  /// Bytes of a file in which its header is looked for.
  private static let longestHeader = 1024

  /// Nil where the file has no such line, or one that can't be read.
  init?(of file: [UInt8]) {
    var lines = SubtitleLines(Array(file.prefix(Self.longestHeader)))
    while let line = lines.next(), !line.isEmpty {
      guard line.starts(with: Self.name.utf8) else { continue }
      self.init(line.drop { $0 != UInt8(ascii: "=") }.dropFirst())
      return
    }
    return nil
  }

  /// - Parameter fields: `MPEGTS:900000,LOCAL:00:00:00.000`, in either order.
  private init?(_ fields: ArraySlice<UInt8>) {
    var ticks: Int64?
    var local: Duration?
    for field in fields.split(separator: UInt8(ascii: ",")) {
      let field = field.trimmed(SubtitleLines.isBlank)
      guard let colon = field.firstIndex(of: UInt8(ascii: ":")) else { return nil }
      let value = field[(colon + 1)...]
      switch String(decoding: field[..<colon], as: UTF8.self) {
      case "MPEGTS": ticks = Int64(String(decoding: value, as: UTF8.self))
      case "LOCAL": local = CueTimes.time(value)
      default: break
      }
    }
    guard let ticks, ticks >= 0, let local else { return nil }
    self.ticks = ticks & (1 << Self.bits - 1)
    self.local = local
  }

  /// How much later the times of this file are meant than the same times of another file.
  func offset(from first: TimestampMap) -> Duration {
    var difference = (ticks - first.ticks) & (1 << Self.bits - 1)
    // The clock has begun again between the two, or this file lies before the other.
    if difference >= 1 << (Self.bits - 1) { difference -= 1 << Self.bits }
    return .nanoseconds(difference * 100_000 / 9) - (local - first.local)
  }
}
