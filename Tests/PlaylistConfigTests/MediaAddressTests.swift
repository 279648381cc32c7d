import PlaybackCore
import PlaylistConfig
import Testing

@Suite("Media address")
struct MediaAddressTests {
  @Test(
    "A text that isn't a URI is a path",
    arguments: ["a.mp4", "../a b.mp4", "/x/a:b.mp4", "a:b.mp4", "./http://x", "C:\\film.mp4", "mailto:x", "100%.mp4"])
  func paths(text: String) throws {
    #expect(try MediaAddress.parse(text) == .path(FilePath(text)))
  }

  @Test(
    "A file URI is its path",
    arguments: [
      ("file:///a/b%20c.mp4", "/a/b c.mp4"), ("file://localhost/a", "/a"), ("FILE:/a%23%3f%25", "/a#?%"),
      ("file:///%C3%A9", "/é"), ("file:///é", "/é"),
    ])
  func fileURIs(text: String, path: String) throws {
    #expect(try MediaAddress.parse(text) == .path(FilePath(path)))
  }

  @Test(
    "A remote URI stays, with its special characters encoded",
    arguments: [
      ("http://example.org", "http://example.org", "example.org"),
      ("HTTPS://u:p@Example.org:8443/a%20b?c=d#e", "https://u:p@Example.org:8443/a%20b?c=d#e", "Example.org"),
      ("https://example.org/a b/é.mp4?t=\"x\"", "https://example.org/a%20b/%C3%A9.mp4?t=%22x%22", "example.org"),
      ("rtsp://[fe80::1]:554/cam", "rtsp://[fe80::1]:554/cam", "[fe80::1]"),
      ("udp://@239.1.2.3:5004", "udp://@239.1.2.3:5004", "239.1.2.3"),
      ("http://10.0.0.1:/x", "http://10.0.0.1:/x", "10.0.0.1"),
    ])
  func remote(text: String, uri: String, host: String) throws {
    guard case .remote(let remote) = try MediaAddress.parse(text) else {
      Issue.record("\(text) is not remote")
      return
    }
    #expect(remote.text == uri)
    #expect(remote.host == host)
  }

  @Test(
    "A bad URI is refused with its fault",
    arguments: [
      ("", "is empty"),
      ("a\u{0}b", "has a NUL"),
      ("ftp://host/a.mp4", "the scheme \"ftp\" can't be played"),
      ("httpss://host/a.mp4", "did you mean https?"),
      ("http:/host", "the host is missing"),
      ("http://", "the host is missing"),
      ("http:///a.mp4", "the host is missing"),
      ("http://:80/a", "the host is missing"),
      ("http://user@/a", "the host is missing"),
      ("http://ho st/a", "\"ho st\" is not a host name"),
      ("http://münchen.de/a", "is not a host name"),
      ("http://host:99999/", "\"99999\" is not a port"),
      ("http://host:x/", "\"x\" is not a port"),
      ("http://[::1/", "has no end"),
      ("http://[host]/", "is not an IPv6 address"),
      ("http://[::1]x/", "follows the host"),
      ("http://ü@host/", "user name"),
      ("http://host/%zz", "hexadecimal"),
      ("http://host/%4", "hexadecimal"),
      ("http://host/a\nb", "control character"),
      ("file://server/a", "another host"),
      ("file:a.mp4", "isn't absolute"),
      ("file:///a#b", "ends the path"),
      ("file:///a?b", "ends the path"),
      ("file:///a%00b", "has a NUL"),
      ("file:///a%", "hexadecimal"),
    ])
  func invalid(text: String, words: String) {
    let error = #expect(throws: VitrineError.self) { try MediaAddress.parse(text) }
    #expect(error?.configurationNumber == .uriInvalid)
    #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
    #expect(error?.remedy.isEmpty == false)
  }
}
