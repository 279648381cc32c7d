/// The reason why a text can't be shown as subtitles.
public enum SubtitleError: Error, Hashable, Sendable {
  /// Longer than `SubtitleParser.maximumLength`.
  case tooLong
  /// More than `SubtitleParser.maximumCues`.
  case tooManyCues
  /// The text isn't empty, but contains no cue.
  case noCues

  /// The error for people.
  ///
  /// - Parameter subject: the file.
  public func error(subject: String) -> VitrineError {
    switch self {
    case .tooLong:
      VitrineError(
        3201, subject: subject, message: "the subtitles are longer than \(SubtitleParser.maximumLength >> 20) MiB",
        remedy: "check that it is a subtitle file")
    case .tooManyCues:
      VitrineError(
        3202, subject: subject, message: "there are more than \(SubtitleParser.maximumCues) subtitles in it",
        remedy: "split the film or leave out what is never seen")
    case .noCues:
      VitrineError(
        3203, subject: subject, message: "there are no subtitles in it", remedy: "use a SubRip or WebVTT file")
    }
  }
}

/// Parses SubRip (.srt) and WebVTT (.vtt) files, told apart by their first line.
///
/// It accepts what real files contain: either line end, missing or wrong numbers, cues in any order or overlapping, a
/// comma or a dot before the milliseconds. A cue that can't be parsed is skipped and the others stay. Of WebVTT's style
/// sheets colours are read; vertical writing is ignored.
public enum SubtitleParser {
  /// Longest file, in bytes. Two hours of dense dialogue are 0.2 MiB, karaoke with a tag on every syllable some MiB.
  public static let maximumLength = 8 << 20
  /// Most cues. Two hours of dialogue are 2,000; a cue for each frame of half an hour is 54,000.
  public static let maximumCues = 60_000
  /// Bytes of a cue with its tags, cut after that: four times what fills a screen.
  static let maximumCueLength = 4096

  /// Cues in the order of their starts, those with the same start in the order of the file.
  ///
  /// - Parameter bytes: UTF-8, UTF-16 with a byte order mark, or else Windows-1252 (which includes Latin-1). An empty
  ///   file has no cues.
  public static func parse(_ bytes: [UInt8]) throws(SubtitleError) -> [SubtitleCue] {
    guard bytes.count <= maximumLength else { throw .tooLong }
    var lines = SubtitleLines(SubtitleEncoding.decode(bytes))
    let all = lines
    // A WebVTT header alone is a file without cues; a text without the header could be anything.
    if let header = lines.next(), isWord("WEBVTT", startOf: header) { return inOrder(try webVTT(lines)) }
    let cues = try subRip(all)
    if cues.isEmpty, all.contains(where: { !$0.isEmpty }) { throw .noCues }
    return inOrder(cues)
  }

  private static func inOrder(_ cues: [SubtitleCue]) -> [SubtitleCue] {
    cues.enumerated().sorted { ($0.element.start, $0.offset) < ($1.element.start, $1.offset) }.map(\.element)
  }

  /// A cue whose text is still being read.
  struct OpenCue {
    var times: CueTimes
    /// The line before the times, of WebVTT.
    var id: ArraySlice<UInt8>?
    var raw: [UInt8] = []

    /// Appends a line. Empty lines, and text beyond the limit, are dropped.
    mutating func append(_ line: ArraySlice<UInt8>) {
      guard !line.isEmpty, raw.count < maximumCueLength else { return }
      if !raw.isEmpty { raw.append(UInt8(ascii: "\n")) }
      let room = maximumCueLength - raw.count
      var end = min(line.endIndex, line.startIndex + room)
      // The cut must not be within a character.
      while end < line.endIndex, end > line.startIndex, line[end] & 0xC0 == 0x80 { end -= 1 }
      raw += line[..<end]
    }
  }

  /// Parses SubRip. A text extends to the next line with times, because some files have empty lines in their texts. A
  /// number right before that line belongs to the next cue.
  private static func subRip(_ lines: SubtitleLines) throws(SubtitleError) -> [SubtitleCue] {
    var cues: [SubtitleCue] = []
    var open: OpenCue?
    var held: ArraySlice<UInt8> = []
    for line in lines {
      guard let times = CueTimes(line) else {
        open?.append(held)
        held = line
        continue
      }
      if !isNumber(held) { open?.append(held) }
      held = []
      try close(open, into: &cues)
      open = OpenCue(times: times)
    }
    open?.append(held)
    try close(open, into: &cues)
    return cues
  }

  private static func webVTT(_ lines: SubtitleLines) throws(SubtitleError) -> [SubtitleCue] {
    var cues: [SubtitleCue] = []
    var file = WebVTTFile()
    for line in lines {
      if line.isEmpty {
        try close(file.endBlock(), file, into: &cues)
      } else if let times = file.times(line) {
        try close(file.begin(times), file, into: &cues)
      } else {
        file.read(line)
      }
    }
    try close(file.endBlock(), file, into: &cues)
    return cues
  }

  private static func close(
    _ cue: OpenCue?, _ file: WebVTTFile = WebVTTFile(), into cues: inout [SubtitleCue]
  ) throws(SubtitleError) {
    guard let cue, cue.times.start < cue.times.end else { return }
    let markup = CueMarkup(cue.raw, file.sheet, id: cue.id)
    guard !markup.isBlank else { return }
    guard cues.count < maximumCues else { throw .tooManyCues }
    var placement = cue.times.placement
    placement.region = cue.times.region.flatMap { file.regions[$0] }
    if placement.isEmpty { placement = markup.placement ?? placement }
    cues.append(
      SubtitleCue(
        start: cue.times.start, end: cue.times.end, text: markup.text, spans: markup.spans, speaker: markup.speaker,
        placement: placement.isEmpty ? nil : placement))
  }

  private static func isNumber(_ line: ArraySlice<UInt8>) -> Bool {
    !line.isEmpty && line.allSatisfy { (0x30...0x39).contains($0) }
  }

  static func isWord(_ word: String, startOf line: ArraySlice<UInt8>) -> Bool {
    guard line.starts(with: word.utf8) else { return false }
    return line.dropFirst(word.utf8.count).first.map(SubtitleLines.isBlank) ?? true
  }
}
