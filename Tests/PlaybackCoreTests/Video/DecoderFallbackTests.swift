import PlaybackCore
import Testing

@Suite("Steps against a decoder that gives no picture")
struct DecoderFallbackTests {
  @Test("A decoder is tried once more, then avoided; a picture resets its count, and decoders are counted apart")
  func steps() {
    var ladder = DecoderFallback()
    var steps: [DecoderFallback.Step] = []
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

  @Test("Later processes avoid a failed decoder for a week, on the same system")
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
    // The record was written with a clock that was ahead.
    #expect(again.avoided(with: system, at: now - 50) == ["v4l2slh265dec"])
    for change in [\DecoderRecord.System.board, \.kernel, \.gstreamer, \.version] {
      var other = system
      other[keyPath: change] += "1"
      #expect(again.avoided(with: other, at: now) == [])
    }
  }

  @Test("A damaged record gives its readable lines and no others")
  func damagedRecord() {
    var record = DecoderRecord()
    record.failed("a", with: system, at: now)
    let text = record.text
    #expect(
      DecoderRecord(text: "nonsense\n\t\t\n" + text + "b\tnever\tx\ty\tz\tv\n").avoided(with: system, at: now) == ["a"])
    for length in 0..<text.count { _ = DecoderRecord(text: String(text.prefix(length))).avoided(with: system, at: now) }
    #expect(DecoderRecord(text: String(repeating: text, count: 1000)).text.utf8.count <= 32 * text.utf8.count)
    // A board's name may have any characters, and the record stays one line.
    var odd = system
    odd.board = "a\tb\nc"
    var other = DecoderRecord()
    other.failed("a", with: odd, at: now)
    #expect(other.text.split(separator: "\n").count == 1)
    #expect(DecoderRecord(text: other.text).avoided(with: odd, at: now) == ["a"])
  }

  @Test(
    "A deck is rebuilt before its decoder's last picture: 990,000 for an old stateless one, else the profile's")
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
