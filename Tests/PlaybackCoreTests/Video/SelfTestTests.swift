import PlaybackCore
import Testing

@Suite("Verdicts of a board's self-test")
struct SelfTestTests {
  private let sums = ["a", "b", "c"]

  private func decoded(_ change: (inout DecodedClip) -> Void = { _ in }) -> ClipEnd {
    var clip = DecodedClip()
    clip.decoder = "v4l2slh264dec"
    clip.isHardware = true
    clip.checksums = sums
    change(&clip)
    return .done(clip)
  }

  private func judge(_ end: ClipEnd) -> SelfTest.Judgement { SelfTest.judge(end, expected: sums, clip: "h264.mp4") }

  @Test("A clip passes with all pictures right; a wrong or missing one, an error, a crash or a hang fails by number")
  func verdicts() {
    #expect(judge(decoded()).verdict == .passed && judge(decoded()).error == nil)
    let wrong: [(ClipEnd, Int)] = [
      (decoded { $0.checksums[1] = "x" }, SelfTest.wrongPicture),
      (decoded { $0.checksums.swapAt(0, 1) }, SelfTest.wrongPicture),
      (decoded { $0.checksums.removeLast() }, SelfTest.tooFewPictures),
      (decoded { $0.checksums.append("d") }, SelfTest.tooFewPictures),
      (decoded { $0.hasTimedOut = true }, SelfTest.tooFewPictures),
      (decoded { $0.problem = "no" }, SelfTest.decoderBroke), (.crashed(11), SelfTest.decoderBroke),
      (.hung, SelfTest.decoderBroke), (.silent, SelfTest.decoderBroke),
    ]
    for (end, number) in wrong {
      #expect(judge(end).verdict == .failed && judge(end).error?.number == number, "\(end)")
    }
  }

  @Test("Frames that can't be compared are reported so, and never as right")
  func notCompared() {
    let visl = judge(decoded { ($0.driver, $0.checksums) = ("visl", ["x", "y", "z"]) })
    #expect(visl.verdict == .notCompared && visl.text.contains("test driver") && visl.error == nil)
    #expect(judge(decoded { ($0.driver, $0.checksums) = ("visl", ["x"]) }).verdict == .failed)
    let tiled = judge(decoded { ($0.checksums, $0.unreadableFrames) = ([], 3) })
    #expect(tiled.verdict == .notCompared && tiled.text.contains("can't read"))
  }

  @Test("Checksums are read line by line, without lines that aren't one")
  func checksums() {
    let sum = String(repeating: "a", count: 32)
    #expect(
      SelfTest.checksums("a.mp4 \(sum)\na.mp4 \(sum)\nb.mp4 \(sum)\n# nothing\nc.mp4 12\n") == [
        "a.mp4": [sum, sum], "b.mp4": [sum],
      ])
  }

  @Test("A report names a device's kind, without addresses and hosts")
  func withoutAddresses() {
    for (line, told) in [
      ("pulse:bluez_output.AA_BB_CC_DD_EE_FF.1  Loudspeaker of Anna", "pulse:...  Loudspeaker of Anna"),
      ("pipewire:tunnel.host.example.org  Stereo", "pipewire:...  Stereo"),
      ("alsa:hdmi:CARD=vc4hdmi0,DEV=0  HDMI", "alsa:hdmi:CARD=vc4hdmi0,DEV=0  HDMI"),
      ("/dev/input/event3  Keyboard 00:1f:aa:bb:cc:dd", "/dev/input/event3  Keyboard ..."),
      ("/dev/input/event0  FT5406 memory based driver", "/dev/input/event0  FT5406 memory based driver"),
    ] { #expect(SelfTest.withoutAddresses(line) == told) }
  }
}
