/// The facts of a film that visitors read before it plays.
package struct FilmFacts: Hashable, Sendable, Codable {
  /// Of the played part; nil while unknown, and for pictures.
  package var length: Duration?
  /// Whether it has subtitles within its file. Those in files of their own come and go without it.
  package var hasCaptions = false
  /// Whether it has sound that describes the picture, beside the usual one.
  package var hasDescription = false
  /// Whether its sound comes in several languages.
  package var hasLanguages = false

  package init() {}

  /// - Parameters:
  ///   - item: names the part that is played.
  ///   - duration: of the whole medium.
  ///   - descriptions: of each sound track of the file, whether it describes the picture, where the file says so.
  package init(_ facts: MediaFacts, of item: MediaItem, duration: Duration?, descriptions: [Bool]) {
    if item.kind != .picture, !facts.isLive {
      length = item.playedRange(duration: duration).map { $0.upperBound - $0.lowerBound }
    }
    hasCaptions = facts.streams.contains { $0.kind == .subtitle }
    let sounds = facts.streams.filter { $0.kind == .audio }
    hasLanguages = Set(sounds.compactMap { $0.language.flatMap(LanguageTag.init) }).count > 1
    // GStreamer leaves out tracks that it can't play: then it isn't known which of the file's these are.
    let areKnown = descriptions.count == sounds.count
    let describing = sounds.indices.filter { index in
      areKnown && descriptions[index]
        || index < facts.soundTitles.count && AudioDescription.isNamed(in: facts.soundTitles[index])
    }
    hasDescription = !describing.isEmpty && describing.count < sounds.count
  }
}
