/// Puts captions together that come in many small files, and decides which of them is read next.
///
/// The first is read first, because the times of the others count from it; then those from the position that plays on,
/// then the ones before. Files that can't be read are tried again after all others.
public struct CaptionParts: Sendable {
  private let parts: [HLSPlaylist.Part]
  /// The indexes of the parts to be read in this round; the next one is the last.
  private var waiting: [Int]
  private var failed: [Int] = []
  private var round = 1
  private var first: TimestampMap?
  private var known: Set<SubtitleCue> = []
  private var length = 0
  private var sinceTold = 0
  /// Number of parts that have been read.
  public private(set) var readCount = 0
  /// In the order in which they were read.
  public private(set) var cues: [SubtitleCue] = []

  /// How often a part is asked for. A network that was away for the patience of one reading is often there at the next.
  static let rounds = 3
  /// Cues are told after each of so many parts at the start, when captions are waited for, and then whenever so many
  /// more have come: putting all cues in order for each of a thousand parts would be a million times.
  static let partsAtOnce = 16

  /// - Parameter position: of the item, now.
  public init(_ parts: [HLSPlaylist.Part], from position: Duration) {
    self.parts = parts
    let begin = max(1, parts.firstIndex { $0.end > position } ?? 0)
    let all = Array(parts.indices)
    let order = all.prefix(1) + all.dropFirst(begin) + all.dropFirst().prefix(begin - 1)
    waiting = order.reversed()
  }

  /// The part to be read; `take` or `fail` has to follow. Nil at the end.
  public var next: HLSPlaylist.Part? { waiting.last.map { parts[$0] } }

  /// Number of parts that couldn't be read, once `next` is nil.
  public var missingCount: Int { parts.count - readCount }

  /// Adds the cues of the next part.
  ///
  /// - Throws: `noCues` where the part is no WebVTT; others may be. Other errors are of all the captions together:
  ///   nothing more is to be read.
  public mutating func take(_ file: [UInt8]) throws(SubtitleError) {
    guard waiting.popLast() != nil else { return }
    if waiting.isEmpty { beginRound() }
    length += file.count
    guard length <= SubtitleParser.maximumLength else { throw .tooLong }
    let new = try SubtitleParser.parse(file)
    readCount += 1
    sinceTold += 1
    let map = TimestampMap(of: file)
    first = first ?? map
    var offset = Duration.zero
    if let map, let first { offset = map.offset(from: first) }
    for var cue in new {
      cue.start = max(.zero, cue.start + offset)
      cue.end += offset
      // A cue that reaches into the next part is in both.
      guard cue.end > cue.start, known.insert(cue).inserted else { continue }
      guard cues.count < SubtitleParser.maximumCues else { throw .tooManyCues }
      cues.append(cue)
    }
  }

  /// The next part couldn't be read.
  public mutating func fail() {
    guard let index = waiting.popLast() else { return }
    failed.append(index)
    if waiting.isEmpty { beginRound() }
  }

  /// Whether the cues are to be shown, so that none is missing for long; then not again before enough new ones have
  /// come.
  public mutating func isTimeToTell() -> Bool {
    guard sinceTold > 0, readCount <= Self.partsAtOnce || sinceTold >= Self.partsAtOnce || next == nil else {
      return false
    }
    sinceTold = 0
    return true
  }

  private mutating func beginRound() {
    guard round < Self.rounds else { return }
    round += 1
    waiting = failed.reversed()
    failed = []
  }
}
