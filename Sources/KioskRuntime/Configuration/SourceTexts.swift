internal import MainLoop
public import PlaylistConfig

/// The texts that a configuration was made of, for as long as somebody may have to write them down. Those of a long list have
/// as many bytes as all that comes of it. All copies of a revision share them.
public final class SourceTexts: Sendable {
  private let sources: Locked<[ConfigurationSource]?>

  public init(_ sources: [ConfigurationSource]) { self.sources = Locked(sources) }

  /// - Returns: nil once they have been let go, because they are kept or nothing keeps them.
  public func take() -> [ConfigurationSource]? {
    sources.withLock { sources in
      defer { sources = nil }
      return sources
    }
  }
}
