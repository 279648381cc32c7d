/// A place in a text. Lines and columns count from 1, columns in code points.
public struct TOMLPosition: Hashable, Comparable, Sendable {
  /// Which of several texts it is, from 0, where they are merged.
  public var file: Int
  public var line: Int
  public var column: Int
  public init(line: Int, column: Int, file: Int = 0) {
    self.file = file
    self.line = line
    self.column = column
  }
  public static func < (a: TOMLPosition, b: TOMLPosition) -> Bool {
    (a.file, a.line, a.column) < (b.file, b.line, b.column)
  }
}

/// A value in a TOML document, with the places where it and its key were written.
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

  public indirect enum Value: Hashable, Sendable {
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
  /// Nil for the root and for the elements of an array.
  public var keyPosition: TOMLPosition?

  public init(_ value: Value, at position: TOMLPosition, keyPosition: TOMLPosition? = nil) {
    self.value = value
    self.position = position
    self.keyPosition = keyPosition
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
  /// Nil when the text as a whole is refused.
  public var position: TOMLPosition?
  /// No full stop.
  public var message: String
  public init(_ message: String, at position: TOMLPosition? = nil) {
    self.message = message
    self.position = position
  }
}
