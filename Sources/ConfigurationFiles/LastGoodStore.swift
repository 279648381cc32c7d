public import FileModel
public import FileSystem
public import PlaylistConfig

/// Stores configurations on disk: the last one that was confirmed, and the record of each trial.
///
/// All are files in the player's own directory, which other users can't read: a configuration may have passwords in
/// addresses. All calls block; off the loop.
public struct LastGoodStore: Sendable {
  /// The directory for writing.
  public let directory: String
  /// A second directory for reading, which can't be written.
  public let older: String?
  /// Whether anything is stored. If not, a confirmed configuration is remembered only as long as the process runs.
  public let isWritable: Bool

  public init(directory: String) { self.init(directory: directory, older: nil, isWritable: true) }

  private init(directory: String, older: String?, isWritable: Bool) {
    self.directory = directory
    self.older = older
    self.isWritable = isWritable
  }

  /// The store for this machine: reading needs no right to write.
  ///
  /// - Parameters:
  ///   - lasting: the directory that outlives a loss of power; nil for none.
  ///   - passing: the directory in memory; nil for none.
  ///   - canWrite: whether files can be created in a directory, which is made if it is missing.
  /// - Returns: nil without any directory.
  public init?(lasting: String?, passing: String?, canWrite: (String) -> Bool = Self.canWrite) {
    guard let first = lasting ?? passing else { return nil }
    if canWrite(first) {
      self.init(directory: first)
    } else if let passing, passing != first, canWrite(passing) {
      self.init(directory: passing, older: first, isWritable: true)
    } else {
      self.init(directory: first, older: nil, isWritable: false)
    }
  }

  /// Creates the directory if it is missing.
  public static func canWrite(_ directory: String) -> Bool { LastGoodStore(directory: directory).prepare() }

  /// A warning for people who rely on the store; nil if everything is kept.
  public var remark: String? {
    if let older {
      return "\(older) can't be written: the confirmed configuration is kept in \(directory), until the board is "
        + "switched off"
    }
    return isWritable
      ? nil : "\(directory) can't be written: the confirmed configuration is kept only until this process ends"
  }

  private static let lastGoodName = "last-good"
  private var directories: [String] { [directory] + [older].compactMap(\.self) }

  /// Creates the directory if it is missing, and closes files of older versions, which every user could read. False if
  /// nothing can be written there.
  public func prepare() -> Bool {
    try? FileTree.makeFolder(directory)
    do throws(FileError) { try FileTree.checkWritable(directory) } catch { return false }
    for name in [Self.lastGoodName] + ConfigurationTrial.Subject.allCases.map(Self.trialName) {
      DurableFile.close("\(directory)/\(name)")
    }
    return true
  }

  /// The first that can be read of the files of one name.
  private func text(_ name: String, limit: Int, files: some FileAccess) -> [UInt8]? {
    for directory in directories {
      if let text = try? files.read(FilePath("\(directory)/\(name)"), limit: limit) { return text }
    }
    return nil
  }

  // MARK: The last good configuration

  /// Keeps these texts. When it returns they are on disk.
  public func keep(_ sources: [ConfigurationSource]) throws(FileError) {
    guard isWritable else { return }
    guard let text = KeptConfiguration.text(of: sources) else { throw FileError(.system("file too large")) }
    try DurableFile.replace("\(directory)/\(Self.lastGoodName)", with: text, readers: .nobody)
    try DurableFile.remove(path(of: .files))
  }

  /// Nil if there is no such file, or it isn't complete.
  public func lastGood(files: some FileAccess = SystemFileAccess()) -> [ConfigurationSource]? {
    text(Self.lastGoodName, limit: KeptConfiguration.limit, files: files).flatMap { text in
      KeptConfiguration.sources(in: text, stickCopies: directories.map { "\($0)/\(StickStore.folderName)" })
    }
  }

  // MARK: A configuration on trial

  private func path(of subject: ConfigurationTrial.Subject) -> String { "\(directory)/\(Self.trialName(subject))" }

  private static func trialName(_ subject: ConfigurationTrial.Subject) -> String {
    switch subject {
    case .files: "trial.toml"
    case .stick: "stick-trial.toml"
    }
  }

  public func trial(
    of subject: ConfigurationTrial.Subject = .files, files: some FileAccess = SystemFileAccess()
  ) -> ConfigurationTrial? {
    text(Self.trialName(subject), limit: ConfigurationTrial.textLimit, files: files).flatMap {
      ConfigurationTrial(text: $0)
    }
  }

  public func saveTrial(
    _ trial: ConfigurationTrial, of subject: ConfigurationTrial.Subject = .files
  ) throws(FileError) {
    guard isWritable else { return }
    try DurableFile.replace(path(of: subject), with: trial.text, readers: .nobody)
  }

  /// Removes the record of a trial.
  public func forget(_ subject: ConfigurationTrial.Subject) throws(FileError) {
    guard isWritable, trial(of: subject) != nil else { return }
    try DurableFile.remove(path(of: subject))
  }
}
