import Foundation
import KioskTestSupport
import PlaybackCore
import ScreenModel
import Testing

@testable import MediaPipeline

@Suite("Sound cards and connectors, read from a tree of files")
struct SoundHardwareTests {
  private let directory: TemporaryDirectory
  private var root: URL { directory.url }

  init() throws { directory = try TemporaryDirectory() }

  private func write(_ path: String, _ text: String) throws { try write(path, Data(text.utf8)) }
  private func write(_ path: String, _ data: Data) throws {
    let url = root.appending(path: path)
    try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try data.write(to: url)
  }

  /// The parts of an EDID that matter: a header, and the name as the second of four descriptors.
  private func edid(_ name: String) -> Data {
    var bytes = [UInt8](repeating: 0, count: 128)
    bytes.replaceSubrange(0..<8, with: [0, 255, 255, 255, 255, 255, 255, 0])
    let text = Array(name.utf8) + [0x0A] + [UInt8](repeating: 0x20, count: 12)
    bytes.replaceSubrange(72..<90, with: [0, 0, 0, 0xFC, 0] + text.prefix(13))
    return Data(bytes)
  }

  @Test("Without a named device: servers first, then the device of the screen's own connector, then any")
  func automatic() {
    let screen = "hdmi:CARD=vc4hdmi1,DEV=0"
    #expect(
      SoundRoute.automatic(servers: [], hasHardware: true, ofConnector: screen)
        == [.alsa(pcm: screen), .alsa(pcm: nil)])
    #expect(
      SoundRoute.automatic(servers: [.pulse(sink: nil)], hasHardware: true, ofConnector: nil)
        == [.pulse(sink: nil), .alsa(pcm: nil)])
    #expect(SoundRoute.automatic(servers: [], hasHardware: false, ofConnector: nil).isEmpty)
  }

  @Test("A Raspberry Pi 4 with a screen at its second connector")
  func raspberryPi() throws {
    try write("sys/class/drm/card1-HDMI-A-1/status", "disconnected\n")
    try write("sys/class/drm/card1-HDMI-A-1/connector_id", "32\n")
    try write("sys/class/drm/card1-HDMI-A-2/status", "connected\n")
    try write("sys/class/drm/card1-HDMI-A-2/connector_id", "42\n")
    try write("sys/class/drm/card1-HDMI-A-2/edid", edid("LG TV"))
    try write("sys/class/drm/version", "drm 1.1.0\n")
    for (number, id) in ["vc4hdmi0", "vc4hdmi1", "Headphones"].enumerated() {
      try write("proc/asound/card\(number)/id", "\(id)\n")
    }
    try write("proc/asound/cards", "not a card\n")
    let hardware = SoundHardware.read(root: root.path)
    #expect(
      hardware.connectors == [
        .init(name: "HDMI-A-1", id: 32, isConnected: false),
        .init(name: "HDMI-A-2", id: 42, isConnected: true, screen: "LG TV"),
      ])
    #expect(hardware.cards.map(\.id) == ["vc4hdmi0", "vc4hdmi1", "Headphones"])
    let connector = try #require(hardware.connector(id: 42))
    #expect(hardware.device(for: connector) == "hdmi:CARD=vc4hdmi1,DEV=0")
  }

  @Test("A PC whose sound card reports the names of the screens")
  func eld() throws {
    try write("sys/class/drm/card0-DP-1/status", "connected\n")
    try write("sys/class/drm/card0-DP-1/edid", edid("DELL U2415"))
    try write("proc/asound/card0/id", "PCH\n")
    for (port, screen) in [(2, ""), (9, "LG TV"), (10, "DELL U2415")] {
      try write(
        "proc/asound/card0/eld#2.\(port)",
        "monitor_present\t\t\(screen.isEmpty ? 0 : 1)\neld_valid\t\t1\nmonitor_name\t\t\(screen)\n")
    }
    let hardware = SoundHardware.read(root: root.path)
    #expect(hardware.cards.first?.ports.map(\.screen) == ["", "LG TV", "DELL U2415"])
    let connector = try #require(hardware.connectors.first)
    #expect(hardware.device(for: connector) == "hdmi:CARD=PCH,DEV=2")
  }

  @Test("A card's device is the target of its link in sysfs")
  func link() throws {
    try write("sys/class/drm/card0-HDMI-A-1/status", "connected\n")
    try write("proc/asound/card0/id", "ondemand\n")
    let folder = root.appending(path: "sys/class/sound/card0")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(
      atPath: folder.appending(path: "device").path, withDestinationPath: "../../../5040000.hdmi-sound")
    let hardware = SoundHardware.read(root: root.path)
    #expect(hardware.cards == [.init(id: "ondemand", device: "../../../5040000.hdmi-sound")])
    let connector = try #require(hardware.connectors.first)
    #expect(hardware.device(for: connector) == "plughw:CARD=ondemand,DEV=0")
  }

  @Test("A machine without sound hardware and connectors has neither")
  func nothing() { #expect(SoundHardware.read(root: root.path) == SoundHardware()) }
}
