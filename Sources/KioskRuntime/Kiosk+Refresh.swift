internal import Displays
internal import KioskCore
internal import Logging
internal import MediaPipeline
internal import PlaybackCore
internal import VitrinePlayback

// The refresh rate that follows the films: what items want, and the change between two of them.

extension Kiosk {
  /// A deck is about to begin, or waits for the end of the one that plays.
  func chooseRefresh(for id: DeckID, _ readiness: DeckReadiness) {
    guard let machine = engine?.machine, let deck = machine.deck(id) else { return }
    let isPicture = deck.media.kind == .picture
    let wish = RefreshWish(hasVideo: readiness.hasVideo, isPicture: isPicture, interval: readiness.pictureInterval)
    let range = deck.media.playedRange(duration: readiness.duration)
    let length =
      isPicture
      ? deck.media.pictureDuration ?? machine.policy.pictureDuration : range.map { $0.upperBound - $0.lowerBound }
    refresh.itemReady(
      deck.item, RefreshItem(wish: wish, duration: readiness.isLive ? nil : length),
      isCurrent: id == machine.current?.id, in: machine.queue, on: display?.refresh)
    tellOutputChange()
  }

  /// One item has ended, and the next is ready.
  func changeOutput() {
    if screen.isOutdated { feed(.itemEnded) } else { changeRefresh() }
  }

  /// The last picture stays on its plane. What waits for the change begins when it is done.
  private func changeRefresh() {
    defer { tellOutputChange() }
    guard let display, let wanted = refresh.wanted, let before = display.refresh?.current else { return }
    let hertz = { (rate: Int) in DisplayMode.hertz(rate) }
    if let problem = display.setRefresh(wanted) {
      log.warning("the screen stays at \(hertz(before)) Hz, it can't go over to \(hertz(wanted)): \(problem)")
      refresh.rateChanged(isDone: false)
    } else {
      log.notice("the screen goes over from \(hertz(before)) to \(hertz(wanted)) Hz")
      refresh.rateChanged(isDone: true)
      lastScreen = (display.kind, display.summary)
    }
  }

  /// Says whether anything of the output is to change between two items.
  func tellOutputChange() { engine?.feed(.outputChangeWanted(screen.isOutdated || refresh.wanted != nil)) }

  /// The output is opened anew: whatever was to change of the one before is void.
  func forgetOutputChange(wasWanted: Bool) {
    guard wasWanted || refresh.wanted != nil else { return }
    refresh.itemPreparing()
    tellOutputChange()
  }
}
