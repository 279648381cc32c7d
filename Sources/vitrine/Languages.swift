import ConfigurationFiles
import FileSystem
import Glibc
import KioskRuntime
import Logging
import PlaybackCore
import PlaylistConfig

/// The folders of languages, for commands that read a configuration.
enum Languages {
  /// A translator's own folder beside the configuration, then that of the program: where it was installed (its folder's
  /// neighbour share/vitrine/languages), the folder `languages` beside it, or where packages install.
  /// `VITRINE_LANGUAGE_DIR` names another one in place of the program's.
  ///
  /// - Parameter configuration: its main file; nil without one.
  static func folders(beside configuration: String? = nil) -> LanguageFolders {
    let environment = ProcessEnvironment.all
    let own = configuration.map { FilePath($0).directory.resolving(FilePath(LanguageFolders.name)).text }
    let programs =
      environment["VITRINE_LANGUAGE_DIR"].flatMap { $0.isEmpty ? nil : $0 }
      ?? LanguageFolders.folder(ofProgram: Board.programPath)
    return LanguageFolders(
      [own, programs].compactMap(\.self), system: LanguageFolders.system(environment))
  }

  /// Sets the system's language, which serves where no configuration says another.
  static func apply(_ folders: LanguageFolders, to options: inout KioskOptions, log: Logger) {
    let loaded = folders.loadAll(nil)
    for remark in loaded.remarks { log.warning("\(remark)") }
    options.visitorTexts = loaded.texts
  }
}
