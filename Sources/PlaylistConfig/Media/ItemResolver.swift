public import PlaybackCore

/// Looks up what a user wrote: files, directories, playlists and URIs become items.
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
  ///   - folder: what relative paths are relative to; itself relative to the current directory. Nil is the current directory.
  ///   - problemsPerList: entries of one list or folder that can't be had are told one by one up to so many, and counted beyond.
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

  /// What was found, and what wasn't: one bad entry must not keep the others from the screen.
  public struct Resolution: Hashable, Sendable {
    public var items: [MediaItem] = []
    public var problems: [VitrineError] = []
    /// What is left of it for the next texts.
    var otherNames = OtherNamesBudget()
    /// What was left out of directories, a line for each of them.
    public var remarks: [String] = []
    public init() {}
  }

  /// Looks up one text, such as an argument of the command line.
  ///
  /// - Throws: the first problem, also when it is with one entry of a list.
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

  /// Looks up one text; every item goes through `change`.
  ///
  /// - Parameters:
  ///   - folder: what a relative path is relative to, in place of the resolver's own.
  ///   - looks: how many files are looked at; see `ConfigurationLimits.lookedUpItems`.
  ///   - stick: all that a path may lead to; nil is for everything.
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
    // Also after an error: what was found up to the limit plays.
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
