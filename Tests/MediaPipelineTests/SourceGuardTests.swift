import CGStreamer
import CElements
import Foundation
import KioskTestSupport
import MainLoop
import PlaybackCore
import Testing

@testable import MediaPipeline

/// Films, lists and streams that name other addresses: only the item's own address is opened.
@Suite("Sources are restricted to their item", .serialized)
struct SourceGuardTests {
  private let directory: TemporaryDirectory
  /// A film on this machine that no item names.
  private let secret: String

  init() async throws {
    directory = try TemporaryDirectory()
    let www = directory.url.appending(path: "www")
    try FileManager.default.createDirectory(at: www, withIntermediateDirectories: true)
    secret = URL(filePath: try await Media.path("h264-640x360-30-2s.mp4")).absoluteString
    try GStreamerLibrary.start()
  }

  // MARK: Made media

  private static func box(_ type: String, _ body: [UInt8]) -> [UInt8] {
    let size = UInt32(body.count + 8)
    return (0..<4).map { UInt8(truncatingIfNeeded: size >> (24 - 8 * $0)) } + Array(type.utf8) + body
  }

  /// A QuickTime reference movie: it has no pictures, and names the address of a film.
  private static func referenceMovie(to address: String) -> [UInt8] {
    let text = Array(address.utf8) + [0]
    let length = (0..<4).map { UInt8(truncatingIfNeeded: UInt32(text.count) >> (24 - 8 * $0)) }
    let reference = box("rdrf", [0, 0, 0, 0] + Array("url ".utf8) + length + text)
    return box("moov", box("rmra", box("rmda", reference)))
  }

  private static let manifest = """
    <MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="static" mediaPresentationDuration="PT2S"
      profiles="urn:mpeg:dash:profile:isoff-on-demand:2011"><Period><AdaptationSet mimeType="video/mp4">
      <Representation id="1" bandwidth="100000" width="640" height="360" codecs="avc1.42c01e"><BaseURL>a.mov</BaseURL>
      </Representation></AdaptationSet></Period></MPD>
    """

  private func write(_ bytes: [UInt8], as name: String) throws -> String {
    let url = directory.url.appending(path: name)
    try Data(bytes).write(to: url)
    return url.absoluteString
  }

  /// Opens an item: nil when it is ready to play, else the error's number. A live item is ready before its facts are
  /// known, so that is ignored for it.
  private func open(_ item: MediaItem, isOnAir: Bool = false) async throws -> Int? {
    let rig = try await Rig()
    let deck = try rig.deck(1, item)
    defer { deck.drop() }
    return try await rig.next {
      switch $0 {
      case .deck(_, .ready) where !isOnAir: .some(nil)
      case .deck(_, .failed(let error)): error.number
      default: nil
      }
    }
  }

  /// Probes an item as `check --probe` and a reload do: nil when it can be played, else the error's number.
  private func probe(_ item: MediaItem) -> Int? {
    do throws(VitrineError) {
      _ = try MediaProbe.open(item)
      return nil
    } catch {
      return error.number
    }
  }

  // MARK: Reference movies

  @Test(
    "A reference movie opens no address, wherever it comes from",
    arguments: ["web", "list", "DASH", "disk", "copy", "USB", "sum"])
  func referenceMovies(from place: String) async throws {
    let other = try ToolServer("picky-server", ["--log", directory.path("other"), directory.path("www")])
    let server = try ToolServer("picky-server", [directory.path("www")])
    for target in [
      secret, other.uri("film.mp4"), "testbin://video,pattern=red", "data:video/mp4;base64,AAAA", "fd://0",
    ] {
      let local = try write(Self.referenceMovie(to: target), as: "www/a.mov")
      let list = "#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXTINF:4,\na.mov\n#EXT-X-ENDLIST\n"
      _ = try write(Array(list.utf8), as: "www/list.m3u8")
      _ = try write(Array(Self.manifest.utf8), as: "www/a.mpd")
      var item =
        switch place {
        case "web": MediaItem(uri: server.uri("a.mov"), kind: .progressive)
        case "list": MediaItem(uri: server.uri("list.m3u8"), kind: .adaptive)
        case "DASH": MediaItem(uri: server.uri("a.mpd"), kind: .adaptive)
        default: MediaItem(uri: local, kind: .file)
        }
      if place == "copy" { item.isCopy = true }
      if place == "USB" { item.isOfStick = true }
      if place == "sum" { item.sha256 = String(repeating: "0", count: 64) }
      let number = try await open(item)
      #expect(number == 3009, "\(target)")
      #expect(probe(item) == 3009, "\(target)")
    }
    #expect((try? String(contentsOfFile: directory.path("other"), encoding: .utf8)) ?? "" == "")
  }

  @Test("A reference movie that names itself, directly or through another one, is refused like any other")
  func circle() async throws {
    let own = directory.url.appending(path: "a.mov").absoluteString
    let other = directory.url.appending(path: "b.mov").absoluteString
    _ = try write(Self.referenceMovie(to: own), as: "a.mov")
    #expect(try await open(MediaItem(uri: own, kind: .file)) != nil)
    _ = try write(Self.referenceMovie(to: other), as: "a.mov")
    _ = try write(Self.referenceMovie(to: own), as: "b.mov")
    #expect(try await open(MediaItem(uri: own, kind: .file)) == 3009)
  }

  /// The protocols of all elements in the registry that open addresses.
  private static func protocols() -> [String] {
    // All kinds of elements: GST_ELEMENT_FACTORY_TYPE_ANY, a macro.
    let all = gst_element_factory_list_get_elements((1 << 49) - 1, GST_RANK_NONE)
    defer { gst_plugin_feature_list_free(all) }
    var names: Set<String> = []
    var next = all
    while let link = next {
      next = link.pointee.next
      guard let data = link.pointee.data else { continue }
      let factory = OpaquePointer(data)
      guard gst_element_factory_get_uri_type(factory) == GST_URI_SRC,
        var one = gst_element_factory_get_uri_protocols(factory)
      else { continue }
      while let name = one.pointee {
        names.insert(String(cString: name))
        one += 1
      }
    }
    return names.sorted()
  }

  @Test("No element in the registry opens an address because a film names it")
  func everyHandler() async throws {
    let protocols = Self.protocols()
    #expect(protocols.contains("file") && protocols.contains("rtsp") && protocols.count > 8, "\(protocols)")
    for name in protocols where name != "appsrc" {
      let movie = try write(Self.referenceMovie(to: "\(name)://127.0.0.1:9/x"), as: "a.mov")
      #expect(try await open(MediaItem(uri: movie, kind: .file)) != nil, "\(name)")
    }
  }

  @Test("Only known plugins post a redirect")
  func redirectingPlugins() throws {
    // qtdemux; playbin and uridecodebin, which follow it; and plugins that only pass it on to the application, which
    // follows none.
    let known: Set = ["isomp4", "playback", "sdpelem", "realmedia", "camerabin", "sdp"]
    guard let plugin = gst_registry_lookup(gst_registry_get(), "libgstplayback.so"),
      let file = gst_plugin_get_filename(plugin)
    else {
      Issue.record("no plugin playback")
      return
    }
    defer { gst_object_unref(UnsafeMutableRawPointer(plugin)) }
    let folder = URL(filePath: String(cString: file)).deletingLastPathComponent()
    var found: Set<String> = []
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) where name.hasSuffix(".so") {
      let bytes = try Data(contentsOf: folder.appending(path: name), options: .alwaysMapped)
      guard ["redirect-location", "new-location"].contains(where: { bytes.range(of: Data($0.utf8)) != nil }) else {
        continue
      }
      found.insert(String(name.dropFirst("libgst".count).dropLast(".so".count)))
    }
    #expect(found.contains("isomp4"))
    #expect(found.isSubset(of: known), "\(found.subtracting(known)): does it open anything past the guard?")
  }

  // MARK: SDP and RTSP

  @Test("A session description from a server opens no port of this machine")
  func sessionDescription() async throws {
    let text = """
      v=0\r\no=- 1 1 IN IP4 127.0.0.1\r\ns=x\r\nc=IN IP4 127.0.0.1\r\nt=0 0\r\nm=video 40404 RTP/AVP 96\r
      a=rtpmap:96 H264/90000\r\n
      """
    _ = try write(Array(text.utf8), as: "www/a.sdp")
    let server = try ToolServer("picky-server", [directory.path("www")])
    for item in [
      MediaItem(uri: server.uri("a.sdp"), kind: .progressive),
      MediaItem(uri: directory.url.appending(path: "www/a.sdp").absoluteString, kind: .file),
    ] {
      #expect(try await open(item, isOnAir: true) != nil)
      // Port 40404, as the kernel writes it.
      #expect(try !String(contentsOfFile: "/proc/net/udp", encoding: .utf8).contains(":9DD4 "))
    }
  }

  @Test("An RTSP redirect to a file, into a loop, or nearer than the item may go is refused")
  func rtsp() async throws {
    let server = try ToolServer("rtsp-redirect", [directory.path("asked")])
    func open(_ host: String, _ target: String, from reach: NetworkReach? = nil) async throws -> Int? {
      try target.write(toFile: directory.path("asked.target"), atomically: true, encoding: .utf8)
      var item = MediaItem(uri: "rtsp://\(host):\(server.port)/a", kind: .rtsp)
      item.namedFrom = reach
      return try await self.open(item, isOnAir: true)
    }
    #expect(try await open("127.0.0.1", secret) == 3009)
    #expect(try await open("127.0.0.1", "http://127.0.0.1:9/") == 3009)
    #expect(try await open("127.0.0.1", "rtsp-sdp://v=0%0d%0a") != nil)
    #expect(try await open("127.0.0.1", "rtsp://localhost:\(server.port)/near", from: .everywhere) == 2604)
    let asked = try String(contentsOfFile: directory.path("asked"), encoding: .utf8)
    #expect(!asked.contains("/near"))
    // An allowed redirect is followed.
    #expect(try await open("127.0.0.1", "rtsp://localhost:\(server.port)/near") != nil)
    #expect(try String(contentsOfFile: directory.path("asked"), encoding: .utf8).contains("/near"))
  }

  // MARK: Decoders

  @Test("Twenty bytes that claim to be a chip tune don't end the process")
  func chipTune() async throws {
    let names = ["gmedec", "siddec", "modplug", "openmptdec", "fluiddec", "wildmididec", "midiparse"]
    let ranks = names.map { name in gst_element_factory_find(name).map { ($0, gst_plugin_feature_get_rank($0)) } }
    defer { for case (let factory, let rank)? in ranks { gst_plugin_feature_set_rank(factory, rank) } }
    GStreamerLibrary.leaveOutDecoders()
    let bytes = Array("ZXAYEMULv".utf8) + [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0, 0x35] + Array("moov".utf8)
    #expect(try await open(MediaItem(uri: try write(bytes, as: "a.mp4"), kind: .file)) != nil)
  }

  // MARK: Others' pipelines

  @Test("Pipelines of an application that embeds the library may open any address")
  func othersPipelines() async throws {
    let player = try Element.make("playbin")
    player.set("uri", secret)
    for sink in ["video-sink", "audio-sink"] { player.set(sink, try Element.make("fakesink")) }
    defer { _ = player.setState(GST_STATE_NULL) }
    _ = player.setState(GST_STATE_PAUSED)
    #expect(gst_element_get_state(player.pointer, nil, nil, 20_000_000_000) == GST_STATE_CHANGE_SUCCESS)
  }
}
