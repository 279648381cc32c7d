import InteractionCore
import KioskTestSupport
import OverlayRenderer
import PlaybackCore
import Testing

/// A recorded drag over a film of a minute, on a screen of 1280x720 at 60 Hz, and the expected picture.
struct TouchDrag: Sendable, CustomTestStringConvertible {
  /// The mounting of the touchscreen.
  enum Mounting: String, CaseIterable, Sendable {
    case plain
    case turned
    case calibrated

    var options: String {
      switch self {
      case .plain: ""
      case .turned: "--rotation 90"
      // Its x runs from right to left.
      case .calibrated: "--calibration='-1 0 1 0 1 0'"
      }
    }

    var view: PixelSize { self == .turned ? PixelSize(width: 720, height: 1280) : PixelSize(width: 1280, height: 720) }

    /// The panel's pixel that shows a pixel of the view.
    func panel(_ x: Int, _ y: Int) -> (x: Int, y: Int) { self == .turned ? (1279 - y, x) : (x, y) }

    /// The place that the device reports for a place of the view, in pixels of the panel.
    func device(_ x: Double, _ y: Double) -> (Int, Int) {
      switch self {
      case .plain: (Int(x.rounded()), Int(y.rounded()))
      case .turned: (1280 - Int(y.rounded()), Int(x.rounded()))
      case .calibrated: (1280 - Int(x.rounded()), Int(y.rounded()))
      }
    }

    /// The bar's track for a film of a minute.
    func track() throws -> OverlayTargets.Area {
      let bar = TransportBar(title: "", position: .zero, duration: .seconds(60))
      return try #require(OverlayRenderer().targets(of: bar, screen: view).track)
    }
  }

  var mounting: Mounting
  /// Whether the drag is above the bar, not on it.
  var isRelative: Bool
  private var track: OverlayTargets.Area
  private var from: Double
  private var to: Double

  static let all = [
    TouchDrag(.plain), TouchDrag(.turned), TouchDrag(.plain, isRelative: true), TouchDrag(.calibrated),
  ].compactMap(\.self)

  private init?(_ mounting: Mounting, isRelative: Bool = false) {
    guard let track = try? mounting.track() else { return nil }
    self.mounting = mounting
    self.isRelative = isRelative
    self.track = track
    (from, to) =
      isRelative
      ? (300, 900) : ((track.x + track.width * 0.1).rounded(), (track.x + track.width * 0.87).rounded())
  }

  var testDescription: String { "\(mounting.rawValue), \(isRelative ? "relative" : "on the bar")" }

  /// The finger's place after a share of its way, in pixels of the view.
  func finger(_ share: Double) -> (x: Double, y: Double) {
    ((from + (to - from) * share).rounded(), isRelative ? 300 : (track.y + track.height / 2).rounded())
  }

  /// The drag's final position in the film, in seconds.
  var asked: Double { (thumb(of: to) - track.x) / track.width * 60 }

  /// The thumb's place when the finger is at `x`.
  private func thumb(of x: Double) -> Double { isRelative ? track.x + x - from : x }

  // MARK: What was recorded

  struct Touch {
    /// CLOCK_MONOTONIC, in nanoseconds.
    var time: Int64
    var x: Double
  }

  /// The touches that `virtual-touch --times` has sent, with their places in the view.
  func touches(_ answers: String) throws -> [Touch] {
    let times = answers.split(separator: "\n").compactMap { line -> Int64? in
      let words = line.split(separator: " ")
      guard words.count > 2, words[1] == "ok", words[2] == "down" || words[2] == "move" else { return nil }
      return Int64(words[0])
    }
    return times.enumerated().map { Touch(time: $1, x: finger(Double($0) / 240).x) }
  }

  /// The allowed thumb in a picture composed at `time`: at the newest touch that was a frame old by then, or at a newer
  /// one. Nil while the drag may still be a flick.
  func allowedThumb(at time: Int64, _ touches: [Touch]) -> ClosedRange<Double>? {
    let frame: Int64 = 1_000_000_000 / 60
    guard let oldest = touches.last(where: { $0.time <= time - frame }),
      let newest = touches.last(where: { $0.time <= time }), let first = touches.first,
      oldest.time >= first.time + (isRelative ? 210_000_000 : 0)
    else { return nil }
    // The middle of an even number of pixels lies between two of them.
    return (thumb(of: oldest.x) - 1)...(thumb(of: newest.x) + 1)
  }

  // MARK: What is seen

  /// The middle of the dragged thumb in a composed picture: a disc of the accent colour, wider than the track is high.
  func thumb(_ pixels: Pixels) -> Double? {
    let row = Int(track.y + track.height / 2) - 9
    let accent = (0..<mounting.view.width).filter { x in
      let place = mounting.panel(x, row)
      return pixels.isNear(place.x, place.y, (0xFF, 0xC2, 0x4B), within: 24)
    }
    guard let first = accent.first, let last = accent.last else { return nil }
    return Double(first + last) / 2
  }

  /// The number of the film's frame in a composed picture; nil between two.
  func frameNumber(_ pixels: Pixels) -> Int? {
    let view = mounting.view
    let top = (view.height - view.width * 9 / 16) / 2
    return pixels.frameNumber(x: 0, y: top, width: view.width, place: mounting.panel)
  }
}
