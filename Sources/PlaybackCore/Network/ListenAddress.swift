/// The address and port that a server of this machine listens on.
public struct ListenAddress: Hashable, Sendable {
  /// A literal address, without brackets: a name could resolve to another address tomorrow.
  public let host: String
  /// 1...65535.
  public let port: Int
  /// Whether only programs of this machine can connect.
  public let isLoopback: Bool

  /// - Parameter text: `127.0.0.1:9105` or `[::1]:9105`.
  public init?(_ text: String) {
    guard let colon = text.lastIndex(of: ":") else { return nil }
    let digits = text[text.index(after: colon)...]
    guard (1...5).contains(digits.utf8.count), digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
      let port = Int(digits), (1...65_535).contains(port)
    else { return nil }
    var host = text[..<colon]
    let isBracketed = host.hasPrefix("[") && host.hasSuffix("]")
    if isBracketed { host = host.dropFirst().dropLast() }
    guard host.contains(":") == isBracketed, isBracketed || Self.isPlain(host),
      let bytes = IPAddress.bytes(of: String(host))
    else { return nil }
    self.host = String(host)
    self.port = port
    let mapped = [UInt8](repeating: 0, count: 10) + [0xFF, 0xFF]
    isLoopback =
      bytes.count == 4
      ? bytes[0] == 127
      : bytes == [UInt8](repeating: 0, count: 15) + [1] || (bytes.starts(with: mapped) && bytes[12] == 127)
  }

  /// Whether a text is an address without brackets, in a spelling that all programs read in the same way.
  static func isLiteral(_ text: String) -> Bool {
    text.contains(":") ? !text.contains("%") : isPlain(text[...])
  }

  /// Whether an IPv4 address has four decimal parts: programs differ in how they read its other spellings.
  private static func isPlain(_ host: Substring) -> Bool {
    let parts = host.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 4
      && parts.allSatisfy { part in
        (1...3).contains(part.utf8.count) && part.utf8.allSatisfy { (0x30...0x39).contains($0) }
          && (part == "0" || !part.hasPrefix("0"))
      }
  }
}

extension ListenAddress: CustomStringConvertible {
  public var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
}

/// The address of an MQTT broker.
public struct BrokerAddress: Hashable, Sendable {
  public let host: String
  public let port: Int
  public let usesTLS: Bool

  /// - Parameter text: `mqtt://host`, `mqtts://host:port`. User and password have keys of their own.
  public init?(_ text: String) {
    let usesTLS = text.hasPrefix("mqtts://")
    guard usesTLS || text.hasPrefix("mqtt://") else { return nil }
    let server = text.dropFirst(usesTLS ? 8 : 7)
    let isPlain = server.unicodeScalars.allSatisfy {
      $0.value > 0x20 && $0.value != 0x7F && !"/@?#\\".unicodeScalars.contains($0)
    }
    guard isPlain, !server.hasSuffix(":"), let origin = WebOrigin(.https, server: String(server)) else { return nil }
    host = origin.host
    // A port that isn't named is the scheme's usual one. `WebOrigin` fills in 443 where none is named, so a named 443
    // is told by the text.
    port = origin.port == 443 && !server.hasSuffix(":443") ? (usesTLS ? 8883 : 1883) : origin.port
    self.usesTLS = usesTLS
  }
}

extension BrokerAddress: CustomStringConvertible {
  public var description: String {
    "\(usesTLS ? "mqtts" : "mqtt")://\(host.contains(":") ? "[\(host)]" : host):\(port)"
  }
}
