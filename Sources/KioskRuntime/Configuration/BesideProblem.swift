internal import ConfigurationFiles
internal import MediaPipeline
public import PlaybackCore
internal import PlaylistConfig

/// A fault of a file that belongs to an item beside its film: its version in sign language, its poster, captions,
/// sounds. The film plays without the file, so only a visitor who needs it would notice.
public struct BesideProblem: Sendable {
  /// The key of the item that names the file; `uri` where the file was found by its name.
  public var key: String
  public var uri: String
  public var message: String
  public var remedy: String
  /// False where the file can be used, but differs from the film.
  public var isError = true

  /// Lengths that differ by less count as the same: files end with their last block, which some formats fill up.
  private static let lengthSlack: Duration = .seconds(1)

  private init(_ key: String, _ uri: String, _ error: VitrineError) {
    (self.key, self.uri) = (key, uri)
    (message, remedy) = ("\(error.message) (error \(error.number))", error.remedy)
  }

  private init(_ key: String, _ uri: String, _ message: String, _ remedy: String, isError: Bool) {
    (self.key, self.uri, self.message, self.remedy, self.isError) = (key, uri, message, remedy, isError)
  }

  /// Looks whether the files that the item names are there.
  static func missing(of item: MediaItem) -> [BesideProblem] {
    [("signed", item.signed), ("poster", item.poster)].flatMap { key, uri in
      uri.map { uri in ItemResolver().resolve([uri]).problems.map { BesideProblem(key, uri, $0) } } ?? []
    }
  }

  /// Opens each of the files. Blocks for as long as that takes.
  ///
  /// - Parameters:
  ///   - film: the facts of the item itself.
  ///   - open: opens a medium.
  public static func find(
    of item: MediaItem, film: MediaFacts, by open: (MediaItem) -> Result<MediaFacts, VitrineError>
  ) -> [BesideProblem] {
    var problems = missing(of: item)
    let missing = Set(problems.map(\.uri))
    func check(_ key: String, _ uri: String, _ kind: MediaKind, _ judge: (MediaFacts) -> BesideProblem?) {
      guard !missing.contains(uri) else { return }
      switch open(MediaItem(uri: uri, kind: kind)) {
      case .success(let facts): if let problem = judge(facts) { problems.append(problem) }
      case .failure(let error): problems.append(BesideProblem(key, uri, error))
      }
    }
    if let signed = item.signed { check("signed", signed, .file) { ofVersion(signed, $0, film) } }
    if let poster = item.poster { check("poster", poster, .picture) { _ in nil } }
    for track in FilesBeside(of: item).tracks {
      let key = item.subtitles.contains(track.id) ? "subtitles" : "uri"
      switch track.kind {
      case .text:
        do throws(VitrineError) {
          try FilesBeside.checkCaptions(track.id)
        } catch {
          problems.append(BesideProblem(key, track.id, error))
        }
      case .audio: check(key, track.id, .file) { ofSound(track.id, key, $0, film) }
      case .video: break
      }
    }
    return problems
  }

  private static func ofVersion(_ uri: String, _ facts: MediaFacts, _ film: MediaFacts) -> BesideProblem? {
    guard facts.streams.contains(where: { $0.kind == .video }) else {
      return BesideProblem("signed", uri, "has no picture", "name the film with the signer", isError: true)
    }
    guard let length = length(facts, film), length.difference != .zero else { return nil }
    let remedy = "cut both alike: a visitor changes between them at any moment"
    return BesideProblem("signed", uri, length.text, remedy, isError: false)
  }

  private static func ofSound(_ uri: String, _ key: String, _ facts: MediaFacts, _ film: MediaFacts) -> BesideProblem? {
    guard facts.streams.contains(where: { $0.kind == .audio }) else {
      return BesideProblem(key, uri, "has no sound", "make the file again, or take it away", isError: true)
    }
    guard let length = length(facts, film), length.difference < .zero else { return nil }
    return BesideProblem(
      key, uri, length.text, "make it as long as the film: after its end there is silence", isError: false)
  }

  /// By how much longer than the film a file is, and its words; no difference below the slack. Nil where a length isn't
  /// known.
  private static func length(_ facts: MediaFacts, _ film: MediaFacts) -> (difference: Duration, text: String)? {
    guard let own = facts.duration, let whole = film.duration else { return nil }
    let difference = own - whole
    let text = "lasts \(seconds(own)) and the film \(seconds(whole))"
    let isSame = difference < lengthSlack && difference > .zero - lengthSlack
    return (isSame ? .zero : difference, text)
  }

  private static func seconds(_ duration: Duration) -> String {
    "\((duration.inSeconds * 10).rounded() / 10) s"
  }
}
