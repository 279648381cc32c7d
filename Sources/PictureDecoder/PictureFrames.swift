internal import CGdkPixbuf
public import PictureFiles
internal import PlaybackCore

/// The frames of a picture, decoded in this process, one at a time as they are asked for. A file that crashes its
/// decoder ends this process; `PictureDecoding` can use a separate process.
///
/// Used by one thread at a time. Keeps the file and two or three frames in memory.
public final class PictureFrames: PictureSource {
  private enum Source {
    case still(Bitmap)
    /// GIF, WebP: the decoder's animation, and the iterator's place in it.
    case animation(pointer: OpaquePointer, Walk?)
    case png(AnimatedPNG, PictureCanvas, next: Int)
  }

  /// An iterator of gdk-pixbuf advances by a clock; this class makes the times up.
  private final class Walk {
    let pointer: OpaquePointer
    var frame = 0
    private var milliseconds: Int64 = 0
    private let delays: [Duration]?

    /// - Parameter delays: how long the frames last, where the decoder reports it wrongly.
    init?(_ animation: OpaquePointer, delays: [Duration]?) {
      self.delays = delays
      guard let pointer = vit_animation_start(animation) else { return nil }
      self.pointer = pointer
    }

    deinit { g_object_unref(UnsafeMutableRawPointer(pointer)) }

    func advance() {
      // Advances by the frame's own time, however long it is really shown; a negative one, of the last frame, means for
      // ever.
      let told =
        delays.map { $0[frame % $0.count].milliseconds } ?? Int64(gdk_pixbuf_animation_iter_get_delay_time(pointer))
      milliseconds += max(0, told)
      // Just past the end of the frame, where decoders agree on which frame is current.
      vit_animation_move(pointer, gint64(milliseconds + 1))
      frame += 1
    }
  }

  private var source: Source
  private let format: PictureFormat
  private let orientation: EXIFOrientation
  private let background: UInt32
  private let delays: [Duration]?
  private let request: PictureRequest

  /// Opens the picture and decodes its first frame.
  ///
  /// - Parameters:
  ///   - bytes: the whole file.
  ///   - header: the header of the same file.
  ///   - background: 0xRRGGBB: the colour behind transparent pixels.
  public init(_ bytes: [UInt8], _ header: PictureHeader, background: UInt32, _ request: PictureRequest)
    throws(PictureProblem)
  {
    format = header.format
    orientation = header.orientation.left(by: header.format)
    // The WebP decoder gives each frame the time of the next one, and a frame without a time a tenth of a second.
    delays =
      header.format == .webp ? header.animation?.delays.map { $0 == .zero ? .milliseconds(100) : $0 } : nil
    self.background = background
    self.request = request
    if header.animation == nil {
      source = .still(try PictureLoader.picture(bytes, header.format, request))
      // The bitmap as it was decoded is released.
      source = .still(try shown(0))
    } else if header.format == .png, let film = AnimatedPNG(bytes) {
      source = .png(film, PictureCanvas(size: film.size), next: 0)
    } else {
      source = .animation(pointer: try PictureLoader.animation(bytes, header.format, request), nil)
    }
  }

  deinit { if case .animation(let pointer, _) = source { g_object_unref(UnsafeMutableRawPointer(pointer)) } }

  /// Decodes a frame, upright and on the background.
  ///
  /// - Parameter index: within the animation. Frames are meant to be asked for in order, over and over; any other order
  ///   costs time.
  public func frame(_ index: Int) throws(PictureProblem) -> Bitmap {
    if case .still(let bitmap) = source { return bitmap }
    return try shown(index)
  }

  /// Decodes a frame. The time isn't limited: a decoder in this process can't be cancelled.
  public func frame(_ index: Int, after shown: Duration) throws(PictureProblem) -> Bitmap { try frame(index) }

  private func shown(_ index: Int) throws(PictureProblem) -> Bitmap {
    let raw = try rawFrame(index)
    guard let turned = raw.turned(orientation) else { throw noMemory }
    // The iterator overwrites its frame with the next step; a turned frame is a copy already.
    let isOwn = turned.pointer != raw.pointer || isStill
    if isOwn, !turned.isFourBytes { return turned }
    guard let shown = turned.flattened(over: background) else { throw noMemory }
    return shown
  }

  private var isStill: Bool { if case .still = source { true } else { false } }

  private var noMemory: PictureProblem { .damaged(format, detail: "no memory for it") }

  private func rawFrame(_ index: Int) throws(PictureProblem) -> Bitmap {
    switch source {
    case .still(let bitmap): return bitmap
    case .animation(let pointer, let old):
      var walk = old
      if walk == nil || index < walk?.frame ?? 0 { walk = Walk(pointer, delays: delays) }
      guard let walk else { throw noMemory }
      source = .animation(pointer: pointer, walk)
      while walk.frame < index { walk.advance() }
      guard let pixbuf = gdk_pixbuf_animation_iter_get_pixbuf(walk.pointer),
        let held = g_object_ref(UnsafeMutableRawPointer(pixbuf))
      else { throw .damaged(format, detail: "frame \(index) can't be decoded") }
      return Bitmap(adopting: OpaquePointer(held))
    case .png(let film, var canvas, var next):
      if index < next { (canvas, next) = (PictureCanvas(size: film.size), 0) }
      // `source` gives up its canvas while this one is drawn on: with two references each frame would copy the pixels.
      source = .png(film, PictureCanvas(size: PixelSize(width: 0, height: 0)), next: 0)
      while next <= index, next < film.frames.count {
        let bitmap = try PictureLoader.picture(film.file(of: next), .png, request)
        canvas.draw(film.frames[next], bitmap.rgba())
        next += 1
      }
      guard let bitmap = Bitmap(rgba: canvas.pixels, size: film.size) else { throw noMemory }
      source = .png(film, canvas, next: next)
      return bitmap
    }
  }
}

extension EXIFOrientation {
  /// The orientation that remains after decoding: libtiff mirrors pictures but doesn't turn them, and takes those that
  /// are to be turned for others that are only to be mirrored.
  fileprivate func left(by format: PictureFormat) -> EXIFOrientation {
    guard format == .tiff else { return self }
    switch self {
    case .upright, .mirrored, .upsideDown, .flipped: return .upright
    case .transposed, .transversed: return .transposed
    case .clockwise, .counterclockwise: return .transversed
    }
  }
}

extension Duration {
  fileprivate var milliseconds: Int64 {
    components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000
  }
}
