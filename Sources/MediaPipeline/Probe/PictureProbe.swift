internal import FileModel
internal import FileSystem
internal import PictureDecoder
internal import PictureFiles
internal import PlaybackCore

/// Finds out what a picture in a file is, by the decoders that show it.
enum PictureProbe {
  /// A JPEG is decoded no larger than for this.
  private static let screen = PixelSize(width: 1920, height: 1080)

  /// Blocks while it is read and decoded.
  ///
  /// - Returns: nil for what isn't a picture in a file that can be read; others tell why.
  /// - Throws: what playing it would fail with: 31xx, 4201.
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

  /// One byte more than may be, where there is more.
  private static func read(_ path: String) -> [UInt8]? {
    guard let file = try? OpenFile(reading: FilePath(path)), let size = try? file.status().size, size > 0,
      let bytes = try? file.bytes(limit: PictureLimits.bytes + 1)
    else { return nil }
    // What was cut off meanwhile is no whole picture.
    return bytes.count == min(size, Int64(PictureLimits.bytes + 1)) ? bytes : nil
  }
}

extension EXIFOrientation {
  /// In GStreamer's words; nil is upright.
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
