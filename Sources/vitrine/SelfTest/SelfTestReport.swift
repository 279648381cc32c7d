import Displays
import PlaybackCore

/// The report of the self-test, for people who maintain boards. It can be published: it has no addresses, no names of
/// networks, no configuration.
struct SelfTestReport: Encodable {
  struct System: Encodable {
    var version: String
    var compatible: [String]
    var processor: String
    var kernel: String
    var gstreamer: String
    var memoryMegabytes: Int?
    var profiles: [String]
  }

  struct Clip: Encodable {
    var name: String
    var decoder: String
    var isHardware: Bool
    var driver: String
    var format: String
    var isShared: Bool
    var frames: Int
    var expectedFrames: Int
    var verdict: SelfTest.Verdict
    var text: String
    var seconds: Double
    var processorSeconds: Double
  }

  struct Playback: Encodable {
    struct Item: Encodable {
      var clip: String
      var decoder: String?
      var framePath: String?
      var framesRendered: Int
    }

    var screen: String?
    var framesRendered: Int
    var framesDropped: Int
    /// The time from the player's start to its end.
    var seconds: Double
    /// The processor time divided by the run time: 1 is a whole core.
    var processorShare: Double
    var longestGapMilliseconds: Double?
    var items: [Item]
    var errors: [String]
  }

  let schema = 1
  var hasPassed = false
  var system: System
  /// The method of comparing pictures.
  let compared = "the output of the decoder, read by the processor; the plane's own output isn't read back"
  var clips: [Clip] = []
  /// The results on the screen; nil where there was none.
  var playback: Playback?
  var soundDevices: [String] = []
  var inputs: [String] = []
  /// The kernel's CEC device that wakes the screen; nil without one.
  var cec: String?
  var problems: [PlaybackReport.Problem] = []
  var displays: DisplayInventory

  /// The report as text for people.
  var text: String {
    var lines = [
      "Self-test of vitrine \(system.version): \(hasPassed ? "passed" : "FAILED")",
      "Board: \(system.compatible.first ?? system.processor), "
        + "kernel \(system.kernel), GStreamer \(system.gstreamer)"
        + (system.memoryMegabytes.map { ", \($0) MB of memory" } ?? ""),
      "Profiles: \(system.profiles.isEmpty ? "none" : system.profiles.joined(separator: ", "))", "",
      "Decoders (compared: \(compared)):",
    ]
    for clip in clips { lines.append("  \(Self.mark(clip.verdict)) \(clip.name): \(clip.text)") }
    lines += ["", "On the screen:"]
    if let playback {
      lines.append(
        "  \(playback.screen ?? "no screen"): \(playback.framesRendered) frames, \(playback.framesDropped) too late, "
          + "\(Int((playback.processorShare * 100).rounded())) % of a core")
      for item in playback.items {
        lines.append(
          "  \(item.clip): \(item.decoder ?? "not shown"), \(item.framesRendered) frames, \(item.framePath ?? "no frames")"
        )
      }
      lines += playback.errors.map { "  error: \($0)" }
    } else {
      lines.append("  not played: \(displays.problem?.text ?? "no screen")")
    }
    lines += ["", "Sound devices:"] + (soundDevices.isEmpty ? ["  none"] : soundDevices.map { "  \($0)" })
    lines += ["", "Input devices:"] + (inputs.isEmpty ? ["  none"] : inputs.map { "  \($0)" })
    lines += ["", "CEC: \(cec ?? "no device for this screen")"]
    if !problems.isEmpty { lines += ["", "What is wrong:"] + problems.map { "  \($0.text)" } }
    return lines.joined(separator: "\n") + "\n\n" + displays.text
  }

  private static func mark(_ verdict: SelfTest.Verdict) -> String {
    switch verdict {
    case .passed: "ok  "
    case .failed: "FAIL"
    case .notCompared: "?   "
    }
  }
}
