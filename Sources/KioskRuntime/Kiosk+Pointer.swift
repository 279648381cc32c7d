internal import Displays
internal import InteractionCore
internal import MainLoop
internal import OverlayRenderer
internal import PlaybackCore

/// What the kiosk keeps about a mouse's arrow.
struct KioskPointer {
  /// Where the mouse has moved to, until that is shown.
  var place: ScreenPoint?
  /// Since when it has stood still.
  var lastMove: Instant?
  /// For as long as it shows.
  var timer: EventSource?
  /// Made for screens of that size.
  var picture: (screen: PixelSize, picture: PointerPicture)?
}

extension Kiosk {
  func pointerMoved(to place: ScreenPoint) {
    guard input.lock.hearsTouch else { return }
    input.pointer.place = place
    // It may be on its way to a button.
    if !input.lock.isLocked { presenter.touched(at: now) }
  }

  /// The arrow comes with the mouse's first move and goes with the bar, after as long without one.
  func showPointer() {
    guard let place = input.pointer.place, let display else { return }
    input.pointer.place = nil
    let screen = display.target.size
    if input.pointer.picture?.screen != screen {
      input.pointer.picture = PointerPicture(screen: screen).map { (screen, $0) }
    }
    guard let picture = input.pointer.picture?.picture else { return }
    display.showPointer(picture.image(at: place))
    input.pointer.lastMove = now
    if input.pointer.timer == nil { armPointerTimer(presenter.barStay) }
  }

  /// One timer for as long as the arrow shows: mice move up to a thousand times a second.
  private func armPointerTimer(_ wait: Duration) {
    input.pointer.timer = loop?.after(max(.milliseconds(1), wait)) { [weak self] in
      self?.assumeIsolated { $0.pointerTimerFired() }
    }
  }

  private func pointerTimerFired() {
    input.pointer.timer = nil
    guard let lastMove = input.pointer.lastMove else { return }
    let left = lastMove + presenter.barStay - now
    if left > .zero { return armPointerTimer(left) }
    display?.showPointer(nil)
  }
}
