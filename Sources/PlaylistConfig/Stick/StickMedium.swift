import PlaybackCore

/// Media of a stick that are refused, because the player would open further files with them, unchecked ones, perhaps
/// the board's own.
enum StickMedium: Hashable, Sendable {
  /// HLS, DASH and the like: a text that names segments, with any path.
  case manifest
  /// A file of subtitles or sound that is a symbolic link, beside a film.
  case linkedSubtitles

  func error(subject: String) -> VitrineError {
    switch self {
    case .manifest:
      VitrineError(
        .outsideStick, subject: subject,
        message: "a manifest (HLS, DASH) on a stick isn't played, because it may name files of the board",
        remedy: "put the film itself on the stick, or name the manifest's address on its server")
    case .linkedSubtitles:
      VitrineError(
        .outsideStick, subject: subject, message: FileError(.confined).description,
        remedy: "put the subtitles or the sound themselves on the stick")
    }
  }

  /// Whether a file begins like a text that names other media, whatever its name: GStreamer goes by the content too. No
  /// film, song or picture begins so except SVG, which the caller has ruled out before. A manifest inside another
  /// format is refused when it plays (`MediaItem.isOfStick`).
  static func isManifest(_ start: [UInt8]) -> Bool {
    let marks: [[UInt8]] = [[0xEF, 0xBB, 0xBF], [0xFE, 0xFF], [0xFF, 0xFE]]
    var text = start[...]
    if let mark = marks.first(where: { text.starts(with: $0) }) { text = text.dropFirst(mark.count) }
    // Zeros between the letters: UTF-16.
    let letters = text.lazy.filter { $0 != 0 }.drop { [0x09, 0x0A, 0x0D, 0x20].contains($0) }.prefix(Self.longest)
    let beginning = Array(String(decoding: Array(letters), as: UTF8.self).lowercased().utf8)
    return beginnings.contains { beginning.starts(with: $0.utf8) }
  }

  private static let beginnings = ["#extm3u", "<?", "<!", "<mpd", "<smooth", "<smil", "[playlist]"]
  private static let longest = 16

  /// Names of a folder's files of subtitles and sound that are links.
  static func linkedSubtitles(in folder: FilePath, _ files: some FileAccess) -> [String] {
    let names = (try? files.names(in: folder)) ?? []
    return names.compactMap { name in
      let file = FilePath(bytes: name)
      let endings = SidecarNames.extensions + SidecarNames.soundExtensions
      guard endings.contains(file.fileExtension) else { return nil }
      do throws(FileError) {
        _ = try files.status(of: folder.resolving(file))
        return nil
      } catch {
        return error.reason == .confined ? file.text : nil
      }
    }
  }

  /// More links than this are an attack on the player's time: films multiply with links. All films of the folder are
  /// refused then.
  private static let mostLinks = 100

  /// The link that the player would open as subtitles or sound of a film.
  static func linkedSubtitle(of film: String, among links: [String]) -> String? {
    if links.count > mostLinks { return links.first }
    return (SidecarNames.sidecars(of: film, among: links) + SidecarNames.sounds(of: film, among: links)).first?.name
  }
}
