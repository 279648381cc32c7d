/// Finds a film's subtitle files by their names: `film.srt`, `film.de-AT.vtt`, `film.en.forced.srt` for `film.mp4`.
public enum SidecarNames {
  /// A file whose name makes it the film's subtitles.
  public struct Sidecar: Hashable, Sendable {
    /// Name of the file, without its folder.
    public var name: String
    /// The language in the name, BCP 47 or ISO 639-2; nil without one.
    public var language: String?
    /// Whether the name says that the file translates only the foreign parts of the sound.
    public var isForced: Bool
    /// The rest of the name, such as `Director`; empty without one.
    public var title: String

    public init(name: String, language: String? = nil, isForced: Bool = false, title: String = "") {
      self.name = name
      self.language = language
      self.isForced = isForced
      self.title = title
    }
  }

  /// Extensions of subtitle files. Of two files that differ in this only, the SubRip one comes first: it is the
  /// commoner format.
  public static let extensions = ["srt", "vtt"]

  /// The files of a folder that belong to a film, sorted by name, so that their order is the same each time.
  ///
  /// - Parameters:
  ///   - film: name of the film's file, without its folder.
  ///   - names: names of the files in its folder, in any order.
  public static func sidecars(of film: String, among names: some Sequence<String>) -> [Sidecar] {
    let stem = stem(of: film)
    guard !stem.isEmpty else { return [] }
    return names.compactMap { sidecar($0, stem: stem) }.sorted { $0.name < $1.name }
  }

  /// Parses the name of a subtitle file without a film's name to compare, as in an address that an item names.
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
    // From the end, where languages are: `film.is.back.de.srt`.
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

  /// Whether the part is a language code: `de`, `deu`, `pt-BR`. A whole word may be a language or anything else, so it
  /// stays a title, and so do the marks of captions for the hard of hearing.
  private static func isLanguage(_ part: String) -> Bool {
    guard let tag = LanguageTag(part), (2...3).contains(tag.language.utf8.count) else { return false }
    return part.lowercased() != "sdh" && part.lowercased() != "cc"
  }

  /// The name without its extension. A leading dot marks a hidden file, not an extension.
  private static func stem(of name: String) -> String {
    let bytes = Array(name.utf8)
    guard let dot = bytes.lastIndex(of: UInt8(ascii: ".")), dot > 0 else { return name }
    return String(decoding: bytes[..<dot], as: UTF8.self)
  }
}
