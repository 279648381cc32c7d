import Glibc
import PlaybackCore
import Testing

@testable import MediaPipeline

@Suite("Sound for a device whose clock runs faster or slower than the output's")
struct SoundStretcherTests {
  /// A tone, frame by frame: full level on the left, half of it on the right.
  private struct Tone {
    var pitch: Double
    var frame = 0
    mutating func next(_ count: Int) -> [Int16] {
      defer { frame += count }
      return (frame..<(frame + count)).flatMap { frame in
        let value = 16_000 * sin(2 * Double.pi * pitch * Double(frame) / 48_000)
        return [Int16(value.rounded()), Int16((value / 2).rounded())]
      }
    }
  }

  @Test("At a ratio of 1 every sample passes unchanged")
  func exact() {
    var stretcher = SoundStretcher()
    var tone = Tone(pitch: 997)
    let heard = (0..<100).flatMap { _ in stretcher.make(480, ratio: 1) { tone.next($0) } }
    var same = Tone(pitch: 997)
    #expect(heard == same.next(48_000))
  }

  @Test(
    "A tone keeps its pitch without a click while the ratio changes, and exactly the due frames go in",
    arguments: [440.0, 997, 6000, 15_000])
  func tone(pitch: Double) {
    var stretcher = SoundStretcher()
    var tone = Tone(pitch: pitch)
    // The exact place of each output frame in the input tone.
    var place = 0.0
    var worst = 0.0
    for turn in 0..<1000 {
      let ratio = 1 + 0.001 * sin(Double(turn) / 50)
      let heard = stretcher.make(480, ratio: ratio) { tone.next($0) }
      for frame in 0..<480 where turn > 0 {
        let wanted = 16_000 * sin(2 * Double.pi * pitch * (place + ratio * Double(frame)) / 48_000)
        worst = max(worst, abs(Double(heard[2 * frame]) - wanted), 2 * abs(Double(heard[2 * frame + 1]) - wanted / 2))
      }
      place += 480 * ratio
    }
    // Rounding errors are up to 1, and twice that on the right.
    #expect(worst < 6, "\(worst)")
    #expect((16...18).contains(tone.frame - Int(place)), "\(tone.frame) \(place)")
  }

  @Test("The loudest samples stay within 16 bits")
  func loudest() {
    var stretcher = SoundStretcher()
    var turn = 0
    let heard = stretcher.make(4800, ratio: 0.9995) { count in
      turn += 1
      return (0..<count).flatMap { $0 / 24 % 2 == 0 ? [Int16.max, .min] : [.min, .max] }
    }
    #expect(heard.contains(.max) && heard.contains(.min))
    // An overflow would give the other sign.
    #expect(
      zip(heard.enumerated(), heard.dropFirst()).allSatisfy { $0.offset % 2 == 1 || ($0.element > 0) != ($1 > 0) })
  }
}
