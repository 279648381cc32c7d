// Decides which lines of a log are complete, and reads them.

/// The end of a log file, which decides how to append to it.
///
/// A line, readable or not, is complete if it has a line break and no zeroes: a later version or a person may have
/// written it.
public enum PlayTail: Hashable, Sendable {
  /// This many bytes of the file are complete lines; the rest was cut off during a write.
  case whole(Int64)
  /// The file has no line of the player: it must not be changed.
  case foreign

  /// Bytes at the file's end that are examined: one write has at most `PlayLog.limit` lines, and a power cut may have
  /// left zeroes in place of all of them.
  public static let looksAt = 1 << 20

  /// - Parameters:
  ///   - bytes: the end of the file, `looksAt` bytes or all.
  ///   - size: the file's size.
  public init(_ bytes: [UInt8], size: Int64) {
    var (end, whole): (Int, Int?) = (bytes.count, nil)
    while let lineEnd = bytes[..<end].lastIndex(of: 0x0A) {
      let line = bytes[(bytes[..<lineEnd].lastIndex(of: 0x0A).map { $0 + 1 } ?? 0)..<lineEnd]
      if whole == nil, !line.contains(0) { whole = lineEnd + 1 }
      if PlayEntry(line: line) != nil {
        self = .whole(size - Int64(bytes.count - (whole ?? lineEnd + 1)))
        return
      }
      end = lineEnd
    }
    // The file has no line of the player. Without any line at all, it may be the beginning of the first one.
    let isTornFirst = end == bytes.count && Int64(bytes.count) == size && Self.mayBeOurs(bytes)
    self = isTornFirst ? .whole(0) : .foreign
  }

  /// How many bytes at the end are lines of these entries, left by an earlier attempt to write them.
  ///
  /// - Parameter bytes: complete lines.
  public static func count(ofLastLines bytes: ArraySlice<UInt8>, in entries: [PlayEntry]) -> Int {
    guard bytes.last == 0x0A else { return 0 }
    let lines = Set(entries.map { Array($0.line.utf8) })
    var end = bytes.endIndex
    while end > bytes.startIndex {
      let start = bytes[..<(end - 1)].lastIndex(of: 0x0A).map { $0 + 1 } ?? bytes.startIndex
      guard lines.contains(Array(bytes[start..<(end - 1)])) else { break }
      end = start
    }
    return bytes.endIndex - end
  }

  /// Whether this is the beginning of a log's first line, or the remains that a power cut left of it.
  private static func mayBeOurs(_ bytes: [UInt8]) -> Bool {
    let start = Array("{\"start\":\"".utf8)
    return zip(bytes.prefix { $0 != 0 }, start).allSatisfy { $0 == $1 }
  }
}

/// Reads a log piece by piece, of any length.
public struct PlayReader: Sendable {
  private var rest: [UInt8] = []
  private var isTooLong = false
  /// Lines that aren't entries: cut off, or written by others.
  public private(set) var unreadable = 0

  public init() {}

  public mutating func read(_ bytes: some Collection<UInt8>) -> [PlayEntry] {
    var entries: [PlayEntry] = []
    for part in bytes.split(separator: 0x0A, omittingEmptySubsequences: false).enumerated() {
      if part.offset > 0 { endLine(&entries) }
      guard !isTooLong else { continue }
      rest += part.element
      if rest.count > PlayEntry.longestLine {
        isTooLong = true
        rest = []
      }
    }
    return entries
  }

  /// Ends the file: a rest without a line break is unreadable.
  public mutating func end() {
    if !rest.isEmpty || isTooLong { unreadable += 1 }
    (rest, isTooLong) = ([], false)
  }

  private mutating func endLine(_ entries: inout [PlayEntry]) {
    defer { (rest, isTooLong) = ([], false) }
    if !isTooLong, rest.isEmpty { return }
    if !isTooLong, let entry = PlayEntry(line: rest) { entries.append(entry) } else { unreadable += 1 }
  }
}
