internal import PlaybackCore

// The invariants of a drag, whatever the finger and the item do. Debug builds check them after each event.

extension ScrubMachine {
  var invariants: Invariants {
    var all = Invariants()
    guard case .scrubbing(let scrub) = state else { return all }
    // The bar would be drawn outside of its track, and the seek would be refused.
    all.check("The finger's place is within the item", isWithin(scrub.target, scrub))
    // A cancelled drag goes back to it.
    all.check("The drag began within the item", isWithin(scrub.from, scrub))
    // A drag in an item that can't be sought in is refused.
    all.check("What is dragged can be sought in", scrub.media.isSeekable && !scrub.range.isEmpty)
    // Otherwise the next distance, and each later position, wouldn't be a number.
    all.check("The last place of the finger is a number", scrub.lastX.isFinite)
    return all
  }

  private func isWithin(_ position: Duration, _ scrub: Scrub) -> Bool {
    scrub.range.lowerBound <= position && position <= scrub.range.upperBound
  }
}
