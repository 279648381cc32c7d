public import PlaybackCore

/// A file of the store.
public struct StoredFile: Hashable, Sendable {
  /// Its name in the store's folder. While the file is partial, its name on disk ends in `.part`.
  public var name: String
  public var uri: String
  public var isComplete: Bool
  /// Bytes that are safely on disk: of a partial file those up to the last checkpoint.
  public var got: Int64
  /// Length of the whole file in bytes; nil while unknown.
  public var length: Int64?
  /// The server's marks of this version.
  public var etag: String?
  public var lastModified: String?
  /// The checksum that the whole file was compared with; nil when the playlists name none.
  public var sha256: String?
  /// For a list of addresses: the reach of the farthest server that sent or redirected to it. Nil for other files.
  public var listReach: NetworkReach?
  /// The file with the greatest value was played last. A count, because boards don't always know the time.
  public var lastPlayed: Int64

  public init(
    name: String, uri: String, isComplete: Bool = false, got: Int64 = 0, length: Int64? = nil, etag: String? = nil,
    lastModified: String? = nil, sha256: String? = nil, lastPlayed: Int64 = 0, listReach: NetworkReach? = nil
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
    self.listReach = listReach
  }

  /// The largest length or number that is believed of a disk or a server: a million terabytes. Sums of smaller numbers
  /// don't overflow.
  static let largestNumber: Int64 = 1 << 60

  /// The value for If-Range, which allows no weak validators.
  var rangeValidator: String? {
    if let etag, !etag.hasPrefix("W/") { return etag }
    return lastModified
  }
}

/// The names of files in the store's folder.
public enum StoreNames {
  public static let partSuffix = ".part"
  /// Suffix of the note beside a copy that says what it is a copy of.
  public static let recordSuffix = ".record"
  /// Name of the index in the first format, which had no second index.
  public static let oldIndex = "index"
  /// The file that marks a folder as a store's.
  public static let marker = ".vitrine-store"

  /// The name of a partial file.
  public static func part(_ name: String) -> String { name + partSuffix }
  public static func record(_ name: String) -> String { name + recordSuffix }

  /// Two indexes take turns, so that the old one is intact whatever happens while the new one is written.
  public static func index(generation: Int64) -> String { "index.\(generation & 1)" }
  public static let indexes = [index(generation: 0), index(generation: 1), oldIndex]

  /// The copy that a file in the folder belongs to: the file itself, or the one that it is a part or the record of. Nil
  /// for other files.
  public static func copy(of file: String) -> String? {
    let plain = [partSuffix, recordSuffix].first { file.hasSuffix($0) }.map { String(file.dropLast($0.count)) } ?? file
    return isCopy(plain) ? plain : nil
  }

  /// Whether a name has the form of a copy's: a number, a dot, letters or digits. Other names could lead out of the
  /// folder.
  public static func isCopy(_ name: String) -> Bool {
    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty, !["part", "record"].contains(parts[1]) else {
      return false
    }
    return parts[0].utf8.allSatisfy { (0x30...0x39).contains($0) }
      && parts[1].utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x7A).contains($0) }
  }

  /// The number at the start of a name; 0 for a name without one, or with a number larger than any in use.
  static func number(of name: String) -> Int64 {
    guard let number = Int64(name.prefix { $0 != "." }), number <= StoredFile.largestNumber else { return 0 }
    return number
  }
}
