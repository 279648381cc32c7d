internal import PlaybackCore

/// The work that may still be spent on names that don't exist; shared by all entries of a configuration.
struct OtherNamesBudget: Hashable, Sendable {
  /// Names without any match: after so many, the list belongs to another machine, and each costs a dozen questions.
  var misses = 1000
  /// Names in all folders in which names are compared.
  var names = 20_000
  /// Names for which the nearest is proposed.
  var nearests = 20
}

/// Finds the file that a list's name means: programs spell names in their own ways.
///
/// Tried in this order; the first file that exists is taken (docs/media.md):
/// 1. `\` for `/` (Winamp, foobar2000, Media Player)
/// 2. `%20` for a space (VLC), alone and with 1
/// 3. bytes that aren't UTF-8, decoded by the code page of Western Windows
/// 4. the end of a path on another machine's drive (`D:\clips\a.mp4`, `\\pc\clips\a.mp4`), the longest end first, from
/// the folder of the list
/// 5. each of these in another Unicode normalisation (a Mac stores ä as a and two dots)
/// 6. each of these in any case, if only one file matches
struct OtherNames<Files: FileAccess> {
  let files: Files

  /// Parts of a path of another machine that are looked for.
  private static var mostParts: Int { 12 }
  var budget: OtherNamesBudget
  private var folders: [FilePath: Folder] = [:]

  private struct Folder {
    /// Swift's strings are equal however their letters are composed.
    var names: [String: [UInt8]] = [:]
    /// Names in lower case; nil if two files share one.
    var folded: [String: [UInt8]?] = [:]
  }

  init(files: Files, budget: OtherNamesBudget) {
    self.files = files
    self.budget = budget
  }

  /// - Parameters:
  ///   - written: the path that doesn't exist.
  ///   - folder: absolute; the base of a relative path.
  mutating func find(_ written: FilePath, in folder: FilePath) -> FilePath? {
    guard budget.misses > 0 else { return nil }
    let forms = Self.forms(of: written)
    let candidates =
      forms.map { folder.resolving($0) } + forms.flatMap { Self.ends(of: $0).map { folder.resolving($0) } }
    for candidate in candidates where isThere(candidate) { return candidate }
    for folds in [false, true] {
      for candidate in candidates {
        if let found = compared(candidate, folds: folds) { return found }
      }
    }
    budget.misses -= 1
    return nil
  }

  /// The name in that folder that comes nearest; nil where none does.
  mutating func nearest(to written: FilePath, in folder: FilePath) -> String? {
    guard budget.nearests > 0, let form = Self.forms(of: written).last else { return nil }
    budget.nearests -= 1
    let path = folder.resolving(form)
    guard let names = self.folder(path.directory)?.names, names.count <= 2000 else { return nil }
    return Suggestion.nearest(to: TextEncoding.text(path.name), among: names.keys.sorted())
  }

  /// Whether a path comes from Windows, with a drive or a server in it.
  static func isOfWindows(_ path: FilePath) -> Bool { drivePath(path) != nil }

  // MARK: Forms

  /// The likely spellings of a path, the path itself first.
  private static func forms(of written: FilePath) -> [FilePath] {
    var forms = [written]
    func add(_ bytes: [UInt8]?) {
      guard let bytes, !bytes.isEmpty, !bytes.contains(0) else { return }
      let path = FilePath(bytes: bytes)
      if !forms.contains(path) { forms.append(path) }
    }
    add(written.bytes.map { $0 == UInt8(ascii: "\\") ? UInt8(ascii: "/") : $0 })
    for form in forms where form.bytes.contains(UInt8(ascii: "%")) { add(decoded(form.bytes)) }
    for form in forms where String(validating: form.bytes, as: UTF8.self) == nil {
      add(LegacyText.windows1252(form.bytes))
    }
    return forms
  }

  /// Decodes percent-encoding. A percent sign without two hexadecimal digits stays.
  private static func decoded(_ bytes: [UInt8]) -> [UInt8] {
    func digit(_ byte: UInt8) -> UInt8? { UInt8(String(UnicodeScalar(byte)), radix: 16) }
    var decoded: [UInt8] = []
    var index = 0
    while index < bytes.count {
      if bytes[index] == UInt8(ascii: "%"), index + 2 < bytes.count, let high = digit(bytes[index + 1]),
        let low = digit(bytes[index + 2])
      {
        decoded.append(high << 4 | low)
        index += 3
      } else {
        decoded.append(bytes[index])
        index += 1
      }
    }
    return decoded
  }

  /// The path after `C:` or after leading backslashes; nil for a path that doesn't come from Windows.
  private static func drivePath(_ path: FilePath) -> ArraySlice<UInt8>? {
    var bytes = path.bytes[...]
    // `file:///C:/clips`
    if bytes.first == UInt8(ascii: "/"), bytes.dropFirst(2).first == UInt8(ascii: ":") { bytes = bytes.dropFirst() }
    if let letter = bytes.first, (0x61...0x7A).contains(letter | 0x20), bytes.dropFirst().first == UInt8(ascii: ":") {
      return bytes.dropFirst(2)
    }
    // A path from the root of the drive that the list was on, or of a server's share.
    return path.bytes.first == UInt8(ascii: "\\") ? path.bytes.drop { $0 == UInt8(ascii: "\\") } : nil
  }

  private static func ends(of path: FilePath) -> [FilePath] {
    guard let rest = drivePath(path) else { return [] }
    let parts = rest.split { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "\\") }.suffix(mostParts)
    guard !parts.contains(where: { $0.elementsEqual("..".utf8) }) else { return [] }
    return parts.indices.map { FilePath(bytes: Array(parts[$0...].joined(separator: [UInt8(ascii: "/")]))) }
  }

  // MARK: Folders

  private func isThere(_ path: FilePath) -> Bool { (try? files.status(of: path)) != nil }

  /// The file whose name differs only in its Unicode normalisation, or also in its case.
  private mutating func compared(_ path: FilePath, folds: Bool) -> FilePath? {
    let separator = UInt8(ascii: "/")
    let parts = path.lexicallyNormal.bytes.split(separator: separator)
    func start(_ count: Int) -> FilePath {
      FilePath(bytes: [separator] + parts.prefix(count).joined(separator: [separator]))
    }
    guard var known = parts.indices.dropFirst().last(where: { (try? files.status(of: start($0)))?.kind == .directory })
    else { return nil }
    var place = start(known)
    while known < parts.count {
      let name = TextEncoding.text(parts[known])
      guard let folder = folder(place), let found = folds ? folder.folded[name.lowercased()] ?? nil : folder.names[name]
      else { return nil }
      place = place.resolving(FilePath(bytes: found))
      known += 1
    }
    return isThere(place) ? place : nil
  }

  private mutating func folder(_ path: FilePath) -> Folder? {
    if let known = folders[path] { return known }
    guard budget.names > 0 else { return nil }
    var folder = Folder()
    let names = (try? files.names(in: path)) ?? []
    // Each folder is read only once, even one that is too large.
    budget.names -= max(1, names.count)
    if budget.names >= 0 {
      for name in names {
        let text = TextEncoding.text(name)
        folder.names[text] = name
        folder.folded.updateValue(folder.folded[text.lowercased()] == nil ? name : nil, forKey: text.lowercased())
      }
    }
    folders[path] = folder
    return folder
  }
}
