public import PlaybackCore

/// One screen's place among those of a process: its successive displays, and its share of a card in between. Confined
/// to the loop's thread.
public final class KMSSlot {
  public let name: String
  /// Called when a display that didn't open may open now, or an open one has to be checked. Set by the owner.
  public var onChange: (() -> Void)?
  /// The settings with which the display will be opened, so that other screens leave it the objects that it needs; all
  /// slots get theirs before the first opens. Nil for a screen that isn't in use.
  public var wanted: KMSRequest?

  /// A slot's share of a card, from the opening of its display until that closes and isn't kept.
  struct Holding {
    /// The open file that is master of the card; other slots may have leases of it.
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

  /// Opens a display as `KMSDisplay.open` does, on a kept card if the request allows it, and through the seat if there
  /// is one.
  ///
  /// If other slots want a screen of the same card, this display gets a lease of its own objects and leaves the others
  /// theirs (docs/decisions/0124-leases.md).
  ///
  /// - Throws: also 5010 while another session has the seat; 5040 and 5041 if the card can't be shared.
  public func open(_ request: KMSRequest, splash: (PixelSize) -> [UInt32]? = { _ in nil }) throws(VitrineError)
    -> KMSDisplay
  {
    guard let screens else { throw KMSError.noCard("/dev/dri") }
    wanted = request
    let display = try screens.open(self, request, splash: splash)
    self.display = display
    return display
  }

  /// Releases what was kept for a screen that didn't come back. The slot can't be used after this; its display must be
  /// closed before.
  public func close() {
    wanted = nil
    onChange = nil
    screens?.forget(self)
  }

  var isOpen: Bool { display?.isOpen == true }

  /// Leaves the card's objects that this display doesn't use to other screens.
  func leaveRest() { display?.leaveRest() }

  func suspend() { display?.suspend() }

  func screensChanged() {
    if let display, display.isOpen { display.checkConnector() } else { onChange?() }
  }
}
