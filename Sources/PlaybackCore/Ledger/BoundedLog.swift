/// A list of bounded length: it keeps its first entries and its newest ones, drops those between, and counts all.
///
/// The first entries show how a problem began, which is often its cause, and the newest show its present state.
public struct BoundedLog<Entry: Hashable & Sendable>: Hashable, Sendable {
  /// Entries that are kept at each end.
  public let limit: Int
  /// Number of entries that were ever appended.
  public private(set) var total = 0
  private var first: [Entry] = []
  private var newest: [Entry] = []

  public init(limit: Int) { self.limit = max(1, limit) }

  /// The kept entries, in the order in which they came.
  public var entries: [Entry] { first + newest }

  public mutating func append(_ entry: Entry) {
    total += 1
    guard first.count >= limit else { return first.append(entry) }
    if newest.count >= limit { newest.removeFirst() }
    newest.append(entry)
  }
}
