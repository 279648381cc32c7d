import InteractionCore
import PlaybackCore
import Testing

@testable import PlaylistConfig

@Suite("Settings of serial lines")
struct SerialSettingsTests {
  /// A configuration whose lines begin in line 4.
  private func load(_ lines: String) -> LoadedConfiguration {
    let text = "version = 1\n[[playlist.main.item]]\nuri = \"a.mp4\"\n\(lines)\n"
    return Configuration.check([ConfigurationSource(path: "/etc/v.toml", text: Array(text.utf8))])
  }

  private func cue(_ settings: String) -> String {
    "[[cue]]\non = \"item-started\"\nsend = \"serial:/dev/ttyS0\(settings)\"\ntext = \"a\"\n"
  }

  @Test("A line with commands, and one with words of its own, whose clips are looked for beside the file")
  func all() throws {
    let loaded = load(
      """
      [[input.serial]]
      device = "/dev/ttyUSB0"
      [[input.serial]]
      device = "/dev/serial/by-id/usb-box-0"
      speed = 38400
      frame = "7E1"
      match = { PLAY1 = "play clips/hall.mp4", "KEY 2" = "lock" }
      """)
    #expect(loaded.diagnostics == [])
    let settings = try loaded.get().interaction
    let path = "/dev/serial/by-id/usb-box-0"
    var second = SerialInput(path, SerialSettings(speed: 38400, frame: try #require(SerialFrame("7E1"))))
    second.words = ["PLAY1", "KEY 2"]
    #expect(settings.devices.serial == [SerialInput("/dev/ttyUSB0"), second])
    #expect("\(SerialSettings())" == "9600 8N1" && second.settings.description == "38400 7E1")
    #expect(
      settings.actions.lines == [
        "serial \(path) PLAY1": LineBindings(press: .command(.playClip("/etc/clips/hall.mp4"))),
        "serial \(path) KEY 2": LineBindings(press: .lock),
      ])
  }

  @Test("A word may have any character but the end of its line")
  func words() throws {
    let loaded = load("[[input.serial]]\ndevice = \"/dev/ttyS0\"\nmatch = { \"\\u0002A;\\u0003\" = \"next\" }")
    #expect(try loaded.get().interaction.devices.serial.first?.words == ["\u{2}A;\u{3}"])
  }

  @Test("The settings of a line stand once: with its commands, or in one of its cues")
  func once() throws {
    #expect(try load(cue("")).get().serialSettings(of: "/dev/ttyS0") == SerialSettings())
    let frame = try #require(SerialFrame("8E1"))
    let two = SerialSettings(speed: 38400, frame: frame)
    #expect(try load(cue("") + cue(",38400,8E1")).get().serialSettings(of: "/dev/ttyS0") == two)
    #expect(try load(cue(",38400,8E1") + cue(",38400,8E1")).get().serialSettings(of: "/dev/ttyS1") == SerialSettings())
    let entry = "[[input.serial]]\ndevice = \"/dev/ttyS0\"\nspeed = 115200\n"
    #expect(try load(cue("") + entry).get().serialSettings(of: "/dev/ttyS0") == SerialSettings(speed: 115200))
    for text in [entry + cue(",9600"), cue(",9600") + cue(",19200")] {
      let found = load(text).diagnostics
      #expect(found.map(\.message) == ["differs from the line's other settings"], "\(found)")
    }
  }

  @Test(
    "Impossible lines are reported at their place",
    arguments: [
      ("speed = 9600", "[input.serial 1].device", "missing"),
      ("device = \"COM1\"", "[input.serial 1].device", "is not the path of a device"),
      ("device = \"/dev/ttyS0\"\nspeed = 9601", "[input.serial 1].speed", "is no usual speed"),
      ("device = \"/dev/ttyS0\"\nframe = \"9N1\"", "[input.serial 1].frame", "is not the form of a byte"),
      ("device = \"/dev/ttyS0\"\nmatch = { A = \"jump\" }", "[input.serial 1.match].A", "is not an action"),
      (
        "device = \"/dev/ttyS0\"\nmatch = { A = \"clip film\" }", "[input.serial 1.match].A",
        "there is no playlist of that name"
      ),
      (
        "device = \"/dev/ttyS0\"\nmatch = { \"A\\r\" = \"next\" }", "[input.serial 1.match].\"A\\r\"",
        "is not a name of a key"
      ),
      (
        "device = \"/dev/ttyS0\"\n[[input.serial]]\ndevice = \"/dev/ttyS0\"", "[input.serial 2].device",
        "is that of entry 1 too"
      ),
    ])
  func refused(lines: String, key: String, message: String) {
    let found = load("[[input.serial]]\n" + lines).diagnostics
    #expect(found.map(\.keyPath) == [key] && found.map(\.message) == [message], "\(found)")
  }
}
