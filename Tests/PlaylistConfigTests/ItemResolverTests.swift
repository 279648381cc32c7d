import PlaybackCore
import PlaylistConfig
import Testing

@Suite("Item resolver")
struct ItemResolverTests {
  private func items(_ text: String, _ files: [String: String]) throws -> [MediaItem] {
    try ItemResolver(files: FakeFiles(files)).items(for: text)
  }
  private func error(_ text: String, _ files: FakeFiles = FakeFiles()) -> VitrineError? {
    #expect(throws: VitrineError.self) { try ItemResolver(files: files).items(for: text) }
  }

  @Test(
    "A file's URI is encoded so that decoding gives the path back",
    arguments: [
      ("a b.mp4", "file:///home/kiosk/a%20b.mp4"), ("#1?.mp4", "file:///home/kiosk/%231%3F.mp4"),
      ("100%.mp4", "file:///home/kiosk/100%25.mp4"), ("a%20b.mp4", "file:///home/kiosk/a%2520b.mp4"),
      ("é.mp4", "file:///home/kiosk/%C3%A9.mp4"), ("a+b&c;d~e_f-g.mp4", "file:///home/kiosk/a%2Bb%26c%3Bd~e_f-g.mp4"),
      ("./a.mp4", "file:///home/kiosk/a.mp4"), ("../kiosk//a.mp4", "file:///home/kiosk/a.mp4"),
    ])
  func encoding(name: String, uri: String) throws {
    let path = FilePath("/home/kiosk").resolving(FilePath(name)).lexicallyNormal
    let item = try #require(try items(name, [path.text: "x"]).first)
    #expect(item.uri == uri)
    #expect(item.origin == name)
    #expect(item.kind == .file)
    #expect(try MediaAddress.parse(item.uri) == .path(path))
  }

  @Test("Bytes that are no UTF-8 survive a URI")
  func rawBytes() throws {
    let address = try MediaAddress.parse("file:///a%FF%01.mp4")
    #expect(address == .path(FilePath(bytes: Array("/a".utf8) + [0xFF, 0x01] + Array(".mp4".utf8))))
  }

  @Test("A .. after a link is resolved as the kernel does")
  func links() throws {
    var files = FakeFiles(["/srv/media/a.mp4": "x", "/home/kiosk/b.mp4": "x"])
    files.links = ["/home/kiosk/show": "/srv/media/clips"]
    files.files["/srv/media/clips/c.mp4"] = []
    let resolver = ItemResolver(files: files)
    #expect(try resolver.items(for: "show/../a.mp4").map(\.uri) == ["file:///home/kiosk/show/../a.mp4"])
    #expect(try resolver.items(for: "show/./c.mp4").map(\.uri) == ["file:///home/kiosk/show/c.mp4"])
  }

  @Test("Sound that belongs to a film of the directory is no item; other sound is")
  func soundBesideFilms() throws {
    let names = ["hall.mp4", "hall.de.m4a", "hall.ad.en.mp3", "hall.mp3", "song.de.mp3"]
    let files = Dictionary(uniqueKeysWithValues: names.map { ("/m/\($0)", "x") })
    #expect(try items("/m", files).map(\.origin) == ["/m/hall.mp3", "/m/hall.mp4", "/m/song.de.mp3"])
    // Named by itself, it plays by itself.
    #expect(try items("/m/hall.de.m4a", files).count == 1)
  }

  @Test("A directory gives its media in natural order, without hidden files and directories")
  func directory() throws {
    let names = [
      "clip10.mp4", "clip2.mp4", "Clip1.webm", "a.PNG", "notes.txt", ".hidden.mp4", "list.m3u", "song.flac",
      "clip02.mp4",
    ]
    var files = Dictionary(uniqueKeysWithValues: names.map { ("/m/\($0)", "x") })
    files["/m/sub.mp4/inner.mp4"] = "x"
    let found = try items("/m/", files)
    #expect(found.map(\.title) == ["a", "Clip1", "clip02", "clip2", "clip10", "song"])
    #expect(found.first?.origin == "/m/a.PNG")
    #expect(found.map(\.kind) == [.picture, .file, .file, .file, .file, .file])
  }

  @Test("A medium that can't be opened is an error with its number")
  func errors() {
    #expect(error("none.mp4")?.configurationNumber == .mediaMissing)
    #expect(error("none.mp4")?.configurationNumber?.exitStatus == 66)
    #expect(error("none.mp4")?.subject == "none.mp4")
    #expect(error("/m", FakeFiles(["/m/notes.txt": ""]))?.configurationNumber == .directoryWithoutMedia)
    #expect(error("gopher://x/y")?.configurationNumber == .uriInvalid)
    var denied = FakeFiles()
    denied.denied = ["/secret.mp4"]
    #expect(error("/secret.mp4", denied)?.configurationNumber == .noPermission)
    #expect(error("/secret.mp4", denied)?.message == "permission denied")
  }

  @Test(
    "A file's content outweighs its name",
    arguments: [
      ([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], "a.mp4", MediaKind.picture),
      ([0xFF, 0xD8, 0xFF, 0xE0], "a.mp4", .picture),
      (Array("GIF89a".utf8), "a", .picture),
      (Array("RIFF....WEBPVP8 ".utf8), "a.avi", .picture),
      (Array("RIFF....AVI LIST".utf8), "a.avi", .file),
      ([0x42, 0x4D, 9, 9, 9, 9, 0, 0, 0, 0, 54, 0, 0, 0, 40, 0, 0, 0], "a", .picture),
      (Array("BM is how this text begins".utf8), "a.mp4", .file),
      (Array("just text".utf8), "a.mp4", .file),
      ([0x00, 0x00, 0x00, 0x20] + Array("ftypisom".utf8), "a.jpg", .file),
      ([0x1A, 0x45, 0xDF, 0xA3], "a.png", .file),
      ([], "a.png", .picture),
      ([], "a.mp4", .file),
      (Array("<MPD/>".utf8), "a.mpd", .adaptive),
    ] as [([UInt8], String, MediaKind)])
  func sniffing(bytes: [UInt8], name: String, kind: MediaKind) throws {
    var files = FakeFiles()
    files.files["/home/kiosk/\(name)"] = bytes
    #expect(try ItemResolver(files: files).items(for: name).map(\.kind) == [kind])
  }

  @Test(
    "Scheme and path decide the kind of a remote medium",
    arguments: [
      ("https://h/live/a.m3u8?token=1", MediaKind.adaptive, "a"), ("http://h/a.MPD", .adaptive, "a"),
      ("http://h/a%20b.png", .picture, "a b"), ("rtsp://h/cam.png", .rtsp, "cam"),
      ("udp://127.0.0.1:5004", .udp, "127.0.0.1"),
      ("http://h/a.mp4#x.m3u8", .progressive, "a"), ("http://h", .progressive, "h"),
    ])
  func remoteKinds(uri: String, kind: MediaKind, title: String) throws {
    let item = try #require(try items(uri, [:]).first)
    #expect(item.kind == kind)
    #expect(item.title == title)
  }

  @Test("A playlist of the configuration: relative to its folder, with title, duration and volume")
  func configured() throws {
    let text = """
      version = 1
      [[playlist.main.item]]
      uri = "../media/a.png"
      title = "Poster"
      duration = 2.5
      volume = 0.25
      [[playlist.main.item]]
      uri = "gone.mp4"
      [[playlist.main.item]]
      uri = "../media"
      title = "Not for two"
      duration = 3
      """
    let files = FakeFiles([
      "/home/kiosk/etc/v.toml": text, "/home/kiosk/media/a.png": "", "/home/kiosk/media/b.mp4": "",
    ])
    let playlist = try #require(try Configuration.load(path: "/home/kiosk/etc/v.toml", files: files).get().mainPlaylist)
    let resolution = ItemResolver(files: files, configurationPath: "etc/v.toml").resolve(playlist)
    #expect(
      resolution.items.map(\.uri) == [
        "file:///home/kiosk/media/a.png", "file:///home/kiosk/media/a.png", "file:///home/kiosk/media/b.mp4",
      ])
    #expect(resolution.items.map(\.title) == ["Poster", "a", "b"])
    #expect(resolution.items.map(\.pictureDuration) == [.seconds(2.5), .seconds(3), .seconds(3)])
    #expect(resolution.items.map(\.volume) == [0.25, nil, nil])
    #expect(resolution.problems.map(\.subject) == ["gone.mp4"])
  }
}
