import PlaybackCore
import Testing

@testable import PlaylistConfig

@Suite("Settings of cues")
struct CueSettingsTests {
  /// A configuration with one cue, which begins in line 5.
  private func load(_ lines: String, _ more: String = "") -> LoadedConfiguration {
    let text = "version = 1\n[[playlist.main.item]]\nuri = \"a.mp4\"\n[[cue]]\n\(lines)\n\(more)\n"
    return Configuration.check([ConfigurationSource(path: "/etc/v.toml", text: Array(text.utf8))])
  }

  private let start = "on = \"item-started\"\n"

  @Test("A cue with all that it may have")
  func all() throws {
    let loaded = load(
      """
      on = "time"
      at = 62.5
      playlist = "main"
      item = 1
      screen = "left"
      send = "osc://desk.local:53000/cue/5/start"
      arguments = [1, 0.5, "text", true]
      """, "[[screen]]\nname = \"left\"\nconnector = \"HDMI-A-1\"")
    #expect(loaded.diagnostics == [])
    var cue = Cue()
    (cue.moment, cue.at, cue.playlist, cue.item, cue.screen) = (.time, .seconds(62.5), "main", 1, "left")
    cue.address = CueAddress("osc://desk.local:53000/cue/5/start")
    cue.arguments = [.whole(1), .number(0.5), .text("text"), .truth(true)]
    #expect(try loaded.get().cues.map(\.cue) == [cue])
  }

  @Test("A text is sent as it stands, with its ends of lines")
  func text() throws {
    let loaded = load(start + "send = \"tcp://10.0.0.5:23\"\ntext = \"LIGHTS 50\\r\\n\"")
    #expect(try loaded.get().cues.first?.cue.text == "LIGHTS 50\r\n")
  }

  @Test(
    "Addresses of all kinds are read, and other texts are refused",
    arguments: [
      ("osc://10.0.0.5:53000/a", true), ("osc://[fd00::5]:53000/a/b", true), ("udp://hall.local:4000", true),
      ("tcp://[::1]:23", true), ("http://lights.local/scene/5", true), ("https://a/", true), ("mqtt:hall/lights", true),
      ("gpio:RELAY", true), ("gpio:gpiochip0/17", true), ("gpio:/dev/gpiochip0/17", true), ("gpio:17", false),
      ("gpio:", false), ("gpio:gpiochip0/", false),
      ("serial:/dev/ttyUSB0", true), ("serial:/dev/serial/by-path/pci-0000:01:00.0-usb-0:1:1.0,38400,8E1", true),
      ("serial:/dev/ttyUSB0,38400", true), ("serial:/dev/ttyUSB0,1", false), ("serial:/dev/ttyUSB0,9600,9N1", false),
      ("serial:/dev/ttyUSB0,9600,8N1,x", false), ("serial:ttyUSB0", false), ("serial:/dev/", false),
      ("serial:/dev/../etc/x", false), ("serial:///dev/ttyUSB0", false),
      ("osc://10.0.0.5:53000", false), ("osc://10.0.0.5:53000/", false), ("osc://10.0.0.5/a", false),
      ("osc://10.0.0.5:53000/a*", false), ("udp://10.0.0.5", false), ("udp://:4000", false), ("udp://a:70000", false),
      ("udp://fd00::5:1", false), ("tcp://a:23/x", false), ("http://user:secret@a/", false), ("ftp://a/", false),
      ("mqtt://a", false), ("mqtt:a/#", false), ("mqtt:", false), ("hall", false),
    ])
  func addresses(address: String, isOne: Bool) {
    let read = CueAddress(address)
    #expect((read != nil) == isOne)
    // It is told as it was written.
    if let read { #expect("\(read)" == address) }
  }

  @Test("A moment that doesn't exist is refused, with the one that is meant")
  func moments() {
    let loaded = load("on = \"item-start\"\nsend = \"udp://a:1\"\ntext = \"a\"")
    #expect(loaded.diagnostics.map(\.message) == ["is not known (did you mean \"item-started\"?)"])
  }

  @Test(
    "Keys that don't belong together are an error at the key that is wrong",
    arguments: [
      ("on = \"time\"\nsend = \"osc://a:1/b\"", "at", "missing"),
      ("on = \"item-ended\"\nat = 5\nsend = \"osc://a:1/b\"", "at", "has no effect"),
      ("on = \"item-ended\"\nsend = \"osc://a:1/b\"\nitem = 2", "item", "is of no playlist"),
      (
        "on = \"item-ended\"\nsend = \"osc://a:1/b\"\nplaylist = \"mian\"", "playlist",
        "there is no playlist of that name"
      ),
      ("on = \"visit-ended\"\nsend = \"osc://a:1/b\"\nplaylist = \"main\"", "playlist", "has no effect"),
      ("on = \"item-ended\"\nsend = \"osc://a:1/b\"\nscreen = \"left\"", "screen", "there is no screen of that name"),
      ("on = \"item-ended\"\nsend = \"osc://a:1/b\"\ntext = \"a\"", "text", "has no effect"),
      ("on = \"item-ended\"\nsend = \"udp://a:1\"", "text", "missing"),
      ("on = \"item-ended\"\nsend = \"udp://a:1\"\ntext = \"a\"\narguments = [1]", "arguments", "has no effect"),
      ("on = \"item-ended\"\nsend = \"mqtt:a\"", "send", "there is no broker"),
      (
        "on = \"item-ended\"\nsend = \"osc://a:1/b\"\narguments = [nan]", "arguments",
        "has nan in it, which is no argument"
      ),
      (
        "on = \"item-ended\"\nsend = \"osc://a:1/b\"\narguments = [[1]]", "arguments",
        "has [...] in it, which is no argument"
      ),
      ("on = \"item-ended\"\nsend = \"osc://a:1/b\"\npulse = 0.5", "pulse", "has no effect"),
      ("on = \"item-ended\"\nsend = \"osc://a:1/b\"\nactive_low = true", "active_low", "has no effect"),
      ("on = \"item-ended\"\nsend = \"gpio:RELAY\"\ntext = \"a\"", "text", "has no effect"),
      ("on = \"item-ended\"\nsend = \"serial:/dev/ttyUSB0\"", "text", "missing"),
      ("on = \"item-ended\"\nsend = \"serial:/dev/ttyUSB0\"\ntext = \"a\"\npulse = 1", "pulse", "has no effect"),
      (
        "on = \"item-ended\"\nsend = \"serial:/dev/ttyUSB0\"\ntext = \"a\"\narguments = [1]", "arguments",
        "has no effect"
      ),
      ("on = \"item-ended\"\nsend = \"gpio:RELAY\"\narguments = [1]", "arguments", "has no effect"),
      (
        "on = \"trouble\"\nsend = \"gpio:LAMP\"\nscreen = \"left\"", "screen", "has no effect"
      ), ("on = \"trouble\"\nsend = \"gpio:LAMP\"\nplaylist = \"main\"", "playlist", "has no effect"),
      ("on = \"item-ended\"", "send", "missing"), ("send = \"osc://a:1/b\"", "on", "missing"),
    ])
  func together(lines: String, key: String, message: String) {
    let found = load(lines).diagnostics.filter { $0.severity == .error }
    #expect(found.map(\.keyPath) == ["[cue 1].\(key)"] && found.map(\.message) == [message], "\(found)")
  }

  @Test("With a broker, a topic is fine")
  func broker() {
    #expect(load(start + "send = \"mqtt:a\"", "[telemetry]\nmqtt = \"mqtt://a\"").diagnostics == [])
  }
}
