/// The marks that a film's file gives a track: for people who don't see or don't hear, or for foreign parts alone.
/// GStreamer doesn't pass them on.
public struct TrackMarks: Hashable, Sendable {
  /// Text for the foreign parts of the sound alone.
  public var isForced = false
  /// Sound that describes the picture.
  public var isDescription = false
  /// Text that tells sounds and speakers, too.
  public var isForHardOfHearing = false

  public init(isForced: Bool = false, isDescription: Bool = false, isForHardOfHearing: Bool = false) {
    self.isForced = isForced
    self.isDescription = isDescription
    self.isForHardOfHearing = isForHardOfHearing
  }

  /// Parts of titles, in lower case: English, German, French, Spanish and Portuguese, Italian.
  private static let words = [
    "hard of hearing", "hearing impaired", "hörgeschädigt", "hörbehindert", "gehörlos", "malentendant", "sordos",
    "surdos",
    "non udenti",
  ]

  /// Whether a title says that its text tells sounds too: in words, or by SDH or CC as a word of its own.
  public static func isForHardOfHearing(named title: String) -> Bool {
    let title = title.lowercased()
    return words.contains { title.contains($0) }
      || title.split { !$0.isLetter && !$0.isNumber }.contains { $0 == "sdh" || $0 == "cc" }
  }

  /// Reads the marks of the tracks of an MP4, QuickTime, Matroska or WebM file.
  ///
  /// - Parameter read: returns `count` bytes of the file from `place` on; nil where there are fewer.
  /// - Returns: the tracks of each kind in the file's order; empty for other files, and for a kind whose marks aren't
  ///   known.
  public static func find(_ read: @escaping (_ place: UInt64, _ count: Int) -> [UInt8]?) -> [MediaTrack.Kind:
    [TrackMarks]]
  {
    let matroska = MatroskaTracks.marks(read)
    guard matroska.isEmpty else { return matroska }
    let sounds = AudioDescription.find(read)
    return sounds.isEmpty ? [:] : [.audio: sounds.map { TrackMarks(isDescription: $0) }]
  }
}
