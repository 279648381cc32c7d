internal import FileModel
internal import FileSystem
internal import PictureDecoder
internal import PictureFiles
internal import PlaybackCore

/// Examines a picture file with the decoders that show it.
enum PictureProbe {
  /// The screen size for which a picture is decoded.
  private static let screen = PixelSize(width: 1920, height: 1080)

  /// Blocks while the file is read and decoded.
  ///
  /// - Returns: nil for an item that isn't a readable picture file; opening it otherwise tells why.
  /// - Throws: the error that playing the item would give: 31xx, 4201.
  static func open(_ item: MediaItem) throws(VitrineError) -> MediaFacts? {
    guard let (header, shown) = try decode(item, for: screen) else { return nil }
    var stream = StreamFacts(kind: .picture, codec: header.format.name)
    stream.size = header.size ?? shown.size
    stream.orientation = header.orientation.word
    stream.decoder = header.format == .jxl ? "libjxl" : "gdk-pixbuf"
    return MediaFacts(container: nil, duration: nil, isLive: false, streams: [stream])
  }

  /// The picture's first frame, upright and on black, as large as the box allows; smaller ones aren't enlarged.
  ///
  /// - Returns: nil as for `open`, or where memory is short.
  static func poster(of item: MediaItem, in box: PixelSize) throws(VitrineError) -> PosterImage? {
    guard let (_, shown) = try decode(item, for: box) else { return nil }
    let size = PosterImage.size(of: shown.size, in: box)
    return shown.scaled(to: size).flatMap { PosterImage(rgba: $0.rgba(), size: size) }
  }

  private static func decode(
    _ item: MediaItem, for wanted: PixelSize
  ) throws(VitrineError) -> (header: PictureHeader, shown: Bitmap)? {
    guard item.kind == .picture, let path = TextFile.path(of: item.uri), let bytes = read(path) else { return nil }
    do throws(PictureProblem) {
      guard bytes.count <= PictureLimits.bytes else { throw .tooManyBytes }
      let header = try PictureHeader.read(bytes)
      let request = request(header, for: wanted)
      return (header, try PictureDecoding.open(bytes, header, background: 0, request).frame(0, after: .zero))
    } catch {
      throw error.error(item.uri)
    }
  }

  private static func request(_ header: PictureHeader, for wanted: PixelSize) -> PictureRequest {
    PictureRequest(size: { stored in
      var header = header
      header.size = stored
      if header.format == .svg { return PictureScale.vectorSize(wanted) }
      guard let held = PictureScale.heldSize(of: header, wanted: wanted), PictureLimits.allow(held) else { return nil }
      return PictureScale.decodedSize(of: header, wanted: wanted)
    })
  }

  /// Reads up to one byte more than the limit, so that a larger file is noticed.
  private static func read(_ path: String) -> [UInt8]? {
    guard let file = try? OpenFile(reading: FilePath(path)), let size = try? file.status().size, size > 0,
      let bytes = try? file.bytes(limit: PictureLimits.bytes + 1)
    else { return nil }
    // A file that was cut off meanwhile isn't a whole picture.
    return bytes.count == min(size, Int64(PictureLimits.bytes + 1)) ? bytes : nil
  }
}

extension EXIFOrientation {
  /// GStreamer's name of the orientation; nil for upright.
  fileprivate var word: String? {
    switch self {
    case .upright: nil
    case .mirrored: "flip-rotate-0"
    case .upsideDown: "rotate-180"
    case .flipped: "flip-rotate-180"
    case .transposed: "flip-rotate-270"
    case .clockwise: "rotate-90"
    case .transversed: "flip-rotate-90"
    case .counterclockwise: "rotate-270"
    }
  }
}
