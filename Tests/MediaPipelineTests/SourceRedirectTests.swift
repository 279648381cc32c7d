import CGStreamer
import CGStreamerShims
import CElements
import Foundation
import KioskTestSupport
import MainLoop
import PlaybackCore
import Testing

@testable import MediaPipeline

// The redirects that decks follow. A proxy stands in for the servers of the internet: the player doesn't know the
// addresses of the names that a proxy looks up.
extension SourceAccessTests {
  private func plainServer(_ arguments: [String] = []) throws -> ToolServer {
    try ToolServer("picky-server", arguments + [directory.path("www")])
  }

  /// A proxy in front of an internet where every server has the files of `www`.
  private func internet(_ arguments: [String] = []) throws -> (server: ToolServer, access: ServerAccess) {
    let server = try plainServer(arguments)
    var access = ServerAccess()
    access.proxy = "http://127.0.0.1:\(server.port)"
    return (server, access)
  }

  private func write(_ text: String, as name: String) throws { _ = try directory.write(text, as: "www/\(name)") }

  @Test("A request that began over TLS isn't redirected to plain HTTP")
  func downgrade() async throws {
    try await Certificates.make(in: directory, days: 5)
    let other = try plainServer(["--log", directory.path("other")])
    let server = try secureServer(["--redirect", "http://127.0.0.1:\(other.port)"])
    var access = ServerAccess()
    access.certificatesFile = directory.path("ca.pem")
    access.redirects.allowsLocal = true
    #expect(try await open(server.uri(Self.clip, scheme: "https"), access) == 2604)
    #expect(try told("other").isEmpty)
  }

  @Test("Subtitles are fetched by the same rules: not over plain HTTP, and without another server's secret")
  func subtitles() async throws {
    try await Certificates.make(in: directory, days: 5)
    try write("1\n00:00:01,000 --> 00:00:02,000\nHello\n", as: "a.srt")
    let open = try plainServer(["--log", directory.path("open")])
    let secret = try secureServer(["--log", directory.path("secret")])
    let downgrading = try secureServer(["--redirect", "http://127.0.0.1:\(open.port)"])
    let first = try secureServer(["--authorization", "Bearer s3cret", "--redirect", "https://127.0.0.1:\(secret.port)"])
    try GStreamerLibrary.start()
    var access = ServerAccess()
    access.certificatesFile = directory.path("ca.pem")
    access.accounts = [.init(try origin(first, .https), tokenFile: try directory.write("s3cret\n", as: "token"))]
    let servers = ServerSetup(access: access)
    #expect(throws: VitrineError.self) {
      try TextFile.read(downgrading.uri("a.srt", scheme: "https"), limit: 1000, servers: servers) { true }
    }
    #expect(try told("open").isEmpty)
    #expect(
      try !TextFile.read(first.uri("a.srt", scheme: "https"), limit: 1000, servers: servers) { true }.bytes.isEmpty)
    #expect(try told("secret").hasPrefix("200 /a.srt - -"))
  }

  @Test("Subtitles that a playlist of the internet names on this machine aren't fetched")
  func nearerSubtitles() throws {
    try GStreamerLibrary.start()
    let near = try plainServer(["--log", directory.path("near")])
    let proxy = try internet()
    try write("WEBVTT\n\n00:01.000 --> 00:02.000\nHello\n", as: "a.vtt")
    func read(_ part: String) throws -> Int {
      try write("#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXTINF:2,\n\(part)\n#EXT-X-ENDLIST\n", as: "list.m3u8")
      var count = 0
      let reader = CaptionReader(servers: ServerSetup(access: proxy.access))
      _ = try reader.read("http://media.invalid/list.m3u8", from: .zero) { count = $0.count }
      return count
    }
    #expect(try read("a.vtt") == 1)
    #expect(throws: VitrineError.self) { try read("http://127.0.0.1:\(near.port)/a.vtt") }
    #expect(try told("near").isEmpty)
  }

  @Test("User and password of an address aren't sent to another server that it redirects to")
  func userInfo() async throws {
    let other = try plainServer(["--log", directory.path("other")])
    let server = try plainServer([
      "--authorization", "Basic bWU6c2VjcmV0", "--redirect", "http://127.0.0.1:\(other.port)",
    ])
    let uri = "http://me:secret@127.0.0.1:\(server.port)/\(Self.clip)"
    #expect(try await open(uri, ServerAccess()) == nil)
    #expect(try told("other").hasPrefix("200 /\(Self.clip) - -"))
  }

  @Test("User and password in a redirect's target aren't sent, though that server asks for them")
  func namedUserInfo() async throws {
    let other = try plainServer(["--log", directory.path("other"), "--authorization", "Basic bWU6c2VjcmV0"])
    let server = try plainServer(["--redirect", "http://me:secret@127.0.0.1:\(other.port)"])
    #expect(try await open(server.uri(Self.clip), ServerAccess()) == 2401)
    #expect(try told("other") == "401 /\(Self.clip) - -\n")
  }

  @Test("A server of the internet may not redirect to this machine, unless that is allowed; a local server may")
  func local() async throws {
    let own = try plainServer(["--log", directory.path("own")])
    var (_, access) = try internet(["--redirect", "http://127.0.0.1:\(own.port)"])
    let proxy = try internet(["--redirect", "http://127.0.0.1:\(own.port)"])
    access = proxy.access
    #expect(try await open("http://media.invalid/\(Self.clip)", access) == 2604)
    #expect(try told("own").isEmpty)
    access.redirects.allowsLocal = true
    #expect(try await open("http://media.invalid/\(Self.clip)", access) == nil)
    let neighbour = try plainServer(["--redirect", "http://127.0.0.1:\(own.port)"])
    #expect(try await open(neighbour.uri(Self.clip), ServerAccess()) == nil)
  }

  @Test(
    "An HLS list from the internet that names a part on this machine is refused like a redirect",
    arguments: [false, true])
  func localParts(ofVariant: Bool) async throws {
    let own = try plainServer(["--log", directory.path("own")])
    let proxy = try internet()
    let variant = "#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXTINF:2,\nhttp://127.0.0.1:\(own.port)/a.ts\n#EXT-X-ENDLIST\n"
    try write(variant, as: "part.m3u8")
    try write("#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=100000\npart.m3u8\n", as: "whole.m3u8")
    let name = ofVariant ? "whole.m3u8" : "part.m3u8"
    #expect(try await open("http://media.invalid/\(name)", proxy.access, kind: .adaptive) == 2604)
    #expect(try told("own").isEmpty)
    // A list that the configuration names on this machine may do so.
    _ = try await open("http://127.0.0.1:\(proxy.server.port)/\(name)", ServerAccess(), kind: .adaptive)
    #expect(try told("own").contains("/a.ts"))
  }

  @Test(
    "A server's list that names a file of this machine isn't played",
    arguments: [
      ("a.m3u8", "#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXTINF:2,\nFILE\n#EXT-X-ENDLIST\n"),
      ("a.m3u8", "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=100000\nFILE\n"),
      ("a.m3u8", "#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXT-X-KEY:METHOD=AES-128,URI=\"FILE\"\n#EXTINF:2,\na.ts\n"),
      ("a.m3u8", "#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXT-X-MAP:URI=\"FILE\"\n#EXTINF:2,\na.ts\n"),
      (
        "a.mpd",
        """
        <MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="static" mediaPresentationDuration="PT2S"
          profiles="urn:mpeg:dash:profile:isoff-on-demand:2011"><Period><AdaptationSet mimeType="video/mp4">
          <Representation id="1" bandwidth="100000" width="640" height="360" codecs="avc1.42c01e"><BaseURL>FILE</BaseURL>
          </Representation></AdaptationSet></Period></MPD>
        """
      ),
    ])
  func files(name: String, list: String) async throws {
    let file = URL(filePath: try await Media.path(Self.clip)).absoluteString
    try write(list.split(separator: "FILE", omittingEmptySubsequences: false).joined(separator: file), as: name)
    let server = try plainServer()
    #expect(try await open(server.uri(name), ServerAccess(), kind: .adaptive) == 3008)
  }

  @Test("A server's variant list that names a file of this machine isn't played, and the error says so")
  func filesOfVariant() async throws {
    let file = URL(filePath: try await Media.path(Self.clip)).absoluteString
    try write("#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXTINF:2,\n\(file)\n#EXT-X-ENDLIST\n", as: "part.m3u8")
    try write("#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=100000\npart.m3u8\n", as: "whole.m3u8")
    let server = try plainServer()
    #expect(try await open(server.uri("whole.m3u8"), ServerAccess(), kind: .adaptive) == 3008)
  }

  /// Makes an encrypted stream, whose key is in a file of this machine.
  private func makeEncrypted() async throws -> (list: String, key: String) {
    let key = try directory.write("0123456789abcdef", as: "key")
    let address = URL(filePath: key).absoluteString
    let info = try directory.write("\(address)\n\(key)\n000102030405060708090a0b0c0d0e0f\n", as: "key.info")
    let made = try await Tool.run(
      "ffmpeg",
      ["-nostdin", "-v", "error", "-i", try await Media.path(Self.clip), "-c", "copy", "-f", "hls", "-hls_time", "10"]
        + ["-hls_key_info_file", info, directory.path("www/coded.m3u8")])
    try #require(made.status == 0, "\(made.errors)")
    return (try told("www/coded.m3u8"), address)
  }

  @Test(
    "GStreamer's own downloader fetches only from the web for a list that no check could recognise",
    arguments: ["a key", "a variant"])
  func hiddenList(naming what: String) async throws {
    let (coded, key) = try await makeEncrypted()
    // After the tag of a song, so that the first bytes don't show the list.
    let tag = "ID3\u{3}\0\0\0\0\0\u{C}TIT2\0\0\0\u{2}\0\0\0x"
    let variant = URL(filePath: directory.path("variant.m3u8")).absoluteString
    let server = try plainServer()
    let parts = coded.replacing("coded0.ts", with: server.uri("coded0.ts"))
    _ = try directory.write(parts.replacing(key, with: server.uri("key")), as: "variant.m3u8")
    let list = what == "a key" ? coded : "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=100000\n\(variant)\n"
    try write(tag + list, as: "song.mp3")
    #expect(try await open(server.uri("song.mp3"), ServerAccess()) == 3008)
    // A key from the web is fetched, and for a list on this machine one from this machine.
    try write("0123456789abcdef", as: "key")
    try write(coded.replacing(key, with: server.uri("key")), as: "open.m3u8")
    #expect(try await open(server.uri("open.m3u8"), ServerAccess(), kind: .adaptive) == nil)
    try write(coded, as: "here.m3u8")
    let here = URL(filePath: directory.path("www/here.m3u8")).absoluteString
    #expect(try await open(here, ServerAccess(), kind: .adaptive) == nil)
  }

  @Test("A part in a file is blocked even where its list has passed all checks of its text")
  func guardOfParts() async throws {
    try GStreamerLibrary.start()
    // From a file, whose text isn't checked: only the guard stands before the part.
    let part = try #require(TextFile.uri(of: try await Media.path("h264-aac-640x360-30.mp4")))
    let list = try directory.write(
      "#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXTINF:2,\n\(part)\n#EXT-X-ENDLIST\n", as: "list.m3u8")
    let player = try Element.make("playbin")
    player.set("uri", URL(filePath: list).absoluteString)
    for sink in ["video-sink", "audio-sink"] { player.set(sink, try Element.make("fakesink")) }
    // Restricted like an item from a server, though its own address is on this disk.
    vit_hold_sources(player.pointer, URL(filePath: list).absoluteString, VIT_PARTS_OF_WEB, 0)
    let (faults, post) = AsyncStream<MediaFault>.makeStream()
    Bus.receiveMessages(from: player) { if case .error(let fault) = $0 { post.yield(fault) } }
    defer {
      Bus.release(player)
      _ = player.setState(GST_STATE_NULL)
    }
    _ = player.setState(GST_STATE_PAUSED)
    #expect(try await first(of: faults) { $0 }.refusal == .list)
    #expect(player.queryPosition() == nil || player.queryPosition() == .zero)
  }
}
