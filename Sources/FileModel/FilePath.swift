/// A path as the kernel sees it: bytes without a NUL, in no certain encoding.
public struct FilePath: Hashable, Sendable {
  public let bytes: [UInt8]

  public init(bytes: [UInt8]) { self.bytes = bytes }
  public init(_ text: String) { bytes = Array(text.utf8) }

  private static let separator = UInt8(ascii: "/")

  public var isAbsolute: Bool { bytes.first == Self.separator }

  /// For people: bytes that aren't UTF-8 are replaced.
  public var text: String { String(decoding: bytes, as: UTF8.self) }

  /// The part after the last separator.
  public var name: [UInt8] { bytes.lastIndex(of: Self.separator).map { Array(bytes[($0 + 1)...]) } ?? bytes }

  /// The part of the name after the last dot, in lower case; empty without a dot, and for hidden files without another
  /// dot.
  public var fileExtension: String {
    let name = name
    guard let dot = name.lastIndex(of: UInt8(ascii: ".")), dot > 0 else { return "" }
    return String(decoding: name[(dot + 1)...], as: UTF8.self).lowercased()
  }

  /// The name without its extension, for people.
  public var title: String {
    let name = name
    guard let dot = name.lastIndex(of: UInt8(ascii: ".")), dot > 0 else { return String(decoding: name, as: UTF8.self) }
    return String(decoding: name[..<dot], as: UTF8.self)
  }

  /// The part before the last separator; `.` without one.
  public var directory: FilePath {
    guard let last = bytes.lastIndex(of: Self.separator) else { return FilePath(".") }
    return FilePath(bytes: last == 0 ? [Self.separator] : Array(bytes[..<last]))
  }

  /// `path` itself if it is absolute, else `path` within this directory.
  public func resolving(_ path: FilePath) -> FilePath {
    if path.isAbsolute { return path }
    let isSeparated = bytes.last == Self.separator
    return FilePath(bytes: bytes + (isSeparated ? [] : [Self.separator]) + path.bytes)
  }

  /// An absolute path without empty parts, `.` and `..`. Works on the text alone: after a symbolic link, `..` may lead
  /// elsewhere.
  public var lexicallyNormal: FilePath { cleaned(removingParents: true) }

  /// An absolute path without empty parts and `.`; it always leads to the same file.
  public var compact: FilePath { cleaned(removingParents: false) }

  /// Whether the path is absolute, and no part of it is empty, `.` or `..`. Most paths are, and there may be a hundred
  /// thousand.
  public var isPlain: Bool {
    guard isAbsolute, bytes.count > 1, bytes.last != Self.separator else { return false }
    var partStart = 1
    for index in 1...bytes.count where index == bytes.count || bytes[index] == Self.separator {
      let length = index - partStart
      if length == 0 || (length <= 2 && bytes[partStart..<index].allSatisfy { $0 == UInt8(ascii: ".") }) {
        return false
      }
      partStart = index + 1
    }
    return true
  }

  private func cleaned(removingParents: Bool) -> FilePath {
    if isPlain { return self }
    var parts: [ArraySlice<UInt8>] = []
    for part in bytes.split(separator: Self.separator) {
      if part == [UInt8(ascii: ".")] { continue }
      if removingParents, part == [UInt8(ascii: "."), UInt8(ascii: ".")] {
        _ = parts.popLast()
      } else {
        parts.append(part)
      }
    }
    return FilePath(bytes: [Self.separator] + parts.joined(separator: [Self.separator]))
  }
}
