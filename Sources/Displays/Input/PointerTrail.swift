import InteractionCore

/// The pointer's positions of the last 0.1 s, for a press that libinput reports late.
///
/// With a mouse that has no middle button, libinput waits 50 ms after a press, because both buttons together stand for
/// the middle one. Many infrared touch frames report themselves as such a mouse, and by then the finger has moved on.
struct PointerTrail {
  /// A position with its time in microseconds of libinput's clock.
  struct Step: Hashable {
    var time: UInt64
    var place: ScreenPoint
  }

  /// Microseconds: twice libinput's wait.
  private static let span: UInt64 = 100_000
  private var steps: [Step] = []

  /// The pointer's place now; nil before the first move.
  var last: ScreenPoint? { steps.last?.place }

  mutating func append(_ place: ScreenPoint, at time: UInt64) {
    steps.append(Step(time: time, place: place))
    // The last older position stays: it holds until the next.
    let old = steps.prefix { $0.time + Self.span < time }.count
    if old > 1 { steps.removeFirst(old - 1) }
  }

  /// The pointer's place at a time; its first one, where that is later.
  func place(at time: UInt64) -> ScreenPoint? { (steps.last { $0.time <= time } ?? steps.first)?.place }

  /// The moves after a time.
  func steps(after time: UInt64) -> [Step] { steps.filter { $0.time > time } }
}
