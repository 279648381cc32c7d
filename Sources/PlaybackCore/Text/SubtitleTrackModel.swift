/// Which subtitles of one item are to be seen: fed with its tracks, their cues and where playback is.
///
/// Cues come in two ways: those of a file all at once, those inside of the item one by one as playback comes to them. What
/// has come stays, so that it is there again after a seek back.
public struct SubtitleTrackModel: Hashable, Sendable {
  /// Cues out of the item that are kept, the oldest going first: half an hour of dense dialogue.
  public static let maximumEmbeddedCues = 1000

  /// Text tracks that are on, in the order of the item.
  private var enabled: [String] = []
  private var embedded: [SubtitleCue] = []
  private var embeddedTimeline = SubtitleTimeline()
  /// The embedded track that `embedded` is of.
  private var embeddedTrack: String?
  private var files: [String: SubtitleTimeline] = [:]

  public init() {}

  /// Which tracks there are, and which are on. Cues of another embedded track than before are forgotten.
  public mutating func takeTracks(_ tracks: [MediaTrack]) {
    let on = tracks.filter { $0.kind == .text && $0.isEnabled }
    enabled = on.map(\.id)
    guard let track = on.first(where: { $0.file == nil })?.id else { return }
    if let embeddedTrack, embeddedTrack != track {
      embedded = []
      embeddedTimeline = SubtitleTimeline()
    }
    embeddedTrack = track
  }

  /// One out of the item. It may come again after a seek.
  public mutating func takeCue(_ cue: SubtitleCue) {
    guard !embedded.contains(cue) else { return }
    if embedded.count >= Self.maximumEmbeddedCues { embedded.removeFirst() }
    embedded.append(cue)
    embeddedTimeline = SubtitleTimeline(embedded)
  }

  /// All of a file.
  ///
  /// - Parameter track: id of the file's track.
  public mutating func takeTimeline(_ timeline: SubtitleTimeline, of track: String) { files[track] = timeline }

  /// No track is on: nothing is to be seen, wherever playback is.
  public var isOff: Bool { enabled.isEmpty }

  /// What is to be seen at a position of the item, the cues of each track in the order of their starts.
  public func cues(at position: Duration) -> [SubtitleCue] { timelines.flatMap { $0.cues(at: position) } }

  /// The first position after this one at which `cues(at:)` is another one, as far as is known; nil for never.
  public func nextChange(after position: Duration) -> Duration? {
    timelines.compactMap { $0.nextChange(after: position) }.min()
  }

  private var timelines: [SubtitleTimeline] {
    enabled.compactMap { $0 == embeddedTrack ? embeddedTimeline : files[$0] }
  }
}
