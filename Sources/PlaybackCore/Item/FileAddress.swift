/// `file:` addresses of paths.
public enum FileAddress {
  /// - Parameter path: absolute; bytes, because a name needn't be UTF-8.
  /// - Returns: its URI. All bytes with a special meaning are encoded, so no part of it can be taken for a query or a
  ///   fragment.
  public static func uri(path: [UInt8]) -> String {
    // Most paths need no encoding, and a list may have a hundred thousand.
    if path.allSatisfy(isPlain) { return "file://" + String(decoding: path, as: UTF8.self) }
    let digits = Array("0123456789ABCDEF".utf8)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(path.count + 16)
    bytes += "file://".utf8
    for byte in path {
      if isPlain(byte) {
        bytes.append(byte)
      } else {
        bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The path of a `file:` address; nil for any other address, and for one with an incomplete escape.
  public static func path(of uri: String) -> [UInt8]? {
    guard uri.hasPrefix("file:///") else { return nil }
    var bytes: [UInt8] = []
    var rest = Array(uri.utf8.dropFirst("file://".utf8.count))[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      guard rest.count >= 2, let code = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16), code != 0
      else {
        return nil
      }
      bytes.append(code)
      rest = rest.dropFirst(2)
    }
    return bytes
  }

  /// The unreserved characters of RFC 3986, and the slash between the parts of a path.
  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"),
      UInt8(ascii: "/"):
      true
    default: false
    }
  }
}
