import PlaybackCore
import InteractionCore
import PlaylistConfig
import Testing

@Suite("[[screen]]: several screens, a playlist each")
struct ScreenSettingsTests {
  private static let main = "[[playlist.main.item]]\nuri = \"a.mp4\"\n"
  private static let menu = "[[playlist.menu.item]]\nuri = \"b.mp4\"\n"

  private func load(_ text: String, lists: String = main + menu) -> LoadedConfiguration {
    Configuration.parse(Array(("version = 1\n" + text + lists).utf8), path: "k")
  }

  private func screen(_ name: String, _ keys: String = "") -> String { "[[screen]]\nname = \"\(name)\"\n\(keys)\n" }

  @Test("Without the table there is one screen, and the configuration is its own")
  func one() throws {
    let configuration = try load("[display]\nconnector = \"DSI-1\"\n").get()
    #expect(configuration.screens.isEmpty)
    let each = configuration.eachScreen
    #expect(each.count == 1 && each[0].name == "" && each[0].configuration == configuration)
  }

  @Test(
    "Each screen has the configuration as it would be alone: its connector, list, rotation; sound goes to the first")
  func several() throws {
    let configuration = try load(
      """
      [display]
      card = "vc4"
      rotation = 90
      [attract]
      playlist = "menu"
      [schedule]
      default = "main"
      [[schedule.rule]]
      playlist = "menu"
      start = "18:00"
      [[schedule.off]]
      start = "22:00"
      \(screen("window", "connector = \"HDMI-A-1\""))
      \(screen("till", "connector = \"HDMI-A-2\"\nplaylist = \"menu\"\nrotation = 0\ncard = \"card0\"\ntouch = [\"ILI\"]"))

      """
    ).get()
    let each = configuration.eachScreen
    #expect(each.map(\.name) == ["window", "till"])
    let (window, till) = (each[0].configuration, each[1].configuration)
    #expect(window.display.connector == "HDMI-A-1" && till.display.connector == "HDMI-A-2")
    #expect(window.display.card == "vc4" && till.display.card == "card0")
    #expect(window.display.rotation == configuration.display.rotation && till.display.rotation == .none)
    #expect(window.audio.isEnabled && !till.audio.isEnabled)
    #expect(window.schedule == configuration.schedule && window.loopPlaylist(scheduled: "main") == "menu")
    // Its own list, day and night, but for when the screens are off.
    #expect(till.schedule.rules.isEmpty && till.schedule.defaultPlaylist == "menu" && till.schedule.off.count == 1)
    #expect(till.loopPlaylist(scheduled: "menu") == "menu" && till.visitorsPlaylist(scheduled: "menu") == nil)
    let engine = ScheduleEngine(till, zone: .utc)
    #expect(
      engine.decision(at: .utc(19 * 3600)).playlist == "menu" && engine.decision(at: .utc(3600)).playlist == "menu")
    #expect(engine.decision(at: .utc(23 * 3600)).isScreenOff)
    #expect(configuration.screens[1].touch == ["ILI"])
  }

  @Test("A screen's settings change nothing in the configuration of another")
  func apart() throws {
    let left = screen("left", "connector = \"A\"")
    let one = try load(left + screen("right", "connector = \"B\"")).get()
    let other = try load(left + screen("right", "connector = \"C\"\nrotation = 180\nplaylist = \"menu\"")).get()
    #expect(one.eachScreen[0].configuration.display == other.eachScreen[0].configuration.display)
    #expect(one.eachScreen[0].configuration.screens.isEmpty)
    #expect(one.eachScreen[1].configuration != other.eachScreen[1].configuration)
  }

  @Test(
    "At most one is heard",
    arguments: [
      ("", "", [true, false]), ("", "sound = true", [false, true]), ("sound = false", "", [false, false]),
      ("sound = true", "sound = false", [true, false]),
    ])
  func sound(_ first: String, _ second: String, _ heard: [Bool]) throws {
    let screens = screen("a", "connector = \"A\"\n\(first)") + screen("b", "connector = \"B\"\n\(second)")
    #expect(try load(screens).get().eachScreen.map(\.configuration.audio.isEnabled) == heard)
    #expect(
      try load("[audio]\nenabled = false\n" + screens).get().eachScreen.allSatisfy { !$0.configuration.audio.isEnabled }
    )
  }

  @Test("A single screen may take its connector from [display]; screens with their own lists need no main")
  func less() throws {
    let one = try load("[display]\nconnector = \"DP-1\"\n" + screen("only", "playlist = \"menu\"")).get()
    #expect(one.eachScreen[0].configuration.display.connector == "DP-1")
    let loaded = load(screen("only", "playlist = \"menu\""), lists: Self.menu)
    #expect(loaded.diagnostics == [] && loaded.configuration != nil)
    #expect(load(screen("only"), lists: Self.menu).configuration == nil, "the schedule's list is missing")
  }

  private static let two = "[[screen]]\nname = \"a\"\nconnector = \"A\"\n[[screen]]\nname = \"b\"\n"

  @Test(
    "Faults are reported with their place",
    arguments: [
      (
        "[[screen]]\nconnector = \"A\"\n",
        "k:2:1: [screen 1].name: missing, a name for it is allowed: letters, digits, - and _"
      ),
      (
        "[[screen]]\nname = \"shop window\"\n",
        "k:3:8: [screen 1].name: \"shop window\": is not a name, a name for it is allowed: letters, digits, - and _"
      ),
      (
        "[[screen]]\nname = \"a\"\nplaylist = \"mian\"\n",
        "k:4:12: [screen 1].playlist: \"mian\": there is no playlist of that name, did you mean main?"
      ),
      (
        "[[screen]]\nname = \"a\"\nconector = \"A\"\n",
        "k:4:1: [screen 1].conector: unknown key, did you mean connector?"
      ),
      (
        two,
        "k:5:1: [screen 2].connector: missing, with several screens each names its connector, such as \"HDMI-A-1\"; "
          + "`vitrine displays` lists them"
      ),
      (
        two + "connector = \"A\"\n",
        "k:7:13: [screen 2].connector: \"A\": is that of screen 1 too, each screen has a connector of its own; on another "
          + "card, name the card of each"
      ),
      (
        "[[screen]]\nname = \"a\"\nconnector = \"A\"\n[[screen]]\nname = \"a\"\nconnector = \"B\"\n",
        "k:6:8: [screen 2].name: \"a\": is the name of screen 1 too, each screen has a name of its own"
      ),
      (
        "[[screen]]\nname = \"a\"\nconnector = \"A\"\nsound = true\n[[screen]]\nname = \"b\"\nconnector = \"B\"\nsound = true\n",
        "k:6:1: [screen 2].sound: true: screen 1 has the sound already, one screen at most is heard"
      ),
      (
        "[[screen]]\nname = \"a\"\nconnector = \"A\"\ntouch = [\"X\"]\n[[screen]]\nname = \"b\"\nconnector = \"B\"\n"
          + "touch = [\"x\"]\n",
        "k:6:1: [screen 2].touch: \"x\": belongs to screen 1 too, a device belongs to one screen; name two devices "
          + "of the same name by where they are plugged in"
      ),
      (
        "[display]\noutput = \"wayland\"\n" + two + "connector = \"B\"\n",
        "k:7:1: warning: screen: has no effect with output = \"wayland\", only \"kms\" and \"auto\" show several screens"
      ),
    ])
  func refused(_ text: String, _ line: String) {
    #expect(load(text).diagnostics.map(\.description) == [line])
  }

  @Test("The same connector on two cards is two screens; nine screens are too many")
  func limits() {
    #expect(
      load(
        Self.two.replacing("[[screen]]", with: "[[screen]]\ncard = \"c\"", maxReplacements: 1) + "connector = \"A\"\n"
      ).diagnostics.isEmpty)
    let many = (0..<9).map { screen("s\($0)", "connector = \"C\($0)\"") }
    #expect(load(many.dropLast().joined()).diagnostics == [])
    let refused = load(many.joined()).diagnostics.map(\.description)
    #expect(refused.count == 1 && refused.first?.contains("at most 8 are allowed") == true, "\(refused)")
  }

  @Test("A stick sets no screens")
  func stick() {
    let sources = [
      ConfigurationSource(path: "k", text: Array(("version = 1\n" + Self.main).utf8)),
      ConfigurationSource(
        path: "/stick/vitrine.toml", text: Array(screen("a").utf8), origin: .stick(folder: FilePath("/stick"))),
    ]
    #expect(
      Configuration.check(sources).diagnostics.contains { $0.description.contains("may not be set by a USB stick") })
  }
}
