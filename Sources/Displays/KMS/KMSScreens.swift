public import MainLoop
public import PlaybackCore

/// The graphics cards of the machine over a whole run: opens displays on them, tells when screens come and go, and stays
/// master of a card whose screen was unplugged.
///
/// Confined to the loop's thread.
public final class KMSScreens {
  /// Called when a display may open that didn't, or one that is open has to be looked at. Set by the owner.
  public var onChange: (() -> Void)?
  /// A card without a display, of which we are master; nobody else gets it meanwhile.
  private var kept: Card?
  private weak var display: KMSDisplay?
  private let loop: EventLoop
  private var watch: ScreenWatch?

  public init(on loop: EventLoop) {
    self.loop = loop
    watch = ScreenWatch(on: loop) { [weak self] in self?.changed() }
  }

  /// Whether changes are told. If not, they have to be looked for.
  public var tellsChanges: Bool { watch != nil }

  /// Opens a display as `KMSDisplay.open` does, on a kept card if that is one of those asked for.
  public func open(_ request: KMSRequest, splash: (PixelSize) -> [UInt32]? = { _ in nil }) throws(VitrineError)
    -> KMSDisplay
  {
    let display = try KMSDisplay.open(on: loop, request: request, splash: splash, kept: kept)
    kept = nil
    self.display = display
    display.onUnplugged = { [weak self] card in self?.kept = card }
    return display
  }

  /// Gives back the card that was kept for a screen that didn't come back.
  public func close() {
    watch = nil
    kept?.dropMaster()
    kept = nil
  }

  private func changed() {
    if let display, display.isOpen {
      display.look()
    } else {
      onChange?()
    }
  }
}
