import PlaybackCore
import Testing

@Suite("What is done about a decoder that gives no picture")
struct DecoderLadderTests {
  @Test("Once more, then without it; a picture in between makes it well again; each decoder is counted for itself")
  func steps() {
    var ladder = DecoderLadder()
    var steps: [DecoderLadder.Step] = []
    steps.append(ladder.failed("v4l2h264dec"))
    ladder.delivered("v4l2h264dec")
    steps.append(ladder.failed("v4l2h264dec"))
    steps.append(ladder.failed("v4l2slh265dec"))
    steps.append(ladder.failed("v4l2h264dec"))
    #expect(steps == [.again, .again, .again, .avoid])
  }

  private let system = DecoderRecord.System(
    board: "raspberrypi,4-model-b", kernel: "6.12.47", gstreamer: "1.22.0", version: "0.1.0")
  private let now: Int64 = 1_800_000_000

  @Test("A decoder that failed is left alone by the processes after, for a week and with the same system")
  func remembered() {
    var record = DecoderRecord()
    record.failed("v4l2slh265dec", with: system, at: now - 100)
    record.failed("v4l2h264dec", with: system, at: now)
    record.failed("v4l2h264dec", with: system, at: now)
    let again = DecoderRecord(text: record.text)
    #expect(again == record && record.text.split(separator: "\n").count == 2)
    let week = DecoderRecord.stay.components.seconds
    #expect(again.avoided(with: system, at: now) == ["v4l2h264dec", "v4l2slh265dec"])
    #expect(again.avoided(with: system, at: now + week - 50) == ["v4l2h264dec"])
    #expect(again.avoided(with: system, at: now + week) == [])
    // A clock that was ahead when it was written.
    #expect(again.avoided(with: system, at: now - 50) == ["v4l2slh265dec"])
    for change in [\DecoderRecord.System.board, \.kernel, \.gstreamer, \.version] {
      var other = system
      other[keyPath: change] += "1"
      #expect(again.avoided(with: other, at: now) == [])
    }
  }

  @Test("Whatever is in the file, what can be read counts and nothing else")
  func damagedRecord() {
    var record = DecoderRecord()
    record.failed("a", with: system, at: now)
    let text = record.text
    #expect(
      DecoderRecord(text: "nonsense\n\t\t\n" + text + "b\tnever\tx\ty\tz\tv\n").avoided(with: system, at: now) == ["a"])
    for length in 0..<text.count { _ = DecoderRecord(text: String(text.prefix(length))).avoided(with: system, at: now) }
    #expect(DecoderRecord(text: String(repeating: text, count: 1000)).text.utf8.count <= 32 * text.utf8.count)
    // A board may call itself anything; it stays one line.
    var odd = system
    odd.board = "a\tb\nc"
    var other = DecoderRecord()
    other.failed("a", with: odd, at: now)
    #expect(other.text.split(separator: "\n").count == 1)
    #expect(DecoderRecord(text: other.text).avoided(with: odd, at: now) == ["a"])
  }

  @Test(
    "A stateless decoder of an old GStreamer is opened anew before picture 1,000,000, others when the profile says so")
  func wear() {
    func limit(_ decoder: String, _ version: String, _ profile: Int? = nil) -> Int? {
      DecoderWear.limit(of: decoder, gstreamer: SoftwareVersion(version), profile: profile)
    }
    #expect(limit("v4l2slh264dec", "1.22.0") == 990_000 && limit("v4l2slvp9dec", "1.22.6") == 990_000)
    #expect(limit("v4l2slh264dec", "1.22.7") == nil && limit("v4l2slh264dec", "1.26.2") == nil)
    #expect(limit("v4l2h264dec", "1.22.0") == nil)
    #expect(limit("v4l2slh264dec", "1.22.0", 100) == 100 && limit("v4l2slh264dec", "1.22.0", 2_000_000) == 990_000)
    #expect(limit("v4l2h264dec", "1.26.0", 100) == 100)
  }
}
