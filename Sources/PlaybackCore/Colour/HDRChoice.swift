/// What is done with HDR films.
public enum HDRChoice: String, Hashable, Sendable, CaseIterable {
  /// They are mapped to SDR.
  case map
  /// A screen that says that it shows them gets them as they are; for others they are mapped.
  case auto
  /// They are left as they are, whatever the screen makes of them.
  case off

  /// Which curves frames may keep on their way to a screen.
  ///
  /// - Parameter screen: the curves that the screen shows by itself.
  public func kept(by screen: Set<HDRTransfer>) -> Set<HDRTransfer> {
    switch self {
    case .map: []
    case .auto: screen
    case .off: Set(HDRTransfer.allCases)
    }
  }
}
