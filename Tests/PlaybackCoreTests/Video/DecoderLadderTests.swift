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
}
