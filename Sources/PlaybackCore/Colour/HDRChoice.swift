/// The treatment of HDR films.
public enum HDRChoice: String, Hashable, Sendable, CaseIterable {
  /// Maps HDR films to SDR.
  case map
  /// Passes HDR films on unchanged to a screen that announces support for them, and maps them to SDR for others.
  case auto
  /// Passes HDR films on unchanged to every screen.
  case off

  /// The transfer curves that frames may keep on their way to a screen.
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
