import PlaybackCore
import Testing

@testable import ContentStore

@Suite("Verdicts on a server's response")
struct ResponseTests {
  private let wanted = WantedFile(uri: "http://host/a.mp4")
  private let part = StoredFile(name: "1.mp4", uri: "http://host/a.mp4", got: 400, length: 1000, etag: "\"one\"")
  private let copy = StoredFile(
    name: "1.mp4", uri: "http://host/a.mp4", isComplete: true, got: 1000, length: 1000, etag: "\"one\"")

  private func verdict(_ head: ResponseHead, part: StoredFile? = nil, copy: StoredFile? = nil) -> ResponseVerdict {
    let request = StoreRequest(transfer: 1, uri: wanted.uri, from: part?.got, onlyOf: part?.etag)
    return .of(head, to: request, wanted: wanted, partial: part, copy: copy)
  }

  @Test("A partial file is continued when the version is the same, else it starts over")
  func ranges() {
    let range = "bytes 400-999/1000"
    let cases: [(ResponseHead, ResponseVerdict)] = [
      (ResponseHead(status: 206, contentLength: 600, contentRange: range, etag: "\"one\""), .append(length: 1000)),
      (ResponseHead(status: 206, contentLength: 600, contentRange: range), .append(length: 1000)),
      (ResponseHead(status: 206, contentLength: 600, contentRange: range, etag: "\"two\""), .beginAgain),
      (ResponseHead(status: 206, contentLength: 600, contentRange: "bytes 300-999/1000", etag: "\"one\""), .beginAgain),
      (
        ResponseHead(status: 206, contentLength: 601, contentRange: "bytes 400-1000/1001", etag: "\"one\""), .beginAgain
      ),
      (ResponseHead(status: 206, contentLength: 100, contentRange: "bytes 400-499/1000", etag: "\"one\""), .beginAgain),
      (ResponseHead(status: 206, contentLength: 600, etag: "\"one\""), .beginAgain),
      (ResponseHead(status: 206, contentLength: 600, contentRange: "bytes 400-999/*", etag: "\"one\""), .beginAgain),
      (ResponseHead(status: 416, contentLength: 0), .beginAgain),
      (ResponseHead(status: 200, contentLength: 1000, etag: "\"one\""), .whole(length: 1000)),
    ]
    for (head, expected) in cases { #expect(verdict(head, part: part) == expected, "\(head)") }
  }

  @Test("A copy stays when the server says that the file hasn't changed, in any of the usual ways")
  func conditions() {
    let cases: [(ResponseHead, ResponseVerdict)] = [
      (ResponseHead(status: 304), .unchanged),
      (ResponseHead(status: 200, contentLength: 1000, etag: "\"one\""), .unchanged),
      (ResponseHead(status: 200, contentLength: 1000, etag: "\"two\""), .whole(length: 1000)),
      (ResponseHead(status: 200, contentLength: 999, etag: "\"one\""), .whole(length: 999)),
    ]
    for (head, expected) in cases { #expect(verdict(head, copy: copy) == expected, "\(head)") }
    #expect(verdict(ResponseHead(status: 304)) == .refused(.status(304, retryAfter: nil)))
  }

  @Test("The store refuses a page, an empty or compressed body, a body without a length, and an error status")
  func refusals() {
    let cases: [(ResponseHead, StoreFailure)] = [
      (ResponseHead(status: 200, contentLength: 90, contentType: "text/html; charset=utf-8"), .page),
      (ResponseHead(status: 200, contentLength: 90, contentType: "application/json"), .page),
      (ResponseHead(status: 511, contentLength: 90), .page),
      (ResponseHead(status: 200, contentLength: 0), .empty),
      (ResponseHead(status: 200, hasEnd: false), .noLength),
      (ResponseHead(status: 200, contentLength: 90, contentEncoding: "gzip"), .encoded),
      (ResponseHead(status: 404), .status(404, retryAfter: nil)),
      (ResponseHead(status: 503, retryAfter: .seconds(9)), .status(503, retryAfter: .seconds(9))),
      (ResponseHead(status: 302), .status(302, retryAfter: nil)),
    ]
    for (head, failure) in cases { #expect(verdict(head) == .refused(failure), "\(head)") }
    #expect(verdict(ResponseHead(status: 200)) == .whole(length: nil))
    #expect(verdict(ResponseHead(status: 200, contentLength: 9, contentType: "text/plain")) == .whole(length: 9))
  }

  @Test("A web page is recognised by its first bytes, and media aren't taken for one")
  func sniffing() {
    let pages = [
      "<!DOCTYPE html>", "\n\r\n <HTML lang=de>", "\u{FEFF}<!doctype HTML", "<head>", "<script src=", "{\"error\": 1}",
      "<?xml version=\"1.0\"?><html xmlns=", "<!-- moved --><html>",
    ]
    for page in pages { #expect(ContentCheck.isPage(start: Array(page.utf8), .media), "\(page)") }
    let media: [[UInt8]] = [
      [0, 0, 0, 32] + Array("ftypisom".utf8), [0x1A, 0x45, 0xDF, 0xA3], [0x89] + Array("PNG\r\n".utf8),
      Array("OggS".utf8),
      Array("RIFF".utf8), [0x47, 0x40], [0xFF, 0xD8, 0xFF], Array("ID3".utf8), Array("GIF89a".utf8), [],
      Array("<?xml version=\"1.0\"?><svg xmlns=".utf8),
    ]
    for start in media { #expect(!ContentCheck.isPage(start: start, .media), "\(start)") }
    #expect(!ContentCheck.isPage(start: Array("WEBVTT\n".utf8), .text))
    #expect(!ContentCheck.isPage(start: Array("1\n00:00:01,000 --> 00:00:02,000\n{\"a\"}".utf8), .text))
  }

  @Test("The store refuses manifests: a copy would have neither their parts nor their server")
  func streams() {
    let streams = [
      "#EXTM3U\n#EXT-X-VERSION:3\n#EXTINF:2,\nfile:///a\n",
      "<?xml version=\"1.0\"?><MPD xmlns=\"urn:mpeg:dash:schema:mpd:2011\"/>",
    ]
    for stream in streams {
      for kind in [WantedFile.Kind.media, .list] {
        #expect(ContentCheck.isStream(start: Array(stream.utf8), kind), "\(stream)")
        #expect(!ContentCheck.isList(start: Array(stream.utf8), kind), "\(stream)")
      }
    }
    #expect(!ContentCheck.isStream(start: Array(streams[0].utf8), .text))
  }

  @Test("Lists of addresses are recognised by their first bytes, and plain ones by their name")
  func lists() {
    let marked = [
      "#EXTM3U\nb.mp4\n", "[playlist]\nFile1=a.mp4\n",
      "<?xml version=\"1.0\"?><playlist xmlns=\"http://xspf.org/ns/0/\"/>",
    ]
    for list in marked {
      #expect(
        ContentCheck.isList(start: Array(list.utf8), .media) && ContentCheck.isList(start: Array(list.utf8), .list))
      #expect(!ContentCheck.isList(start: Array(list.utf8), .text))
    }
    let plain = Array("http://host/a.mp4\nb.mp4\n".utf8)
    #expect(ContentCheck.isList(start: plain, .list) && !ContentCheck.isList(start: plain, .media))
    let film: [UInt8] = [0, 0, 0, 0x18] + Array("ftypmp42".utf8)
    #expect(!ContentCheck.isList(start: film, .media) && !ContentCheck.isList(start: film, .list))
    #expect(ContentCheck.isPage(start: Array("<html>".utf8), .list))
  }

  @Test("Servers differ by scheme, host and port")
  func addresses() {
    #expect(Address.server("https://me:secret@Host:8443/a") == "https://host:8443")
    #expect(Address.server("http://host/a") != Address.server("https://host/a"))
    #expect(Address.fileExtension("http://host/dir.x/A.MP4?sig=1.2") == "mp4")
    #expect(Address.fileExtension("http://host/dir.x/a") == "bin")
    #expect(Address.fileExtension("http://host/a.p%2Fq") == "bin")
    #expect(Address.fileExtension("http://host/a.part") == "bin")
    // The default port names the same server, written or not, as for accounts and redirects.
    #expect(Address.server("https://host:443/a") == Address.server("HTTPS://host./b"))
  }
}
