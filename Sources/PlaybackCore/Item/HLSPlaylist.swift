/// Rewrites HLS playlists, because GStreamer's demultiplexer ignores some of their tags, and reads those of captions.
public enum HLSPlaylist {
  /// Appended to the address of a part that the playlist marks as a gap. The source of parts doesn't ask the server for
  /// such an address.
  static let gapFragment = "#vitrine-gap"

  /// The playlist without variants that have no picture, where others have one, and with the addresses of gaps marked.
  /// Nil where nothing has to change.
  public static func mended(_ text: [UInt8]) -> [UInt8]? {
    guard text.starts(with: "#EXTM3U".utf8) || text.dropFirst(3).starts(with: "#EXTM3U".utf8) else { return nil }
    let lines = text.split(omittingEmptySubsequences: false) { $0 == 0x0A }.map { Line($0) }
    let mended: [Line]?
    if lines.contains(where: { $0.isTag(Tag.variant) }) {
      mended = withoutSoundAlone(lines)
    } else {
      mended = lines.contains { $0.isTag(Tag.gap) } ? withGaps(lines) : nil
    }
    return mended.map { Array($0.map(\.bytes).joined(separator: [0x0A])) }
  }

  enum Tag {
    static let gap = "#EXT-X-GAP"
    static let variant = "#EXT-X-STREAM-INF"
    static let part = "#EXTINF"
    static let rendition = "#EXT-X-MEDIA"
    static let end = "#EXT-X-ENDLIST"
  }

  struct Line {
    var bytes: ArraySlice<UInt8>
    init(_ bytes: ArraySlice<UInt8>) { self.bytes = bytes }

    /// The line without white space around it.
    var text: ArraySlice<UInt8> {
      let rest = bytes.drop { $0 <= 0x20 }
      return rest.prefix((rest.lastIndex { $0 > 0x20 } ?? rest.startIndex - 1) - rest.startIndex + 1)
    }

    func isTag(_ name: String) -> Bool {
      let text = text
      guard text.starts(with: name.utf8) else { return false }
      return [nil, UInt8(ascii: ":")].contains(text.dropFirst(name.utf8.count).first)
    }

    /// Whether the line is an address: neither empty, nor a tag or comment.
    var isAddress: Bool { text.first.map { $0 != UInt8(ascii: "#") } ?? false }
  }

  // MARK: Gaps

  private static func withGaps(_ lines: [Line]) -> [Line] {
    var isGap = false
    return lines.map { line in
      if line.isTag(Tag.gap) { isGap = true }
      guard line.isAddress else { return line }
      defer { isGap = false }
      return isGap ? Line(line.text + Array(gapFragment.utf8)) : line
    }
  }

  // MARK: Variants

  /// A variant of the stream, by its EXT-X-STREAM-INF tag.
  private struct Variant {
    /// The lines of the tag and of the address.
    var lines: ClosedRange<Int>
    var bandwidth: Int
    var hasPicture: Bool
    /// Whether codecs are named and all of them are for sound.
    var isSound: Bool
  }

  /// Prefixes of codec names for sound (RFC 6381); `mp4a` covers MP3 and AC-3 too.
  private static let soundCodecs = [
    "mp4a", "ac-3", "ec-3", "ac-4", "opus", "flac", "alac", "mp3", "vorbis", "dts", "mhm",
  ]
  /// Bits a second. A variant that names neither codecs nor a size is taken for sound alone up to this rate, since
  /// films are never encoded below it: Apple's own sound-only variant, for bad networks, has 64,000.
  private static let soundBandwidth = 100_000
  /// A film has at least this many times the bandwidth of its sound.
  private static let filmFactor = 3

  private static func withoutSoundAlone(_ lines: [Line]) -> [Line]? {
    let variants = variants(lines)
    let films = variants.filter { !isSoundAlone($0, among: variants) }
    guard !films.isEmpty, films.count < variants.count else { return nil }
    let dropped = variants.filter { isSoundAlone($0, among: variants) }.flatMap { Array($0.lines) }
    let indexes = Set(dropped)
    return lines.enumerated().filter { !indexes.contains($0.offset) }.map(\.element)
  }

  private static func isSoundAlone(_ variant: Variant, among all: [Variant]) -> Bool {
    if variant.hasPicture { return false }
    if variant.isSound { return true }
    // The variant names neither codecs nor a size. Beside variants that do, or that have far more bandwidth, a low rate
    // means sound alone.
    guard variant.bandwidth <= soundBandwidth else { return false }
    return all.contains { $0.hasPicture || $0.bandwidth >= variant.bandwidth * filmFactor }
  }

  private static func variants(_ lines: [Line]) -> [Variant] {
    var found: [Variant] = []
    var tag: Int?
    for (index, line) in lines.enumerated() {
      if line.isTag(Tag.variant) { tag = index }
      guard line.isAddress, let start = tag else { continue }
      tag = nil
      let attributes = attributes(lines[start].text)
      let codecs = (attributes["CODECS"] ?? "").lowercased().split(separator: ",").map {
        $0.drop { $0 == " " }
      }
      let sounds = codecs.filter { codec in soundCodecs.contains { codec.hasPrefix($0) } }
      found.append(
        Variant(
          lines: start...index, bandwidth: Int(attributes["BANDWIDTH"] ?? "") ?? 0,
          hasPicture: ["RESOLUTION", "FRAME-RATE", "VIDEO"].contains { attributes[$0] != nil }
            || sounds.count < codecs.count,
          isSound: !codecs.isEmpty && sounds.count == codecs.count))
    }
    return found
  }

  /// Parses `NAME=value` and `NAME="value"`, separated by commas.
  static func attributes(_ tag: ArraySlice<UInt8>) -> [String: String] {
    var found: [String: String] = [:]
    var rest = tag.drop { $0 != UInt8(ascii: ":") }.dropFirst()
    while let equals = rest.firstIndex(of: UInt8(ascii: "=")) {
      let name = String(decoding: rest[..<equals].drop { $0 <= 0x20 || $0 == UInt8(ascii: ",") }, as: UTF8.self)
      rest = rest[(equals + 1)...]
      let isQuoted = rest.first == UInt8(ascii: "\"")
      if isQuoted { rest = rest.dropFirst() }
      let value = rest.prefix { $0 != (isQuoted ? UInt8(ascii: "\"") : UInt8(ascii: ",")) }
      found[name] = String(decoding: value, as: UTF8.self)
      rest = rest[value.endIndex...].drop { $0 != UInt8(ascii: ",") }.dropFirst()
    }
    return found
  }
}
