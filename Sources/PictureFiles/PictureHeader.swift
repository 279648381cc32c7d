public import PlaybackCore

/// A picture's properties that are known before it is decoded.
public struct PictureHeader: Hashable, Sendable {
  public var format: PictureFormat
  /// The size as stored, before turning; nil where it isn't known. The size of vector pictures doesn't matter.
  public var size: PixelSize?
  public var orientation = EXIFOrientation.upright
  /// Nil for a still picture.
  public var animation: PictureAnimation?
  /// The decoder needs memory only for the size at which it decodes: true of a JPEG that isn't progressive.
  public var decodesInStrips = false

  init(_ format: PictureFormat, _ size: PixelSize?) {
    self.format = format
    self.size = size
  }

  /// - Parameter bytes: the whole file.
  /// - Throws: `notAPicture` for an unknown format, `damaged` where the file ends within its header.
  public static func read(_ bytes: [UInt8]) throws(PictureProblem) -> PictureHeader {
    guard let format = PictureFormat(start: bytes) else { throw .notAPicture }
    let all = Bytes(bytes)
    let header: PictureHeader? =
      switch format {
      case .png: PNGHeader.read(all)
      case .jpeg: JPEGHeader.read(all)
      case .gif: GIFHeader.read(all)
      case .webp: WebPHeader.read(all)
      case .bmp: BitmapHeader.read(all)
      case .tiff: TIFFHeader.read(all)
      case .heic, .avif: ISOHeader.read(all, format)
      case .svg: PictureHeader(.svg, nil)
      case .jxl: JXLHeader.read(all)
      case .tga: TargaHeader.read(all)
      }
    guard let header else { throw .damaged(format, detail: "it ends before its size is told") }
    guard isWhole(all, header) else { throw .damaged(format, detail: "its end is missing") }
    if let size = header.size, size.isEmpty { throw .damaged(format, detail: "it has no pixels") }
    return header
  }
}

extension PictureHeader {
  /// Whether the file is complete. Checked for formats whose decoders accept truncated files and leave the rest of the
  /// picture empty.
  private static func isWhole(_ bytes: Bytes, _ header: PictureHeader) -> Bool {
    switch header.format {
    case .jpeg: JPEGHeader.hasEnd(bytes)
    // An animation is played as far as the file goes.
    case .png: header.animation != nil || PNGHeader.chunks(bytes).last?.code == "IEND"
    case .webp: header.animation != nil || Int(bytes.littleEndian(4, at: 4) ?? 0) <= bytes.count - 8
    default: true
    }
  }
}

/// The timing of an animation.
public struct PictureAnimation: Hashable, Sendable {
  /// How long each frame is shown, as the file says; `PictureTimeline` adjusts it.
  public var delays: [Duration]
  /// How often it is played; nil for endlessly.
  public var plays: Int?

  public init(delays: [Duration], plays: Int?) {
    self.delays = delays
    self.plays = plays
  }
}
