/// Finds the files that belong to a film by their names: subtitles (`film.srt`, `film.de-AT.vtt`, `film.en.forced.srt`
/// for `film.mp4`) and sound (`film.de.m4a`, `film.ad.en.mp3`).
public enum SidecarNames {
  /// A file whose name makes it the film's.
  public struct Sidecar: Hashable, Sendable {
    /// Name of the file, without its folder.
    public var name: String
    /// The language in the name, BCP 47 or ISO 639-2; nil without one.
    public var language: String?
    /// Whether the name says that the file translates only the foreign parts of the sound.
    public var isForced: Bool
    /// Whether the name says that the sound describes the picture.
    public var isDescription: Bool
    /// The rest of the name, such as `Director`; empty without one.
    public var title: String

    public init(
      name: String, language: String? = nil, isForced: Bool = false, isDescription: Bool = false, title: String = ""
    ) {
      self.name = name
      self.language = language
      self.isForced = isForced
      self.isDescription = isDescription
      self.title = title
    }
  }

  /// Extensions of subtitle files. Of two files that differ in this only, the SubRip one comes first: it is the
  /// commoner format.
  public static let extensions = ["srt", "vtt"]

  /// Extensions of sound files beside a film: formats whose files can be entered at any sample. AAC without a container
  /// isn't among them, nor is Matroska: neither says by how much its encoder delays the sound.
  public static let soundExtensions = ["aif", "aiff", "flac", "m4a", "mp3", "oga", "ogg", "opus", "wav"]

  /// The sound files of a folder that belong to a film, sorted by name. Their names have a language or `ad`, for audio
  /// description, behind the film's: without either, a file of the same name is an item of its own. An item that is
  /// nothing but sound has none.
  ///
  /// - Parameters:
  ///   - film: name of the film's file, without its folder.
  ///   - names: names of the files in its folder, in any order.
  public static func sounds(of film: String, among names: some Sequence<String>) -> [Sidecar] {
    let stem = stem(of: film)
    guard !stem.isEmpty, !hasExtension(film, of: soundExtensions) else { return [] }
    return names.compactMap { sound($0, stem: stem) }.sorted { $0.name < $1.name }
  }

  /// Whether a file is sound that belongs to one of these films.
  ///
  /// - Parameter stems: names of films in its folder, without their extensions.
  public static func isSound(_ name: String, ofAny stems: Set<String>) -> Bool {
    guard !stems.isEmpty, hasExtension(name, of: soundExtensions) else { return false }
    return name.indices.dropFirst().contains { place in
      name[place] == "." && stems.contains(String(name[..<place])) && sound(name, stem: String(name[..<place])) != nil
    }
  }

  /// A file's name without its extension. A leading dot marks a hidden file, not an extension.
  public static func stem(of name: String) -> String {
    let bytes = Array(name.utf8)
    guard let dot = bytes.lastIndex(of: UInt8(ascii: ".")), dot > 0 else { return name }
    return String(decoding: bytes[..<dot], as: UTF8.self)
  }

  /// Whether a name has one of these extensions, in any case.
  public static func hasExtension(_ name: String, of extensions: [String]) -> Bool {
    guard let dot = name.lastIndex(of: ".") else { return false }
    return extensions.contains(name[name.index(after: dot)...].lowercased())
  }

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
    guard hasExtension(name, of: extensions), let parts = parts(of: name, behind: stem) else { return nil }
    return read(parts[...], name: name, keepsRest: true)
  }

  private static func sound(_ name: String, stem: String) -> Sidecar? {
    guard hasExtension(name, of: soundExtensions), var parts = parts(of: name, behind: stem) else { return nil }
    // Before the languages: `ad` has the form of one.
    let mark = parts.firstIndex { $0.lowercased() == "ad" }
    if let mark { parts.remove(at: mark) }
    var sound = read(parts[...], name: name, keepsRest: true)
    sound.isDescription = mark != nil || AudioDescription.isNamed(in: sound.title)
    return sound.isDescription || sound.language != nil ? sound : nil
  }

  /// The words between a film's name and the extension; nil for a file of another film.
  private static func parts(of name: String, behind stem: String) -> [String]? {
    let bytes = Array(name.utf8)
    guard let dot = bytes.lastIndex(of: UInt8(ascii: ".")), bytes.starts(with: stem.utf8), dot >= stem.utf8.count
    else { return nil }
    let between = bytes[stem.utf8.count..<dot]
    guard let first = between.first else { return [] }
    // `film2.srt` belongs to another film.
    guard first == UInt8(ascii: ".") else { return nil }
    return String(decoding: between.dropFirst(), as: UTF8.self).split(separator: ".").map(String.init)
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
}
