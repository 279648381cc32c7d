import CPangoCairo
import FileModel
import FileSystem
public import InteractionCore
public import PlaybackCore

/// Writes pictures as PNG files. Any thread; waits for the disk, so don't call it on the loop.
public enum PNGWriter {
  /// Writes an opaque picture.
  ///
  /// The file appears whole or not at all: it is written under another name and renamed.
  /// - Throws: 7303 with the path when it can't be written; an existing file is then left unchanged.
  public static func write(_ picture: Picture, to path: String) throws(VitrineError) {
    try write(picture.pixels, size: picture.size, format: CAIRO_FORMAT_RGB24, to: path)
  }

  /// Encodes an opaque picture in memory.
  ///
  /// - Throws: 7304 when memory is short.
  public static func bytes(_ picture: Picture) throws(VitrineError) -> [UInt8] {
    let written = WrittenBytes()
    let status = picture.pixels.withUnsafeBytes { bytes in
      // Cairo only reads from a surface that it encodes.
      guard let base = bytes.baseAddress,
        let surface = ImageSurface(
          CAIRO_FORMAT_RGB24, pixels: UnsafeMutableRawPointer(mutating: base), size: picture.size,
          stride: 4 * picture.size.width)
      else { return CAIRO_STATUS_NO_MEMORY }
      return surface.writePNG(to: written)
    }
    guard status == CAIRO_STATUS_SUCCESS else {
      throw VitrineError(
        7304, subject: "snapshot", message: "the picture could not be drawn",
        remedy: "check the screen's size and the free memory",
        detail: cairo_status_to_string(status).map { String(cString: $0) } ?? "")
    }
    return written.bytes
  }

  /// Writes an overlay with its transparency, under the same rules.
  public static func write(_ overlay: OverlayImage, to path: String) throws(VitrineError) {
    try write(overlay.pixels, size: overlay.frame.size, format: CAIRO_FORMAT_ARGB32, to: path)
  }

  private static func write(
    _ pixels: [UInt32], size: PixelSize, format: cairo_format_t, to path: String
  ) throws(VitrineError) {
    guard !path.isEmpty, !path.utf8.contains(0) else { throw failure(path, detail: "not a path") }
    guard !size.isEmpty, pixels.count >= size.width * size.height else {
      throw failure(path, detail: "\(pixels.count) pixels for \(size.width)x\(size.height)")
    }
    let partial = path + ".part"
    let status = pixels.withUnsafeBytes { bytes in
      // Cairo only reads from a surface that it writes to a file.
      guard let base = bytes.baseAddress,
        let surface = ImageSurface(
          format, pixels: UnsafeMutableRawPointer(mutating: base), size: size, stride: 4 * size.width)
      else { return CAIRO_STATUS_NO_MEMORY }
      return surface.writePNG(to: partial)
    }
    guard status == CAIRO_STATUS_SUCCESS else {
      try? FileTree.removeFile(partial)
      throw failure(path, detail: cairo_status_to_string(status).map { String(cString: $0) } ?? "")
    }
    do throws(FileError) {
      try FileTree.rename(partial, to: path)
    } catch {
      try? FileTree.removeFile(partial)
      throw failure(path, detail: error.words)
    }
  }

  private static func failure(_ path: String, detail: String) -> VitrineError {
    VitrineError(
      7303, subject: path, message: "the picture can't be written",
      remedy: "check that the folder is there, may be written to and has room", detail: detail)
  }
}
