public import PlaybackCore

/// The address of a medium as a user wrote it, parsed but not looked up.
public enum MediaAddress: Hashable, Sendable {
  /// A file or directory; may be relative.
  case path(FilePath)
  case remote(RemoteURI)

  /// A valid URI on a network.
  public struct RemoteURI: Hashable, Sendable {
    public enum Scheme: String, Hashable, Sendable, CaseIterable { case http, https, rtsp, udp }
    public var scheme: Scheme
    /// The URI with all characters escaped that need it.
    public var text: String
    public var host: String
    /// Still encoded; empty or with a slash at its start.
    public var path: String
  }

  /// The schemes that can be played.
  static let allowedSchemes = ["file"] + RemoteURI.Scheme.allCases.map(\.rawValue)

  /// Decides whether a text is a URI or a path, and checks it.
  ///
  /// A text is a URI when it begins with a scheme and `://`, or with a scheme that can be played and a colon; everything
  /// else is a path. A file whose name looks like a URI can be written `./http:...`.
  public static func parse(_ text: String) throws(VitrineError) -> MediaAddress {
    // Bytes are faster to check: most texts are paths, and there may be a hundred thousand.
    let bytes = Array(text.utf8)
    guard bytes.contains(UInt8(ascii: ":")), let colon = text.firstIndex(of: ":"), isScheme(text[..<colon]) else {
      return try .path(path(text, bytes: bytes))
    }
    let scheme = text[..<colon].lowercased()
    let rest = text[text.index(after: colon)...]
    guard rest.hasPrefix("//") || allowedSchemes.contains(scheme) else {
      return try .path(path(text, bytes: bytes))
    }
    if scheme == "file" { return .path(try filePath(text, rest: rest)) }
    guard let known = RemoteURI.Scheme(rawValue: scheme) else {
      let meant = Suggestion.nearest(to: scheme, among: allowedSchemes).map { "; did you mean \($0)?" } ?? ""
      throw invalid(
        text, "the scheme \"\(scheme)\" can't be played\(meant)",
        "a path or a URI with \(allowedSchemes.joined(separator: ", ")) is allowed")
    }
    return .remote(try remote(text, scheme: known, rest: rest))
  }

  private static func isScheme(_ text: Substring) -> Bool {
    guard let first = text.utf8.first, isLetter(first) else { return false }
    return text.utf8.allSatisfy { isLetter($0) || isDigit($0) || "+-.".utf8.contains($0) }
  }

  private static func path(_ text: String, bytes: [UInt8]) throws(VitrineError) -> FilePath {
    guard !bytes.isEmpty else { throw invalid(text, "is empty", "a path or a URI is allowed") }
    guard !bytes.contains(0) else { throw invalid(text, "has a NUL in it", "a path or a URI is allowed") }
    return FilePath(bytes: bytes)
  }

  /// `file:///path`, `file://localhost/path` and `file:/path`.
  private static func filePath(_ text: String, rest: Substring) throws(VitrineError) -> FilePath {
    let form = "file:///path is the form"
    var encoded = rest
    if rest.hasPrefix("//") {
      let authority = rest.dropFirst(2).prefix { $0 != "/" }
      guard authority.isEmpty || authority.lowercased() == "localhost" else {
        throw invalid(text, "a file URI can't name another host (\"\(authority)\")", form)
      }
      encoded = rest.dropFirst(2 + authority.count)
    }
    guard encoded.hasPrefix("/") else { throw invalid(text, "the path isn't absolute", form) }
    for reserved in ["#", "?"] as [Character] where encoded.contains(reserved) {
      throw invalid(text, "\"\(reserved)\" ends the path of a URI", "write %23 for # and %3F for ?, or the plain path")
    }
    guard let bytes = PercentEncoding.decoded(encoded) else { throw badEscape(text) }
    return try path(text, bytes: bytes)
  }

  private static func remote(
    _ text: String, scheme: RemoteURI.Scheme, rest: Substring
  ) throws(VitrineError) -> RemoteURI {
    let form = "\(scheme.rawValue)://host/path is the form"
    guard rest.hasPrefix("//") else { throw invalid(text, "the host is missing", form) }
    guard !text.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F }) else {
      throw invalid(text, "has a control character in it", form)
    }
    let afterSlashes = rest.dropFirst(2)
    let authority = afterSlashes.prefix { !"/?#".contains($0) }
    let tail = afterSlashes[authority.endIndex...]
    let host = try host(of: authority, in: text, form: form)
    guard PercentEncoding.decoded(tail) != nil, PercentEncoding.decoded(authority) != nil else {
      throw badEscape(text)
    }
    let encodedTail = PercentEncoding.repaired(tail)
    let encoded = "\(scheme.rawValue)://\(authority)\(encodedTail)"
    // Both share one text in memory if they are equal, as most are.
    return RemoteURI(
      scheme: scheme, text: encoded == text ? text : encoded, host: host,
      path: String(encodedTail.prefix { $0 != "?" && $0 != "#" }))
  }

  /// The host of `user:password@host:port`, checked with its port.
  private static func host(of authority: Substring, in text: String, form: String) throws(VitrineError) -> String {
    let hostAndPort = authority.lastIndex(of: "@").map { authority[authority.index(after: $0)...] } ?? authority
    let host: Substring
    var port: Substring?
    if hostAndPort.hasPrefix("[") {
      guard let end = hostAndPort.firstIndex(of: "]") else {
        throw invalid(text, "the address in brackets has no end", form)
      }
      host = hostAndPort[...end]
      let address = host.dropFirst().dropLast()
      guard address.contains(":"), address.utf8.allSatisfy({ isHexadecimal($0) || ":.".utf8.contains($0) }) else {
        throw invalid(text, "\"\(host)\" is not an IPv6 address", form)
      }
      let after = hostAndPort[hostAndPort.index(after: end)...]
      guard after.isEmpty || after.hasPrefix(":") else { throw invalid(text, "\"\(after)\" follows the host", form) }
      port = after.isEmpty ? nil : after.dropFirst()
    } else {
      let parts = hostAndPort.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      host = parts.first ?? ""
      port = parts.count == 2 ? parts[1] : nil
      guard !host.isEmpty else { throw invalid(text, "the host is missing", form) }
      guard host.utf8.allSatisfy({ isLetter($0) || isDigit($0) || "-._".utf8.contains($0) }) else {
        throw invalid(
          text, "\"\(host)\" is not a host name", "letters, digits, - and . are allowed (xn--... for others)")
      }
    }
    if let port, !port.isEmpty {
      guard port.utf8.allSatisfy(isDigit), let number = Int(port), (1...65_535).contains(number) else {
        throw invalid(text, "\"\(port)\" is not a port", "1 to 65535 is allowed")
      }
    }
    guard authority.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
      throw invalid(text, "the user name has a character that must be encoded", "write it as % and two digits")
    }
    return String(host)
  }

  private static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) }
  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
  private static func isHexadecimal(_ byte: UInt8) -> Bool { isDigit(byte) || (0x61...0x66).contains(byte | 0x20) }

  private static func badEscape(_ text: String) -> VitrineError {
    invalid(text, "a % isn't followed by two hexadecimal digits", "write %25 for the sign itself")
  }

  private static func invalid(_ text: String, _ message: String, _ remedy: String) -> VitrineError {
    VitrineError(.uriInvalid, subject: text.isEmpty ? "\"\"" : text, message: message, remedy: remedy)
  }
}
