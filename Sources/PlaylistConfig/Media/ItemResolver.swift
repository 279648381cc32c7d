public import PlaybackCore

/// Looks up the files, directories, playlists and URIs of a user, and turns them into items.
///
/// It reads the file system and may block; on a running player it belongs off the loop.
public struct ItemResolver<Files: FileAccess>: Sendable {
  /// Lists within lists within a list that are followed.
  public static var maximumDepth: Int { 4 }
  /// Items that all texts together may become: lists that name each other multiply.
  public static var maximumItems: Int { ConfigurationLimits.items }

  let files: Files
  private let base: FilePath
  private let problemsPerList: Int

  /// - Parameters:
  ///   - folder: the base of relative paths; itself relative to the current directory. Nil for the current directory.
  ///   - problemsPerList: how many entries of one list or folder that can't be opened are reported one by one; further
  ///     ones are counted.
  public init(
    files: Files, relativeTo folder: FilePath? = nil, problemsPerList: Int = ConfigurationLimits.problemsOfList
  ) {
    self.files = files
    base = folder ?? FilePath(".")
    self.problemsPerList = problemsPerList
  }

  /// For the entries of a configuration file, whose paths are relative to the file's folder.
  public init(
    files: Files, configurationPath: String, problemsPerList: Int = ConfigurationLimits.problemsOfList
  ) {
    self.init(
      files: files, relativeTo: FilePath(configurationPath).directory, problemsPerList: problemsPerList)
  }

  /// The items that were found, and the entries that weren't: one bad entry must not keep the others from the screen.
  public struct Resolution: Hashable, Sendable {
    public var items: [MediaItem] = []
    public var problems: [VitrineError] = []
    /// The rest of the budget, for the texts that follow.
    var otherNames = OtherNamesBudget()
    /// Names that were left out of directories, in one line per directory.
    public var remarks: [String] = []
    public init() {}
  }

  /// Looks up one text, such as an argument of the command line.
  ///
  /// - Throws: the first problem, even if it is with one entry of a list.
  public func items(for text: String) throws(VitrineError) -> [MediaItem] {
    let resolution = resolve([text])
    if let problem = resolution.problems.first { throw problem }
    return resolution.items
  }

  /// Looks up texts in order. There are no items without a problem for each text that gave none.
  public func resolve(_ texts: [String]) -> Resolution {
    var resolution = Resolution()
    for text in texts { append(text, to: &resolution) { $0 } }
    return resolution
  }

  /// Looks up one text; `change` is applied to every item.
  ///
  /// - Parameters:
  ///   - folder: the base of a relative path, in place of the resolver's own.
  ///   - looks: how many files are read; see `ConfigurationLimits.lookedUpItems`.
  ///   - stick: the folder that paths may not leave; nil for no limit.
  func append(
    _ text: String, to resolution: inout Resolution, relativeTo folder: FilePath? = nil, within stick: FilePath? = nil,
    pattern: String? = nil, lookingAt looks: Int = .max, _ change: (MediaItem) -> MediaItem
  ) {
    let limit = Self.maximumItems - resolution.items.count
    let pattern = pattern.map { FilePattern($0) }
    let folder = folder ?? base
    if let stick {
      let files = files.confined(to: stick)
      let lookup = Lookup(
        files: files, limit: limit, pattern: pattern, isOfStick: true, problemsPerList: problemsPerList,
        otherNames: resolution.otherNames)
      append(text, lookup, folder, to: &resolution, change)
    } else {
      let lookup = Lookup(
        files: files, limit: limit, looks: looks, pattern: pattern, problemsPerList: problemsPerList,
        otherNames: resolution.otherNames)
      append(text, lookup, folder, to: &resolution, change)
    }
  }

  private func append<Some: FileAccess>(
    _ text: String, _ lookup: Lookup<Some>, _ folder: FilePath, to resolution: inout Resolution,
    _ change: (MediaItem) -> MediaItem
  ) {
    var lookup = lookup
    do {
      try lookup.add(
        MediaAddress.parse(text), relativeTo: absolute(folder, for: text), origin: text, title: nil, lists: [])
      resolution.problems += lookup.finishedProblems()
    } catch {
      resolution.problems += lookup.finishedProblems() + [error]
    }
    resolution.otherNames = lookup.otherNames.budget
    resolution.remarks += lookup.remarks
    // After an error too: items that were found before it play.
    resolution.items += lookup.items.map(change)
  }

  private func absolute(_ folder: FilePath, for text: String) throws(VitrineError) -> FilePath {
    if folder.isAbsolute { return folder }
    do {
      return try files.currentDirectory().resolving(folder)
    } catch {
      throw VitrineError(
        .unreadable, subject: text, message: "the current directory can't be told: \(error)",
        remedy: "write an absolute path")
    }
  }
}
