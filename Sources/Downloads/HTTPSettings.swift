internal import MainLoop
public import PlaybackCore

/// How web servers are reached.
public struct HTTPSettings: Hashable, Sendable {
  /// A server that is silent for so long is gone.
  public var timeout: Duration = .seconds(15)
  public var access = ServerAccess()
  public var userAgent = "vitrine"

  public init() {}
}

extension HTTPSettings {
  /// The Authorization header for an address; nil where none is due. Reads a file: blocks.
  func authorization(for address: WebAddress) -> String? {
    access.authorization(for: address.origin, userInfo: address.userInfo, line: FirstLine.read)
  }
}
