internal import CGdkPixbuf
internal import PictureFiles
public import PlaybackCore

/// The conditions under which a picture is decoded.
public struct PictureRequest {
  /// Gives the size at which a picture of the given size is decoded, both as stored; nil refuses it. Called before any
  /// pixel is decoded.
  var size: (PixelSize) -> PixelSize?
  /// Whether decoding was cancelled. Called now and then.
  var isCancelled: () -> Bool

  public init(size: @escaping (PixelSize) -> PixelSize?, isCancelled: @escaping () -> Bool = { false }) {
    self.size = size
    self.isCancelled = isCancelled
  }
}

/// Decodes pictures with gdk-pixbuf's decoders. They come from packages, each loaded with the first picture of its
/// format.
///
/// Runs on the caller's thread, for as long as the file makes it.
struct PictureLoader: ~Copyable {
  private let pointer: UnsafeMutablePointer<GdkPixbufLoader>
  private let format: PictureFormat

  /// Bytes that a decoder gets between two checks for cancellation.
  private static let portion = 64 * 1024

  /// - Throws: `noDecoder`.
  private init(_ format: PictureFormat) throws(PictureProblem) {
    self.format = format
    var detail = ""
    for type in format.decoderTypes {
      var problem: UnsafeMutablePointer<GError>?
      if let pointer = gdk_pixbuf_loader_new_with_type(type, &problem) {
        self.pointer = pointer
        return
      }
      detail = consumeMessage(of: problem)
    }
    throw .noDecoder(format, detail: detail)
  }

  deinit {
    // A loader that isn't closed logs a warning; closing it twice does no harm.
    _ = gdk_pixbuf_loader_close(pointer, nil)
    g_object_unref(pointer)
  }

  /// Reads the list of decoders, which the first picture would otherwise wait for, and loads that of `format`. The SVG
  /// decoder has fifty libraries, and makes its tables when it draws for the first time.
  static func warmUp(_ format: PictureFormat?) {
    g_slist_free(gdk_pixbuf_get_formats())
    guard let format, format != .jxl, let loader = try? PictureLoader(format), format == .svg else { return }
    let drawing = #"<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"><path d="M0 0h1v1z"/></svg>"#
    try? loader.load(Array(drawing.utf8), PictureRequest(size: { $0 }))
  }

  /// Decodes the first or only frame.
  static func picture(_ bytes: [UInt8], _ format: PictureFormat, _ request: PictureRequest) throws(PictureProblem)
    -> Bitmap
  {
    if format == .jxl { return try JXLDecoder.picture(bytes, request) }
    let loader = try PictureLoader(format)
    try loader.load(format == .avif ? Self.still(bytes) : bytes, request)
    guard let pixbuf = gdk_pixbuf_loader_get_pixbuf(loader.pointer),
      let held = g_object_ref(UnsafeMutableRawPointer(pixbuf))
    else { throw .damaged(format, detail: "no picture came of it") }
    return Bitmap(adopting: OpaquePointer(held))
  }

  /// Relabels an AVIF whose main brand says that it is an animation: the decoder would begin the film, and that fails
  /// where the file comes in portions. Labelled as a still picture, it gives its first frame.
  private static func still(_ bytes: [UInt8]) -> [UInt8] {
    let brand = 8..<12
    guard bytes.count >= brand.upperBound, bytes[brand].elementsEqual("avis".utf8) else { return bytes }
    var bytes = bytes
    bytes.replaceSubrange(brand, with: "avif".utf8)
    return bytes
  }

  /// Reads all frames, still compressed.
  ///
  /// - Returns: a reference that the caller owns.
  static func animation(_ bytes: [UInt8], _ format: PictureFormat, _ request: PictureRequest) throws(PictureProblem)
    -> OpaquePointer
  {
    let loader = try PictureLoader(format)
    do throws(PictureProblem) {
      try loader.load(bytes, request)
    } catch .damaged(let format, let detail) {
      // Many GIFs are cut off. The frames before the end are shown.
      guard gdk_pixbuf_loader_get_animation(loader.pointer) != nil else { throw .damaged(format, detail: detail) }
    }
    guard let animation = gdk_pixbuf_loader_get_animation(loader.pointer),
      let held = g_object_ref(UnsafeMutableRawPointer(animation))
    else { throw .damaged(format, detail: "no picture came of it") }
    return OpaquePointer(held)
  }

  private borrowing func load(_ bytes: [UInt8], _ request: PictureRequest) throws(PictureProblem) {
    let asked = Asked(request)
    g_signal_connect_data(
      pointer, "size-prepared", unsafeBitCast(Self.sizePrepared, to: GCallback.self),
      Unmanaged.passRetained(asked).toOpaque(),
      { data, _ in if let data { Unmanaged<Asked>.fromOpaque(data).release() } }, GConnectFlags(0))
    let failure = bytes.withUnsafeBufferPointer { all -> PictureProblem? in
      var offset = 0
      while offset < all.count, let start = all.baseAddress {
        if request.isCancelled() { return .cancelled }
        let count = min(Self.portion, all.count - offset)
        var problem: UnsafeMutablePointer<GError>?
        let isTaken = gdk_pixbuf_loader_write(pointer, start + offset, gsize(count), &problem) != 0
        // After a refused size, a decoder may go on with the rest of its data, or stop with an error of its own.
        if let refused = asked.refused { return .tooManyPixels(refused) }
        if !isTaken { return .damaged(format, detail: consumeMessage(of: problem)) }
        offset += count
      }
      return nil
    }
    if let failure { throw failure }
    var problem: UnsafeMutablePointer<GError>?
    let isWhole = gdk_pixbuf_loader_close(pointer, &problem) != 0
    if let refused = asked.refused { throw .tooManyPixels(refused) }
    guard isWhole else { throw .damaged(format, detail: consumeMessage(of: problem)) }
  }

  private static let sizePrepared:
    @convention(c) (UnsafeMutablePointer<GdkPixbufLoader>?, gint, gint, gpointer?) -> Void = {
      loader, width, height, data in
      guard let loader, let data else { return }
      let asked = Unmanaged<Asked>.fromOpaque(data).takeUnretainedValue()
      let size = PixelSize(width: Int(width), height: Int(height))
      guard let wanted = asked.request.size(size) else {
        asked.refused = size
        // Decoders stop with an error where the size is zero.
        return gdk_pixbuf_loader_set_size(loader, 0, 0)
      }
      if wanted != size {
        gdk_pixbuf_loader_set_size(loader, Int32(clamping: wanted.width), Int32(clamping: wanted.height))
      }
    }
}

/// The request, as the size callback gets it on the decoding thread.
private final class Asked {
  let request: PictureRequest
  var refused: PixelSize?
  init(_ request: PictureRequest) { self.request = request }
}

extension PictureFormat {
  /// Names of the decoders for the format, the preferred one first.
  fileprivate var decoderTypes: [String] {
    switch self {
    case .heic: ["heif/avif", "heif"]
    case .avif: ["avif", "heif/avif"]
    default: [rawValue]
    }
  }
}

private func consumeMessage(of problem: UnsafeMutablePointer<GError>?) -> String {
  guard let problem else { return "" }
  defer { g_error_free(problem) }
  return problem.pointee.message.map { String(cString: $0) } ?? ""
}
