public import InteractionCore
public import PlaybackCore

/// The sentences that visitors read, and the faults of the files that were tried.
public struct LoadedLanguage: Hashable, Sendable {
  public var texts = VisitorTexts.english
  /// The file that the texts are from; nil for English, which is built in.
  public var path: String?
  /// The fault of the file; English serves then.
  public var diagnostics: [Diagnostic] = []
  /// Why it isn't in the language that was asked for; nil where it is.
  public var problem: VitrineError?
  /// A fingerprint: equal for equal texts.
  public var mark = ""

  public init() {}

  /// A line each: each fault of the file, then that English serves.
  public var remarks: [String] { diagnostics.map(\.told) + [problem?.line].compactMap(\.self) }
}

/// The folders with a file for each language: `de.toml`, `pt-br.toml`.
public struct LanguageFolders: Hashable, Sendable {
  /// The first that has the language serves: a translator's own folder beside the configuration comes before those of
  /// the program.
  public var folders: [String]
  /// Of the system; nil where it says none.
  public var system: LanguageTag?

  public init(_ folders: [String] = [], system: LanguageTag? = nil) {
    self.folders = folders
    self.system = system
  }

  /// The folder's name, beside the program, in packages and beside a configuration.
  public static let name = "languages"

  /// The folders of a program's own languages.
  ///
  /// - Parameter program: its path, links followed; nil where it isn't known.
  public static func folder(ofProgram program: String?, files: some FileAccess) -> String {
    InstalledData.folder(name, ofProgram: program) { !names(in: $0, files: files).isEmpty } ?? InstalledData.path(name)
  }

  /// Reads the language that POSIX says messages are to be in: `de_AT.UTF-8` is `de-AT`. Nil where none is named.
  public static func system(_ environment: [String: String]) -> LanguageTag? {
    let value = ["LC_ALL", "LC_MESSAGES", "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty }
    let name = value?.prefix { $0 != "." && $0 != "@" } ?? ""
    return name == "POSIX" ? nil : LanguageTag(String(name))
  }

  /// The languages that there are here, in the order of their tags.
  public func all(files: some FileAccess) -> [String] {
    Set(folders.flatMap { Self.names(in: $0, files: files) }).sorted()
  }

  private static func names(in folder: String, files: some FileAccess) -> [String] {
    let names = (try? files.names(in: FilePath(folder))) ?? []
    return names.map { String(decoding: $0, as: UTF8.self) }.filter {
      $0.hasSuffix(".toml") && LanguageTag(String($0.dropLast(5))) != nil
    }.map { String($0.dropLast(5)) }
  }

  /// Reads the texts of a language; of `de-AT` those of `de` serve too, and English in place of what isn't there.
  /// Blocks.
  ///
  /// - Parameter language: nil is the system's.
  public func load(_ language: LanguageTag?, files: some FileAccess) -> LoadedLanguage {
    var loaded = LoadedLanguage()
    guard let wanted = language ?? system else { return loaded }
    for candidate in wanted.withParents {
      for folder in folders {
        guard let name = Self.names(in: folder, files: files).first(where: { LanguageTag($0) == candidate }) else {
          continue
        }
        return Self.read(path: "\(folder)/\(name).toml", files: files)
      }
    }
    guard wanted.language != LanguageTag.english.language else { return loaded }
    let known = all(files: files).filter { $0 != "en" }
    loaded.problem = VitrineError(
      .languageInvalid, subject: "language \(wanted)",
      message: "there are no texts in it here, so visitors read English",
      remedy: known.isEmpty
        ? "install the languages" : "set [overlay] language to one of \(known.joined(separator: ", ")), or add its file"
    )
    return loaded
  }

  /// Reads a language as `load` does, and the others that there are here, so that a visitor may choose one. A file that
  /// has errors is left out without a word: the configuration doesn't name it. Blocks.
  public func loadAll(_ language: LanguageTag?, files: some FileAccess) -> LoadedLanguage {
    var loaded = load(language, files: files)
    var mark = TextFingerprint()
    var met: Set = [loaded.texts.language]
    for folder in folders {
      for name in Self.names(in: folder, files: files).sorted() {
        guard let tag = LanguageTag(name), met.insert(tag).inserted else { continue }
        let other = Self.read(path: "\(folder)/\(name).toml", files: files)
        guard other.problem == nil else { continue }
        loaded.texts.others.append(other.texts)
        mark.add(other.mark.utf8)
        mark.end()
      }
    }
    loaded.mark += mark.digits
    return loaded
  }

  /// Reads one file. Blocks.
  public static func read(path: String, files: some FileAccess) -> LoadedLanguage {
    var loaded = LoadedLanguage()
    loaded.path = path
    var file = LanguageFile()
    do {
      let text = try files.read(FilePath(path), limit: TOMLParser.maximumLength + 1)
      var mark = TextFingerprint()
      mark.add(text)
      mark.end()
      loaded.mark = mark.digits
      let table = try TOMLParser.parse(text)
      let context = TableContext(paths: [path], table: "")
      LanguageFile.schema.read(
        table, at: TOMLPosition(line: 1, column: 1), in: context, into: &file, reporting: &loaded.diagnostics)
      let name = path.split(separator: "/").last.map { String($0.dropLast(5)) } ?? ""
      file.check(name: name, in: context, reporting: &loaded.diagnostics)
    } catch let error as TOMLSyntaxError {
      loaded.diagnostics.append(Diagnostic(path: path, position: error.position, message: error.message))
    } catch {
      loaded.diagnostics.append(Diagnostic(path: path, position: nil, message: "\(error)"))
    }
    guard loaded.diagnostics.isEmpty else {
      let count = loaded.diagnostics.count
      loaded.problem = VitrineError(
        .languageInvalid, subject: path,
        message: "the language has \(count == 1 ? "1 error" : "\(count) errors"), so visitors read English",
        remedy: "mend the file; vitrine check --language lists the errors")
      return loaded
    }
    loaded.texts = file.texts
    return loaded
  }
}

extension LanguageTag {
  /// Itself, then without its last part, and so on: `zh-hant-tw`, `zh-hant`, `zh`.
  fileprivate var withParents: [LanguageTag] {
    let parts = [language] + subtags
    return (1...parts.count).reversed().compactMap { LanguageTag(parts.prefix($0).joined(separator: "-")) }
  }
}
