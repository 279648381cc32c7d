/// A file of the store.
public struct StoredFile: Hashable, Sendable {
  /// Its name in the store's folder. While it isn't whole the name on disk has `.part` after it.
  public var name: String
  public var uri: String
  public var isComplete: Bool
  /// Bytes that are on disk for good: of a partial file those up to the last checkpoint.
  public var got: Int64
  /// Bytes of the whole; nil while unknown.
  public var length: Int64?
  /// What tells this version from others, as the server has it.
  public var etag: String?
  public var lastModified: String?
  /// Compared when it was whole; nil when nobody had said one.
  public var sha256: String?
  /// The greatest was played last. A count, because boards don't always know the time.
  public var lastPlayed: Int64

  public init(
    name: String, uri: String, isComplete: Bool = false, got: Int64 = 0, length: Int64? = nil, etag: String? = nil,
    lastModified: String? = nil, sha256: String? = nil, lastPlayed: Int64 = 0
  ) {
    self.name = name
    self.uri = uri
    self.isComplete = isComplete
    self.got = got
    self.length = length
    self.etag = etag
    self.lastModified = lastModified
    self.sha256 = sha256
    self.lastPlayed = lastPlayed
  }

  /// What If-Range takes: weak validators don't do there.
  var rangeValidator: String? {
    if let etag, !etag.hasPrefix("W/") { return etag }
    return lastModified
  }
}

/// Names on disk.
public enum StoreNames {
  public static let partSuffix = ".part"
  public static let index = "index"
  /// Of a file that isn't whole yet.
  public static func part(_ name: String) -> String { name + partSuffix }
}

/// What the store knows of its files, as a text: a line each, fields parted by tabs. Whoever writes it replaces it as a
/// whole, so that a crash leaves the old one or the new one.
public struct StoreIndex: Hashable, Sendable {
  /// Numbers of names; never used twice, so that what is left of an old file can't be taken for a new one.
  public var nextNumber: Int64 = 1
  public var files: [StoredFile] = []

  public init() {}

  private static let start = "vitrine store 1"
  private static let end = "end"

  public var text: String {
    var lines = ["\(Self.start)\t\(nextNumber)"]
    for file in files {
      let fields = [
        file.isComplete ? "whole" : "part", file.name, String(file.got), file.length.map(String.init) ?? "-",
        String(file.lastPlayed), Self.written(file.sha256), Self.written(file.etag), Self.written(file.lastModified),
        file.uri,
      ]
      lines.append(fields.joined(separator: "\t"))
    }
    return (lines + [Self.end, ""]).joined(separator: "\n")
  }

  /// Nil when the text isn't whole, or isn't one of ours.
  public init?(text: String) {
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    guard lines.popLast() == "", lines.popLast() == Self.end, !lines.isEmpty else { return nil }
    let first = lines.removeFirst().split(separator: "\t").map(String.init)
    guard first.count == 2, first[0] == Self.start, let number = Int64(first[1]), number > 0 else { return nil }
    nextNumber = number
    var names: Set<String> = []
    for line in lines {
      let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      guard fields.count == 9, ["whole", "part"].contains(fields[0]), Self.isName(fields[1]),
        names.insert(fields[1]).inserted, let got = Int64(fields[2]), got >= 0,
        fields[3] == "-" || Int64(fields[3]) != nil, let played = Int64(fields[4])
      else { return nil }
      files.append(
        StoredFile(
          name: fields[1], uri: fields[8], isComplete: fields[0] == "whole", got: got, length: Int64(fields[3]),
          etag: Self.read(fields[6]), lastModified: Self.read(fields[7]), sha256: Self.read(fields[5]),
          lastPlayed: played))
    }
  }

  /// A name of ours: a number, a dot, letters or digits. Anything else would lead out of the folder.
  public static func isName(_ name: String) -> Bool {
    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty, parts[1] != "part" else { return false }
    return parts[0].utf8.allSatisfy { (0x30...0x39).contains($0) }
      && parts[1].utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x7A).contains($0) }
  }

  private static func written(_ text: String?) -> String { text.map { "=" + $0 } ?? "-" }
  private static func read(_ text: String) -> String? { text.hasPrefix("=") ? String(text.dropFirst()) : nil }

  /// Whether a header's value can be kept in a line.
  static func isKeepable(_ text: String) -> Bool {
    text.utf8.count <= 512 && text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
  }
}
