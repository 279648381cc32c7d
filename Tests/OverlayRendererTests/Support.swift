import CPangoCairo
import ConfigurationFiles
import Glibc
import InteractionCore
import OverlayRenderer
import PlaybackCore
import PlaylistConfig
import Testing

/// The pixels of an image by their place on the screen, as `0xAARRGGBB`.
extension OverlayImage {
  /// The pixel at a point of the screen; 0 outside the image, where nothing is drawn.
  func pixel(x: Int, y: Int) -> UInt32 {
    let (column, row) = (x - frame.x, y - frame.y)
    guard (0..<frame.width).contains(column), (0..<frame.height).contains(row) else { return 0 }
    return pixels[row * frame.width + column]
  }

  /// The pixel over a film of one colour.
  func color(x: Int, y: Int, over film: RGBColor) -> RGBColor {
    let pixel = pixel(x: x, y: y)
    let rest = 255 - Int(pixel >> 24)
    func channel(_ shift: UInt32, _ bottom: UInt8) -> UInt8 {
      UInt8(min(255, Int(pixel >> shift & 0xFF) + (Int(bottom) * rest + 127) / 255))
    }
    return RGBColor(red: channel(16, film.red), green: channel(8, film.green), blue: channel(0, film.blue))
  }
}

extension Picture {
  func color(x: Int, y: Int) -> RGBColor {
    let pixel = pixels[y * size.width + x]
    return RGBColor(
      red: UInt8(truncatingIfNeeded: pixel >> 16), green: UInt8(truncatingIfNeeded: pixel >> 8),
      blue: UInt8(truncatingIfNeeded: pixel))
  }

  /// Reads a PNG through Cairo; nil when there is no such file or it isn't a PNG. The unused bytes are Cairo's.
  init?(png path: String) {
    guard let surface = cairo_image_surface_create_from_png(path) else { return nil }
    defer { cairo_surface_destroy(surface) }
    guard cairo_surface_status(surface) == CAIRO_STATUS_SUCCESS, let data = cairo_image_surface_get_data(surface)
    else { return nil }
    let size = PixelSize(
      width: Int(cairo_image_surface_get_width(surface)), height: Int(cairo_image_surface_get_height(surface)))
    let stride = Int(cairo_image_surface_get_stride(surface))
    let count = size.width * size.height
    let pixels = [UInt32](unsafeUninitializedCapacity: count) { buffer, initialized in
      guard let base = buffer.baseAddress else { return }
      for row in 0..<size.height {
        memcpy(base + row * size.width, data + row * stride, 4 * size.width)
      }
      initialized = count
    }
    self.init(size: size, pixels: pixels)
  }
}

enum Fonts {
  /// The font family that shows `character` when `asking` is wanted; nil without such a font.
  static func family(of character: Unicode.Scalar, asking: String = "Inter,Noto Sans,sans-serif") -> String? {
    guard let map = pango_cairo_font_map_new() else { return nil }
    defer { g_object_unref(map) }
    guard let context = pango_font_map_create_context(map) else { return nil }
    defer { g_object_unref(UnsafeMutableRawPointer(context)) }
    let wanted = pango_font_description_from_string("\(asking) 16")
    defer { pango_font_description_free(wanted) }
    guard let set = pango_font_map_load_fontset(map, context, wanted, pango_language_get_default()) else { return nil }
    defer { g_object_unref(set) }
    guard let font = pango_fontset_get_font(set, character.value) else { return nil }
    defer { g_object_unref(font) }
    guard pango_font_has_char(font, character.value) != 0, let found = pango_font_describe(font) else { return nil }
    defer { pango_font_description_free(found) }
    return pango_font_description_get_family(found).map { String(cString: $0) }
  }

  static let hasInter = family(of: "A") == "Inter"
  /// The folder below Golden with the golden pictures of this machine's Pango, since versions lay letters out
  /// differently. Debian 12's (Pango 1.50, Inter 3.19) are in Golden itself; those of Debian 13 that differ have a
  /// folder. Nil for other versions.
  static let goldenFolder: String? =
    switch pango_version() / 100 {
    case 150: ""
    case 156: "pango-1.56/"
    default: nil
    }
  static let notAsInGoldenPictures: Comment =
    "The pictures are of the Pango and Inter of Debian 12 and 13; this machine has others"
  static let hasGoldenHan =
    family(of: "\u{5927}") == "Noto Sans CJK JP"
    && family(of: "\u{1F3AC}", asking: "Noto Color Emoji") == "Noto Color Emoji"
}

/// A test's own folder, which is removed with this object.
final class TemporaryFolder {
  let path: String
  init?() {
    var template = Array("/tmp/vitrine-overlay-XXXXXX".utf8CString)
    guard let made = mkdtemp(&template) else { return nil }
    path = String(cString: made)
  }
  deinit {
    for name in names { unlink("\(path)/\(name)") }
    rmdir(path)
  }

  var names: [String] {
    guard let folder = opendir(path) else { return [] }
    defer { closedir(folder) }
    var names: [String] = []
    while let entry = readdir(folder) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name != "." && name != ".." { names.append(name) }
    }
    return names.sorted()
  }
}

enum Languages {
  private static let folder: String = {
    let file = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
    return "/\(file)/config/languages"
  }()

  /// Ours, for the language of a look; English without one.
  static func texts(_ look: OverlayLook) -> VisitorTexts { LanguageFolders([folder]).load(look.language).texts }
}
