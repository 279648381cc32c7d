import Displays
import InteractionCore
import KioskRuntime
import MediaPipeline
import PlaybackCore
import PlaylistConfig
import Testing

/// Maps files to a run's options, without a process.
@Suite("A run's options from a configuration and a board's profile")
struct KioskOptionsMappingTests {
  private func fresh() -> KioskOptions { KioskOptions(queue: [], processStart: Instant(nanoseconds: 0)) }

  private func options(_ text: String, memory: Int? = nil, path: String = "/etc/vitrine/vitrine.toml") throws
    -> KioskOptions
  {
    var options = fresh()
    options.memory = memory
    options.follow(try Configuration.parse(Array("version = 1\n\(text)".utf8), path: path).get())
    return options
  }

  @Test("The file's display settings become the request for a screen")
  func display() throws {
    let options = try options(
      """
      [display]
      output = "kms"
      card = "vc4"
      connector = "HDMI-A-2"
      mode = "1920x1080@50"
      rotation = 90
      """)
    let request = options.kmsRequest
    #expect(request.card == "vc4" && request.connector == "HDMI-A-2" && request.rotation == .clockwise)
    #expect(request.mode == DisplayMode(parsing: "1920x1080@50") && options.settings.display.output == .kms)
  }

  @Test("Settings that a file doesn't have get their defaults, whatever was set before")
  func defaults() throws {
    var changed = try options(
      "[display]\noutput = \"kms\"\ncard = \"vc4\"\nsplash = \"a.png\"\n[playback]\nloop = false\n")
    let empty = try Configuration.parse(Array("version = 1\n".utf8), path: "/etc/v.toml").get()
    changed.follow(empty)
    #expect(changed.kmsRequest.card == "auto" && changed.kmsRequest.connector == "auto")
    #expect(changed.settings == empty && changed.settings.splashPath == nil)
  }

  @Test("A relative splash path is relative to its configuration file; an address or an absolute path stays")
  func splash() throws {
    #expect(try options("[display]\nsplash = \"start.png\"\n").settings.splashPath == "/etc/vitrine/start.png")
    #expect(try options("[display]\nsplash = \"/a/start.png\"\n").settings.splashPath == "/a/start.png")
    #expect(try options("[display]\nsplash = \"start.png\"\n", path: "v.toml").settings.splashPath == "start.png")
  }

  @Test("Transitions and picture durations are mapped, and buffers depend on the board's memory")
  func playback() throws {
    let some = try options(
      "[playback]\ntransition = \"dip\"\ntransition_duration = 1.5\npicture_duration = 4\n", memory: 1 << 30)
    #expect(
      some.settings.playback.dip == SeamDip(length: .milliseconds(1500)) && some.policy.pictureDuration == .seconds(4))
    #expect(some.policy.buffering == BufferingPolicy(memory: 1 << 30))
    #expect(try options("", memory: nil).policy.buffering == BufferingPolicy(memory: nil))
  }

  @Test("A board's profile sets the options that it has, and leaves the rest")
  func board() {
    var options = fresh()
    BoardProfile().apply(to: &options)
    #expect(options.planeScales == nil && !options.decoders.copiesFrames && options.decoders.exactSeeks == .allowed)
    var profile = BoardProfile()
    profile.planeScales = false
    profile.decoderMemory = .copy
    profile.decodesOneStream = true
    profile.avoidedDecoders = ["slow", "broken"]
    profile.forbiddenSeeks = [.exact]
    profile.apply(to: &options)
    #expect(options.planeScales == false && options.decoders.copiesFrames && options.policy.decodesOneStream)
    #expect(options.decoders.avoided == ["slow", "broken"] && options.decoders.exactSeeks == .forbidden)
    profile.forbiddenSeekDecoders = ["v4l2slh265dec"]
    profile.apply(to: &options)
    #expect(options.decoders.exactSeeks == .forbiddenWith(["v4l2slh265dec"]))
  }
}
