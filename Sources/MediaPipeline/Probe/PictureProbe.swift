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
    guard item.kind == .picture, let path = TextFile.path(of: item.uri), let bytes = read(path) else { return nil }
    do throws(PictureProblem) {
      guard bytes.count <= PictureLimits.bytes else { throw .tooManyBytes }
      let header = try PictureHeader.read(bytes)
      let shown = try PictureDecoding.open(bytes, header, background: 0, request(header)).frame(0, after: .zero)
      var stream = StreamFacts(kind: .picture, codec: header.format.name)
      stream.size = header.size ?? shown.size
      stream.orientation = header.orientation.word
      stream.decoder = header.format == .jxl ? "libjxl" : "gdk-pixbuf"
      return MediaFacts(container: nil, duration: nil, isLive: false, streams: [stream])
    } catch {
      throw error.error(item.uri)
    }
  }

  private static func request(_ header: PictureHeader) -> PictureRequest {
    PictureRequest(size: { stored in
      var header = header
      header.size = stored
      if header.format == .svg { return PictureScale.vectorSize(screen) }
      guard let held = PictureScale.heldSize(of: header, wanted: screen), PictureLimits.allow(held) else { return nil }
      return PictureScale.decodedSize(of: header, wanted: screen)
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
