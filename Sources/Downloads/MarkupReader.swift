internal import CGLib
public import PlaybackCore

/// Reads XML with GLib's parser: UTF-8 alone, without document types and without entities but the five of XML and
/// characters by number, so that a document never grows beyond its own size and names no other file. Blocks: it
/// is for a worker.
public enum MarkupReader {
  /// The reason for which a document can't be read.
  public enum Fault: Error, Hashable, Sendable {
    /// The document has another encoding than UTF-8; with the encoding's name in the document.
    case encoding(String)
    /// The document isn't XML; with the parser's message.
    case malformed(String)
    /// Its elements are nested more deeply than allowed.
    case tooDeep
    /// The receiver of the events has stopped the reading.
    case refused
  }

  /// Reads the whole document.
  ///
  /// - Parameters:
  ///   - depth: how deep elements may be nested; the root is 1.
  ///   - take: called for each part; returns false to end.
  public static func read(
    _ bytes: [UInt8], depth: Int, _ take: (MarkupEvent) -> Bool
  ) throws(Fault) {
    var bytes = bytes[...]
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes = bytes.dropFirst(3) }
    if let encoding = foreignEncoding(of: bytes) { throw .encoding(encoding) }
    let fault = withoutActuallyEscaping(take) { take in parse(bytes, Reading(depth: depth, take: take)) }
    if let fault { throw fault }
  }

  /// The encoding of a document that isn't in UTF-8, by its first bytes and its declaration; nil for the others.
  private static func foreignEncoding(of bytes: ArraySlice<UInt8>) -> String? {
    if bytes.starts(with: [0xFE, 0xFF]) || bytes.starts(with: [0xFF, 0xFE]) || bytes.prefix(2).contains(0) {
      return "UTF-16"
    }
    // A declaration is short, and in ASCII.
    let start = String(decoding: bytes.prefix(200), as: UTF8.self)
    guard start.hasPrefix("<?xml"), let end = start.firstRange(of: "?>") else { return nil }
    let declaration = start[..<end.lowerBound]
    guard let name = declaration.firstMatch(of: #/encoding\s*=\s*["']([^"']*)["']/#)?.1 else { return nil }
    return ["utf-8", "utf8", "us-ascii", "ascii"].contains(name.lowercased()) ? nil : String(name)
  }

  private static func parse(_ bytes: ArraySlice<UInt8>, _ reading: Reading) -> Fault? {
    var callbacks = GMarkupParser()
    callbacks.start_element = { _, name, names, values, data, error in
      guard let name, let data else { return }
      Reading.from(data).begin(String(cString: name), MarkupReader.attributes(names, values), error)
    }
    callbacks.end_element = { _, _, data, error in
      guard let data else { return }
      Reading.from(data).end(error)
    }
    callbacks.text = { _, text, count, data, error in
      guard let text, let data else { return }
      let bytes = UnsafeRawBufferPointer(start: text, count: Int(count))
      Reading.from(data).text(String(decoding: bytes, as: UTF8.self), error)
    }
    let flags = GMarkupParseFlags(
      G_MARKUP_TREAT_CDATA_AS_TEXT.rawValue | G_MARKUP_PREFIX_ERROR_POSITION.rawValue)
    return withExtendedLifetime(reading) {
      let data = Unmanaged.passUnretained(reading).toOpaque()
      // The parser keeps the address of its callbacks.
      return withUnsafePointer(to: &callbacks) { callbacks -> Fault? in
        guard let context = g_markup_parse_context_new(callbacks, flags, data, nil) else {
          return .malformed("no memory")
        }
        defer { g_markup_parse_context_unref(context) }
        var error: UnsafeMutablePointer<GError>?
        let isRead = bytes.withUnsafeBytes { bytes in
          g_markup_parse_context_parse(
            context, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), gssize(bytes.count), &error) != 0
        }
        if isRead, g_markup_parse_context_end_parse(context, &error) != 0 { return nil }
        let words = GErrorText.consumeText(error) ?? "it isn't XML"
        return reading.fault ?? .malformed(words)
      }
    }
  }

  fileprivate static func attributes(
    _ names: UnsafeMutablePointer<UnsafePointer<CChar>?>?, _ values: UnsafeMutablePointer<UnsafePointer<CChar>?>?
  ) -> [String: String] {
    guard let names, let values else { return [:] }
    var attributes: [String: String] = [:]
    var index = 0
    while let name = names[index], let value = values[index] {
      attributes[String(cString: name)] = String(cString: value)
      index += 1
    }
    return attributes
  }
}

/// A document that is being read; lives for one call.
private final class Reading {
  private let depth: Int
  private let take: (MarkupEvent) -> Bool
  private var open = 0
  private(set) var fault: MarkupReader.Fault?

  init(depth: Int, take: @escaping (MarkupEvent) -> Bool) {
    self.depth = depth
    self.take = take
  }

  static func from(_ data: gpointer) -> Reading { Unmanaged<Reading>.fromOpaque(data).takeUnretainedValue() }

  typealias ErrorPlace = UnsafeMutablePointer<UnsafeMutablePointer<GError>?>?

  func begin(_ name: String, _ attributes: [String: String], _ error: ErrorPlace) {
    open += 1
    guard open <= depth else { return end(with: .tooDeep, error) }
    pass(.begin(name, attributes), error)
  }

  func text(_ text: String, _ error: ErrorPlace) { pass(.text(text), error) }

  func end(_ error: ErrorPlace) {
    open -= 1
    pass(.end, error)
  }

  private func pass(_ event: MarkupEvent, _ error: ErrorPlace) {
    if !take(event) { end(with: .refused, error) }
  }

  /// Ends the parser's work: it stops at an error.
  private func end(with fault: MarkupReader.Fault, _ error: ErrorPlace) {
    self.fault = fault
    g_set_error_literal(error, g_markup_error_quark(), gint(G_MARKUP_ERROR_INVALID_CONTENT.rawValue), "it ends here")
  }
}
