import PlaybackCore
import Testing

@Suite("The medium that a server sends, by its first bytes and by its content type")
struct ServedMediumTests {
  private static let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
  private static func box(_ brand: String) -> [UInt8] { [0, 0, 0, 24] + Array("ftyp\(brand)".utf8) }
  private static let transportStream = (0..<400).map { UInt8($0 % 188 == 0 ? 0x47 : 0xFF) }

  @Test(
    "The first bytes decide before the content type",
    arguments: [nil, "application/octet-stream", "text/plain", "video/mp4; charset=x", "image/jpeg"])
  func bytes(type: String?) {
    let table: [(String, ServedMedium)] = [
      ("#EXTM3U\n#EXT-X-VERSION:3\n", .hls), ("\u{FEFF}\r\n#EXTM3U\r\n#EXT-X-STREAM-INF:BANDWIDTH=1\r\n", .hls),
      ("#EXTM3U\n#EXTINF:3,A song\nhttp://h/a.mp3\n", .m3u), ("[Playlist]\nFile1=http://h/a\n", .pls),
      ("<MPD type=\"static\">", .dash), ("<?xml version=\"1.0\"?>\n<!-- <a> --><MPD\n", .dash),
      ("<?xml version=\"1.0\"?><x:playlist xmlns:x=\"http://xspf.org/ns/0/\">", .xspf),
      ("ID3\u{4}", .film), ("RIFF1234WAVEfmt ", .film), ("RIFF1234WEBPVP8 ", .picture), ("GIF89a", .picture),
    ]
    for (text, medium) in table {
      #expect(ServedMedium(contentType: type, start: Array(text.utf8)) == medium, "\(text)")
    }
    #expect(ServedMedium(contentType: type, start: Self.png) == .picture)
    #expect(ServedMedium(contentType: type, start: Self.box("isom")) == .film)
    #expect(ServedMedium(contentType: type, start: Self.transportStream) == .film)
  }

  @Test("Pictures of all formats are recognised by their bytes, under any content type")
  func pictures() {
    let heads: [[UInt8]] = [
      Self.box("heic"), Self.box("avif"), [0xFF, 0x0A, 0, 0], Array("II*\0".utf8), Array("<svg xmlns".utf8),
      [0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 64, 1, 64, 0, 24, 32],
    ]
    for head in heads { #expect(ServedMedium(contentType: "text/plain", start: head) == .picture, "\(head)") }
  }

  @Test("The content type decides when the first bytes don't")
  func types() {
    let plain = Array("http://h/a.mp3\n".utf8)
    #expect(ServedMedium(contentType: "audio/x-mpegurl", start: plain) == .m3u)
    #expect(ServedMedium(contentType: "Application/VND.apple.mpegURL; charset=utf-8", start: plain) == .m3u)
    #expect(ServedMedium(contentType: "audio/x-scpls", start: plain) == .pls)
    #expect(ServedMedium(contentType: "application/xspf+xml", start: Array("<a/>".utf8)) == .xspf)
    #expect(ServedMedium(contentType: "application/dash+xml", start: Array("<!DOCTYPE".utf8)) == .dash)
    #expect(ServedMedium(contentType: "image/heic", start: Self.box("heic")) == .picture)
    #expect(ServedMedium(contentType: "audio/mpeg", start: [0xFF, 0xFB, 0x90, 0x00]) == .film)
    #expect(ServedMedium(contentType: "audio/x-mpegurl", start: [0xFF, 0xFB, 0x90, 0x00]) == nil, "no text at all")
    #expect(ServedMedium(contentType: nil, start: plain) == nil)
    #expect(ServedMedium(contentType: nil, start: [0, 0, 0, 0x14] + Array("abcd".utf8)) == nil)
    #expect(ServedMedium(contentType: "video/mp4", start: []) == .film)
  }

  @Test("Cut and arbitrary bytes give an answer without a trap")
  func hostile() {
    let texts = ["<?xml <!-- <MPD", "<!--", "<", "<:", "[", "#EXTM3U", "\u{FEFF}", "<MPD/", "<a:b:MPD>"]
    for text in texts {
      let bytes = Array(text.utf8)
      for count in 0...bytes.count { _ = ServedMedium(contentType: "text/xml", start: Array(bytes.prefix(count))) }
    }
  }

  @Test("The kind of an item changes only when the served medium needs another kind of deck")
  func kinds() {
    #expect(ServedMedium.hls.kind(insteadOf: .progressive) == .adaptive)
    #expect(ServedMedium.dash.kind(insteadOf: .picture) == .adaptive)
    #expect(ServedMedium.hls.kind(insteadOf: .adaptive) == nil)
    #expect(ServedMedium.picture.kind(insteadOf: .progressive) == .picture)
    #expect(ServedMedium.picture.kind(insteadOf: .picture) == nil)
    #expect(ServedMedium.film.kind(insteadOf: .picture) == .progressive)
    #expect(ServedMedium.film.kind(insteadOf: .adaptive) == .progressive)
    #expect(ServedMedium.film.kind(insteadOf: .progressive) == nil)
    for list in [ServedMedium.m3u, .pls, .xspf] { #expect(list.isList && list.kind(insteadOf: .picture) == nil) }
  }
}
