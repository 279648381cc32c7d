internal import PlaybackCore

// The recogniser's invariants, whatever fingers do. Debug builds check them after each event.

extension GestureRecognizer {
  var invariants: Invariants {
    var all = Invariants()
    // A drag without its finger would never end, and would hold playback for good.
    all.check("Who makes the gesture is on the glass", gesturing.allSatisfy { fingers[$0] != nil })
    // The next finger would join a gesture that is over.
    all.check("Without a finger there is no gesture", !fingers.isEmpty || isIdle)
    all.check("Without a gesture there is no finger", fingers.isEmpty || !isIdle)
    // A device may report any number of fingers.
    all.check("No more fingers and devices are known than may be", weight <= Self.mostFingers + Self.mostDevices)
    // A tap that follows another gesture isn't a second tap.
    all.check("A tap waits for another one only until something else begins", lastTap == nil || mayTap)
    return all
  }

  private var gesturing: [FingerKey] {
    switch state {
    case .idle, .spent: []
    case .pressed(let key), .holding(let key, _), .dragging(let key, _): [key]
    case .paired(let a, let b, _): [a, b]
    }
  }

  private var isIdle: Bool {
    if case .idle = state { return true }
    return false
  }

  private var mayTap: Bool {
    switch state {
    case .idle, .pressed: true
    case .paired, .holding, .dragging, .spent: false
    }
  }
}
