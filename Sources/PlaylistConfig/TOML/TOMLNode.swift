/// A place in a text. Lines and columns count from 1, columns in code points.
///
/// Eight bytes: each value of a text has two, and there may be a million values.
public struct TOMLPosition: Hashable, Comparable, Sendable {
  /// File, line and column, the greater before the lesser, so that places compare as these numbers do.
  private var packed: UInt64
  private static let (fileBits, lineBits, columnBits): (UInt64, UInt64, UInt64) = (12, 28, 24)

  /// Which of several texts it is, from 0, where they are merged.
  public var file: Int { Int(packed >> (Self.lineBits + Self.columnBits)) }
  public var line: Int { Int((packed >> Self.columnBits) & ((1 << Self.lineBits) - 1)) }
  public var column: Int { Int(packed & ((1 << Self.columnBits) - 1)) }

  /// Packs the parts into eight bytes. A number too large for its bits becomes the largest that fits; real texts stay
  /// below (16 MB each, some hundred files).
  public init(line: Int, column: Int, file: Int = 0) {
    func part(_ number: Int, _ bits: UInt64) -> UInt64 { UInt64(max(0, min(number, (1 << bits) - 1))) }
    packed =
      part(file, Self.fileBits) << (Self.lineBits + Self.columnBits) | part(line, Self.lineBits) << Self.columnBits
      | part(column, Self.columnBits)
  }

  public static func < (a: TOMLPosition, b: TOMLPosition) -> Bool { a.packed < b.packed }

  /// A place, or none, in eight bytes.
  struct OrNone: Hashable, Sendable {
    private var packed: UInt64

    init(_ position: TOMLPosition?) { packed = position?.packed ?? .max }

    var position: TOMLPosition? {
      guard packed != .max else { return nil }
      var position = TOMLPosition(line: 0, column: 0)
      position.packed = packed
      return position
    }
  }
}

/// A value in a TOML document, with the positions of the value and its key.
public struct TOMLNode: Hashable, Sendable {
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    case string
    case integer
    case float
    case boolean
    case offsetDateTime = "date and time with offset"
    case localDateTime = "local date and time"
    case localDate = "local date"
    case localTime = "local time"
    case array
    case table
  }

  public enum Value: Hashable, Sendable {
    case string(String)
    case integer(Int64)
    case float(Double)
    case boolean(Bool)
    /// A date, a time or both in RFC 3339 form; `Kind` says which.
    case temporal(String, Kind)
    case array([TOMLNode])
    case table(TOMLTable)
  }

  public var value: Value
  public var position: TOMLPosition
  private var keyPlace: TOMLPosition.OrNone
  /// Nil for the root, and for elements of an array.
  public var keyPosition: TOMLPosition? {
    get { keyPlace.position }
    set { keyPlace = TOMLPosition.OrNone(newValue) }
  }

  public init(_ value: Value, at position: TOMLPosition, keyPosition: TOMLPosition? = nil) {
    self.value = value
    self.position = position
    keyPlace = TOMLPosition.OrNone(keyPosition)
  }

  public var kind: Kind {
    switch value {
    case .string: .string
    case .integer: .integer
    case .float: .float
    case .boolean: .boolean
    case .temporal(_, let kind): kind
    case .array: .array
    case .table: .table
    }
  }
}

/// The members of a table in the order in which they were written.
public struct TOMLTable: Hashable, Sendable {
  public struct Entry: Hashable, Sendable {
    public var key: String
    public var node: TOMLNode
    public init(key: String, node: TOMLNode) {
      self.key = key
      self.node = node
    }
  }

  public private(set) var entries: [Entry]

  /// Sorts `entries` by the places of their keys; a key may be there only once, which the parser sees to.
  public init(_ entries: [Entry] = []) {
    self.entries = entries.sorted {
      ($0.node.keyPosition ?? $0.node.position) < ($1.node.keyPosition ?? $1.node.position)
    }
  }

  /// For entries that are already in the order of their keys' positions.
  init(ordered entries: [Entry]) { self.entries = entries }

  /// Fills in elements of the list at a path.
  ///
  /// - Parameter elements: nil for the next element that the list already has.
  /// - Returns: false if there is no such list, or it doesn't have as many elements as there are nils.
  mutating func fill(_ path: ArraySlice<String>, with elements: [TOMLNode?]) -> Bool {
    guard let key = path.first, let index = entries.firstIndex(where: { $0.key == key }) else { return false }
    switch entries[index].node.value {
    case .table(var table):
      guard table.fill(path.dropFirst(), with: elements) else { return false }
      entries[index].node.value = .table(table)
    case .array(let present):
      guard path.count == 1, elements.count(where: { $0 == nil }) == present.count else { return false }
      var next = present.makeIterator()
      entries[index].node.value = .array(elements.compactMap { $0 ?? next.next() })
    case .string, .integer, .float, .boolean, .temporal:
      return false
    }
    return true
  }

  public subscript(key: String) -> TOMLNode? { entries.first { $0.key == key }?.node }

  /// This table with `later` laid over it: tables are merged key by key, everything else is replaced, lists too.
  ///
  /// Recurses as deep as the parser lets values and keys be nested.
  public func merged(with later: TOMLTable) -> TOMLTable {
    var nodes: [String: TOMLNode] = [:]
    for entry in entries { nodes[entry.key] = entry.node }
    for entry in later.entries {
      if case .table(let mine) = nodes[entry.key]?.value, case .table(let theirs) = entry.node.value {
        nodes[entry.key]?.value = .table(mine.merged(with: theirs))
      } else {
        nodes[entry.key] = entry.node
      }
    }
    return TOMLTable(nodes.map { Entry(key: $0.key, node: $0.value) })
  }
}

/// Why a text is not TOML, and where.
public struct TOMLSyntaxError: Error, Hashable, Sendable {
  /// Nil if the text as a whole is refused.
  public var position: TOMLPosition?
  /// No full stop.
  public var message: String
  public init(_ message: String, at position: TOMLPosition? = nil) {
    self.message = message
    self.position = position
  }
}
