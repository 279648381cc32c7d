internal import MainLoop
public import PlaylistConfig

/// The texts of a configuration, for as long as they may have to be written to disk. Those of a long list take as much
/// memory as the configuration made of them. All copies of a revision share them.
public final class SourceTexts: Sendable {
  private let sources: Locked<[ConfigurationSource]?>

  public init(_ sources: [ConfigurationSource]) { self.sources = Locked(sources) }

  /// - Returns: nil once they have been freed, because they are on disk or there is no disk to keep them on.
  public func consume() -> [ConfigurationSource]? {
    sources.withLock { sources in
      defer { sources = nil }
      return sources
    }
  }
}
