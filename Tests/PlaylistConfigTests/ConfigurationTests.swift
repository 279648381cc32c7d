import ConfigurationFiles
import InteractionCore
import PlaybackCore
import PlaylistConfig
import Testing

@Suite("Configuration")
struct ConfigurationTests {
  private func parse(_ text: String) -> LoadedConfiguration {
    Configuration.parse(Array(text.utf8), path: "kiosk.toml")
  }
  private func lines(_ text: String) -> [String] { parse(text).diagnostics.map(\.description) }

  /// A main playlist, so that a text under test has no diagnostics but its own.
  private let main = "[[playlist.main.item]]\nuri = \"a.mp4\"\n"

  @Test("All keys arrive")
  func complete() throws {
    let loaded = parse(
      """
      version = 1
      [display]
      output = "kms"
      connector = "HDMI-A-1"
      mode = "1920x1080@59.94"
      card = "vc4"
      built_in_panels = "first"
      unplugged = "play"
      background = "#1020fF"
      splash = "logo.png"
      rotation = 270
      keep_last_frame = true
      [playback]
      loop = false
      picture_duration = 0.1
      [audio]
      enabled = false
      [overlay]
      osd = "never"
      [playlist.other]
      item = [{ uri = "https://example.org/a b.mp4" }]
      [[playlist.main.item]]
      uri = "a.png"
      title = "A"
      duration = 86400
      volume = 0.5
      [[playlist.main.item]]
      uri = "b.mp4"
      """)
    #expect(loaded.diagnostics == [])
    let configuration = try loaded.get()
    #expect(configuration.display.output.kind == .kms)
    #expect(configuration.display.connector == "HDMI-A-1")
    #expect(configuration.display.card == "vc4" && configuration.display.builtInPanels == .first)
    #expect(configuration.display.unplugged == .play && configuration.display.background == 0x1020FF)
    #expect(configuration.display.splash == "logo.png" && configuration.display.rotation == .counterclockwise)
    #expect(configuration.display.keepsLastFrame)
    #expect(
      configuration.display.mode == .size(PixelSize(width: 1920, height: 1080), refreshMillihertz: 59_940))
    #expect(!configuration.playback.loop)
    #expect(configuration.playback.pictureDuration == .milliseconds(100))
    #expect(!configuration.audio.isEnabled)
    #expect(configuration.overlay.osd == .never)
    #expect(configuration.playlists.keys.sorted() == ["main", "other"])
    let items = try #require(configuration.mainPlaylist).items
    #expect(items.map(\.uri) == ["a.png", "b.mp4"])
    #expect(items[0].title == "A")
    #expect(items[0].item.pictureDuration == .seconds(86_400))
    #expect(items[0].item.volume == 0.5)
    #expect(items[0].position == TOMLPosition(line: 23, column: 7))
    #expect(items[1].item.pictureDuration == nil)
  }

  @Test("A title is one for everybody or one in each language")
  func titles() throws {
    let loaded = parse(
      """
      version = 1
      [[playlist.main.item]]
      uri = "a.mp4"
      title = { de = "Die Halle", EN_gb = "The hall" }
      [[playlist.main.item]]
      uri = "b.mp4"
      title = "Hall"
      [[playlist.main.item]]
      uri = "c.mp4"
      title.fr = "La salle"
      """)
    let items = try #require(try loaded.get().mainPlaylist).items
    #expect(items.map(\.title) == ["The hall", "Hall", "La salle"])
    #expect(items[0].item.titles == ["de": "Die Halle", "en-gb": "The hall"] && items[1].isUsual)
    for wrong in ["{}", "{ de = 3 }", "{ de = \"\" }", "{ de = \"a\", deu = \"b\" }", "[\"a\"]"] {
      let loaded = parse("version = 1\n[[playlist.main.item]]\nuri = \"a.mp4\"\ntitle = \(wrong)\n")
      #expect(loaded.diagnostics.first?.description.contains("[playlist.main.item 1].title") == true, "\(wrong)")
    }
  }

  @Test("A version and nothing else is a configuration with defaults, and a warning")
  func minimal() throws {
    let loaded = parse("version = 1")
    var defaults = Configuration()
    defaults.sources = ["kiosk.toml"]
    defaults.origins = [.board]
    #expect(try loaded.get() == defaults)
    #expect(Configuration().playback.pictureDuration == .seconds(10))
    #expect(Configuration().playback.loop)
    #expect(
      loaded.diagnostics.map(\.description) == [
        "kiosk.toml: warning: [playlist.main]: missing, nothing plays by itself"
      ])
  }

  @Test("Each diagnostic has its place, the fault and the allowed values")
  func diagnostics() {
    let table: [(String, [String])] = [
      (main, ["1:1: version: missing, 1 is allowed"]),
      ("version = 2\n" + main, ["1:11: version: 2: is not known to this version of vitrine, 1 is allowed"]),
      ("version = \"1\"\n" + main, ["1:11: version: \"1\": is of type string and not integer, 1 is allowed"]),
      (
        "version = 1\nplayback = 3\n" + main,
        ["2:12: playback: 3: is of type integer and not table, [playback] is allowed"]
      ),
      ("version = 1\n[playback]\nlopp = true\n" + main, ["3:1: [playback].lopp: unknown key, did you mean loop?"]),
      (
        "version = 1\n[playback]\nbrightness = 3\n" + main,
        [
          "3:1: [playback].brightness: unknown key, known here: loop, resume, picture_duration, transition, "
            + "transition_duration"
        ]
      ),
      (
        "version = 1\n[playback]\npicture-duration = 3\n" + main,
        ["3:1: [playback].picture-duration: unknown key, did you mean picture_duration?"]
      ),
      (
        "version = 1\n[network]\nstart_after = 3\n" + main,
        [
          "3:1: [network].start_after: is no key any more, an item starts when 2 s of it are buffered; set buffer "
            + "instead, the seconds that are buffered ahead"
        ]
      ),
      (
        "version = 1\n[input.timing]\nflick = 1\n" + main,
        [
          "2:8: [input].timing: is no key any more, remove this table: the times that tell gestures apart are the "
            + "same on all boards"
        ]
      ),
      ("version = 1\n[playbak]\n" + main, ["2:2: playbak: unknown key, did you mean playback?"]),
      (
        "version = 1\n[playback]\nloop = \"yes\"\n" + main,
        ["3:8: [playback].loop: \"yes\": is of type string and not boolean, true or false is allowed"]
      ),
      (
        "version = 1\n[playback]\npicture_duration = 0\n" + main,
        ["3:20: [playback].picture_duration: 0: is too small, a number of seconds from 0.1 to 86400 is allowed"]
      ),
      (
        "version = 1\n[playback]\npicture_duration = inf\n" + main,
        ["3:20: [playback].picture_duration: inf: is too large, a number of seconds from 0.1 to 86400 is allowed"]
      ),
      (
        "version = 1\n[playback]\npicture_duration = nan\n" + main,
        ["3:20: [playback].picture_duration: nan: is not a number, a number of seconds from 0.1 to 86400 is allowed"]
      ),
      (
        "version = 1\n[overlay]\nosd = \"allways\"\n" + main,
        [
          "3:7: [overlay].osd: \"allways\": is not known (did you mean \"always\"?), "
            + "\"auto\", \"always\", \"never\" are allowed"
        ]
      ),
      (
        "version = 1\n[display]\nconnector = \"  \"\n" + main,
        ["3:13: [display].connector: \"  \": is empty, a text in quotes is allowed"]
      ),
      (
        "version = 1\n[display]\nbackground = \"#+12345\"\n" + main,
        [
          "3:14: [display].background: \"#+12345\": is not a colour, \"#RRGGBB\" with hexadecimal digits is allowed"
        ]
      ),
      (
        "version = 1\n[display]\nmode = \"big\"\n" + main,
        [
          "3:8: [display].mode: \"big\": is not a display mode, \"auto\", \"match\", \"1920x1080\", \"1920x1080@60\" or \"1920x1080@match\" is allowed"
        ]
      ),
      (
        "version = 1\n[[playlist.main.item]]\nuri = \"a\"\nvolume = 1.5\n",
        ["4:10: [playlist.main.item 1].volume: 1.5: is too large, a number from 0 to 1 is allowed"]
      ),
      (
        "version = 1\n[[playlist.main.item]]\ntitle = \"a\\nb\"\n",
        [
          "2:1: [playlist.main.item 1].uri: missing, a file, a directory, a playlist or a URI is allowed",
          "3:9: [playlist.main.item 1].title: \"a\\nb\": a backslash with a letter is a code between double quotes, "
            + "such as \\n for a line break, write / in place of the backslash, or put the text in single quotes",
        ]
      ),
      (
        "version = 1\n[[playlist.main.item]]\nuri = \"a\"\ntitle = { en = \"A\", \"1\" = \"B\" }\n",
        [
          "4:9: [playlist.main.item 1].title: {...}: has \"1\" in it, which is not a language, "
            + "a text in quotes is allowed, or { en = \"...\", de = \"...\" }"
        ]
      ),
      (
        "version = 1\n[[playlist.main.item]]\nuri = \"htp://a/b\"\n",
        [
          "3:7: [playlist.main.item 1].uri: \"htp://a/b\": the scheme \"htp\" can't be played; did you mean http?, "
            + "a path or a URI with file, http, https, rtsp, udp is allowed"
        ]
      ),
      (
        "version = 1\n[playlist.main]\n",
        ["2:1: [playlist.main].item: missing, at least one [[playlist.NAME.item]] is needed"]
      ),
      (
        "version = 1\n[playlist.main]\nitem = []\n",
        ["3:8: [playlist.main].item: []: is empty, at least one [[playlist.NAME.item]] is needed"]
      ),
      (
        "version = 1\n[playlist.main]\nitem = [\"a.mp4\"]\n",
        ["3:9: [playlist.main].item: \"a.mp4\": is of type string and not table, [[playlist.main.item]] is allowed"]
      ),
      (
        "version = 1\n[playlist.main.item]\nuri = \"a\"\n",
        [
          "2:1: [playlist.main].item: {...}: is of type table and not array of tables, "
            + "[[playlist.main.item]] is allowed"
        ]
      ),
      (
        "version = 1\n[[playlist.mian.item]]\nuri = \"a\"\n",
        ["2:3: [playlist.main]: missing, it is the playlist that plays; is it the one called mian?"]
      ),
      (
        "version = 1\n[[playlist.\"a b\".item]]\nuri = \"a\"\n" + main,
        ["2:12: [playlist].\"a b\": is not a name, letters, digits, - and _ are allowed"]
      ),
      ("version = \n", ["1:1: the value behind = is missing, write one, or take the line out"]),
    ]
    for (text, expected) in table {
      #expect(lines(text) == expected.map { "kiosk.toml:" + $0 }, "\(text)")
    }
  }

  @Test("All problems are reported together, in the order of the file")
  func allAtOnce() {
    let loaded = parse(
      """
      [playlist.main]
      [overlay]
      osd = 1
      [display]
      colour = 1
      mode = "x"
      [playback]
      picture_duration = 1e9
      [audio]
      enable = true
      """)
    #expect(loaded.diagnostics.map(\.line) == [1, 1, 3, 5, 6, 8, 10])
    #expect(
      loaded.diagnostics.map(\.keyPath) == [
        "version", "[playlist.main].item", "[overlay].osd", "[display].colour", "[display].mode",
        "[playback].picture_duration", "[audio].enable",
      ])
    #expect(loaded.configuration == nil)
    #expect(loaded.error?.configurationNumber == .configurationInvalid)
    #expect(loaded.error?.message == "the configuration has 7 errors")
    #expect(loaded.error?.configurationNumber?.exitStatus == 78)
  }

  @Test("A diagnostic stays one line and short, whatever the file holds")
  func oneLine() {
    let long = String(repeating: "x", count: 1000)
    let described = lines("version = 1\n[overlay]\nosd = \"\(long)\"\n\"a\\nb\" = 1\n" + main)
    #expect(described.count == 2)
    #expect(described.allSatisfy { !$0.contains("\n") && $0.count < 200 })
    #expect(described[1].contains("[overlay].\"a\\nb\": unknown key"))
  }

  @Test("Hostile texts give a configuration or errors, never neither")
  func hostile() {
    var texts = HostileTexts(seed: 7)
    var problems = 0
    for _ in 0..<2000 {
      let text = texts.next()
      // With a valid beginning, so that the reader gets to more tables.
      let loaded = Configuration.parse(Array("version = 1\n".utf8) + text, path: "random.toml")
      let hasError = loaded.diagnostics.contains { $0.severity == .error }
      #expect((loaded.configuration == nil) == hasError)
      #expect((loaded.error != nil) == hasError)
      #expect(loaded.diagnostics.allSatisfy { !$0.description.contains("\n") })
      problems += loaded.diagnostics.filter { !$0.keyPath.isEmpty }.count
    }
    #expect(problems > 1000)
  }

  @Test("Loading distinguishes a missing file from an unreadable one")
  func loading() throws {
    var files = FakeFiles(["/etc/v.toml": "version = 1\n" + main, "/etc/d/x": ""])
    files.denied = ["/etc/secret.toml"]
    #expect(try Configuration.load(path: "/etc/v.toml", files: files).get().mainPlaylist?.items.count == 1)
    let missing = Configuration.load(path: "/etc/none.toml", files: files)
    #expect(missing.error?.configurationNumber == .configurationMissing)
    #expect(missing.diagnostics.map(\.description) == ["/etc/none.toml: no such file or directory"])
    #expect(throws: VitrineError.self) { try missing.get() }
    #expect(Configuration.load(path: "/etc/secret.toml", files: files).error?.configurationNumber == .noPermission)
    let directory = Configuration.load(path: "/etc/d", files: files)
    #expect(directory.error?.message == "not a regular file")
    files.files["/etc/big.toml"] = [UInt8](repeating: 0x23, count: TOMLParser.maximumLength + 5)
    #expect(
      Configuration.load(path: "/etc/big.toml", files: files).error?.configurationNumber == .configurationInvalid)
  }

  @Test("config/demo.toml has no problems")
  func demo() throws {
    // The path as the compiler saw it: Tests/PlaylistConfigTests/... in the package.
    let package = FilePath(#filePath).directory.directory.directory
    let loaded = Configuration.load(path: package.resolving(FilePath("config/demo.toml")).text)
    #expect(loaded.diagnostics == [])
    let items = try #require(try loaded.get().mainPlaylist).items
    #expect(
      items.map(\.uri) == ["../build/demo/hall.mp4", "../build/demo/poster.png", "../build/demo/garden.webm"])
    #expect(items.allSatisfy { $0.title != nil })
  }
}
