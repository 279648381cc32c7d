/// Decides which input has an effect.
///
/// The configuration's lock is permanent. A lock that a key or gesture has turned on is turned off by a key or gesture
/// that is bound to `unlock`, or to `lock` again: those two have their effect as long as the configuration's own lock
/// lets them through.
public struct InputLock: Hashable, Sendable {
  public var mode: LockMode
  /// Turned on by a key or gesture.
  public private(set) var isLocked = false

  public init(mode: LockMode = .none) {
    self.mode = mode
  }

  /// Whether touches have any effect.
  public var hearsTouch: Bool { mode == .none }

  /// Whether the binding of a key or gesture is to be carried out. Locks and unlocks as a side effect.
  ///
  /// - Parameter isKey: the input comes from a key, not from the touchscreen.
  public mutating func admits(_ binding: Binding, isKey: Bool) -> Bool {
    switch mode {
    case .all: return false
    case .buttonsOnly where !isKey: return false
    case .none, .buttonsOnly: break
    }
    switch binding {
    case .lock:
      isLocked.toggle()
      return true
    case .unlock:
      isLocked = false
      return true
    default: return !isLocked
    }
  }
}
