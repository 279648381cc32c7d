// The bytes of a log: what is whole of them, and what is in them.

/// What is done with the end of a file before anything is added to it.
///
/// A line that can be read or not is whole where it has an end and no zeroes: a later version may have written it, or a person.
public enum PlayTail: Hashable, Sendable {
  /// So many bytes of the file are whole lines; what comes after them was torn off while it was written.
  case whole(Int64)
  /// There is no line of ours in it: it isn't to be touched.
  case foreign

  /// So much of a file's end is looked at: what is written at once is at most `PlayLog.limit` lines, and a power cut may have left
  /// zeroes in place of all of them.
  public static let looksAt = 1 << 20

  /// - Parameters:
  ///   - bytes: the last of the file, `looksAt` of them or all.
  ///   - size: of the file.
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
    // No line of ours, and where there is none at all, it may be the beginning of one.
    let isTornFirst = end == bytes.count && Int64(bytes.count) == size && Self.mayBeOurs(bytes)
    self = isTornFirst ? .whole(0) : .foreign
  }

  /// How many bytes at the end are lines of these entries: an attempt to write them has left them.
  ///
  /// - Parameter bytes: whole lines.
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

  /// The beginning of our first line, or what a power cut has left of it.
  private static func mayBeOurs(_ bytes: [UInt8]) -> Bool {
    let start = Array("{\"start\":\"".utf8)
    return zip(bytes.prefix { $0 != 0 }, start).allSatisfy { $0 == $1 }
  }
}

/// Reads a log piece by piece, of any length.
public struct PlayReader: Sendable {
  private var rest: [UInt8] = []
  private var isTooLong = false
  /// Lines that are none: torn, or somebody else's.
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

  /// The file has no more: what is left has no end.
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
