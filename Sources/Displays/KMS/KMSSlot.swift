public import PlaybackCore

/// The place of one screen among those that a process has: its display, one after the other, and what it has of a card
/// meanwhile. Confined to the loop's thread.
public final class KMSSlot {
  public let name: String
  /// Called when the display may open that didn't, or one that is open has to be looked at. Set by the owner.
  public var onChange: (() -> Void)?
  /// What will be asked for, so that the others leave it what it needs; known to all before the first opens. Nil for a screen
  /// that isn't wanted.
  public var wanted: KMSRequest?

  /// What a slot has of a card, from the opening of its display until that closes and isn't kept.
  struct Holding {
    /// The open file that is master of the card; others may have leases of it.
    let owner: Card
    var share: CardShare
    /// Nil for the whole card.
    let lease: Card?
  }
  var holding: Holding?
  /// The open file of a display whose screen was unplugged: the card's own, or a lease.
  var kept: Card?

  private weak var display: KMSDisplay?
  private weak var screens: KMSScreens?

  init(name: String, of screens: KMSScreens) {
    self.name = name
    self.screens = screens
  }

  /// Opens a display as `KMSDisplay.open` does, on a kept card if that is one of those asked for, and through the seat if
  /// there is one.
  ///
  /// Where others want a screen of the same card, it gets a lease of what it needs, and leaves them theirs
  /// (docs/decisions/0124-leases.md).
  ///
  /// - Throws: 5010 too, while another session has the seat; 5040 and 5041 where the card can't be shared.
  public func open(_ request: KMSRequest, splash: (PixelSize) -> [UInt32]? = { _ in nil }) throws(VitrineError)
    -> KMSDisplay
  {
    guard let screens else { throw KMSError.noCard("/dev/dri") }
    wanted = request
    let display = try screens.open(self, request, splash: splash)
    self.display = display
    return display
  }

  /// Gives back what was kept for a screen that didn't come back. The slot is of no use after this; its display has been
  /// closed before.
  public func close() {
    wanted = nil
    onChange = nil
    screens?.forget(self)
  }

  var isOpen: Bool { display?.isOpen == true }

  /// Others are to have what this one doesn't use.
  func leaveRest() { display?.leaveRest() }

  func suspend() { display?.suspend() }

  func screensChanged() {
    if let display, display.isOpen { display.look() } else { onChange?() }
  }
}
