public import PlaybackCore

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
  /// Of a list of addresses: the reach of the farthest server that had a say in it. Nil for all other files.
  public var listReach: NetworkReach?
  /// The greatest was played last. A count, because boards don't always know the time.
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

  /// Beyond this a number, or a length that a disk or a server tells, is a lie; below it sums don't overflow. A million
  /// terabytes.
  static let largestNumber: Int64 = 1 << 60

  /// What If-Range takes: weak validators don't do there.
  var rangeValidator: String? {
    if let etag, !etag.hasPrefix("W/") { return etag }
    return lastModified
  }
}

/// Names on disk.
public enum StoreNames {
  public static let partSuffix = ".part"
  /// Of the note beside a copy that says what it is a copy of.
  public static let recordSuffix = ".record"
  /// Of the index as it was written before there were two of it.
  public static let oldIndex = "index"
  /// Says that the folder is a store's.
  public static let marker = ".vitrine-store"

  /// Of a file that isn't whole yet.
  public static func part(_ name: String) -> String { name + partSuffix }
  public static func record(_ name: String) -> String { name + recordSuffix }

  /// Two take turns, so that the one before stays whatever becomes of the one that is written.
  public static func index(generation: Int64) -> String { "index.\(generation & 1)" }
  public static let indexes = [index(generation: 0), index(generation: 1), oldIndex]

  /// The copy that a file of the store's folder belongs to: itself, its part, or its record. Nil for anything else.
  public static func copy(of file: String) -> String? {
    let plain = [partSuffix, recordSuffix].first { file.hasSuffix($0) }.map { String(file.dropLast($0.count)) } ?? file
    return isCopy(plain) ? plain : nil
  }

  /// Whether it is what a copy is called: a number, a dot, letters or digits. Anything else would lead out of the folder.
  public static func isCopy(_ name: String) -> Bool {
    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty, !["part", "record"].contains(parts[1]) else {
      return false
    }
    return parts[0].utf8.allSatisfy { (0x30...0x39).contains($0) }
      && parts[1].utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x7A).contains($0) }
  }

  /// The number that it begins with; 0 where that is none, or larger than any that was given.
  static func number(of name: String) -> Int64 {
    guard let number = Int64(name.prefix { $0 != "." }), number <= StoredFile.largestNumber else { return 0 }
    return number
  }
}
