import KioskTestSupport
import PlaybackCore
import Testing

@testable import PlaylistConfig

@Suite("Settings that a USB stick may make")
struct StickRightsTests {
  private static let board = ConfigurationSource(
    path: "/etc/v.toml", text: Array("version = 1\n[[playlist.main.item]]\nuri = \"a.mp4\"\n".utf8))

  private func load(_ text: String, origin: ConfigurationSource.Origin = .stick(folder: FilePath("/sticks/a")))
    -> LoadedConfiguration
  {
    let stick = ConfigurationSource(path: "/sticks/a/v.toml", text: Array(text.utf8), origin: origin)
    return Configuration.check([Self.board, stick])
  }

  @Test("Playlists, the schedule and the overlay, with a version")
  func allowed() throws {
    let loaded = load(
      """
      version = 1
      playlist.main.item = [{ uri = "b.mp4" }]
      [schedule]
      timezone = "Europe/Berlin"
      [overlay]
      osd = "never"

      """)
    #expect(loaded.diagnostics.filter { $0.severity == .error } == [])
    #expect(try loaded.get().mainPlaylist?.items.map(\.uri) == ["b.mp4"])
  }

  @Test(
    "Anything else is an error that names the key with its place, and doesn't repeat its value",
    arguments: [
      ("[network]\nproxy = \"http://evil:1\"\n", "2:1: [network].proxy"),
      ("network.ca_file = \"/sticks/a/ca.pem\"\n", "1:9: [network].ca_file"),
      ("[[network.server]]\nhost = \"evil\"\ntoken_file = \"/etc/token\"\n", "1:11: [network].server"),
      ("[store]\ndirectory = \"/etc\"\n", "2:1: [store].directory"),
      ("[audio]\nvolume = 1\n", "2:1: [audio].volume"), ("[display]\nrotation = 90\n", "2:1: [display].rotation"),
      ("[usb]\npassword_file = \"/sticks/a/p\"\n", "2:1: [usb].password_file"),
      ("[input.keys]\nKEY_1 = \"play /etc/x\"\n", "1:8: [input].keys"), ("[control]\n", "1:2: control"),
      ("[telemetry]\nhttp = \"0.0.0.0:1\"\n", "2:1: [telemetry].http"),
      ("[[alert]]\nid = \"a\"\ntext = \"Out!\"\nuntil = 2120-01-01T00:00:00\n", "1:3: alert"),
      ("[warnings]\nfeed = \"https://evil/\"\n", "2:1: [warnings].feed"),
      ("[[input.serial]]\ndevice = \"/dev/ttyS0\"\n", "1:9: [input].serial"),
      ("[[cue]]\non = \"item-started\"\nsend = \"udp://evil:1\"\ntext = \"a\"\n", "1:3: cue"),
      ("telemetry.post = \"https://evil/\"\n", "1:11: [telemetry].post"),
    ])
  func refused(text: String, place: String) throws {
    let lines = load(text).diagnostics.filter { $0.severity == .error }.map(\.description)
    #expect(
      lines.contains(
        "/sticks/a/v.toml:\(place): may not be set by a USB stick, "
          + "a stick may set only playlist, schedule, overlay"), "\(lines)")
    #expect(load(text).configuration == nil)
    // In a file of the board, the same settings are fine.
    let own = load(text, origin: .board).diagnostics.map(\.message)
    #expect(!own.contains { $0.contains("may not be set by a USB stick") })
  }

  @Test("Every table of the format is decided on")
  func complete() {
    for table in Schema.root.keys.map(\.name) where table != "version" {
      let text = "\(table).x = 1\n"
      let isRefused = load(text).diagnostics.contains { $0.message == "may not be set by a USB stick" }
      #expect(isRefused != ["playlist", "schedule", "overlay"].contains(table), "\(table)")
    }
  }

  @Test("An unknown key is reported once")
  func unknown() {
    let errors = load("nothing = 1\n").diagnostics.filter { $0.severity == .error }
    #expect(errors.map(\.message) == ["unknown key"])
  }
}

@Suite("Media that a USB stick may name")
struct StickItemTests {
  private func files() -> FakeFiles {
    FakeFiles([
      "/sticks/a/vitrine/film.mp4": "x", "/sticks/a/top.mp4": "x", "/etc/secret.mp4": "x", "/sticks/b/other.mp4": "x",
    ])
  }

  /// Looks up items with these addresses, listed on stick a, in these files.
  private func find(_ addresses: [String], _ files: FakeFiles) throws -> (uris: [String], errors: [Int]) {
    let text = "version = 1\n" + addresses.map { "[[playlist.main.item]]\nuri = \(TOMLText.quoted($0))\n" }.joined()
    let stick = ConfigurationSource(
      path: "/sticks/a/vitrine/vitrine.toml", text: Array(text.utf8), origin: .stick(folder: FilePath("/sticks/a")))
    let configuration = try Configuration.check([stick]).get()
    let found = ItemResolver(files: files).resolve(try #require(configuration.mainPlaylist), of: configuration)
    return (found.items.map(\.uri), found.problems.map(\.number))
  }

  @Test("A stick may name its own files, and addresses on a network")
  func allowed() throws {
    let remote = ["http://h/a.mp4", "https://h/a.m3u8", "rtsp://h/a", "udp://239.0.0.1:5000"]
    let found = try find(["film.mp4", "../top.mp4", "file:///sticks/a/vitrine/film.mp4", "."] + remote, files())
    let film = "file:///sticks/a/vitrine/film.mp4"
    #expect(found.uris == [film, "file:///sticks/a/top.mp4", film, film] + remote)
    #expect(found.errors == [])
  }

  @Test("Items on a stick are marked as such; addresses aren't")
  func marked() throws {
    let text = "version = 1\nplaylist.main.item = [{ uri = \"film.mp4\" }, { uri = \"http://h/a.mp4\" }]\n"
    let stick = ConfigurationSource(
      path: "/sticks/a/vitrine/v.toml", text: Array(text.utf8), origin: .stick(folder: FilePath("/sticks/a")))
    let configuration = try Configuration.check([stick]).get()
    let found = ItemResolver(files: files()).resolve(try #require(configuration.mainPlaylist), of: configuration)
    #expect(found.items.map(\.isOfStick) == [true, nil])
  }

  @Test("A poster is a file of the stick, or there is none")
  func posters() throws {
    let posters = ["film.mp4", "../top.mp4", "/etc/secret.mp4", "../../../etc/secret.mp4", "missing.png"]
    let items = posters.map { "{ uri = \"film.mp4\", poster = \"\($0)\" }" }.joined(separator: ", ")
    let stick = ConfigurationSource(
      path: "/sticks/a/vitrine/v.toml", text: Array("version = 1\nplaylist.main.item = [\(items)]\n".utf8),
      origin: .stick(folder: FilePath("/sticks/a")))
    let configuration = try Configuration.check([stick]).get()
    let found = ItemResolver(files: files()).resolve(try #require(configuration.mainPlaylist), of: configuration)
    #expect(found.items.map { $0.poster != nil } == [true, true, false, false, false])
  }

  @Test(
    "No file beside it",
    arguments: [
      "/etc/secret.mp4", "file:///etc/secret.mp4", "../../b/other.mp4", "../../../etc/secret.mp4", "../../b", "/etc",
      "/sticks/a/../b/other.mp4",
    ])
  func outside(address: String) throws {
    #expect(try find([address], files()) == ([], [1108]))
  }

  @Test("No link, by itself, in a folder or in a list")
  func links() throws {
    var files = files()
    files.links["/sticks/a/vitrine/link.mp4"] = "/etc/secret.mp4"
    files.links["/sticks/a/vitrine/folder"] = "/etc"
    files.files["/sticks/a/vitrine/list.m3u"] = Array("/etc/secret.mp4\nlink.mp4\nfolder/secret.mp4\nfilm.mp4\n".utf8)
    // Listed by their folder.
    files.files["/sticks/a/vitrine/link.mp4"] = []
    #expect(try find(["link.mp4"], files) == ([], [1108]))
    #expect(try find(["folder"], files) == ([], [1108]))
    #expect(try find(["."], files).uris == ["file:///sticks/a/vitrine/film.mp4"])
    #expect(try find(["list.m3u"], files) == (["file:///sticks/a/vitrine/film.mp4"], [1108, 1108, 1108]))
  }

  @Test(
    "No manifest, whatever it is called: it may name files of the board",
    arguments: [
      ("a.m3u8", "#EXTM3U\n#EXT-X-TARGETDURATION:5\nfile:///etc/secret.ts\n"), ("a.mpd", "<MPD/>"),
      ("a.mp4", "#EXTM3U\n#EXT-X-TARGETDURATION:5\nfile:///etc/secret.ts\n"),
      ("a.mp4", "\u{FEFF}\r\n<?xml version=\"1.0\"?><MPD/>"), ("a.mkv", "<\u{0}M\u{0}P\u{0}D\u{0}"),
      ("a.ts", "<SmoothStreamingMedia/>"), ("a.mp4", "<!DOCTYPE MPD><MPD/>"),
    ])
  func manifests(name: String, text: String) throws {
    var files = files()
    files.files["/sticks/a/vitrine/\(name)"] = Array(text.utf8)
    #expect(try find([name], files) == ([], [1108]))
  }

  @Test("No film beside which sound is a link")
  func sound() throws {
    var files = files()
    files.files["/sticks/a/vitrine/film.ad.m4a"] = []
    #expect(try find(["film.mp4"], files).uris.count == 1)
    files.links["/sticks/a/vitrine/film.ad.m4a"] = "/etc/secret.m4a"
    #expect(try find(["film.mp4"], files) == ([], [1108]))
  }

  @Test("No film whose subtitles are a link")
  func subtitles() throws {
    var files = files()
    files.files["/sticks/a/vitrine/film.de.srt"] = []
    #expect(try find(["film.mp4"], files).uris.count == 1)
    files.links["/sticks/a/vitrine/film.de.srt"] = "/etc/secret.srt"
    #expect(try find(["film.mp4"], files) == ([], [1108]))
    files.files["/sticks/a/vitrine/other.mp4"] = []
    #expect(try find(["other.mp4"], files).errors == [])
    // A heap of links isn't searched for each film.
    for number in 0...100 {
      files.files["/sticks/a/vitrine/x\(number).srt"] = []
      files.links["/sticks/a/vitrine/x\(number).srt"] = "/etc/secret.srt"
    }
    #expect(try find(["other.mp4"], files) == ([], [1108]))
  }

  @Test("The board's own files may name any file")
  func board() throws {
    let text = "version = 1\n[[playlist.main.item]]\nuri = \"/etc/secret.mp4\"\n"
    let own = ConfigurationSource(path: "/etc/v.toml", text: Array(text.utf8))
    let configuration = try Configuration.check([own]).get()
    let found = ItemResolver(files: files()).resolve(try #require(configuration.mainPlaylist), of: configuration)
    #expect(found.items.map(\.uri) == ["file:///etc/secret.mp4"])
  }
}
