import InteractionCore
import KioskRuntime
import MediaPipeline
import PlaybackCore
import PlaylistConfig
import Testing

/// What files say becomes what a run is told, without any process.
@Suite("From a configuration and a board's profile to the options of a run")
struct KioskOptionsMappingTests {
  private func fresh() -> KioskOptions { KioskOptions(queue: [], processStart: Instant(nanoseconds: 0)) }

  private func options(_ text: String, memory: Int? = nil, path: String = "/etc/vitrine/vitrine.toml") throws
    -> KioskOptions
  {
    var options = fresh()
    try Configuration.parse(Array("version = 1\n\(text)".utf8), path: path).get().apply(to: &options, memory: memory)
    return options
  }

  @Test("What the file says of the screen is what is asked for")
  func display() throws {
    let options = try options(
      """
      [display]
      output = "kms"
      card = "vc4"
      connector = "HDMI-A-2"
      mode = "1920x1080@50"
      rotation = 90
      unplugged = "play"
      keep_last_frame = true
      """)
    #expect(options.output == .fixed(.kms) && options.card == "vc4" && options.connector == "HDMI-A-2")
    #expect(options.mode == DisplayMode(parsing: "1920x1080@50"))
    #expect(options.rotation == .clockwise && options.goesOnUnplugged && options.keepsLastFrame)
  }

  @Test("What it doesn't say is as a configuration without it has it, whatever was there before")
  func defaults() throws {
    var changed = try options(
      "[display]\noutput = \"kms\"\ncard = \"vc4\"\nsplash = \"a.png\"\n[playback]\nloop = false\n")
    let empty = try Configuration.parse(Array("version = 1\n".utf8), path: "/etc/v.toml").get()
    empty.apply(to: &changed, memory: nil)
    #expect(changed.output == .auto && changed.card == "auto" && changed.connector == "auto")
    #expect(changed.splashPath == nil && changed.loops == empty.playback.loop && changed.dip == nil)
  }

  @Test("A picture for the start lies beside the file that names it; an address or a path from the root is one already")
  func splash() throws {
    #expect(try options("[display]\nsplash = \"start.png\"\n").splashPath == "/etc/vitrine/start.png")
    #expect(try options("[display]\nsplash = \"/a/start.png\"\n").splashPath == "/a/start.png")
    #expect(try options("[display]\nsplash = \"start.png\"\n", path: "v.toml").splashPath == "start.png")
  }

  @Test("How items follow each other, and how much is read ahead with the memory that there is")
  func playback() throws {
    let some = try options(
      "[playback]\ntransition = \"dip\"\ntransition_duration = 1.5\npicture_duration = 4\n", memory: 1 << 30)
    #expect(some.dip == SeamDip(length: .milliseconds(1500)) && some.policy.pictureDuration == .seconds(4))
    #expect(some.policy.buffering == BufferingPolicy(memory: 1 << 30))
    #expect(try options("", memory: nil).policy.buffering == BufferingPolicy(memory: nil))
  }

  @Test("A board's profile tells what it knows, and leaves the rest")
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
