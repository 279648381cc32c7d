import PlaybackCore
import Testing

@Suite("Sound: device by name")
struct SoundDeviceTests {
  @Test(
    "A device's name parses, and is written the same",
    arguments: [
      ("auto", SoundDevice.auto), ("connector", .connector), ("pulse", .pulse(sink: nil)),
      ("pulse:alsa_output.hdmi", .pulse(sink: "alsa_output.hdmi")), ("pipewire", .pipewire(node: nil)),
      ("pipewire:42", .pipewire(node: "42")), ("alsa", .alsa(pcm: nil)),
      ("alsa:hdmi:CARD=vc4hdmi0,DEV=0", .alsa(pcm: "hdmi:CARD=vc4hdmi0,DEV=0")),
    ])
  func names(text: String, device: SoundDevice) {
    #expect(SoundDevice(text) == device)
    #expect(device.description == text)
  }

  @Test(
    "Any other name is refused", arguments: ["", "auto:x", "connector:HDMI-A-1", "jack", "alsa:", "pulse:", "Auto"])
  func others(text: String) { #expect(SoundDevice(text) == nil) }

  @Test("Settings are clamped to their ranges")
  func ranges() {
    let settings = SoundSettings(volume: 3, offset: .seconds(-9), fade: .seconds(-1))
    #expect(settings.volume == 1 && settings.offset == .milliseconds(-1000) && settings.fade == .zero)
  }
}
