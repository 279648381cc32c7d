/// Reads the blocks of a WebVTT file, which empty lines divide: cues, and the style sheets and regions for them.
struct WebVTTFile {
  private enum Block {
    /// The first line of the next block is ahead.
    case ahead
    /// The file's header, and other text without times; with its line, which may be the identifier of the next cue.
    case other(ArraySlice<UInt8>)
    case note
    case style([UInt8])
    case region(CueRegion, name: ArraySlice<UInt8>?)
    case cue(SubtitleParser.OpenCue)
  }

  private(set) var sheet = CueStyleSheet()
  private(set) var regions: [ArraySlice<UInt8>: CueRegion] = [:]
  private var block = Block.other([])

  /// Most regions. Each speaker of a play may have one.
  private static let maximumRegions = 64

  /// The times on a line; nil for any other line. A note may contain some.
  func times(_ line: ArraySlice<UInt8>) -> CueTimes? {
    if case .note = block { nil } else { CueTimes(line) }
  }

  /// Begins a cue.
  ///
  /// - Returns: the one before, which no empty line has ended.
  mutating func begin(_ times: CueTimes) -> SubtitleParser.OpenCue? { endBlock(at: times) }

  /// Takes a line that is neither empty nor has times.
  mutating func read(_ line: ArraySlice<UInt8>) {
    switch block {
    case .ahead:
      block =
        if SubtitleParser.isWord("NOTE", startOf: line) {
          .note
        } else if line.elementsEqual("STYLE".utf8) {
          .style([])
        } else if line.elementsEqual("REGION".utf8) {
          .region(CueRegion(), name: nil)
        } else {
          .other(line)
        }
    case .note: break
    case .other: block = .other(line)
    case .style(var text):
      block = .ahead
      if text.count <= CueStyleSheet.maximumLength { text += line + [UInt8(ascii: "\n")] }
      block = .style(text)
    case .region(var region, let name):
      let found = region.read(line)
      block = .region(region, name: found ?? name)
    case .cue(var cue):
      block = .ahead
      cue.append(line)
      block = .cue(cue)
    }
  }

  /// Ends a block, and begins one with times where it has some.
  ///
  /// - Returns: the cue that has ended.
  mutating func endBlock(at times: CueTimes? = nil) -> SubtitleParser.OpenCue? {
    var ended: SubtitleParser.OpenCue?
    var id: ArraySlice<UInt8>?
    switch block {
    case .ahead, .note: break
    case .other(let line): id = line
    case .style(let text): sheet.read(text)
    case .region(let region, let name):
      if let name, regions.count < Self.maximumRegions { regions[name] = region }
    case .cue(let cue): ended = cue
    }
    block = times.map { .cue(SubtitleParser.OpenCue(times: $0, id: id)) } ?? .ahead
    return ended
  }
}
