/// Decides which subtitles of one item are shown, from its tracks, their cues and the position.
///
/// Cues come in two ways: those of a file all at once, those in the item one by one as playback reaches them. They are
/// kept, so that they are there again after a seek back.
public struct SubtitleTrackModel: Hashable, Sendable {
  /// Embedded cues that are kept, the oldest being dropped first: half an hour of dense dialogue.
  public static let maximumEmbeddedCues = 1000

  /// Text tracks that are on, in the order of the item.
  private var enabled: [String] = []
  private var embedded: [SubtitleCue] = []
  private var embeddedTimeline = SubtitleTimeline()
  /// The embedded track that `embedded` belongs to.
  private var embeddedTrack: String?
  private var files: [String: SubtitleTimeline] = [:]

  public init() {}

  /// Adopts the item's tracks, and which of them are on. Cues of a different embedded track are forgotten.
  public mutating func updateTracks(_ tracks: [MediaTrack]) {
    let on = tracks.filter { $0.kind == .text && $0.isEnabled }
    enabled = on.map(\.id)
    guard let track = on.first(where: { $0.file == nil })?.id else { return }
    if let embeddedTrack, embeddedTrack != track {
      embedded = []
      embeddedTimeline = SubtitleTimeline()
    }
    embeddedTrack = track
  }

  /// Adds an embedded cue. It may come again after a seek.
  public mutating func addCue(_ cue: SubtitleCue) {
    guard !embedded.contains(cue) else { return }
    if embedded.count >= Self.maximumEmbeddedCues { embedded.removeFirst() }
    embedded.append(cue)
    embeddedTimeline = SubtitleTimeline(embedded)
  }

  /// Adds all cues of a file.
  ///
  /// - Parameter track: id of the file's track.
  public mutating func setTimeline(_ timeline: SubtitleTimeline, of track: String) { files[track] = timeline }

  /// Whether no track is on, so that no cue is shown at any position.
  public var isOff: Bool { enabled.isEmpty }

  /// The cues that are shown at a position of the item, those of each track in the order of their starts.
  public func cues(at position: Duration) -> [SubtitleCue] { timelines.flatMap { $0.cues(at: position) } }

  /// The first position after this one at which `cues(at:)` changes, as far as is known; nil for never.
  public func nextChange(after position: Duration) -> Duration? {
    timelines.compactMap { $0.nextChange(after: position) }.min()
  }

  private var timelines: [SubtitleTimeline] {
    enabled.compactMap { $0 == embeddedTrack ? embeddedTimeline : files[$0] }
  }
}
