/// What a server may make us ask another one for. The one place that decides, for what plays and for copies:
/// docs/decisions/0087-web-origins.md.
public struct RedirectPolicy: Hashable, Sendable, Codable {
  /// Whether the internet may send us to this machine and to the network that it is in.
  public var allowsLocal = false

  /// Why we don't go there. The numbers are those of `vit_refusal`.
  public enum Refusal: Int, Hashable, Sendable, CaseIterable {
    /// What was asked for over TLS would come in the clear.
    case downgrade = 1
    /// From the internet to this machine or the network around it; from that network to this machine.
    case local
    /// Neither http nor https.
    case notWeb
    /// A list of a stream's parts that names what isn't on the web.
    case list
    /// A film or a stream sends on to another address (a QuickTime reference movie, a redirect of RTSP).
    case elsewhere
  }

  public init() {}

  /// By the addresses alone, before anybody is asked.
  ///
  /// - Parameters:
  ///   - origin: of the address that sends us on.
  ///   - target: of the one that it names; nil where that is no web server.
  public func refusal(from origin: WebOrigin, to target: WebOrigin?) -> Refusal? {
    guard let target else { return .notWeb }
    return origin.scheme == .https && target.scheme == .http ? .downgrade : nil
  }

  /// By where connections really lead, before a byte is sent over the second one.
  ///
  /// - Parameters:
  ///   - farthest: of all servers that have had a say so far.
  ///   - target: of the next one.
  public func refusal(from farthest: NetworkReach, to target: NetworkReach) -> Refusal? {
    !allowsLocal && target < farthest ? .local : nil
  }

  /// User and password of an address that was given to us, for a hop that it leads to: they are meant for its own server.
  /// Those that a server names are nobody's.
  public func userInfo(_ userInfo: String?, of origin: WebOrigin, for hop: WebOrigin) -> String? {
    hop == origin ? userInfo : nil
  }
}
