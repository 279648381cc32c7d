public import FileModel
public import FileSystem
public import PlaybackCore
public import PlaylistConfig

// Gives the readers of configurations, boards, lists and sticks this machine's disk as their default. The readers
// themselves know no disk.

extension Configuration {
  /// Reads and checks the files of a set, with the settings that override them.
  public static func load(
    _ set: ConfigurationSet, overrides: ConfigurationOverrides = ConfigurationOverrides()
  ) -> LoadedConfiguration {
    load(set, overrides: overrides, files: SystemFileAccess())
  }

  /// Reads and checks one file.
  ///
  /// - Parameter path: as the user gave it; diagnostics repeat it.
  public static func load(path: String) -> LoadedConfiguration { load(path: path, files: SystemFileAccess()) }
}

extension ConfigurationSet {
  /// A file alone, or a folder with vitrine.toml and conf.d in it.
  public static func named(_ path: String) -> ConfigurationSet { named(path, files: SystemFileAccess()) }

  /// The inode, size and date of each file, for comparing. Blocks for as long as the file system takes.
  public func mark() -> FilesMark { mark(files: SystemFileAccess()) }
}

extension ItemResolver where Files == SystemFileAccess {
  /// - Parameter folder: the base of relative paths; relative to the current directory. Nil for the current directory.
  public init(relativeTo folder: FilePath? = nil, problemsPerList: Int = ConfigurationLimits.problemsOfList) {
    self.init(files: SystemFileAccess(), relativeTo: folder, problemsPerList: problemsPerList)
  }

  /// For the entries of a configuration file, whose paths are relative to the file's folder.
  public init(configurationPath: String, problemsPerList: Int = ConfigurationLimits.problemsOfList) {
    self.init(
      files: SystemFileAccess(), configurationPath: configurationPath, problemsPerList: problemsPerList)
  }
}

extension StickReader where Files == SystemFileAccess {
  public init() { self.init(files: SystemFileAccess()) }
}

extension StickContent {
  /// The content as one more file of the configuration.
  ///
  /// - Throws: the error of reading the file.
  public func source() throws(FileError) -> ConfigurationSource { try source(files: SystemFileAccess()) }
}

extension BoardFacts {
  /// Reads the facts of this machine. Blocks for a few small files.
  ///
  /// - Parameters:
  ///   - release: the output of `uname -r`.
  ///   - gstreamer: the version that runs here.
  public static func read(release: String = "", gstreamer: SoftwareVersion? = nil) -> BoardFacts {
    read(release: release, gstreamer: gstreamer, files: SystemFileAccess())
  }
}

extension BoardProfile {
  /// The folder of the profiles: the one installed with the program if there is one, else the package's.
  ///
  /// - Parameter program: the program's path, links followed; nil if unknown.
  public static func folder(ofProgram program: String?) -> String {
    folder(ofProgram: program, files: SystemFileAccess())
  }

  /// Reads every `NN-name.toml` of a folder in the order of names, and merges those that match. Blocks.
  ///
  /// - Parameter folder: if it doesn't exist, the profile is empty.
  public static func load(from folder: String, for facts: BoardFacts) -> LoadedBoardProfile {
    load(from: folder, for: facts, files: SystemFileAccess())
  }
}

extension LanguageFolders {
  /// The folders of the program's languages, the first that has files serving.
  ///
  /// - Parameter program: its path, links followed; nil where it isn't known.
  public static func folder(ofProgram program: String?) -> String {
    folder(ofProgram: program, files: SystemFileAccess())
  }

  /// Reads the texts of a language; of `de-AT` those of `de` serve too, and English in place of what isn't there.
  /// Blocks.
  ///
  /// - Parameter language: nil is the system's.
  public func load(_ language: LanguageTag?) -> LoadedLanguage { load(language, files: SystemFileAccess()) }

  /// Reads a language as `load` does, with the others that there are here. Blocks.
  public func loadAll(_ language: LanguageTag?) -> LoadedLanguage { loadAll(language, files: SystemFileAccess()) }

  /// Reads one file. Blocks.
  public static func read(path: String) -> LoadedLanguage { read(path: path, files: SystemFileAccess()) }
}
