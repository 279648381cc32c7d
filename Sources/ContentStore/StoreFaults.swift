internal import PlaybackCore

/// Faults of the store, each reported once until it changes.
struct StoreFaults: Sendable {
  enum Subject: Hashable, Sendable {
    /// By its address.
    case file(String)
    case server(String)
    case disk
    case index
  }

  /// The latest fault; nil once a file has been stored since.
  private(set) var latest: VitrineError?
  /// The number of the last error that was reported about a subject.
  private var told: [Subject: Int] = [:]

  /// Notes a fault; returns whether it's news.
  mutating func add(_ error: VitrineError, about subject: Subject) -> Bool {
    latest = error
    return told.updateValue(error.number, forKey: subject) != error.number
  }

  /// Has the next fault of a subject reported, even one that was reported before.
  mutating func forget(_ subject: Subject) { told[subject] = nil }

  /// Forgets the faults that a stored file disproves.
  mutating func isStored(_ transfer: StoreTransfer) {
    forget(.file(transfer.wanted.uri))
    for server in transfer.servers { forget(.server(server)) }
    forget(.disk)
    latest = nil
  }

  /// Forgets that the folder couldn't be written to.
  mutating func isWritable() {
    forget(.disk)
    if latest?.number == StoreErrors.readOnlyNumber { latest = nil }
  }
}
