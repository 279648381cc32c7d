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
  private var seat: Seat?
  /// What the seat has opened.
  private var devices: [(path: String, number: Int32)] = []
  private let loop: EventLoop
  private var watch: ScreenWatch?
  /// Ours from the first picture to the end. A seat does the same with its own.
  private var console: Console?

  public init(on loop: EventLoop) {
    self.loop = loop
    watch = ScreenWatch(on: loop) { [weak self] in self?.changed() }
  }

  /// Whether changes are told. If not, they have to be looked for.
  public var tellsChanges: Bool { watch != nil }

  /// Opens a display as `KMSDisplay.open` does, on a kept card if that is one of those asked for, and through the seat if
  /// there is one.
  ///
  /// - Throws: 5010 too, while another session has the seat.
  public func open(_ request: KMSRequest, splash: (PixelSize) -> [UInt32]? = { _ in nil }) throws(VitrineError)
    -> KMSDisplay
  {
    if seat == nil, Seat.isOffered { seat = Seat(on: loop) { [weak self] in self?.seatChanged($0) } }
    if let seat, seat.state != .active { throw KMSError.seatTaken("seat") }
    // What the seat has opened for nothing is given back, whatever comes of this.
    defer { closeDevices(except: [display?.cardPath, kept?.path]) }
    let display = try KMSDisplay.open(on: loop, request: request, splash: splash, kept: kept) {
      (path) throws(DRMFailure) in try openCard(path)
    }
    kept = nil
    self.display = display
    if seat == nil, console == nil {
      console = Console.take()
      if let console { display.note(console.note) }
    }
    display.onClosed = { [weak self] card, keep in self?.closed(card, keep: keep) }
    return display
  }

  /// Gives back the card that was kept for a screen that didn't come back, and the seat.
  public func close() {
    watch = nil
    kept?.dropMaster()
    kept = nil
    closeDevices(except: [])
    seat = nil
    console = nil
  }

  // MARK: The seat

  private func openCard(_ path: String) throws(DRMFailure) -> Card {
    guard let seat else { return try Card(path: path) }
    let device = try seat.openDevice(path)
    devices.append((path, device.number))
    return Card(path: path, adopting: device.descriptor)
  }

  private func closeDevices(except paths: [String?]) {
    for (path, number) in devices where !paths.contains(path) { seat?.closeDevice(number) }
    devices.removeAll { !paths.contains($0.path) }
  }

  private func seatChanged(_ state: Seat.State) {
    switch state {
    case .waiting: break
    case .active: onChange?()
    case .leaving:
      if let display, display.isOpen { display.suspend() } else { leaveSeat() }
    case .lost:
      devices = []
      if let display, display.isOpen { display.suspend() }
      kept = nil
      seat = nil
    }
  }

  private func leaveSeat() {
    kept = nil
    closeDevices(except: [])
    seat?.leave()
  }

  private func closed(_ card: Card, keep: Bool) {
    if seat?.state == .leaving { return leaveSeat() }
    if keep { kept = card } else { closeDevices(except: [kept?.path]) }
  }

  private func changed() {
    if let display, display.isOpen {
      display.look()
    } else {
      onChange?()
    }
  }
}
