/// Rewrites DASH manifests so that GStreamer's demultiplexer finds its position in them.
///
/// Up to 1.26 `dashdemux` counts the start of the first segment of a timeline twice when it looks for a position. In a
/// live stream, whose list moves on, it therefore leaves out as many segments as have been sent before:
/// Decision 0072. An added segment at time zero, before all others, makes that sum right; no player asks
/// for it.
public enum DASHManifest {
  /// The longest manifest that is rewritten, in bytes: an hour of segments of 2 s in 20 qualities with their own times
  /// has 3 MB.
  public static let maximumLength = 4 << 20

  /// - Returns: nil where the manifest needs no change, or can't be understood.
  public static func mended(_ text: [UInt8]) -> [UInt8]? {
    guard text.count <= maximumLength else { return nil }
    var reader = Reader(text: text)
    reader.run()
    guard !reader.changes.isEmpty else { return nil }
    var mended: [UInt8] = []
    var copied = 0
    for change in reader.changes.sorted(by: { $0.range.lowerBound < $1.range.lowerBound }) {
      mended += text[copied..<change.range.lowerBound] + Array(change.text.utf8)
      copied = change.range.upperBound
    }
    return mended + text[copied...]
  }

  private struct Reader {
    let text: [UInt8]
    var changes: [(range: Range<Int>, text: String)] = []
    private var periodStart: Double = 0
    private var template: Template?
    private var isFirstOfTimeline = false

    /// The numbers of a SegmentTemplate, and the place of its start number in the text.
    private struct Template {
      var timescale: UInt64 = 1
      var offset: UInt64 = 0
      var number: UInt64 = 1
      var numberRange: Range<Int>?
      var end = 0
      var needsNumber = true
    }

    init(text: [UInt8]) { self.text = text }

    mutating func run() {
      var index = 0
      while let open = text[index...].firstIndex(of: UInt8(ascii: "<")) {
        if text[open...].starts(with: "<!--".utf8) {
          guard let end = text[open...].indices.first(where: { text[$0...].starts(with: "-->".utf8) }) else { return }
          index = end
          continue
        }
        guard let close = text[open...].firstIndex(of: UInt8(ascii: ">")) else { return }
        processTag(open..<close)
        index = close + 1
      }
    }

    private mutating func processTag(_ tag: Range<Int>) {
      let name = String(decoding: text[(tag.lowerBound + 1)..<tag.upperBound].prefix { Self.isName($0) }, as: UTF8.self)
      switch name {
      case "Period": periodStart = attribute("start", of: tag).flatMap { Self.seconds($0.value) } ?? 0
      case "SegmentTemplate": template = readTemplate(tag)
      case "SegmentTimeline": isFirstOfTimeline = true
      case "S":
        if isFirstOfTimeline { rewriteFirst(tag) }
        isFirstOfTimeline = false
      default: break
      }
    }

    private func readTemplate(_ tag: Range<Int>) -> Template {
      var template = Template()
      func number(_ name: String) -> UInt64? { attribute(name, of: tag).flatMap { UInt64($0.value) } }
      template.timescale = max(1, number("timescale") ?? 1)
      template.offset = number("presentationTimeOffset") ?? 0
      template.number = number("startNumber") ?? 1
      template.numberRange = attribute("startNumber", of: tag)?.range
      template.end = tag.lowerBound + "<SegmentTemplate".utf8.count
      template.needsNumber = attribute("media", of: tag)?.value.contains("$Number") ?? false
      return template
    }

    private mutating func rewriteFirst(_ tag: Range<Int>) {
      guard let template, let time = attribute("t", of: tag).flatMap({ UInt64($0.value) }), time > template.offset,
        // The added segment needs a number below the first one's.
        template.number > 0 || !template.needsNumber
      else { return }
      let before = (periodStart * Double(template.timescale)).rounded()
      guard before >= 0, before < Double(UInt64.max / 4), time < UInt64.max / 4 else { return }
      changes.append((tag.lowerBound..<tag.lowerBound, "<S t=\"0\" d=\"\(time - template.offset + UInt64(before))\"/>"))
      guard template.number > 0 else { return }
      if let range = template.numberRange {
        changes.append((range, "\(template.number - 1)"))
      } else {
        changes.append((template.end..<template.end, " startNumber=\"\(template.number - 1)\""))
      }
      self.template?.number = 0
      self.template?.needsNumber = true
    }

    /// The value of an attribute and its place in the text.
    private func attribute(_ name: String, of tag: Range<Int>) -> (value: String, range: Range<Int>)? {
      var rest = tag
      while case .found(let attribute) = TagAttribute.first(in: rest, of: text, isName: Self.isName) {
        if text[attribute.name].elementsEqual(name.utf8) {
          return (String(decoding: text[attribute.value], as: UTF8.self), attribute.value)
        }
        rest = (attribute.value.upperBound + 1)..<tag.upperBound
      }
      return nil
    }

    private static func isName(_ byte: UInt8) -> Bool {
      (0x61...0x7A).contains(byte | 0x20) || (0x30...0x39).contains(byte) || ":_-.".utf8.contains(byte)
    }

    /// The length of a duration such as `PT1H2M3.5S`; nil for a duration with years or months, whose length varies.
    private static func seconds(_ text: String) -> Double? {
      guard text.first == "P" else { return nil }
      var seconds = 0.0
      var number = ""
      var isTime = false
      for character in text.dropFirst() {
        switch character {
        case "0"..."9", ".": number.append(character)
        case "T": isTime = true
        default:
          let units: [Character: Double] = isTime ? ["H": 3600, "M": 60, "S": 1] : ["D": 86400]
          guard let unit = units[character], let value = Double(number) else { return nil }
          seconds += value * unit
          number = ""
        }
      }
      return seconds
    }
  }
}
