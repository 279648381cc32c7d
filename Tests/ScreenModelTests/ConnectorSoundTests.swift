import ScreenModel
import Testing

@Suite("Sound: the device of a video connector")
struct ConnectorSoundTests {
  private func connector(_ name: String, id: UInt32 = 33, screen: String = "") -> SoundHardware.Connector {
    SoundHardware.Connector(name: name, id: id, isConnected: true, screen: screen)
  }

  @Test("A Raspberry Pi's sound cards are numbered like its connectors")
  func raspberryPi() {
    let first = connector("HDMI-A-1")
    let second = connector("HDMI-A-2")
    let pi4 = SoundHardware(
      connectors: [first, second],
      cards: [.init(id: "Headphones"), .init(id: "vc4hdmi0"), .init(id: "vc4hdmi1")])
    #expect(pi4.device(for: first) == "hdmi:CARD=vc4hdmi0,DEV=0")
    #expect(pi4.device(for: second) == "hdmi:CARD=vc4hdmi1,DEV=0")
    let pi3 = SoundHardware(connectors: [first], cards: [.init(id: "vc4hdmi")])
    #expect(pi3.device(for: first) == "hdmi:CARD=vc4hdmi,DEV=0")
    #expect(pi3.device(for: connector("DSI-1")) == nil)
  }

  @Test("On other boards the only sound card that names the same screen is used")
  func byScreen() {
    let screen = connector("DP-2", screen: "DELL U2415")
    let ports: [SoundHardware.Port] = [
      .init(isScreenPresent: false, screen: "DELL U2415"), .init(isScreenPresent: true, screen: "LG TV"),
      .init(isScreenPresent: true, screen: "DELL U2415"),
    ]
    #expect(
      SoundHardware(connectors: [screen], cards: [.init(id: "PCH", ports: ports)]).device(for: screen)
        == "hdmi:CARD=PCH,DEV=2")
    let twice = SoundHardware(
      connectors: [screen], cards: [.init(id: "A", ports: ports), .init(id: "B", ports: ports)])
    #expect(twice.device(for: screen) == nil)
  }

  @Test("A board with one HDMI connector and one HDMI card uses that card")
  func onlyOne() {
    let hdmi = connector("HDMI-A-1")
    let card = SoundHardware.Card(id: "rockchip", device: "../../../ff3c0000.hdmi-sound")
    #expect(
      SoundHardware(connectors: [hdmi], cards: [card, .init(id: "Codec")]).device(for: hdmi)
        == "plughw:CARD=rockchip,DEV=0")
    #expect(SoundHardware(connectors: [hdmi, connector("HDMI-A-2")], cards: [card]).device(for: hdmi) == nil)
    #expect(SoundHardware(connectors: [hdmi], cards: [.init(id: "Codec")]).device(for: hdmi) == nil)
  }

  @Test("The connector is found by its number, or on old kernels as the only one with a screen")
  func connectorByNumber() {
    let new = SoundHardware(connectors: [connector("HDMI-A-1", id: 33), connector("HDMI-A-2", id: 42)])
    #expect(new.connector(id: 42)?.name == "HDMI-A-2")
    #expect(new.connector(id: 7) == nil)
    let old = SoundHardware(connectors: [
      .init(name: "HDMI-A-1", isConnected: false), .init(name: "HDMI-A-2", isConnected: true),
    ])
    #expect(old.connector(id: 42)?.name == "HDMI-A-2")
  }
}
