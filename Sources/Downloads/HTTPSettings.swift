internal import MainLoop
public import PlaybackCore

/// The settings for reaching web servers.
public struct HTTPSettings: Hashable, Sendable {
  /// A server that is silent for this long counts as gone.
  public var timeout: Duration = .seconds(15)
  public var access = ServerAccess()
  public var userAgent = "vitrine"

  public init() {}
}

extension HTTPSettings {
  /// The Authorization header for an address; nil where none is needed. Blocks: it may read a file.
  func authorization(for address: WebAddress) -> String? {
    access.authorization(for: address.origin, userInfo: address.userInfo, line: FirstLine.read)
  }
}
