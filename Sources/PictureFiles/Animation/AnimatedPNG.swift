public import PlaybackCore

/// Splits an animated PNG: each of its frames becomes a PNG of its own, which any decoder reads.
///
/// The format: https://www.w3.org/TR/png-3/#apng-frame-based-animation
public struct AnimatedPNG: Sendable {
  public enum Disposal: UInt32, Hashable, Sendable {
    /// The frame stays on the canvas.
    case none
    /// The frame's place is cleared.
    case background
    /// The frame's place gets its old content back.
    case previous
  }

  public struct Frame: Hashable, Sendable {
    /// The frame's rectangle on the canvas.
    public var place: PixelRect
    public var delay: Duration
    public var disposal: Disposal
    /// Whether the frame is blended over the canvas, or replaces its place.
    public var isBlended: Bool
    /// Byte ranges of its data in the file.
    var data: [Range<Int>] = []
  }

  /// Size of the canvas.
  public let size: PixelSize
  /// How often the animation plays; nil for endlessly.
  public let plays: Int?
  public private(set) var frames: [Frame] = []

  private let file: Bytes
  /// The IHDR chunk's content, and the chunks before the first data: palette, transparency.
  private let header: Bytes
  private let tables: [Range<Int>]

  /// - Parameter bytes: the whole file.
  /// - Returns: nil for a file that isn't an animated PNG, or violates the format; it counts as a still picture then.
  public init?(_ bytes: [UInt8]) { self.init(Bytes(bytes)) }

  init?(_ bytes: Bytes) {
    guard let size = PNGHeader.size(bytes), !size.isEmpty else { return nil }
    let chunks = PNGHeader.chunks(bytes)
    // acTL must stand before the data; otherwise decoders take the file for a still picture.
    guard let first = chunks.firstIndex(where: { $0.code == "IDAT" }),
      let control = chunks[..<first].first(where: { $0.code == "acTL" })?.content,
      let count = control.bigEndian(4, at: 4), let head = chunks.first, head.code == "IHDR", head.content.count == 13
    else { return nil }
    self.size = size
    file = bytes
    header = head.content
    plays = count == 0 ? nil : Int(count)
    let kept: Set<String> = ["PLTE", "tRNS", "gAMA", "cHRM", "sRGB", "iCCP", "sBIT"]
    tables = chunks[..<first].filter { kept.contains($0.code) }.map(\.whole.bounds)
    for chunk in chunks {
      switch chunk.code {
      case "fcTL":
        guard let frame = Self.frame(chunk.content, on: size) else { return nil }
        frames.append(frame)
      // Data before the first frame's control are a still picture for decoders without animation.
      case "IDAT" where !frames.isEmpty: frames[frames.count - 1].data.append(chunk.content.bounds)
      case "fdAT" where !frames.isEmpty:
        // The data follow a sequence number.
        frames[frames.count - 1].data.append(chunk.content.part(from: 4).bounds)
      default: break
      }
    }
    // A file that was cut in the middle of a frame plays up to that frame.
    if frames.last?.data.isEmpty == true { frames.removeLast() }
    guard let start = frames.first, start.place.size == size || start.data.count > 0 else { return nil }
  }

  private static func frame(_ control: Bytes, on size: PixelSize) -> Frame? {
    func number(_ offset: Int, _ length: Int = 4) -> Int? { control.bigEndian(length, at: offset).map(Int.init) }
    guard let width = number(4), let height = number(8), let x = number(12), let y = number(16),
      let numerator = number(20, 2), let denominator = number(22, 2),
      let disposal = number(24, 1).flatMap({ Disposal(rawValue: UInt32($0)) }), let blend = number(25, 1),
      width > 0, height > 0, x + width <= size.width, y + height <= size.height, blend <= 1
    else { return nil }
    let delay = Duration.seconds(Double(numerator) / Double(denominator == 0 ? 100 : denominator))
    return Frame(
      place: PixelRect(x: x, y: y, width: width, height: height), delay: delay, disposal: disposal,
      isBlended: blend == 1)
  }

  /// One frame as a PNG file.
  ///
  /// - Parameter index: an index of `frames`.
  public func file(of index: Int) -> [UInt8] {
    let frame = frames[index]
    var bytes: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    let size = [frame.place.width, frame.place.height].flatMap { UInt32(clamping: $0).bigEndianBytes }
    Self.append("IHDR", [(size + header.part(from: 8).array)[...]], to: &bytes)
    for table in tables { bytes += slice(table) }
    Self.append("IDAT", frame.data.map(slice), to: &bytes)
    Self.append("IEND", [], to: &bytes)
    return bytes
  }

  private func slice(_ range: Range<Int>) -> ArraySlice<UInt8> {
    file.part(at: range.lowerBound - file.bounds.lowerBound, count: range.count).array
  }

  private static func append(_ code: String, _ parts: [ArraySlice<UInt8>], to bytes: inout [UInt8]) {
    bytes += UInt32(clamping: parts.reduce(0) { $0 + $1.count }).bigEndianBytes
    let start = bytes.count
    bytes += Array(code.utf8)
    for part in parts { bytes += part }
    bytes += CRC32.checksum(of: bytes[start...]).bigEndianBytes
  }
}

extension UInt32 {
  fileprivate var bigEndianBytes: [UInt8] { [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: self >> $0) } }
}
