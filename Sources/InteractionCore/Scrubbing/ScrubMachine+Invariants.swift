internal import PlaybackCore

// What holds of a drag, whatever the finger and the item do. Debug builds check it after each fact.

extension ScrubMachine {
  var invariants: Invariants {
    var all = Invariants()
    guard case .scrubbing(let scrub) = state else { return all }
    // The bar would be drawn outside of its track, and the seek refused.
    all.check("The finger's place is within the item", isWithin(scrub.target, scrub))
    // It is where a drag that wasn't meant goes back to.
    all.check("The drag began within the item", isWithin(scrub.from, scrub))
    // There is nowhere to go in it: such a drag is refused.
    all.check("What is dragged can be sought in", scrub.media.isSeekable && !scrub.range.isEmpty)
    // The next way would be no number, and so would be each place after it.
    all.check("The last place of the finger is a number", scrub.lastX.isFinite)
    return all
  }

  private func isWithin(_ position: Duration, _ scrub: Scrub) -> Bool {
    scrub.range.lowerBound <= position && position <= scrub.range.upperBound
  }
}
