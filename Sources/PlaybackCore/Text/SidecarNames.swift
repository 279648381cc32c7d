/// Where subtitles of a film may lie beside it.
public enum SidecarNames {
  /// A file that may be there.
  public struct Candidate: Hashable, Sendable {
    public var path: String
    /// The preference that led to it, as it was written; nil for a name without a language.
    public var language: String?

    public init(path: String, language: String?) {
      self.path = path
      self.language = language
    }
  }

  /// Files, each tried before a WebVTT one of the same name: SubRip is what people have.
  static let extensions = ["srt", "vtt"]

  /// Names to try, best first: for `film.mp4` and `de-AT` these are `film.de-AT.srt`, `film.de-AT.vtt`, `film.de.srt`,
  /// `film.deu.srt`, `film.ger.srt` ..., and for any languages at the end `film.srt` and `film.vtt`. No name comes twice.
  ///
  /// - Parameters:
  ///   - path: of the film. None for a folder (a path that ends in a slash) and for no path.
  ///   - languages: best first, BCP 47 or ISO 639-2. What isn't a language tag is passed over, so that nothing leads out
  ///     of the film's folder.
  public static func candidates(for path: String, languages: [String]) -> [Candidate] {
    guard let stem = stem(of: path) else { return [] }
    var candidates: [Candidate] = []
    var seen: Set<String> = []
    func add(_ name: String, _ language: String?) {
      for ending in extensions {
        let path = "\(name).\(ending)"
        if seen.insert(path).inserted { candidates.append(Candidate(path: path, language: language)) }
      }
    }
    for language in languages {
      guard let tag = LanguageTag(language) else { continue }
      for code in [language] + tag.codes { add("\(stem).\(code)", language) }
    }
    add(stem, nil)
    return candidates
  }

  /// The path without the extension of its last part. A dot in front makes a hidden file, no extension.
  private static func stem(of path: String) -> String? {
    let bytes = Array(path.utf8)
    let nameStart = bytes.lastIndex(of: UInt8(ascii: "/")).map { $0 + 1 } ?? 0
    guard nameStart < bytes.count else { return nil }
    guard let dot = bytes.lastIndex(of: UInt8(ascii: ".")), dot > nameStart else { return path }
    return String(decoding: bytes[..<dot], as: UTF8.self)
  }
}
