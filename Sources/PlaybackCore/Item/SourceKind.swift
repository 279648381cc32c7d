/// Where an item comes from, as far as it matters for what can be done with it.
public enum SourceKind: Hashable, Sendable {
  /// A file of this machine: all of it is there at once.
  case local
  /// From a network, as fast as that is.
  case remote
  /// It happens now: it can't be held back, and there is nowhere to seek.
  case live
  /// A still picture; it lasts as long as the item is to.
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
  /// What kind of source the deck plays. Whether it is live is known once it is ready.
  public var sourceKind: SourceKind { SourceKind(media, isPreparing ? nil : readiness) }
}
