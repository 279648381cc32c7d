extension HLSPlaylist {
  /// Captions that a stream has in a playlist of their own (EXT-X-MEDIA, RFC 8216 4.3.4.1).
  public struct Captions: Hashable, Sendable {
    /// Of their playlist, as the stream's playlist names it: mostly relative to that.
    public var address: String
    public var language: String?
    public var title = ""
    public var isDefault = false
    public var isForced = false
    public var isForHardOfHearing = false
  }

  /// The captions that a stream offers, in the order of its playlist. Of several groups, which have the same captions
  /// from several servers, the first variant's counts. Those that are part of the picture's stream aren't among them.
  public static func captions(in text: [UInt8]) -> [Captions] {
    let lines = lines(of: text)
    let group = lines.filter { $0.isTag(Tag.variant) }.compactMap { attributes($0.text)["SUBTITLES"] }.first
    return lines.filter { $0.isTag(Tag.rendition) }.compactMap { line in
      let attributes = attributes(line.text)
      guard attributes["TYPE"] == "SUBTITLES", group == nil || attributes["GROUP-ID"] == group,
        let address = attributes["URI"], !address.isEmpty
      else { return nil }
      var captions = Captions(address: address, language: attributes["LANGUAGE"], title: attributes["NAME"] ?? "")
      captions.isDefault = attributes["DEFAULT"] == "YES"
      captions.isForced = attributes["FORCED"] == "YES"
      captions.isForHardOfHearing =
        attributes["CHARACTERISTICS"]?.contains("public.accessibility.describes-music-and-sound") ?? false
        || TrackMarks.isForHardOfHearing(named: captions.title)
      return captions
    }
  }

  /// One file of a playlist.
  public struct Part: Hashable, Sendable {
    /// As the playlist names it: mostly relative to that.
    public var address: String
    /// From the start of the stream to the end of the part, by the lengths that the playlist tells.
    public var end: Duration

    public init(address: String, end: Duration) {
      self.address = address
      self.end = end
    }
  }

  /// The most parts that are read: a day of parts of 5 s.
  static let maximumParts = 20_000
  /// The longest part: no file of a stream has a day.
  private static let longestPart = 86_400.0

  /// The parts of a complete playlist in their order; a file of which several parts are ranges is there once. Nil for
  /// a playlist that lists streams, a playlist that still grows, and a text that is no playlist.
  public static func parts(in text: [UInt8]) -> [Part]? {
    let lines = lines(of: text)
    guard ServedMedium(contentType: nil, start: Array(text.prefix(ServedMedium.sniffedLength))) == .hls,
      lines.contains(where: { $0.isTag(Tag.end) })
    else { return nil }
    var parts: [Part] = []
    var end = Duration.zero
    for line in lines {
      if line.isTag(Tag.part) { end += length(line) }
      guard line.isAddress else { continue }
      let address = String(decoding: line.text, as: UTF8.self)
      if parts.last?.address == address {
        parts[parts.count - 1].end = end
      } else if !address.hasSuffix(gapFragment) {
        guard parts.count < maximumParts else { break }
        parts.append(Part(address: address, end: end))
      }
    }
    return parts
  }

  /// The length in `#EXTINF:LENGTH,TITLE`; zero where it can't be read.
  private static func length(_ line: Line) -> Duration {
    let number = line.text.dropFirst(Tag.part.utf8.count + 1).prefix { $0 != UInt8(ascii: ",") }
    guard let seconds = Double(String(decoding: number, as: UTF8.self)), (0...longestPart).contains(seconds) else {
      return .zero
    }
    return .seconds(seconds)
  }

  private static func lines(of text: [UInt8]) -> [Line] {
    text.split { $0 == 0x0A || $0 == 0x0D }.map { Line($0) }
  }
}
