/// The numeric part of a version of the kernel or of a library: 6.12.47 of "6.12.47+rpt-rpi-v8".
public struct SoftwareVersion: Hashable, Sendable, Comparable, CustomStringConvertible {
  /// Without trailing zeros: 1.26 and 1.26.0 are equal.
  private let parts: [Int]

  /// - Returns: nil where the text doesn't begin with a number.
  public init?(_ text: some StringProtocol) {
    var parts: [Int] = []
    var rest = Substring(text)
    while true {
      let digits = rest.prefix { ("0"..."9").contains($0) }
      guard let part = Int(digits) else { break }
      parts.append(part)
      rest = rest.dropFirst(digits.count)
      guard rest.first == "." else { break }
      rest = rest.dropFirst()
    }
    guard !parts.isEmpty else { return nil }
    while parts.count > 1, parts.last == 0 { parts.removeLast() }
    self.parts = parts
  }

  public static func < (a: Self, b: Self) -> Bool {
    for index in 0..<max(a.parts.count, b.parts.count) {
      let (partA, partB) = (
        index < a.parts.count ? a.parts[index] : 0, index < b.parts.count ? b.parts[index] : 0
      )
      if partA != partB { return partA < partB }
    }
    return false
  }

  public var description: String { parts.map(String.init).joined(separator: ".") }
}

/// A range of versions: ">=6.18", "<1.26", ">=6.12 <6.18".
public struct VersionRange: Hashable, Sendable, CustomStringConvertible {
  /// The first version of the range, included.
  public var first: SoftwareVersion?
  /// The end of the range, excluded.
  public var end: SoftwareVersion?

  /// - Returns: nil where the text isn't a range, or the range is empty.
  public init?(parsing text: String) {
    for word in text.split(separator: " ") {
      if word.hasPrefix(">="), first == nil, let version = SoftwareVersion(whole: word.dropFirst(2)) {
        first = version
      } else if word.hasPrefix("<"), end == nil, let version = SoftwareVersion(whole: word.dropFirst()) {
        end = version
      } else {
        return nil
      }
    }
    guard first != nil || end != nil else { return nil }
    if let first, let end, end <= first { return nil }
  }

  /// Whether a version is in the range; false for an unknown version.
  public func contains(_ version: SoftwareVersion?) -> Bool {
    guard let version else { return false }
    return first.map { $0 <= version } ?? true && end.map { version < $0 } ?? true
  }

  public var description: String {
    [first.map { ">=\($0)" }, end.map { "<\($0)" }].compactMap(\.self).joined(separator: " ")
  }
}

extension SoftwareVersion {
  /// For configured versions: nil if the text contains other characters than digits and dots.
  fileprivate init?(whole text: Substring) {
    guard text.utf8.allSatisfy({ $0 == UInt8(ascii: ".") || (0x30...0x39).contains($0) }), text.last != "." else {
      return nil
    }
    self.init(text)
  }
}
