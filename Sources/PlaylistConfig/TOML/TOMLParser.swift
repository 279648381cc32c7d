import CTOML

/// Parses TOML texts. All other readers use it.
public enum TOMLParser {
  /// The longest text that is parsed, in bytes.
  public static let maximumLength = ConfigurationLimits.textBytes

  /// Parses a whole document.
  ///
  /// - Parameters:
  ///   - text: UTF-8; any bytes are safe.
  ///   - file: the number for every position's `file`.
  /// - Returns: the root table.
  /// - Throws: the first fault of the text; a text that is too long, or keys or values nested too deeply.
  public static func parse(_ text: [UInt8], file: Int = 0) throws(TOMLSyntaxError) -> TOMLTable {
    guard text.count <= maximumLength else {
      throw TOMLSyntaxError("the text has more than \(maximumLength) bytes, which is the most that is read")
    }
    // The fast way gives up on any fault: the parser then reads the whole text and reports the fault.
    if let scan = TOMLItemScan.scan(text, file: file),
      TOMLSizeScan.firstExcess(in: scan.rest, file: file, counted: scan.values) == nil,
      var table = try? tree(of: scan.rest, file: file),
      scan.lists.values.allSatisfy({ table.fill($0.path[...], with: $0.elements) })
    {
      return table
    }
    return try whole(text, file: file)
  }

  /// Parses a text without a look at its lists.
  static func whole(_ text: [UInt8], file: Int = 0) throws(TOMLSyntaxError) -> TOMLTable {
    if let excess = TOMLSizeScan.firstExcess(in: text, file: file) { throw excess }
    return try tree(of: text, file: file)
  }

  private static func tree(of text: [UInt8], file: Int) throws(TOMLSyntaxError) -> TOMLTable {
    var builder = TOMLTreeBuilder(file: file)
    text.withUnsafeBytes { bytes in
      withUnsafeMutablePointer(to: &builder) { builder in
        // An empty array may have no address.
        let start = bytes.baseAddress.map { UnsafePointer($0.assumingMemoryBound(to: CChar.self)) }
        withUnsafePointer(to: CChar(0)) { nothing in
          vit_toml_parse(
            start ?? nothing, bytes.count,
            { context, entry in
              context?.assumingMemoryBound(to: TOMLTreeBuilder.self).pointee.add(entry.pointee)
            }, builder)
        }
      }
    }
    return try builder.finish()
  }

  /// Parses a whole document.
  public static func parse(_ text: String) throws(TOMLSyntaxError) -> TOMLTable {
    try parse(Array(text.utf8))
  }
}

/// Puts the flat visit of the shim together again.
private struct TOMLTreeBuilder {
  private struct Container {
    var key: String?
    var position: TOMLPosition
    var keyPosition: TOMLPosition?
    var isTable: Bool
    var entries: [TOMLTable.Entry] = []
    var elements: [TOMLNode] = []
  }

  private let file: Int
  private var open: [Container] = []
  private var root: TOMLTable?
  private var failure: TOMLSyntaxError?

  init(file: Int) { self.file = file }

  mutating func add(_ entry: vit_toml_entry) {
    let position = TOMLPosition(line: Int(entry.line), column: Int(entry.column), file: file)
    let key = entry.key.map { Self.string($0, entry.key_length) }
    let keyPosition = key.map { _ in TOMLPosition(line: Int(entry.key_line), column: Int(entry.key_column), file: file)
    }
    let text = entry.text.map { Self.string($0, entry.text_length) } ?? ""

    let value: TOMLNode.Value
    switch entry.kind {
    case VIT_TOML_STRING: value = .string(text)
    case VIT_TOML_INTEGER: value = .integer(entry.integer)
    case VIT_TOML_FLOAT: value = .float(entry.number)
    case VIT_TOML_BOOLEAN: value = .boolean(entry.boolean)
    case VIT_TOML_OFFSET_DATE_TIME: value = .temporal(text, .offsetDateTime)
    case VIT_TOML_LOCAL_DATE_TIME: value = .temporal(text, .localDateTime)
    case VIT_TOML_LOCAL_DATE: value = .temporal(text, .localDate)
    case VIT_TOML_LOCAL_TIME: value = .temporal(text, .localTime)
    case VIT_TOML_ARRAY, VIT_TOML_TABLE:
      open.append(
        Container(key: key, position: position, keyPosition: keyPosition, isTable: entry.kind == VIT_TOML_TABLE))
      return
    case VIT_TOML_END:
      close()
      return
    default:
      failure = TOMLSyntaxError(Self.printable(text), at: entry.line > 0 ? position : nil)
      return
    }
    append(TOMLNode(value, at: position, keyPosition: keyPosition), key: key)
  }

  consuming func finish() throws(TOMLSyntaxError) -> TOMLTable {
    if let failure { throw failure }
    guard let root else { throw TOMLSyntaxError("the text could not be read to its end") }
    return root
  }

  private mutating func close() {
    guard let container = open.popLast() else { return }
    guard !open.isEmpty else {
      root = TOMLTable(container.entries)
      return
    }
    let value: TOMLNode.Value =
      container.isTable ? .table(TOMLTable(container.entries)) : .array(container.elements)
    append(TOMLNode(value, at: container.position, keyPosition: container.keyPosition), key: container.key)
  }

  private mutating func append(_ node: TOMLNode, key: String?) {
    guard let last = open.indices.last else { return }
    if let key {
      open[last].entries.append(TOMLTable.Entry(key: key, node: node))
    } else {
      open[last].elements.append(node)
    }
  }

  private static func string(_ start: UnsafePointer<CChar>, _ length: Int) -> String {
    start.withMemoryRebound(to: UInt8.self, capacity: length) {
      String(decoding: UnsafeBufferPointer(start: $0, count: length), as: UTF8.self)
    }
  }

  /// Makes the parser's message a single printable line: it quotes the text, which may hold anything.
  private static func printable(_ message: String) -> String {
    String(message.unicodeScalars.map { $0.properties.generalCategory == .control ? "?" : Character($0) })
  }
}
