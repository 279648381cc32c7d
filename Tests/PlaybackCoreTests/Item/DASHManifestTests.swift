import PlaybackCore
import Testing

@Suite("Repair of DASH manifests")
struct DASHManifestTests {
  private func mended(_ text: String) -> String? {
    DASHManifest.mended(Array(text.utf8)).map { String(decoding: $0, as: UTF8.self) }
  }

  private func manifest(_ template: String, _ timeline: String, period: String = "") -> String {
    "<?xml version=\"1.0\"?><MPD type=\"dynamic\"><Period\(period)><AdaptationSet><SegmentTemplate \(template)>\n"
      + "<SegmentTimeline><!-- <S t=\"9\"/> -->\(timeline)</SegmentTimeline></SegmentTemplate></AdaptationSet></Period></MPD>"
  }

  @Test("A list that has moved on gets one more segment at its front, from zero, and keeps its numbers")
  func movedOn() {
    let text = manifest("timescale=\"10\" media=\"a$Number$.m4s\" startNumber='7'", "<S t=\"140\" d=\"20\" r=\"4\"/>")
    let wanted = manifest(
      "timescale=\"10\" media=\"a$Number$.m4s\" startNumber='6'",
      "<S t=\"0\" d=\"140\"/><S t=\"140\" d=\"20\" r=\"4\"/>")
    #expect(mended(text) == wanted)
  }

  @Test("The period's start and the times' offset count, and a missing number is 1")
  func offsets() {
    let text = manifest(
      "presentationTimeOffset=\"100\" timescale=\"10\" media=\"a$Time$\"", "<S t=\"120\" d=\"20\"/>",
      period: " start=\"PT1M0.5S\"")
    let wanted = manifest(
      "startNumber=\"0\" presentationTimeOffset=\"100\" timescale=\"10\" media=\"a$Time$\"",
      "<S t=\"0\" d=\"625\"/><S t=\"120\" d=\"20\"/>", period: " start=\"PT1M0.5S\"")
    #expect(mended(text) == wanted)
  }

  @Test("A manifest stays as it is when it starts at zero, has no list, or no number to subtract from")
  func untouched() {
    #expect(mended(manifest("media=\"a$Number$\"", "<S t=\"0\" d=\"20\"/>")) == nil)
    #expect(mended(manifest("media=\"a$Number$\"", "<S d=\"20\" r=\"3\"/>")) == nil)
    #expect(mended(manifest("media=\"a$Number$\" startNumber=\"0\"", "<S t=\"5\" d=\"20\"/>")) == nil)
    #expect(mended("<MPD><Period/></MPD>") == nil)
    #expect(mended("") == nil)
  }

  @Test("Only the first segment of each list gets one before it")
  func several() throws {
    let one = manifest("media=\"a$Time$\" startNumber=\"3\"", "<S t=\"5\" d=\"1\"/><S t=\"9\" d=\"1\"/>")
    let text = try #require(mended(one + one))
    #expect(text.ranges(of: "<S t=\"0\"").count == 2)
    #expect(text.ranges(of: "startNumber=\"2\"").count == 2)
  }

  @Test("A manifest cut anywhere, and with numbers of any size, causes no trap")
  func hostile() {
    let huge = manifest(
      "startNumber=\"18446744073709551615\" timescale=\"0\" media=\"$Number$\"", "<S t=\"5\" d=\"1\"/>")
    let bytes = Array(huge.utf8)
    for count in 0...bytes.count { _ = DASHManifest.mended(Array(bytes.prefix(count))) }
    _ = mended(
      manifest("media=\"$Time$\"", "<S t=\"18446744073709551615\"/>", period: " start=\"P99999999999999999999D\""))
    _ = mended(manifest("media=\"$Time$\" startNumber=\"-1\"", "<S t=\"-5\"/>", period: " start=\"PT..S\""))
    _ = mended("<SegmentTemplate =\"\"><SegmentTimeline><S t=\"1\" =><S =\"")
  }
}
