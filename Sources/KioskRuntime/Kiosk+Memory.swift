internal import MainLoop
internal import PlaybackCore

/// What the kiosk keeps about unused memory.
struct KioskMemory {
  var timer: EventSource?
  var lastTrim: Instant?
  let worker = BlockingWorker()
}

extension Kiosk {
  /// What the deck of the item before has freed goes back to the system, where it left holes too (decision 0058).
  func giveBackMemory() {
    memory.timer = loop?.after(RuntimeTiming.deckGone) { [weak self] in
      self?.assumeIsolated { kiosk in
        let now = kiosk.now
        guard kiosk.memory.lastTrim.map({ now - $0 >= RuntimeTiming.trimInterval }) ?? true else { return }
        kiosk.memory.lastTrim = now
        kiosk.memory.worker.submit { Allocator.giveBack() }
      }
    }
  }
}
