/// Which files beside a film are its subtitles: `film.srt`, `film.de-AT.vtt`, `film.en.forced.srt` for `film.mp4`.
public enum SidecarNames {
  /// A file that has subtitles of the film by its name.
  public struct Sidecar: Hashable, Sendable {
    /// Name of the file, without its folder.
    public var name: String
    /// As the name has it, BCP 47 or ISO 639-2; nil for a name that says none.
    public var language: String?
    /// Whether the name says that it translates only what the sound leaves foreign.
    public var isForced: Bool
    /// What else the name says, such as `Director`; empty where it says nothing.
    public var title: String

    public init(name: String, language: String? = nil, isForced: Bool = false, title: String = "") {
      self.name = name
      self.language = language
      self.isForced = isForced
      self.title = title
    }
  }

  /// Endings of subtitle files. Of two files of one name the SubRip one comes first: it is what people have.
  public static let extensions = ["srt", "vtt"]

  /// Those of a folder's files that belong to a film, in the order of their names, so that it is the same each time.
  ///
  /// - Parameters:
  ///   - film: name of the film's file, without its folder.
  ///   - names: of the files in its folder, in any order.
  public static func sidecars(of film: String, among names: some Sequence<String>) -> [Sidecar] {
    let stem = stem(of: film)
    guard !stem.isEmpty else { return [] }
    return names.compactMap { sidecar($0, stem: stem) }.sorted { $0.name < $1.name }
  }

  /// What the name of a subtitle file says that stands alone, as in an address that an item names.
  public static func describe(_ name: String) -> Sidecar {
    let parts = name.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    guard parts.count > 2 else { return Sidecar(name: name) }
    return read(parts.dropFirst().dropLast(), name: name, keepsRest: false)
  }

  private static func sidecar(_ name: String, stem: String) -> Sidecar? {
    let bytes = Array(name.utf8)
    guard let dot = bytes.lastIndex(of: UInt8(ascii: ".")), bytes.starts(with: stem.utf8), dot >= stem.utf8.count,
      extensions.contains(String(decoding: bytes[(dot + 1)...], as: UTF8.self).lowercased())
    else { return nil }
    let between = bytes[stem.utf8.count..<dot]
    guard !between.isEmpty else { return Sidecar(name: name) }
    // `film2.srt` belongs to another film.
    guard between.first == UInt8(ascii: ".") else { return nil }
    let parts = String(decoding: between.dropFirst(), as: UTF8.self).split(separator: ".").map(String.init)
    return read(parts[...], name: name, keepsRest: true)
  }

  private static func read(_ parts: ArraySlice<String>, name: String, keepsRest: Bool) -> Sidecar {
    var sidecar = Sidecar(name: name)
    var rest: [String] = []
    // From the back, where languages stand: `film.is.back.de.srt`.
    for part in parts.reversed() {
      if part.lowercased() == "forced" {
        sidecar.isForced = true
      } else if sidecar.language == nil, isLanguage(part) {
        sidecar.language = part
      } else {
        rest.insert(part, at: 0)
      }
    }
    if keepsRest { sidecar.title = rest.joined(separator: " ") }
    return sidecar
  }

  /// Codes only: `de`, `deu`, `pt-BR`. A whole word may be a language or anything else, so it stays a title; and so do the
  /// signs for captions for those who don't hear.
  private static func isLanguage(_ part: String) -> Bool {
    guard let tag = LanguageTag(part), (2...3).contains(tag.language.utf8.count) else { return false }
    return part.lowercased() != "sdh" && part.lowercased() != "cc"
  }

  /// The name without its extension. A dot in front makes a hidden file, no extension.
  private static func stem(of name: String) -> String {
    let bytes = Array(name.utf8)
    guard let dot = bytes.lastIndex(of: UInt8(ascii: ".")), dot > 0 else { return name }
    return String(decoding: bytes[..<dot], as: UTF8.self)
  }
}
