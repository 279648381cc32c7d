import Foundation
import KioskTestSupport
import PictureFiles
import PlaybackCore
import Testing

@Suite("The format of a picture, by its name and its first bytes")
struct PictureFormatTests {
  @Test("A file name's extension gives the likely format")
  func named() {
    #expect(PictureFormat(named: "file:///srv/Sign.SVG") == .svg && PictureFormat(named: "a.jpeg") == .jpeg)
    #expect(PictureFormat(named: "film.mp4") == nil && PictureFormat(named: "png") == nil)
  }

  @Test(
    "The first bytes give the format, and text isn't taken for a picture",
    arguments: [
      ("<svg xmlns", PictureFormat.svg), ("\u{FEFF}<?xml version=\"1.0\"?>\n<!-- <a> -->\n<!DOCTYPE svg PUBLIC", .svg),
      ("  <svg>", .svg), ("<?xml version=\"1.0\"?><playlist><svg>", nil), ("<html><svg>", nil), ("GIF89a", .gif),
      ("BM is how this text begins", nil), ("", nil), ("<?xml ", nil),
      ("\0\0\0\u{18}ftypheic\0\0\0\0mif1heic", .heic), ("\0\0\0\u{1C}ftypmif1\0\0\0\0mif1avifmiaf", .avif),
      ("\0\0\0\u{18}ftypisom\0\0\0\0isommp41", nil), ("II*\0\u{8}\0\0\0", .tiff),
      ("\0\0\0\u{C}JXL \r\n", nil), ("\0\0\u{2}\0\0\0\0\0\0\0\0\0@\u{1}@\0\u{18} ", .tga),
      ("\0\u{1}\u{9}\0\0\0\u{1}\u{18}\0\0\0\0@\0@\0\u{8}\0", .tga),
      // An icon, a cursor, and a picture without pixels.
      ("\0\0\u{1}\0\u{1}\0\u{10}\u{10}\0\0\u{1}\0\u{18}\0\u{1}\0\u{18}\0", nil),
      ("\0\0\u{2}\0\u{1}\0\u{10}\u{10}\0\0\u{1}\0\u{18}\0\u{1}\0\u{18}\0", nil),
      ("\0\0\u{2}\0\0\0\0\0\0\0\0\0\0\0@\0\u{18} ", nil),
    ] as [(String, PictureFormat?)])
  func formats(text: String, format: PictureFormat?) {
    #expect(PictureFormat(start: Array(text.utf8)) == format)
  }

  @Test(
    "Size, orientation and animation are read from real files",
    arguments: [
      ("baseline.jpg", 160, 90, 1, nil), ("turned-5.jpg", 90, 160, 5, nil), ("turned-6.png", 90, 160, 6, nil),
      ("turned-6.tif", 90, 160, 6, nil), ("bitmap.bmp", 160, 90, 1, nil), ("still.webp", 160, 90, 1, nil),
      ("alpha.webp", 160, 90, 1, nil), ("phone.heic", 160, 90, 1, nil), ("web.avif", 160, 90, 1, nil),
      ("odd.png", 41, 23, 1, nil), ("plain.tga", 160, 90, 1, nil), ("bare.jxl", 160, 90, 1, nil),
      ("boxed.jxl", 160, 90, 1, nil), ("parted.jxl", 160, 90, 1, nil), ("still.gif", 160, 90, 1, nil),
      ("bomb.png", 60000, 60000, 1, nil),
      ("moving-ever.gif", 160, 90, 1, PictureAnimation(delays: Self.three, plays: nil)),
      ("moving-once.gif", 160, 90, 1, PictureAnimation(delays: Self.three, plays: 1)),
      ("moving-twice.gif", 160, 90, 1, PictureAnimation(delays: Self.three, plays: 2)),
      ("moving-twice.png", 160, 90, 1, PictureAnimation(delays: Self.three, plays: 2)),
      ("moving-ever.webp", 160, 90, 1, PictureAnimation(delays: Self.three, plays: nil)),
    ] as [(String, Int, Int, Int, PictureAnimation?)])
  func headers(name: String, width: Int, height: Int, orientation: Int, animation: PictureAnimation?) async throws {
    let header = try PictureHeader.read(try await Self.bytes(name))
    #expect(header.size == PixelSize(width: width, height: height))
    #expect(header.orientation.rawValue == orientation)
    #expect(header.animation == animation)
  }

  @Test("An SVG is recognised after a long licence and in UTF-16, but only within the first 64 kB")
  func lateVectors() {
    let root = "<svg xmlns=\"http://www.w3.org/2000/svg\"/>"
    for length in [100, 900, 4000, 60_000] {
      let text = "<?xml version=\"1.0\"?>\n<!-- \(String(repeating: "l", count: length)) -->\n\(root)"
      #expect(PictureFormat(start: Array(text.utf8)) == .svg, "\(length)")
      #expect(
        PictureFormat(start: [0xFF, 0xFE] + text.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] })
          == (length < 30_000 ? .svg : nil))
    }
    let wide = "<!-- \u{e4}\u{4e2d} -->\(root)".utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
    #expect(PictureFormat(start: [0xFE, 0xFF] + wide) == .svg)
    let late = "<!-- \(String(repeating: "l", count: 70_000)) -->\(root)"
    for text in [late, "<!-- \(String(repeating: "-", count: 60_000))", "<html><svg/></html>", "x<svg/>", "<"] {
      #expect(PictureFormat(start: Array(text.utf8)) == nil)
    }
  }

  @Test("A list of boxes is read up to a limit that real pictures keep")
  func manyBoxes() {
    let empty: [UInt8] = [0, 0, 0, 8] + Array("free".utf8)
    let size: [UInt8] = [0, 0, 0, 20] + Array("ispe".utf8) + [0, 0, 0, 0, 0, 0, 0, 160, 0, 0, 0, 90]
    func list(_ code: String, _ content: [UInt8]) -> [UInt8] {
      withUnsafeBytes(of: UInt32(content.count + 8).bigEndian) { Array($0) } + Array(code.utf8) + content
    }
    func picture(boxesBefore count: Int) -> PictureHeader? {
      let boxes = Array(repeatElement(empty, count: count).joined()) + size
      let meta = list("meta", [0, 0, 0, 0] + list("iprp", list("ipco", boxes)))
      return try? PictureHeader.read(list("ftyp", Array("heic".utf8) + [0, 0, 0, 0] + Array("mif1heic".utf8)) + meta)
    }
    #expect(picture(boxesBefore: 100)?.size == PixelSize(width: 160, height: 90))
    #expect(picture(boxesBefore: 2_000)?.size == nil)
  }

  private static let three = [Duration](repeating: .milliseconds(200), count: 3)

  static func bytes(_ name: String) async throws -> [UInt8] {
    [UInt8](try Data(contentsOf: URL(filePath: try await Pictures.path(name))))
  }

  @Test("A file cut or changed anywhere is read or refused")
  func damage() async throws {
    var random = SystemRandomNumberGenerator()
    for name in [
      "baseline.jpg", "turned-6.png", "turned-6.tif", "bitmap.bmp", "alpha.webp", "phone.heic", "moving-twice.gif",
      "moving-twice.png", "moving-ever.webp", "web.avif", "plain.tga", "boxed.jxl", "bare.jxl",
    ] {
      // The first 4 kB: the decoders read the rest.
      let whole = try await Self.bytes(name).prefix(4096)
      for length in 0..<min(160, whole.count) { _ = try? PictureHeader.read(Array(whole.prefix(length))) }
      for _ in 0..<150 {
        var changed = Array(whole)
        for _ in 0..<4 { changed[Int.random(in: 0..<changed.count, using: &random)] = .random(in: 0...255) }
        _ = try? PictureHeader.read(changed)
        if let film = AnimatedPNG(changed) { for index in film.frames.indices { _ = film.file(of: index) } }
      }
    }
  }

  @Test("A JPEG is scaled down while it is decoded, but not below the screen's needs")
  func scale() throws {
    var header = try jpeg(width: 12000, height: 9000, kind: 0xC0)
    let screen = PixelSize(width: 1440, height: 1080)
    #expect(PictureScale.decodedSize(of: header, wanted: screen) == PixelSize(width: 1500, height: 1125))
    #expect(PictureScale.heldSize(of: header, wanted: screen).map(PictureLimits.allow) == true)
    // After a quarter turn the screen's width needs the stored height.
    header.orientation = .clockwise
    #expect(PictureScale.decodedSize(of: header, wanted: PixelSize(width: 1080, height: 1440))?.width == 1500)
    #expect(PictureScale.decodedSize(of: header, wanted: PixelSize(width: 1440, height: 1080))?.width == 3000)
    // A progressive JPEG is held whole while it is decoded.
    let progressive = try jpeg(width: 12000, height: 9000, kind: 0xC2)
    #expect(PictureScale.heldSize(of: progressive, wanted: screen).map(PictureLimits.allow) == false)
    #expect(PictureScale.vectorSize(PixelSize(width: 1920, height: 2_000_000)).height <= PictureLimits.side)
  }

  private func jpeg(width: Int, height: Int, kind: UInt8) throws -> PictureHeader {
    let size = [height, width].flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
    return try PictureHeader.read([0xFF, 0xD8, 0xFF, kind, 0, 11, 8] + size + [1, 1, 0x11, 0, 0xFF, 0xDA, 0xFF, 0xD9])
  }
}
