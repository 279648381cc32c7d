/// Decides where a server may send the player, for what plays and for copies alike. No other place decides it:
/// docs/decisions/0087-web-origins.md.
public struct RedirectPolicy: Hashable, Sendable, Codable {
  /// Whether a server of the internet may send the player to this machine or its local network.
  public var allowsLocal = false

  /// Reasons to refuse an address. The numbers are those of `vit_refusal`.
  public enum Refusal: Int, Hashable, Sendable, CaseIterable {
    /// From https to http: an answer that was asked for over TLS would come in the clear.
    case downgrade = 1
    /// From the internet to this machine or its local network, or from that network to this machine.
    case local
    /// Neither http nor https.
    case notWeb
    /// A list of a stream's parts names an address outside of the web.
    case list
    /// A film or a stream redirects to another address (a QuickTime reference movie, an RTSP redirect).
    case elsewhere
  }

  public init() {}

  /// Decides by the addresses alone, before a connection is made.
  ///
  /// - Parameters:
  ///   - origin: of the address that redirects.
  ///   - target: of the address that it names; nil where that isn't a web server's.
  public func refusal(from origin: WebOrigin, to target: WebOrigin?) -> Refusal? {
    guard let target else { return .notWeb }
    return origin.scheme == .https && target.scheme == .http ? .downgrade : nil
  }

  /// Decides by where the connections really lead, before a byte is sent over the second one.
  ///
  /// - Parameters:
  ///   - farthest: the farthest of all servers that have taken part so far.
  ///   - target: of the next server.
  public func refusal(from farthest: NetworkReach, to target: NetworkReach) -> Refusal? {
    !allowsLocal && target < farthest ? .local : nil
  }

  /// User and password of a configured address, for a hop that it leads to. They are meant for that address's own
  /// server. Those that a redirect names are never used.
  public func userInfo(_ userInfo: String?, of origin: WebOrigin, for hop: WebOrigin) -> String? {
    hop == origin ? userInfo : nil
  }
}
