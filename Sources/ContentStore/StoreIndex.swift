internal import PlaybackCore

/// The store's list of its files, as a text: a line for each file, fields separated by tabs, and a checksum at the end.
/// Two indexes take turns, and the newer intact one counts. An index is always replaced as a whole, so that a crash
/// leaves the old one or the new one; the checksum is for disks that return other bytes than were written.
public struct StoreIndex: Hashable, Sendable {
  /// Grows by one with each index that is written.
  public var generation: Int64 = 0
  /// The number of the next file's name. Numbers are never reused, so that the remains of an old file can't be taken
  /// for a new one.
  public var nextNumber: Int64 = 1
  public var files: [StoredFile] = []

  public init() {}

  private static let start = "vitrine store 2"
  /// The start of an index of the first format, which had no second index and no checksum.
  private static let oldStart = "vitrine store 1"
  private static let oldEnd = "end"

  public var text: String {
    SealedText.text(["\(Self.start)\t\(generation)\t\(nextNumber)"] + files.map(\.line))
  }

  /// Fails when the text is damaged, or isn't a store's index.
  public init?(text: String) {
    guard var lines = SealedText.lines(of: text) ?? Self.oldLines(of: text), !lines.isEmpty else { return nil }
    let first = lines.removeFirst().split(separator: "\t").map(String.init)
    switch first.first {
    case Self.start:
      guard first.count == 3, let generation = StoredFile.number(first[1]), generation > 0 else { return nil }
      self.generation = generation
    case Self.oldStart: guard first.count == 2 else { return nil }
    default: return nil
    }
    guard let number = first.last.flatMap(StoredFile.number), number > 0 else { return nil }
    nextNumber = number
    var names: Set<String> = []
    for line in lines {
      guard let file = StoredFile(line: line), names.insert(file.name).inserted else { return nil }
      files.append(file)
    }
  }

  private static func oldLines(of text: String) -> [String]? {
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    guard lines.popLast() == "", lines.popLast() == oldEnd, lines.first?.hasPrefix(oldStart) == true else { return nil }
    return lines
  }

  /// The newest intact index among these texts.
  public static func newest(of texts: [String]) -> StoreIndex? {
    texts.compactMap { StoreIndex(text: $0) }.max { $0.generation < $1.generation }
  }

  /// Whether a text is a store's index, even a damaged one.
  static func isOurs(_ text: String) -> Bool {
    text.split(separator: "\n").contains {
      $0.hasPrefix("vitrine store ") || StoredFile(line: String($0)) != nil
    }
  }

  /// Whether a header's value can be stored in a line.
  static func isKeepable(_ text: String) -> Bool {
    text.utf8.count <= 512 && text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
  }
}

/// The note beside a whole copy that says what it is a copy of, so that copies are known without the index too.
public struct StoreRecord: Hashable, Sendable {
  public var file: StoredFile

  public init(_ file: StoredFile) { self.file = file }

  private static let start = "vitrine copy 1"

  public var text: String { SealedText.text([Self.start, file.line]) }

  /// Fails when the text is damaged, or isn't a store's record.
  public init?(text: String) {
    guard let lines = SealedText.lines(of: text), lines.count == 2, lines[0] == Self.start,
      let file = StoredFile(line: lines[1])
    else { return nil }
    self.file = file
  }
}

extension StoredFile {
  /// The file's line in the index and in its record.
  var line: String {
    let length = length.map { String($0) } ?? "-"
    var fields = [isComplete ? "whole" : "part", name, String(got), length, String(lastPlayed)]
    fields += [sha256, etag, lastModified].map(Self.written)
    fields.append(uri)
    if let listReach { fields.append("list \(listReach.rawValue)") }
    return fields.joined(separator: "\t")
  }

  init?(line: String) {
    let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
    guard fields.count == 9 || fields.count == 10, ["whole", "part"].contains(fields[0]), StoreNames.isCopy(fields[1]),
      let got = Self.number(fields[2]), fields[3] == "-" || Self.number(fields[3]) != nil,
      let played = Self.number(fields[4])
    else { return nil }
    self.init(
      name: fields[1], uri: fields[8], isComplete: fields[0] == "whole", got: got, length: Int64(fields[3]),
      etag: Self.read(fields[6]), lastModified: Self.read(fields[7]), sha256: Self.read(fields[5]), lastPlayed: played)
    guard fields.count == 10 else { return }
    guard fields[9].hasPrefix("list "), let reach = Int(fields[9].dropFirst(5)).flatMap(NetworkReach.init(rawValue:))
    else { return nil }
    listReach = reach
  }

  static func number(_ text: String) -> Int64? { Int64(text).flatMap { (0...largestNumber).contains($0) ? $0 : nil } }
  private static func written(_ text: String?) -> String { text.map { "=" + $0 } ?? "-" }
  private static func read(_ text: String) -> String? { text.hasPrefix("=") ? String(text.dropFirst()) : nil }
}

/// Lines with a checksum in the last one: a text that was truncated or changed in any byte is rejected.
///
/// Forgery isn't: anybody who can write to the folder can replace the copies too.
enum SealedText {
  private static let end = "end"

  static func text(_ lines: [String]) -> String {
    let body = lines.map { $0 + "\n" }.joined()
    return body + "\(end)\t\(String(CRC32.checksum(of: body.utf8), radix: 16))\n"
  }

  /// The lines without the checksum; nil where the checksum is wrong.
  static func lines(of text: String) -> [String]? {
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    guard lines.popLast()?.isEmpty == true, let last = lines.popLast() else { return nil }
    let body = text.utf8[..<last.startIndex]
    guard last == "\(end)\t\(String(CRC32.checksum(of: body), radix: 16))" else { return nil }
    return lines.map(String.init)
  }
}
