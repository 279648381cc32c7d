public import PlaybackCore

/// What a picture says of itself before it is decoded.
public struct PictureHeader: Hashable, Sendable {
  public var format: PictureFormat
  /// As stored, before it is turned; nil where that isn't known. Vector pictures have none that matters.
  public var size: PixelSize?
  public var orientation = EXIFOrientation.upright
  /// Nil for a picture that stands still.
  public var animation: PictureAnimation?
  /// The decoder needs memory only for the size that it is asked for: JPEG that isn't progressive.
  public var decodesInStrips = false

  init(_ format: PictureFormat, _ size: PixelSize?) {
    self.format = format
    self.size = size
  }

  /// - Parameter bytes: the whole file.
  /// - Throws: `notAPicture` where it is none that we know, `damaged` where it ends before its header does.
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
  /// Whether the end is there, of formats whose decoders don't mind: they leave the rest of the picture as it is.
  private static func isWhole(_ bytes: Bytes, _ header: PictureHeader) -> Bool {
    switch header.format {
    case .jpeg: JPEGHeader.hasEnd(bytes)
    // What moves is played as far as it goes.
    case .png: header.animation != nil || PNGHeader.chunks(bytes).last?.code == "IEND"
    case .webp: header.animation != nil || Int(bytes.littleEndian(4, at: 4) ?? 0) <= bytes.count - 8
    default: true
    }
  }
}

/// A picture that moves.
public struct PictureAnimation: Hashable, Sendable {
  /// How long each frame is shown, as the file has it; `PictureTimeline` says what is made of it.
  public var delays: [Duration]
  /// How often it is played; nil is without end.
  public var plays: Int?

  public init(delays: [Duration], plays: Int?) {
    self.delays = delays
    self.plays = plays
  }
}
