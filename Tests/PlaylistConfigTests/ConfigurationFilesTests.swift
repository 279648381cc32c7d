import InteractionCore
import PlaybackCore
import PlaylistConfig
import Testing

@Suite("Configuration files")
struct ConfigurationFilesTests {
  private let base = """
    version = 1
    [display]
    connector = "HDMI-A-1"
    mode = "1280x720"
    [[playlist.main.item]]
    uri = "a.mp4"
    [[playlist.main.item]]
    uri = "b.mp4"
    """

  private func lines(_ files: FakeFiles, _ overrides: ConfigurationOverrides = ConfigurationOverrides()) -> [String] {
    Configuration.load(.system, overrides: overrides, files: files).diagnostics.map(\.description)
  }

  @Test("Later files win key by key and replace lists, in the documented order")
  func order() throws {
    let files = FakeFiles([
      "/etc/vitrine/vitrine.toml": base,
      "/etc/vitrine/conf.d/20-b.toml": "[display]\nmode = \"800x600\"\n[playback]\nloop = false\n",
      "/etc/vitrine/conf.d/10-a.toml": "display.mode = \"640x480\"\n[[playlist.main.item]]\nuri = \"sub/c.mp4\"\n",
      "/boot/firmware/vitrine.toml": "[playback]\npicture_duration = 3\n[audio]\nenabled = false\n",
      "/boot/vitrine.toml": "[playback]\npicture_duration = 4\n",
    ])
    let loaded = Configuration.load(.system, files: files)
    #expect(loaded.diagnostics == [])
    let configuration = try loaded.get()
    #expect(configuration.display.connector == "HDMI-A-1")
    #expect("\(configuration.display.mode)" == "800x600")
    #expect(!configuration.playback.loop)
    #expect(configuration.playback.pictureDuration == .seconds(4))
    #expect(!configuration.audio.isEnabled)
    #expect(configuration.mainPlaylist?.items.map(\.uri) == ["sub/c.mp4"])
    #expect(
      configuration.sources == [
        "/etc/vitrine/vitrine.toml", "/etc/vitrine/conf.d/10-a.toml", "/etc/vitrine/conf.d/20-b.toml",
        "/boot/firmware/vitrine.toml", "/boot/vitrine.toml",
      ])
  }

  @Test("A relative path starts at the folder of its file")
  func folders() throws {
    let files = FakeFiles([
      "/etc/vitrine/vitrine.toml": base, "/etc/vitrine/a.mp4": "x",
      "/boot/vitrine.toml": "[[playlist.main.item]]\nuri = \"c.mp4\"\n", "/boot/c.mp4": "x",
    ])
    let configuration = try Configuration.load(.system, files: files).get()
    let found = ItemResolver(files: files).resolve(
      try #require(configuration.mainPlaylist), of: configuration)
    #expect(found.items.map(\.uri) == ["file:///boot/c.mp4"])
  }

  @Test("A poster's relative path starts at the folder of its file, and stands for one item alone")
  func posters() throws {
    let files = FakeFiles([
      "/srv/v.toml": """
      version = 1
      playlist.main.item = [
        { uri = "a.mp4", poster = "pictures/ä b.png" }, { uri = "b.mp4", poster = "/var/b.jpg" },
        { uri = "films", poster = "c.png" },
      ]
      """, "/srv/a.mp4": "x", "/srv/b.mp4": "x", "/srv/films/1.mp4": "x", "/srv/films/2.mp4": "x",
    ])
    let configuration = try Configuration.load(path: "/srv/v.toml", files: files).get()
    let found = ItemResolver(files: files).resolve(try #require(configuration.mainPlaylist), of: configuration)
    #expect(
      found.items.map(\.poster) == ["file:///srv/pictures/%C3%A4%20b.png", "file:///var/b.jpg", nil, nil])
  }

  @Test("Problems of all files are reported once, with their file, even if a later file overrides them")
  func allFiles() {
    let files = FakeFiles([
      "/etc/vitrine/vitrine.toml": base + "\n[playback]\nlop = 1\npicture_duration = -1\n",
      "/etc/vitrine/conf.d/10-a.toml": "[playback]\npicture_duration = 5\n[display]\nmode = 3\n",
      "/etc/vitrine/conf.d/11-bad.toml": "[playback\n",
      "/boot/vitrine.toml": "version = 7\n",
    ])
    let found = lines(files)
    #expect(
      found.map { $0.prefix { $0 != " " } } == [
        "/etc/vitrine/vitrine.toml:10:1:", "/etc/vitrine/vitrine.toml:11:20:", "/etc/vitrine/conf.d/10-a.toml:4:8:",
        "/etc/vitrine/conf.d/11-bad.toml:1:10:", "/boot/vitrine.toml:1:11:",
      ], "\(found)")
  }

  @Test("A drop-in needs neither a version nor items; together there must be both")
  func partial() {
    let dropIn = "[playlist.main]\n[playback]\nloop = false\n"
    #expect(lines(FakeFiles(["/etc/vitrine/vitrine.toml": base, "/etc/vitrine/conf.d/10-a.toml": dropIn])) == [])
    #expect(
      lines(FakeFiles(["/etc/vitrine/conf.d/10-a.toml": dropIn])) == [
        "/etc/vitrine/conf.d/10-a.toml:1:1: version: missing, 1 is allowed",
        "/etc/vitrine/conf.d/10-a.toml:1:1: [playlist.main].item: missing, "
          + "at least one [[playlist.NAME.item]] is needed",
      ])
  }

  @Test("A file without a drop-in's name isn't read, and is reported unless it is a copy or another kind of text")
  func names() {
    var files = FakeFiles(["/etc/vitrine/vitrine.toml": base])
    for name in [
      "shop.toml", "1-a.toml", "10.toml", "10-a b.toml", ".10-a.toml", "10-a.toml~", "10-a.toml.tmp", "x",
      "x.conf", "50-shop.toml.txt", "50-shop.TML", "README", "10-a.toml.dpkg-old", ".10-b.conf",
    ] {
      files.files["/etc/vitrine/conf.d/\(name)"] = Array("broken = [".utf8)
    }
    let found = lines(files)
    #expect(
      found
        == ["1-a.toml", "10-a b.toml", "10.toml", "50-shop.TML", "50-shop.toml.txt", "shop.toml", "x.conf"].map {
          "/etc/vitrine/conf.d/\($0): warning: is not read, the name of a drop-in is two digits, -, a name and .toml, "
            + "such as 50-shop.toml"
        })
  }

  @Test("A file with two names is read once; an unreadable file is an error; no file at all is a missing configuration")
  func odd() {
    var files = FakeFiles(["/boot/firmware/vitrine.toml": base])
    files.links["/boot/vitrine.toml"] = "/boot/firmware/vitrine.toml"
    #expect(Configuration.load(.system, files: files).sources == ["/boot/firmware/vitrine.toml"])
    files.denied = ["/etc/vitrine/vitrine.toml"]
    let denied = Configuration.load(.system, files: files)
    #expect(denied.configuration == nil && denied.error?.configurationNumber == .noPermission)
    #expect(Configuration.load(.system, files: FakeFiles()).error?.configurationNumber == .configurationMissing)
  }

  @Test("A user's own folder is in the place that XDG specifies")
  func userFolder() {
    func folder(_ environment: [String: String]) -> String? { ConfigurationSet.userFolder(environment: environment) }
    #expect(folder(["HOME": "/home/ada"]) == "/home/ada/.config/vitrine")
    #expect(folder(["HOME": "/home/ada", "XDG_CONFIG_HOME": "/etc/ada"]) == "/etc/ada/vitrine")
    #expect(folder(["HOME": "/home/ada", "XDG_CONFIG_HOME": "ada"]) == "/home/ada/.config/vitrine")
    #expect(folder([:]) == nil && folder(["HOME": ""]) == nil)
  }

  @Test("A folder has its vitrine.toml and conf.d; a file stands alone")
  func named() throws {
    let files = FakeFiles([
      "/k/vitrine.toml": base, "/k/conf.d/10-a.toml": "[playback]\nloop = false\n", "/etc/vitrine/vitrine.toml": base,
    ])
    #expect(
      ConfigurationSet.named("/k", files: files)
        == ConfigurationSet(main: "/k/vitrine.toml", dropIns: "/k/conf.d"))
    #expect(ConfigurationSet.named("/k/vitrine.toml", files: files) == ConfigurationSet(main: "/k/vitrine.toml"))
    #expect(ConfigurationSet.named("/etc/vitrine/vitrine.toml", files: files) == .system)
    #expect(try !Configuration.load(.named("/k", files: files), files: files).get().playback.loop)
  }

  @Test(
    "A configuration recognises changes of its files under any spelling of its relative path",
    arguments: [
      ("shop.toml", ".", "./shop.toml"), ("./shop.toml", "././", "././shop.toml"),
      ("../shop.toml", "./..", "./../shop.toml"),
      ("sites/shop.toml", "./sites", "./sites/shop.toml"), ("sites//shop.toml", "./sites/", "./sites//shop.toml"),
      ("/shop.toml", "/", "//shop.toml"), ("/k/shop.toml", "/k", "/k/shop.toml"),
    ])
  func watched(main: String, folder: String, changed: String) {
    var set = ConfigurationSet(main: main)
    #expect(set.folders.map { $0 + "/" } == [folder.hasSuffix("/") ? folder : folder + "/"] || set.folders == [folder])
    #expect(set.concerns(changed) && !set.concerns(changed + "~") && !set.concerns(folder + "/other.toml"))
    set.dropIns = "conf.d"
    #expect(set.folders.contains("./conf.d"))
    #expect(set.concerns("./conf.d/10-a.toml") && !set.concerns("./conf.d/a.toml") && set.concerns("./conf.d"))
  }

  @Test("Variables and options override the files; options come last")
  func overrides() throws {
    let files = FakeFiles(["/etc/vitrine/vitrine.toml": base])
    let overrides = ConfigurationOverrides(
      environment: [
        "VITRINE_DISPLAY_CONNECTOR": "DP-1", "VITRINE_PLAYBACK_LOOP": "false", "VITRINE_PLAYBACK_PICTURE_DURATION": "2",
        "VITRINE_BOARD_KERNEL": "/x", "PATH": "/bin", "VITRINE_DISPLAY_OUTPUT": "kms",
      ],
      settings: ["playback.picture_duration=3", "overlay.osd=never", "playback.picture_duration=4"])
    let loaded = Configuration.load(.system, overrides: overrides, files: files)
    #expect(loaded.diagnostics == [])
    let configuration = try loaded.get()
    #expect(configuration.display.connector == "DP-1")
    #expect(!configuration.playback.loop)
    #expect(configuration.playback.pictureDuration == .seconds(4))
    #expect(configuration.overlay.osd == .never)
    #expect(configuration.display.output == .kms)
  }

  @Test("Faults of variables and options are reported with their names")
  func badOverrides() {
    let files = FakeFiles(["/etc/vitrine/vitrine.toml": base])
    let overrides = ConfigurationOverrides(
      environment: ["VITRINE_DISPLAY_CONECTOR": "DP-1", "VITRINE_PLAYBACK_LOOP": "yes"],
      settings: ["playback.lop=true", "overlay.osd", "playback.picture_duration=0", "playlist.main=1"])
    let loaded = Configuration.load(.system, overrides: overrides, files: files)
    #expect(loaded.configuration == nil)
    #expect(
      Set(loaded.diagnostics.map { $0.description.prefix(60) })
        == Set(
          [
            "VITRINE_DISPLAY_CONECTOR: warning: there is no such setting, did you mean VITRINE_DISPLAY_CONNECTOR?",
            "VITRINE_PLAYBACK_LOOP: [playback].loop: \"yes\": is of type string and not boolean, true or false is allowed",
            "--set playback.lop: there is no such setting, did you mean playback.loop?",
            "--set overlay.osd: has no =, --set key=value is allowed",
            "--set playback.picture_duration: [playback].picture_duration: 0: is too small",
            "--set playlist.main: there is no such setting, known: display",
          ].map { $0.prefix(60) }))
  }

  @Test("Every value is listed with its origin")
  func origins() {
    let files = FakeFiles([
      "/etc/vitrine/vitrine.toml": base, "/etc/vitrine/conf.d/10-a.toml": "[display]\n\nmode = \"640x480\"\n",
    ])
    let loaded = Configuration.load(
      .system, overrides: ConfigurationOverrides(environment: ["VITRINE_OVERLAY_OSD": "never"]), files: files)
    let entries = Dictionary(uniqueKeysWithValues: ConfigurationOrigins(loaded).entries.map { ($0.key, $0) })
    func line(_ key: String) -> String? { entries[key].map { "\($0.value) \($0.origin)" } }
    #expect(line("display.connector") == "\"HDMI-A-1\" /etc/vitrine/vitrine.toml:3")
    #expect(line("display.mode") == "\"640x480\" /etc/vitrine/conf.d/10-a.toml:3")
    #expect(line("display.output") == "\"auto\" default")
    #expect(line("overlay.osd") == "\"never\" VITRINE_OVERLAY_OSD")
    #expect(line("playlist.main.item 2.uri") == "\"b.mp4\" /etc/vitrine/vitrine.toml:8")
    // It has no default: naming a part of telemetry turns it on.
    #expect(entries["telemetry.enabled"] == nil)
  }
}
