import PlaybackCore
import Testing

@testable import PictureFiles

@Suite("Timeline of an animation's frames")
struct PictureTimelineTests {
  private func steps(_ timeline: PictureTimeline) -> [PictureTimeline.Step] {
    var timeline = timeline
    var steps: [PictureTimeline.Step] = []
    while let step = timeline.next(), steps.count < 1000 { steps.append(step) }
    return steps
  }

  private func timeline(_ milliseconds: [Int], plays: Int?, item: Int? = nil, duration: Double? = nil)
    -> PictureTimeline
  {
    PictureTimeline(
      PictureAnimation(delays: milliseconds.map { .milliseconds($0) }, plays: plays), plays: item,
      duration: duration.map { .seconds($0) }, pictureDuration: .seconds(1))
  }

  @Test("An animation without an end lasts as long as a picture, and its last frame is cut")
  func endless() {
    let all = steps(timeline([300, 400], plays: nil))
    #expect(all.map(\.frame) == [0, 1, 0])
    #expect(all.map(\.start) == [.zero, .milliseconds(300), .milliseconds(700)])
    #expect(all.last?.duration == .milliseconds(300))
  }

  @Test("An animation with an end lasts as long as the file or the item says, and its last frame stays")
  func counted() {
    #expect(timeline([300, 400], plays: 2).total == .milliseconds(1400))
    #expect(steps(timeline([300, 400], plays: 2)).map(\.frame) == [0, 1, 0, 1])
    let longer = steps(timeline([300, 400], plays: 1, duration: 5))
    #expect(longer.map(\.frame) == [0, 1] && longer.last?.duration == .milliseconds(4700))
    #expect(timeline([300, 400], plays: 5, duration: 1).total == .seconds(1))
    // The item's number of plays outweighs the file's.
    #expect(timeline([300, 400], plays: nil, item: 1).total == .milliseconds(700))
    #expect(timeline([300, 400], plays: 7, item: 1).total == .milliseconds(700))
  }

  @Test("A picture of a single frame lasts longer than that frame")
  func still() {
    let alone = PictureTimeline(nil, plays: 1, duration: nil, pictureDuration: .seconds(8))
    #expect(steps(alone) == [PictureTimeline.Step(frame: 0, start: .zero, duration: .seconds(8))])
    #expect(timeline([20], plays: 1).total == .seconds(1))
  }

  @Test("A frame without a duration lasts a tenth of a second; a hostile file's numbers are harmless")
  func limits() {
    #expect(timeline([0, 10, 20], plays: 1).total == .milliseconds(220))
    let endless = PictureTimeline(
      PictureAnimation(delays: [Duration](repeating: .seconds(65535), count: 5000), plays: 65536), plays: 100_000,
      duration: nil, pictureDuration: .seconds(1))
    #expect(endless.total == .seconds(365 * 86_400))
    #expect(timeline([100, 100], plays: nil, duration: -1).total > .zero)
  }
}

@Suite("Frames of an animated PNG laid on each other")
struct PictureCanvasTests {
  private let red: [UInt8] = [255, 0, 0, 255]
  private let green: [UInt8] = [0, 255, 0, 255]
  private let half: [UInt8] = [0, 0, 255, 128]

  private func frame(_ x: Int, _ width: Int, _ disposal: AnimatedPNG.Disposal, isBlended: Bool) -> AnimatedPNG.Frame {
    AnimatedPNG.Frame(
      place: PixelRect(x: x, y: 0, width: width, height: 1), delay: .zero, disposal: disposal, isBlended: isBlended)
  }

  private func canvas(_ first: AnimatedPNG.Disposal) -> PictureCanvas {
    var canvas = PictureCanvas(size: PixelSize(width: 2, height: 1))
    canvas.draw(frame(0, 2, .none, isBlended: false), red + red)
    canvas.draw(frame(1, 1, first, isBlended: false), green)
    return canvas
  }

  @Test("A frame's area stays, is cleared, or is restored")
  func disposal() {
    let nothing: [UInt8] = [0, 0, 0, 0]
    for (disposal, expected) in [
      (AnimatedPNG.Disposal.none, red + green), (.background, red + nothing), (.previous, red + red),
    ] {
      var canvas = canvas(disposal)
      #expect(canvas.pixels == red + green)
      // An empty frame shows the disposal of the frame before it.
      canvas.draw(frame(0, 1, .none, isBlended: true), nothing)
      #expect(canvas.pixels == expected, "\(disposal)")
    }
  }

  @Test("A half-transparent colour is mixed when blended, and kept when it replaces")
  func blending() {
    var over = canvas(.none)
    over.draw(frame(0, 1, .none, isBlended: true), half)
    #expect(Array(over.pixels.prefix(4)) == [127, 0, 128, 255])
    var instead = canvas(.none)
    instead.draw(frame(0, 1, .none, isBlended: false), half)
    #expect(Array(instead.pixels.prefix(4)) == half)
  }
}
