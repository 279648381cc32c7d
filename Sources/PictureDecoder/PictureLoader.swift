internal import CGdkPixbuf
internal import PictureFiles
public import PlaybackCore

/// What is to come out of a decoder.
public struct PictureRequest {
  /// The size to decode a picture of that size at, both as stored; nil refuses it. Asked before any pixel is decoded.
  var size: (PixelSize) -> PixelSize?
  /// Whether nobody waits any more. Asked now and then.
  var isCancelled: () -> Bool

  public init(size: @escaping (PixelSize) -> PixelSize?, isCancelled: @escaping () -> Bool = { false }) {
    self.size = size
    self.isCancelled = isCancelled
  }
}

/// The door to gdk-pixbuf's decoders. They come from packages, each loaded when the first picture of its kind is.
///
/// On the caller's thread, which may take long: pictures can be made to.
struct PictureLoader: ~Copyable {
  private let pointer: UnsafeMutablePointer<GdkPixbufLoader>
  private let format: PictureFormat

  /// How much is given to a decoder before it is asked whether anybody still waits.
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
      detail = takeMessage(of: problem)
    }
    throw .noDecoder(format, detail: detail)
  }

  deinit {
    // One that isn't closed complains; one that is stays so.
    _ = gdk_pixbuf_loader_close(pointer, nil)
    g_object_unref(pointer)
  }

  /// Reads which decoders there are, which the first picture would wait for.
  static func warmUp() { g_slist_free(gdk_pixbuf_get_formats()) }

  /// Decodes the first or only frame.
  static func picture(_ bytes: [UInt8], _ format: PictureFormat, _ request: PictureRequest) throws(PictureProblem)
    -> Bitmap
  {
    if format == .jxl { return try JXLDecoder.picture(bytes, request) }
    let loader = try PictureLoader(format)
    try loader.load(bytes, request)
    guard let pixbuf = gdk_pixbuf_loader_get_pixbuf(loader.pointer),
      let held = g_object_ref(UnsafeMutableRawPointer(pixbuf))
    else { throw .damaged(format, detail: "no picture came of it") }
    return Bitmap(adopting: OpaquePointer(held))
  }

  /// Reads all frames, still packed.
  ///
  /// - Returns: with a reference for the caller.
  static func animation(_ bytes: [UInt8], _ format: PictureFormat, _ request: PictureRequest) throws(PictureProblem)
    -> OpaquePointer
  {
    let loader = try PictureLoader(format)
    do throws(PictureProblem) {
      try loader.load(bytes, request)
    } catch .damaged(let format, let detail) {
      // Many a GIF lacks its end. What came before it is shown.
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
        // Refused, a decoder may go on with all it has, or stop with an error of its own.
        if let refused = asked.refused { return .tooManyPixels(refused) }
        if !isTaken { return .damaged(format, detail: takeMessage(of: problem)) }
        offset += count
      }
      return nil
    }
    if let failure { throw failure }
    var problem: UnsafeMutablePointer<GError>?
    let isWhole = gdk_pixbuf_loader_close(pointer, &problem) != 0
    if let refused = asked.refused { throw .tooManyPixels(refused) }
    guard isWhole else { throw .damaged(format, detail: takeMessage(of: problem)) }
  }

  private static let sizePrepared:
    @convention(c) (UnsafeMutablePointer<GdkPixbufLoader>?, gint, gint, gpointer?) -> Void = {
      loader, width, height, data in
      guard let loader, let data else { return }
      let asked = Unmanaged<Asked>.fromOpaque(data).takeUnretainedValue()
      let size = PixelSize(width: Int(width), height: Int(height))
      guard let wanted = asked.request.size(size) else {
        asked.refused = size
        // Decoders end with an error where nothing is wanted of them.
        return gdk_pixbuf_loader_set_size(loader, 0, 0)
      }
      if wanted != size {
        gdk_pixbuf_loader_set_size(loader, Int32(clamping: wanted.width), Int32(clamping: wanted.height))
      }
    }
}

/// Asked for the size, on the thread that decodes.
private final class Asked {
  let request: PictureRequest
  var refused: PixelSize?
  init(_ request: PictureRequest) { self.request = request }
}

extension PictureFormat {
  /// Names of the decoders that read it, best first.
  fileprivate var decoderTypes: [String] {
    switch self {
    case .heic: ["heif/avif", "heif"]
    case .avif: ["avif", "heif/avif"]
    default: [rawValue]
    }
  }
}

private func takeMessage(of problem: UnsafeMutablePointer<GError>?) -> String {
  guard let problem else { return "" }
  defer { g_error_free(problem) }
  return problem.pointee.message.map { String(cString: $0) } ?? ""
}
