import Testing

@testable import PlaybackCore

@Suite("What is taken out of texts")
struct RedactionTests {
  @Test(
    "Addresses lose user, password, query and fragment, wherever they stand",
    arguments: [
      ("https://me:s3cret@host:8443/a/film.mp4", "https://host:8443/a/film.mp4"),
      ("https://me@host/a@b.mp4", "https://host/a@b.mp4"),
      ("https://host/film.mp4?sig=s3cret&x=1", "https://host/film.mp4?…"),
      ("https://host/film.mp4#s3cret", "https://host/film.mp4#…"),
      ("https://host/film.mp4?", "https://host/film.mp4?"),
      ("https://host?key=s3cret", "https://host?…"),
      ("rtsp://cam/stream?user=me&pwd=s3cret", "rtsp://cam/stream?…"),
      ("HTTPS://ME:S3CRET@HOST/", "HTTPS://HOST/"),
      ("udp://@239.0.0.1:5004", "udp://239.0.0.1:5004"),
      ("http://[fe80::1]/x", "http://[fe80::1]/x"),
      ("http://[fe80::1]:80/x", "http://[fe80::1]:80/x"),
      // A password that should have been written as %XX.
      ("https://me:s3/cret@host/film.mp4", "https://host/film.mp4"),
      ("https://me:s3?cret@host/film.mp4", "https://host/film.mp4"),
      ("https://me:s3cr", "https://me:…"),
      (
        "list.m3u:2: https://me:s3cret@host/a?k=s3cret: it can't be opened; see http://b/?s3cret.",
        "list.m3u:2: https://host/a?…: it can't be opened; see http://b/?…."
      ),
      ("<a href=\"https://me:s3cret@host/\">", "<a href=\"https://host/\">"),
      ("proxy https://me:s3cret@host\nand https://me:s3cret@other", "proxy https://host\nand https://other"),
    ])
  func addresses(text: String, expected: String) {
    #expect(Redaction.text(text) == expected)
    #expect(Redaction.text(expected) == expected)
  }

  @Test(
    "All else stays",
    arguments: [
      "", "film.mp4", "/media/what is this?.mp4", "file:///media/a%3Fb.mp4?x#y", "me@host: 12:30 is it; a://", "://",
      "https://host/film.mp4", "1080p at 30/s: 3.5 MB/s",
    ])
  func plain(text: String) {
    #expect(Redaction.text(text) == text)
    #expect(Redaction.value(text) == text)
  }

  @Test("A text that is one address is one to its end")
  func value() {
    #expect(Redaction.value("https://me:s3 c\"re<t@host/film.mp4?a b s3cret") == "https://host/film.mp4?…")
    #expect(Redaction.value("see https://me:s3cret@host/") == "see https://host/")
  }

  @Test("An error has no secret in any of its parts")
  func error() {
    let address = "https://me:s3cret@host/a?sig=s3cret"
    let error = VitrineError(
      2001, subject: address, message: "at \(address)", remedy: "ask \(address)", detail: address)
    for text in [error.line, error.subject, error.message, error.remedy, error.detail, "\(error)"] {
      #expect(!text.contains("s3cret") && text.contains("https://host/a?…") || text == "\(error)", "\(text)")
    }
    #expect(!"\(error)".contains("s3cret"))
  }
}
