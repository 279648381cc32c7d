/// Decides which input is heard.
///
/// The configuration's lock holds for ever; one that somebody has turned on by an action is turned off by `unlock`, or
/// by `lock` again, from a key or gesture that is bound to it: those two are heard as long as the configuration's own
/// lock lets them through.
public struct InputLock: Hashable, Sendable {
  public var mode: LockMode
  /// Turned on by an action.
  public private(set) var isLocked = false

  public init(mode: LockMode = .none) {
    self.mode = mode
  }

  /// Whether the glass is heard at all.
  public var hearsTouch: Bool { mode == .none }

  /// Whether what a key or gesture is bound to is to be carried out. Locks and unlocks on the way.
  ///
  /// - Parameter isKey: it comes from a key, and not from the glass.
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
