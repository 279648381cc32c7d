public import FileModel
public import FileSystem
public import PlaybackCore
public import PlaylistConfig

// What the readers of configurations, boards, lists and sticks read where nobody says otherwise: this machine's disk. They
// themselves know no disk.

extension Configuration {
  /// Reads and checks the files of a set, with what overrides them.
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

  /// What the files look like from outside. Blocks for as long as the file system takes.
  public func mark() -> FilesMark { mark(files: SystemFileAccess()) }
}

extension ItemResolver where Files == SystemFileAccess {
  /// - Parameter folder: what relative paths are relative to; itself relative to the current directory. Nil is the
  ///   current directory.
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
  /// What it says, as one more file of the configuration.
  ///
  /// - Throws: why the file can't be read.
  public func source() throws(FileError) -> ConfigurationSource { try source(files: SystemFileAccess()) }
}

extension BoardFacts {
  /// What this machine says of itself. Blocks for a few small files.
  ///
  /// - Parameters:
  ///   - release: as `uname -r` has it.
  ///   - gstreamer: the version that runs here.
  public static func read(release: String = "", gstreamer: SoftwareVersion? = nil) -> BoardFacts {
    read(release: release, gstreamer: gstreamer, files: SystemFileAccess())
  }
}

extension BoardProfile {
  /// Where the profiles of a program are: those that were installed with it come before those of a package.
  ///
  /// - Parameter program: its path, links followed; nil where it isn't known.
  public static func folder(ofProgram program: String?) -> String {
    folder(ofProgram: program, files: SystemFileAccess())
  }

  /// Reads every `NN-name.toml` of a folder in the order of names, and merges those that match. Blocks.
  ///
  /// - Parameter folder: where there is none, nothing is known of any board.
  public static func load(from folder: String, for facts: BoardFacts) -> LoadedBoardProfile {
    load(from: folder, for: facts, files: SystemFileAccess())
  }
}
