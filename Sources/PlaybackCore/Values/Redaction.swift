/// What nobody has to know is taken out of texts for people, logs, screens and files that others read. Pure.
///
/// Of addresses: user and password, and what stands after the path, which is where signed addresses, cameras and web
/// services have their keys. A secret that is part of a path or of a host's name can't be told from other words. Paths and
/// `file:` addresses stay as they are.
public enum Redaction {
  /// Stands for what was taken out.
  public static let mark = "…"

  /// The text with each address in it redacted. The same text again when there is none.
  public static func text(_ text: String) -> String {
    let bytes = Array(text.utf8)
    var kept: [UInt8] = []
    var next = 0
    var search = 0
    while let colon = bytes[search...].firstColon {
      search = colon + 1
      guard let start = schemeStart(bytes[next..<colon]), !isFile(bytes[start..<colon]) else { continue }
      let end = addressEnd(bytes[(colon + 3)...])
      kept += bytes[next..<(colon + 3)] + redacted(bytes[(colon + 3)..<end])
      next = end
      search = end
    }
    return next == 0 ? text : String(decoding: kept + bytes[next...], as: UTF8.self)
  }

  /// A text that is one address, as it was given, or none: then what may not stand in an address doesn't end it.
  public static func value(_ text: String) -> String {
    let bytes = Array(text.utf8)
    guard let colon = bytes[...].firstColon, schemeStart(bytes[..<colon]) == 0, !isFile(bytes[..<colon]) else {
      return self.text(text)
    }
    return String(decoding: bytes[..<(colon + 3)] + redacted(bytes[(colon + 3)...]), as: UTF8.self)
  }

  /// Where the scheme begins that ends with these bytes.
  private static func schemeStart(_ bytes: ArraySlice<UInt8>) -> Int? {
    let before = bytes.lastIndex { !isLetter($0) && !isDigit($0) && !"+-.".utf8.contains($0) }
    return bytes[(before.map { $0 + 1 } ?? bytes.startIndex)...].firstIndex(where: isLetter)
  }

  private static func isFile(_ scheme: ArraySlice<UInt8>) -> Bool {
    scheme.count == 4 && zip(scheme, "file".utf8).allSatisfy { $0 | 0x20 == $1 }
  }

  /// An address ends with what none may have: spaces, control characters, quotation marks, angle brackets. What ends a
  /// part of a sentence isn't its own.
  private static func addressEnd(_ bytes: ArraySlice<UInt8>) -> Int {
    var end = bytes.firstIndex { $0 <= 0x20 || $0 == 0x7F || "\"<>`".utf8.contains($0) } ?? bytes.endIndex
    while end > bytes.startIndex, ".,:;)]}!'".utf8.contains(bytes[end - 1]) { end -= 1 }
    return end
  }

  /// - Parameter rest: what comes after `://`.
  private static func redacted(_ rest: ArraySlice<UInt8>) -> [UInt8] {
    var rest = rest
    let authority = rest[..<(rest.firstIndex { "/?#".utf8.contains($0) } ?? rest.endIndex)]
    if let at = authority.lastIndex(of: UInt8(ascii: "@")) {
      rest = rest[(at + 1)...]
    } else if let colon = authority.lastIndex(of: UInt8(ascii: ":")), !authority[(colon + 1)...].allSatisfy(isDigit),
      authority.last != UInt8(ascii: "]")
    {
      // No port, but a password in which something stands that should be written as %XX.
      guard let at = rest.lastIndex(of: UInt8(ascii: "@")) else { return rest[...colon] + Array(mark.utf8) }
      rest = rest[(at + 1)...]
    }
    guard let more = rest.firstIndex(where: { "?#".utf8.contains($0) }), more + 1 < rest.endIndex else {
      return Array(rest)
    }
    return rest[...more] + Array(mark.utf8)
  }

  private static func isLetter(_ byte: UInt8) -> Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) }
  private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
}

extension ArraySlice<UInt8> {
  /// Of the first `://`.
  fileprivate var firstColon: Int? {
    var index = startIndex
    while index + 2 < endIndex {
      if self[index] == UInt8(ascii: ":"), self[index + 1] == UInt8(ascii: "/"), self[index + 2] == UInt8(ascii: "/") {
        return index
      }
      index += 1
    }
    return nil
  }
}
