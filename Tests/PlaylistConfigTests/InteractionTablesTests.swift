import InteractionCore
import PlaybackCore
import PlaylistConfig
import Testing

@Suite("Input, overlay and the attract loop in the configuration")
struct InteractionTablesTests {
  private let lists = "[[playlist.main.item]]\nuri = \"a.mp4\"\n[[playlist.films.item]]\nuri = \"b.mp4\"\n"

  private func read(_ text: String) throws -> Configuration {
    let loaded = Configuration.parse(Array(("version = 1\n" + text + lists).utf8), path: "/here/k")
    #expect(loaded.diagnostics.isEmpty, "\(loaded.diagnostics)")
    return try loaded.get()
  }

  private func lines(_ text: String) -> [String] {
    Configuration.parse(Array(("version = 1\n" + text + lists).utf8), path: "k").diagnostics.map(\.description)
  }

  @Test("An empty configuration equals the program's defaults")
  func standard() throws {
    let configuration = try read("")
    var wanted = InteractionSettings()
    wanted.attract.idleAfter = .seconds(60)
    #expect(configuration.interaction == wanted)
    #expect(configuration.overlay.look == OverlayLook())
    #expect(configuration.visitorsPlaylist(scheduled: "main") == nil)
  }

  @Test("Devices, the lock, keys, gestures, times and distances")
  func input() throws {
    let configuration = try read(
      """
      [input]
      devices = ["FT5406"]
      ignored_devices = ["Mouse", "Video Bus"]
      keyboards = false
      calibration = "0 1 0 -1 0 1"
      [input.keys]
      KEY_1 = "play clips/hall.mp4"
      BTN_0 = "select 2"
      KEY_SPACE = "none"
      [input.gestures]
      tap = "controls"
      vertical_drag = "none"

      """)
    let settings = configuration.interaction
    #expect(settings.devices.onlyDevices == ["FT5406"] && settings.devices.ignoredDevices == ["Mouse", "Video Bus"])
    #expect(!settings.devices.hearsKeyboards && settings.devices.calibration?.values == [0, 1, 0, -1, 0, 1])
    #expect(settings.actions.action(forKey: "KEY_1") == .command(.playClip("/here/clips/hall.mp4")))
    #expect(settings.actions.action(forKey: "BTN_0") == .command(.select(number: 2)))
    #expect(settings.actions.action(forKey: "KEY_SPACE") == .nothing)
    #expect(settings.actions.action(forKey: "KEY_PLAYPAUSE") == .command(.playPause), "what isn't named stays")
    #expect(
      settings.actions.gestures[.tap] == .command(.showControls) && settings.actions.gestures[.verticalDrag] == .nothing
    )
    #expect(settings.actions.gestures[.barDrag] == .scrub)
  }

  @Test(
    "The lock and the use of touch decide the input that counts",
    arguments: [
      ("", LockMode.none), ("touch = false\n", .buttonsOnly), ("lock = \"all\"\n", .all),
      ("touch = false\nlock = \"all\"\n", .all), ("lock = \"buttons-only\"\n", .buttonsOnly),
    ])
  func heard(text: String, lock: LockMode) throws {
    #expect(try read("[input]\n" + text).interaction.actions.lock == lock)
  }

  @Test(
    "The loop and the visitors' list, when the schedule says main",
    arguments: [
      ("visitors = \"films\"\n", "main", "films"), ("playlist = \"films\"\n", "films", "main"),
      ("playlist = \"films\"\nvisitors = \"films\"\n", "films", nil), ("playlist = \"main\"\n", "main", nil),
    ] as [(String, String, String?)])
  func lists(text: String, loop: String, visitors: String?) throws {
    let configuration = try read("[attract]\nreturn = \"at-once\"\nidle_timeout = 20\n" + text)
    #expect(configuration.loopPlaylist(scheduled: "main") == loop)
    #expect(configuration.visitorsPlaylist(scheduled: "main") == visitors)
    #expect(configuration.attract.settings == AttractSettings(idleAfter: .seconds(20), returns: .atOnce))
  }

  @Test("The overlay's look")
  func overlay() throws {
    let overlay = try read(
      """
      [overlay]
      osd = "always"
      stay = 5
      buttons = ["mute", "play-pause"]
      accent = "#00ff80"
      contrast = "high"
      scale = 1.25
      fonts = ["Source Sans 3"]

      """
    ).overlay
    #expect(overlay.osd == .always && overlay.stay == .seconds(5))
    var look = OverlayLook()
    look.buttons = [.mute, .playPause]
    look.accent = 0x00FF80
    look.contrast = .high
    look.scale = 1.25
    look.fontFamilies = ["Source Sans 3"]
    #expect(overlay.look == look)
  }

  @Test("Buttons on GPIO lines, by name or by chip and offset")
  func lines() throws {
    let settings = try read(
      """
      [[input.gpio]]
      line = "GPIO17"
      press = "play clips/hall.mp4"
      [[input.gpio]]
      chip = "pinctrl-rp1"
      line = "27"
      pull = "down"
      active_low = false
      debounce = 0.05
      press = "next"
      release = "release"
      long_press = "status"
      long_after = 3

      """
    ).interaction
    var second = InputLine("27", chip: "pinctrl-rp1")
    second.pull = .down
    second.isActiveLow = false
    second.debounce = .milliseconds(50)
    #expect(settings.devices.lines == [InputLine("GPIO17"), second])
    #expect(
      settings.actions.lines == [
        "gpio GPIO17": LineBindings(press: .command(.playClip("/here/clips/hall.mp4"))),
        "gpio pinctrl-rp1 line 27": LineBindings(
          press: .command(.next), release: .command(.release), longPress: .command(.showStatus(nil)),
          longAfter: .seconds(3)),
      ])
  }

  @Test(
    "Impossible keys, gestures and actions are reported",
    arguments: [
      ("[input.keys]\nF1 = \"play\"\n", "k:3:1: [input.keys].F1: is not a name of a key, names of keys"),
      ("[input.keys]\nKEY_1 = \"jump\"\n", "k:3:9: [input.keys].KEY_1: \"jump\": is not an action, an action is"),
      ("[input.keys]\nKEY_1 = \"scrub\"\n", "k:3:9: [input.keys].KEY_1: \"scrub\": is not allowed here"),
      ("[input.gestures]\nbar_drag = \"mute\"\n", "k:3:12: [input.gestures].bar_drag: \"mute\": is not allowed here"),
      (
        "[input.gestures]\nvertical_drag = \"scrub\"\n",
        "k:3:17: [input.gestures].vertical_drag: \"scrub\": is not allowed here, \"volume\", \"none\" are allowed"
      ),
      ("[input.gestures]\ntapp = \"mute\"\n", "k:3:1: [input.gestures].tapp: unknown key, did you mean tap?"),
      ("[input]\ncalibration = \"1 2 3\"\n", "k:3:15: [input].calibration: \"1 2 3\": is not a calibration"),
      ("[overlay]\nbuttons = [\"next\", \"next\"]\n", "k:3:11: [overlay].buttons: [...]: has \"next\""),
      (
        "[input.keys]\nKEY_1 = \"clip film\"\n",
        "k:3:9: [input.keys].KEY_1: \"film\": there is no playlist of that name"
      ),
      (
        "[input.gestures]\ntap = \"clip mian --item 2\"\n",
        "k:3:7: [input.gestures].tap: \"mian\": there is no playlist of that name"
      ),
      ("[[input.gpio]]\npress = \"next\"\n", "k:2:1: [input.gpio 1].line: missing, a text"),
      ("[[input.gpio]]\nline = \"1\"\npress = \"next\"\n", "k:2:1: [input.gpio 1].chip: is missing"),
      ("[[input.gpio]]\nline = \"A\"\n", "k:2:1: warning: [input.gpio 1].press: is missing"),
      (
        "[[input.gpio]]\nline = \"A\"\npress = \"next\"\n[[input.gpio]]\nline = \"A\"\nrelease = \"next\"\n",
        "k:5:1: [input.gpio 2].line: is the line of entry 1 too"
      ),
      (
        "[[input.gpio]]\nline = \"A\"\npress = \"clip film\"\n",
        "k:4:9: [input.gpio 1].press: \"film\": there is no playlist of that name"
      ),
      ("[[input.gpio]]\nline = \"A\"\npress = \"next\"\ndebounce = 0\n", "k:5:12: [input.gpio 1].debounce: 0"),
      ("[attract]\nvisitors = \"film\"\n", "k:3:12: [attract].visitors: \"film\": there is no playlist of that name"),
    ])
  func refused(text: String, line: String) {
    let found = lines(text)
    #expect(found.count == 1 && found.first?.hasPrefix(line) == true, "\(found)")
  }
}
