/// A list that doesn't grow for ever: its first entries stay, and the newest; what lies between goes. All are counted.
///
/// The first tell how it began, which is often the cause, and the newest how it is now.
public struct BoundedLog<Entry: Hashable & Sendable>: Hashable, Sendable {
  /// How many are kept at each end.
  public let limit: Int
  /// How many there ever were.
  public private(set) var total = 0
  private var first: [Entry] = []
  private var newest: [Entry] = []

  public init(limit: Int) { self.limit = max(1, limit) }

  /// What is kept, in the order in which it came.
  public var entries: [Entry] { first + newest }

  public mutating func append(_ entry: Entry) {
    total += 1
    guard first.count >= limit else { return first.append(entry) }
    if newest.count >= limit { newest.removeFirst() }
    newest.append(entry)
  }
}
