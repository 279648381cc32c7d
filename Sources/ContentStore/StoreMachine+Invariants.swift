internal import PlaybackCore

// The machine's invariants, whatever the network and the disk do. Debug builds check them after each event.

extension StoreMachine {
  var invariants: Invariants {
    var all = Invariants()
    offer.check(&all, files: files, wanted: wanted)
    // Copies are looked up by `newest`.
    all.check(
      "The newest copy of an address is a whole file of it",
      files.newest.allSatisfy { uri, name in files[name].map { $0.uri == uri && $0.isComplete } ?? false })
    // `inOrder` gives the order, and `byURI` the look-up by address.
    all.check("What is wanted is listed once", wanted.inOrder.count == wanted.byURI.count)
    // Files are adopted and removed by name: a file that is both would be removed while it plays.
    all.check("An unidentified file is no copy", files.strays.keys.allSatisfy { files[$0] == nil })
    // The contents of the folder aren't known yet.
    all.check("Nothing is fetched before the folder was looked at", isOpen || transfer == nil)
    transfer?.check(&all, files: files, wanted: wanted)
    return all
  }
}
