internal import PlaybackCore

// What holds between two events, whatever the network and the disk do. Debug builds check it after each.

extension StoreMachine {
  var invariants: Invariants {
    var all = Invariants()
    // Playback would open a part of a film, or another one.
    all.check(
      "What is offered is whole, wanted, and what was wanted", (copies.map { $0 } + lists).allSatisfy(isRightlyOffered))
    // A list isn't played, and a film isn't read for addresses.
    all.check(
      "What is offered as a list is one, and nothing else is",
      lists.values.allSatisfy { isList($0) } && !copies.values.contains { isList($0) })
    // It is what a copy is looked up by.
    all.check("The newest copy of an address is a whole file of it", newest.allSatisfy(isCopy))
    // The list is walked by order, and looked into by address.
    all.check("What is wanted is listed once", wanted.count == wantedByURI.count)
    // Files are adopted and removed by name: one that is both would be removed under whoever plays it.
    all.check("A file of which nobody knows what it is is no copy", strays.keys.allSatisfy { files[$0] == nil })
    // What lies in the folder isn't known yet.
    all.check("Nothing is fetched before the folder was looked at", isOpen || transfer == nil)
    if let transfer { check(transfer, &all) }
    return all
  }

  private func check(_ transfer: Transfer, _ all: inout Invariants) {
    // Before the answer nobody knows whether it goes on with a part; after it bytes are on their way into one.
    all.check("A transfer has its file from the answer on", (transfer.phase == .asking) == (transfer.name == nil))
    // A name is given to what is whole.
    all.check(
      "What is fetched is a part", transfer.name.map { files[$0].map { !$0.isComplete } ?? false } ?? true)
    // The next start goes on from there.
    all.check("No more is on the disk for good than was written", transfer.synchronised <= transfer.written)
    // It would be something else than the server has announced.
    all.check(
      "No more is written than the server has said",
      transfer.length.map { transfer.written + Int64(transfer.pending) <= $0 } ?? true)
    // Nobody waits for it; one that gets its name can't be called off.
    all.check(
      "What is fetched is wanted", transfer.phase == .finishing || wantedByURI[transfer.wanted.uri] == transfer.wanted)
  }

  private func isRightlyOffered(_ uri: String, _ name: String) -> Bool {
    guard let wanted = wantedByURI[uri], let file = files[name] else { return false }
    return newest[uri] == name && isRight(file, for: wanted)
  }

  private func isList(_ name: String) -> Bool { files[name]?.listReach != nil }

  private func isCopy(_ uri: String, _ name: String) -> Bool {
    files[name].map { $0.uri == uri && $0.isComplete } ?? false
  }
}
