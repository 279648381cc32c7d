public import PlaybackCore

/// Turns the changes of GPIO lines into presses, long presses and releases.
///
/// Valid transitions of a line are: up -> down -> up, and up -> down -> long (after `LineBindings.longAfter`) -> up. A
/// line that is down when the player starts has no effect until its next press. A line whose chip is unplugged counts
/// as let go.
public struct LineButtons: Hashable, Sendable {
  private struct Pressed: Hashable {
    var device: InputDeviceID
    /// When it becomes a long press; nil when it has become one, or has none.
    var longAt: Instant?
    /// Whether the press waits to see how long it gets.
    var isUndecided: Bool
  }

  private var pressed: [String: Pressed] = [:]

  public init() {}

  /// Whether a button is down.
  public var isPressed: Bool { !pressed.isEmpty }

  /// When `timePassed` is due; nil while no button is down that could become a long press.
  public var deadline: Instant? { pressed.values.compactMap(\.longAt).min() }

  /// - Parameter time: when the line changed.
  /// - Returns: what is to be carried out, in this order.
  public mutating func handle(_ change: KeyChange, _ bindings: LineBindings, at time: Instant) -> [Binding] {
    switch change.kind {
    case .down:
      guard pressed[change.key] == nil else { return [] }
      let hasLong = bindings.longPress != .nothing
      pressed[change.key] = Pressed(
        device: change.device, longAt: hasLong ? time + bindings.longAfter : nil, isUndecided: hasLong)
      return hasLong ? [] : bound(bindings.press)
    case .up:
      guard let before = pressed.removeValue(forKey: change.key) else { return [] }
      // The loop may have been busy when the long press was due.
      let isLong = before.longAt.map { time >= $0 } ?? false
      let late = before.isUndecided ? bound(isLong ? bindings.longPress : bindings.press) : []
      return late + bound(bindings.release)
    }
  }

  /// The long presses that are due.
  public mutating func timePassed(at now: Instant, _ lines: [String: LineBindings]) -> [Binding] {
    var due: [Binding] = []
    for key in pressed.keys.sorted() {
      guard let longAt = pressed[key]?.longAt, longAt <= now else { continue }
      pressed[key]?.longAt = nil
      pressed[key]?.isUndecided = false
      due += bound(lines[key]?.longPress ?? .nothing)
    }
    return due
  }

  /// The releases of a device that is gone. A press that was still undecided has no effect.
  public mutating func removed(_ device: InputDeviceID, _ lines: [String: LineBindings]) -> [Binding] {
    let gone = pressed.filter { $0.value.device == device }.keys.sorted()
    for key in gone { pressed[key] = nil }
    return gone.flatMap { bound(lines[$0]?.release ?? .nothing) }
  }

  private func bound(_ binding: Binding) -> [Binding] { binding == .nothing ? [] : [binding] }
}
