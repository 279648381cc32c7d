/// Counts of the items of a queue. An item has an entry only once it has been touched: a queue may have a hundred
/// thousand items, and a board shows a few hundred of them a day.
struct ItemFigures: Sendable {
  /// In the order of the list.
  private(set) var order: [PlayQueue.Entry] = []
  private var touched: [ItemID: PlaybackReport.Item] = [:]
  /// The item that was asked for last and isn't listed. An item that was removed while it plays is asked for with each
  /// frame.
  private var stranger: ItemID?

  /// Adopts a changed queue; counts of items that stay are kept.
  mutating func queueChanged(_ queue: PlayQueue) {
    order = queue.entries
    stranger = nil
    guard !touched.isEmpty else { return }
    let before = touched
    touched = [:]
    for entry in order { if let figures = before[entry.id] { touched[entry.id] = figures } }
  }

  /// Counts of an item; nil for an item that isn't listed, and setting it changes nothing then.
  subscript(item: ItemID) -> PlaybackReport.Item? {
    mutating get {
      if let figures = touched[item] { return figures }
      guard stranger != item else { return nil }
      guard let entry = order.first(where: { $0.id == item }) else {
        stranger = item
        return nil
      }
      let fresh = Self.fresh(entry)
      touched[item] = fresh
      return fresh
    }
    set { if touched[item] != nil, let newValue { touched[item] = newValue } }
  }

  /// Adds to an item's counts in place: an item is many words, which the subscript would copy out and back.
  mutating func add(frames: Int = 0, seconds: Double = 0, to item: ItemID) {
    if touched.index(forKey: item) == nil { _ = self[item] }
    guard let place = touched.index(forKey: item) else { return }
    touched.values[place].framesRendered += frames
    touched.values[place].playedSeconds += seconds
  }

  /// Whether an item has played to its end.
  var hasPlayed: Bool { touched.values.contains { $0.status == "played" } }

  /// Counts of all items, in the order of the list.
  var all: [PlaybackReport.Item] { order.map { touched[$0.id] ?? Self.fresh($0) } }

  private static func fresh(_ entry: PlayQueue.Entry) -> PlaybackReport.Item {
    PlaybackReport.Item(
      uri: Redaction.value(entry.item.uri), status: "not_played", playedSeconds: 0, framesRendered: 0, plays: 0,
      reconnects: 0, errors: [], width: nil, height: nil, pixelAspect: nil, durationSeconds: nil)
  }
}
