/// An item's source, by what playback can do with it.
public enum SourceKind: Hashable, Sendable {
  /// A file of this machine: all of it is available at once.
  case local
  /// A medium from a network: data comes as fast as the network allows.
  case remote
  /// A live source: it can't be paused at its position, and it can't be sought.
  case live
  /// A still picture; it is shown for the item's own duration.
  case picture(isRemote: Bool)

  /// - Parameter readiness: of the item's deck, which knows whether it is live; nil before there is one.
  public init(_ item: MediaItem, _ readiness: DeckReadiness? = nil) {
    if item.kind == .picture {
      self = .picture(isRemote: item.isRemote)
    } else if readiness?.isLive == true {
      self = .live
    } else {
      self = item.isRemote ? .remote : .local
    }
  }
}

extension PlaybackDeck {
  /// The kind of source that the deck plays. `live` is known only once the deck is ready.
  public var sourceKind: SourceKind { SourceKind(media, isPreparing ? nil : readiness) }
}
