internal import CServiceManager
internal import Glibc

/// Descriptors that a child has given to be kept, in the order in which they came. Owns them.
struct KeptDescriptors: ~Copyable {
  struct Entry {
    var name: String
    var descriptor: Int32
    /// It goes when its other side does.
    var isPolled: Bool
  }

  private(set) var entries: [Entry] = []
  /// A child that loses count must not take all descriptors of its keeper.
  private let limit: Int

  init(limit: Int) { self.limit = limit }

  deinit { for entry in entries { close(entry.descriptor) } }

  enum Outcome: Equatable {
    case kept
    /// It is an open file that is kept already; systemd leaves it at that as well.
    case isKept
    case full
  }

  /// Takes the descriptor over; closes it unless it keeps it.
  mutating func keep(_ descriptor: Int32, as name: String, isPolled: Bool) -> Outcome {
    let outcome: Outcome =
      entries.contains { vit_keeper_is_same($0.descriptor, descriptor) != 0 }
      ? .isKept : entries.count < limit ? .kept : .full
    if outcome == .kept {
      entries.append(Entry(name: name, descriptor: descriptor, isPolled: isPolled))
    } else {
      close(descriptor)
    }
    return outcome
  }

  mutating func forget(_ name: String) { remove { $0.name == name } }

  /// Their other side is gone.
  mutating func lost(_ descriptors: [Int32]) { remove { descriptors.contains($0.descriptor) } }

  private mutating func remove(_ isMeant: (Entry) -> Bool) {
    for entry in entries where isMeant(entry) { close(entry.descriptor) }
    entries.removeAll(where: isMeant)
  }
}
