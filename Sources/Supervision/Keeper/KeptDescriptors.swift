internal import CLinux
internal import Glibc

/// The descriptors that a child has given to be kept, in their order. Owns them.
struct KeptDescriptors: ~Copyable {
  struct Entry {
    var name: String
    var descriptor: Int32
    /// Whether the descriptor is closed when its other end is gone.
    var isPolled: Bool
  }

  private(set) var entries: [Entry] = []
  /// A faulty child must not use up all descriptors of its keeper.
  private let limit: Int

  init(limit: Int) { self.limit = limit }

  deinit { for entry in entries { close(entry.descriptor) } }

  enum Outcome: Equatable {
    case kept
    /// An equal open file is kept already, so this descriptor was closed; systemd does the same.
    case isKept
    case full
  }

  /// Takes the descriptor over; closes it unless it is kept.
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

  /// Closes descriptors whose other end is gone.
  mutating func lost(_ descriptors: [Int32]) { remove { descriptors.contains($0.descriptor) } }

  private mutating func remove(_ isMeant: (Entry) -> Bool) {
    for entry in entries where isMeant(entry) { close(entry.descriptor) }
    entries.removeAll(where: isMeant)
  }
}
