import InteractionCore
import KioskTestSupport
import OverlayRenderer
import PlaybackCore
import Testing

/// A recorded drag over a film of a minute, on a screen of 1280x720 at 60 Hz, and what has to be seen of it.
struct TouchDrag: Sendable, CustomTestStringConvertible {
  /// How the touchscreen is mounted.
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

    /// The pixel of the panel that a pixel of the view is on.
    func panel(_ x: Int, _ y: Int) -> (x: Int, y: Int) { self == .turned ? (1279 - y, x) : (x, y) }

    /// What the device has to tell for a place of the view. Its units are the panel's pixels.
    func device(_ x: Double, _ y: Double) -> (Int, Int) {
      switch self {
      case .plain: (Int(x.rounded()), Int(y.rounded()))
      case .turned: (1280 - Int(y.rounded()), Int(x.rounded()))
      case .calibrated: (1280 - Int(x.rounded()), Int(y.rounded()))
      }
    }

    /// The track of a minute's film.
    func track() throws -> OverlayTargets.Area {
      let bar = TransportBar(title: "", position: .zero, duration: .seconds(60))
      return try #require(OverlayRenderer().targets(of: bar, screen: view).track)
    }
  }

  var mounting: Mounting
  /// Not on the bar, but above it.
  var isRelative: Bool
  private var track: OverlayTargets.Area
  private var from: Double
  private var to: Double

  /// Pictures that are taken while the finger moves: two frames each, which is most of two seconds.
  static let shots = 50
  static let all = [
    TouchDrag(.plain), TouchDrag(.plain, isRelative: true), TouchDrag(.turned), TouchDrag(.calibrated),
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

  /// Where the finger is after a share of its way, in pixels of the view.
  func finger(_ share: Double) -> (x: Double, y: Double) {
    ((from + (to - from) * share).rounded(), isRelative ? 300 : (track.y + track.height / 2).rounded())
  }

  /// Seconds in the film that the drag ends at.
  var asked: Double { (thumb(of: to) - track.x) / track.width * 60 }

  /// Where the thumb belongs when the finger is at `x`.
  private func thumb(of x: Double) -> Double { isRelative ? track.x + x - from : x }

  // MARK: What was recorded

  struct Touch {
    /// Of CLOCK_MONOTONIC.
    var time: Int64
    var x: Double
  }

  /// The touches that `virtual-touch --times` has carried out, with where they are in the view.
  func touches(_ answers: String) throws -> [Touch] {
    let times = answers.split(separator: "\n").compactMap { line -> Int64? in
      let words = line.split(separator: " ")
      guard words.count > 2, words[1] == "ok", words[2] == "down" || words[2] == "move" else { return nil }
      return Int64(words[0])
    }
    return times.enumerated().map { Touch(time: $1, x: finger(Double($0) / 240).x) }
  }

  /// The thumb is within one frame of each touch when a picture that was composed at `time` shows the newest touch that
  /// was a frame old by then, or a newer one. Nil before the drag has begun for sure, as long as it may be a flick.
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

  /// The middle of the dragged thumb in a composed picture: a disc of the accent, which is wider than the track is high.
  func thumb(_ pixels: Pixels) -> Double? {
    let row = Int(track.y + track.height / 2) - 9
    let accent = (0..<mounting.view.width).filter { x in
      let place = mounting.panel(x, row)
      return pixels.isNear(place.x, place.y, (0xFF, 0xC2, 0x4B), within: 24)
    }
    guard let first = accent.first, let last = accent.last else { return nil }
    return Double(first + last) / 2
  }

  /// Which frame of the film a composed picture has; nil between two.
  func frameNumber(_ pixels: Pixels) -> Int? {
    let view = mounting.view
    let top = (view.height - view.width * 9 / 16) / 2
    return pixels.frameNumber(x: 0, y: top, width: view.width, place: mounting.panel)
  }
}
