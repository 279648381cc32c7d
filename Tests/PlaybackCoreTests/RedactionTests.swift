import Testing

@testable import PlaybackCore

@Suite("Redaction of secrets in texts")
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
      // With too few slashes, as people type them.
      ("http:s3cret@host/a", "http:host/a"), ("http:/s3cret@host/a", "http:/host/a"),
      ("https:/me:s3cret@host/a", "https:/host/a"), ("rtsp:me:s3cret@cam:554/1", "rtsp:cam:554/1"),
      ("http:me:s3/cret@host/a", "http:host/a"), ("http:host/a?key=s3cret", "http:host/a?…"),
      ("http:/host/a#s3cret", "http:/host/a#…"), ("mqtts:me:s3cret@broker", "mqtts:broker"),
      ("uri = \"http:s3cret@host/\"", "uri = \"http:host/\""), ("HTTP:S3CRET@host/", "HTTP:host/"),
      ("http:me:s3@cret@host/", "http:host/"), ("http:%73;$&+,!*'()s3cret@host/", "http:host/"),
      ("//s3cret@host/a", "//host/a"), ("uri=//s3cret@host/a", "uri=//host/a"),
      // A password that should have been written as %XX.
      ("https://me:s3/cret@host/film.mp4", "https://host/film.mp4"),
      ("https://me:s3?cret@host/film.mp4", "https://host/film.mp4"),
      ("https://me:s3cr", "https://me:…"),
      // A password that looks like a port and a path.
      ("http://u:12/3@h/", "http://…@h/"),
      ("http://u:12?3@h/", "http://…@h/"),
      ("http://u:/s3cret@h/", "http://…@h/"),
      ("http://[::1]:80/s3@cret", "http://…@cret"),
      ("http://u/x:s3cret@h/", "http://…@h/"),
      ("https://me:s3 cret@host/a?sig=s3cret", "https://host/a?…"),
      ("https://me:a@/s3cret@host/a", "https://…@host/a"),
      ("https://me:s3cret]/@[fe80::1]:80/", "https://[fe80::1]:80/"),
      // An @ in a query, with other keys around it.
      ("https://cam:8080/stream?user=admin@site.example&pwd=s3cret", "https://…"),
      ("https://me:pw@host/path?mail=a@b&key=s3cret", "https://…"),
      ("https://host/a:b?u=x@y&sig=s3cret", "https://…"),
      ("https://me:p?x@host/p?mail=a@b&key=s3cret", "https://…"),
      ("https://cam:80/a?mail=a@b/c&key=s3cret", "https://…"),
      ("https://cam:80/a#x@y;s3cret", "https://…"),
      // An address cut before its @.
      ("http://u:s3c:ret", "http://u:…"),
      ("http://u:s3cret:80", "http://u:…"),
      ("http://me:s3cret@[fe80::1%25eth0]:80/x?s3cret", "http://[fe80::1%25eth0]:80/x?…"),
      // Backslashes, too many or too few slashes, and no scheme.
      ("http:\\\\me:s3cret@host\\a", "http:\\\\host\\a"),
      ("http://me:s3cret\\@host/a", "http://host/a"),
      ("http:///me:s3cret@host/a", "http:///host/a"),
      ("http:/me:s3cret@host/a", "http:/host/a"),
      ("https:me:s3cret@host/a", "https:host/a"),
      ("//me:s3cret@host/a", "//host/a"),
      ("http://me:s3cret@[fe80::1]:80/x", "http://[fe80::1]:80/x"),
      ("http://me%3As3cret@host/", "http://host/"),
      ("http://me:s3cret%40host/", "http://me:…"),
      // An address within another one.
      ("https://a/fetch/https://me:s3cret@b/x.png", "https://…@b/x.png"),
      ("https://me@a/fetch/https://me:s3cret@b/x.png", "https://…@b/x.png"),
      ("https://a/fetch/https%3A%2F%2Fme%3As3cret%40b%2Fx", "https://a/fetch/https%3A%2F%2F…"),
      ("/fetch/https%3a%2f%2fb%2fx%3Fsig=s3cret", "/fetch/https%3a%2f%2f…"),
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
    "Other texts stay as they are",
    arguments: [
      "", "film.mp4", "/media/what is this?.mp4", "file:///media/a%3Fb.mp4?x#y", "me@host: 12:30 is it; a://", "://",
      "https://host/film.mp4", "1080p at 30/s: 3.5 MB/s",
      "HDMI-A-1:1920x1080@60", "/media//a@b.mp4", "C:\\\\media\\a.mp4", "http: me@host", "//a/b:c/d@e",
      "https://host:80/a", "http://[fe80::1%25eth0]/x", "http://[fe80::1%25wl-p2_s0.1~]:80/x",
    ])
  func plain(text: String) {
    #expect(Redaction.text(text) == text)
    #expect(Redaction.value(text) == text)
  }

  @Test("A text that is one address is redacted to its end")
  func value() {
    #expect(Redaction.value("https://me:s3 c\"re<t@host/film.mp4?a b s3cret") == "https://host/film.mp4?…")
    #expect(Redaction.value("see https://me:s3cret@host/") == "see https://host/")
  }

  @Test("Redaction leaves nothing of a password, of any characters and in any spelling of its address")
  func anyPassword() {
    var random = SplitMix64(state: 7)
    func pick<T>(_ all: [T]) -> T? { all.isEmpty ? nil : all[Int(random.next() % UInt64(all.count))] }
    // Characters that end an address in a text are for `value` alone.
    let pieces = [
      "1", "80", "a", "Z", "/", "?", "#", ":", "@", "\\", "%40", "%2F", "&", "=", "..", "[", "]", "ä", "!", "$", "'",
      ",",
    ]
    func word(_ count: Int) -> String { (0..<count).compactMap { _ in pick(pieces) }.joined() }
    let schemes = ["http://", "HTTPS://", "rtsp://", "http:\\\\", "https:///", "srt://"]
    let hosts = ["host", "host:8443", "[fe80::1]", "[fe80::1]:80", "10.0.0.1"]
    let ends = [
      "", "/", "/a.mp4", "/a.mp4?x=1", "?x", "/a@b.mp4", "/a?mail=a@b&key=s3cret", "/a:b?u=x@y/z&sig=s3cret",
      "#u@v;s3cret",
    ]
    let texts = ["", "at ", "list.m3u:2: ", "(see "]
    for _ in 0..<20_000 {
      let password = word(Int(random.next() % 4)) + "s3cret" + word(Int(random.next() % 4))
      guard let scheme = pick(schemes), let host = pick(hosts), let end = pick(ends), let text = pick(texts) else {
        return
      }
      let address = "\(scheme)me:\(password)@\(host)\(end)"
      for redacted in [
        Redaction.text(text + address), Redaction.text("\(text)\(address) and on"), Redaction.value(address),
      ] {
        #expect(!redacted.contains("s3cret"), "\(address): \(redacted)")
        #expect(Redaction.text(redacted) == redacted, "\(address): \(redacted)")
      }
    }
  }

  @Test("Redacting arbitrary text ends, and adds no more than its marks")
  func anyBeginnings() {
    #expect(Redaction.text("x//a@b=\\\\c") == "x//a@b=\\\\c")
    let pieces = ["//", "\\\\", "@", "=", ":", "a", " ", "http:", "%3A%2F%2F", "?"]
    let count = 5
    var places = 1
    for _ in 0..<count { places *= pieces.count }
    for number in 0..<places {
      var (rest, text) = (number, "x")
      for _ in 0..<count {
        text += pieces[rest % pieces.count]
        rest /= pieces.count
      }
      let redacted = Redaction.text(text)
      if redacted.utf8.count > text.utf8.count + count * "…@".utf8.count { Issue.record("\(text): \(redacted)") }
    }
  }

  @Test(
    "Redacting takes time in proportion to the text's length",
    arguments: [
      "//a", "http:", "%3A%2F%2Fa", "\\\\a", "http://a:b ", "http://a:b/", "a:", "http://a...", "[", "http:a@",
      "//a:b@",
      "%3A%2F%2Fa@",
    ])
  func cost(piece: String) {
    func cost(_ bytes: Int) -> Double {
      let text = String(repeating: piece, count: bytes / piece.utf8.count)
      return processorTime {
        _ = Redaction.text(text)
        _ = Redaction.value(text)
      }
    }
    // Both texts are short enough to be read whole.
    let (short, long) = (cost(Redaction.longest / 4), cost(Redaction.longest))
    #expect(long < 9 * short, "\(short) s, \(long) s")
  }

  @Test("A very long text is cut between words, and never within a password")
  func long() {
    let words = String(repeating: "word ", count: 10_000)
    #expect(Redaction.text(words).utf8.count <= Redaction.longest + Redaction.mark.utf8.count)
    #expect(Redaction.text(words).hasPrefix("word word ") && Redaction.text(words).hasSuffix("word…"))
    for password in ["s3cret", String(repeating: "s3cret", count: 5_000)] {
      let path = String(repeating: "/a", count: 20_000)
      #expect(Redaction.value("http://me:\(password)@host\(path)") == "http://…")
      #expect(!Redaction.text("at http://me:\(password)@host\(path)").contains("s3cret"))
    }
    let start = "at " + String(repeating: "a", count: Redaction.longest - 20)
    #expect(Redaction.text("\(start) http://me:s3cret@host/") == "\(start)…")
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
