public import MainLoop
internal import PlaybackCore

/// The graphics cards of the machine over a whole run. Opens displays on them, one or several at a time, reports when
/// screens come and go, and stays master of a card whose screen was unplugged.
///
/// Each screen has a `slot`. With several screens, all slots get their settings before the first display opens. One
/// seat, one console and one watch serve them all. Confined to the loop's thread.
public final class KMSScreens {
  private(set) var slots: [KMSSlot] = []
  private var seat: Seat?
  /// Devices opened through the seat.
  private var devices: [(path: String, number: Int32)] = []
  let loop: EventLoop
  private var watch: ScreenWatch?
  /// Locked from the first picture to the end. A seat locks its console itself.
  private var console: Console?

  /// Open files of cards that are to outlive this process, and those that the process before left.
  let kept: KeptCards

  /// - Parameters:
  ///   - keeper: keeps cards open beyond the end of this process; nil without a keeper.
  ///   - files: the files that the keeper held for the process before.
  public init(on loop: EventLoop, keeper: (any DescriptorStore)? = nil, files: [KeptFile] = []) {
    self.loop = loop
    kept = KeptCards(keeper: keeper, files: files)
    watch = ScreenWatch(on: loop) { [weak self] in self?.changed() }
  }

  /// Whether hotplug events are reported. If not, the owner has to poll.
  public var tellsChanges: Bool { watch != nil }

  /// The slot of that name, which the first call makes. Slots keep the order in which they were made: if a card can't
  /// serve all of them, earlier slots are served first.
  public func slot(_ name: String) -> KMSSlot {
    if let slot = slots.first(where: { $0.name == name }) { return slot }
    let slot = KMSSlot(name: name, of: self)
    slots.append(slot)
    return slot
  }

  /// Gives back the cards that were kept for screens that didn't come back, and the seat.
  public func close() {
    watch = nil
    for slot in slots where !slot.isOpen { release(slot) }
    kept.giveUpRest()
    closeDevices(except: [])
    seat = nil
    console = nil
  }

  // MARK: Slots

  func open(_ slot: KMSSlot, _ request: KMSRequest, splash: (PixelSize) -> [UInt32]?) throws(VitrineError) -> KMSDisplay
  {
    if seat == nil, Seat.isOffered { seat = Seat(on: loop) { [weak self] in self?.seatChanged($0) } }
    if seat != nil { kept.giveUpRest() }
    // Without a graphics card, the seat of a session never becomes active: the card's absence is the better error.
    if let seat, seat.state != .active {
      throw Card.paths().isEmpty ? KMSError.noCard("/dev/dri") : KMSError.seatTaken("seat")
    }
    // Devices that the seat opened in vain are closed, whatever the outcome.
    defer { closeUnusedDevices() }
    let cards = SlotCards(slot: slot, request: request, screens: self)
    let display: KMSDisplay
    do throws(VitrineError) {
      display = try KMSDisplay.open(on: loop, request: request, splash: splash, from: cards)
    } catch {
      // The kept card was given up for this attempt, which failed: release it to other screens.
      if slot.kept == nil, !slot.isOpen { release(slot) }
      throw error
    }
    if let owner = cards.granted.owner, let share = cards.granted.share ?? display.share {
      settle(slot, KMSSlot.Holding(owner: owner, share: share, lease: cards.granted.lease))
      keep(owner, cards.granted.lease, for: display)
    }
    display.onSettled = { [weak self] in self?.kept.settled(on: $0) }
    if !display.isTakenOver, let card = cards.granted.owner { kept.settled(on: card) }
    giveUpLeft { $0 === slot }
    if seat == nil, console == nil {
      console = Console.acquire()
      if let console { display.publishNote(console.note) }
    }
    display.onClosed = { [weak self, weak slot] card, keep in
      guard let self, let slot else { return card.dropMaster() }
      closed(slot, card, keep: keep)
    }
    return display
  }

  /// Replaces the slot's earlier holding, and gives up a card that was kept for it.
  private func settle(_ slot: KMSSlot, _ holding: KMSSlot.Holding) {
    let before = slot.holding
    slot.holding = holding
    slot.kept = nil
    letGo(of: before)
  }

  /// Keeps a card, unless it comes from a seat: the seat's next session needs it free, and the seat revokes it when
  /// this process ends.
  private func keep(_ owner: Card, _ lease: Card?, for display: KMSDisplay) {
    guard seat == nil else { return }
    kept.claim(owner)
    kept.keep(owner, as: KeptName(card: owner.path))
    guard let lease, let id = lease.leaseID else { return }
    kept.claim(lease)
    kept.keep(lease, as: KeptName(lease: id, of: owner.path, connector: display.connectorName))
  }

  /// Whether the picture stays if this process ends without closing its displays.
  public var outlives: Bool { kept.isKeeping }

  /// No card has the screen of that name. Gives up what earlier processes left, unless another screen may still need
  /// it.
  public func giveUpLeft(for name: String) { giveUpLeft { $0.name == name } }

  /// Gives up the rest of the kept files once no screen can need them any more.
  private func giveUpLeft(where isServed: (KMSSlot) -> Bool) {
    if slots.allSatisfy({ $0.wanted == nil || $0.isOpen || isServed($0) }) { kept.giveUpRest() }
  }

  /// Releases all that the slot has of a card.
  func release(_ slot: KMSSlot) {
    let before = slot.holding
    slot.holding = nil
    slot.kept = nil
    letGo(of: before)
    closeUnusedDevices()
  }

  /// Gives up the lease that was kept for an unplugged screen; the process stays master of the card until another is
  /// opened.
  func giveUpKept(_ slot: KMSSlot) {
    slot.kept = nil
    guard let holding = slot.holding, let lease = holding.lease else { return }
    kept.forget(lease)
    holding.owner.revoke(lease)
  }

  func forget(_ slot: KMSSlot) {
    release(slot)
    slots.removeAll { $0 === slot }
  }

  /// Ends a holding. The process drops the card with its last display on it: the leases depend on its being master.
  private func letGo(of holding: KMSSlot.Holding?) {
    guard let holding else { return }
    if let lease = holding.lease, !slots.contains(where: { $0.holding?.lease === lease }) {
      kept.forget(lease)
      holding.owner.revoke(lease)
    }
    if !slots.contains(where: { $0.holding?.owner === holding.owner }) {
      kept.forget(holding.owner)
      holding.owner.dropMaster()
    }
  }

  private func closed(_ slot: KMSSlot, _ card: Card, keep: Bool) {
    // Not for an earlier display of the slot.
    guard let holding = slot.holding, (holding.lease ?? holding.owner) === card else { return }
    let isLeaving = seat?.state == .leaving
    if keep, !isLeaving { slot.kept = card } else { release(slot) }
    if isLeaving, !slots.contains(where: \.isOpen) { leaveSeat() }
  }

  private func changed() {
    for slot in slots { slot.screensChanged() }
  }

  // MARK: The seat

  func openCard(_ path: String) throws(DRMFailure) -> Card {
    guard let seat else { return try Card(path: path) }
    let device = try seat.openDevice(path)
    devices.append((path, device.number))
    return Card(path: path, adopting: device.descriptor)
  }

  private func closeUnusedDevices() { closeDevices(except: slots.compactMap { $0.holding?.owner.path }) }

  private func closeDevices(except paths: [String]) {
    for (path, number) in devices where !paths.contains(path) { seat?.closeDevice(number) }
    devices.removeAll { !paths.contains($0.path) }
  }

  private func seatChanged(_ state: Seat.State) {
    switch state {
    case .waiting: break
    case .active: for slot in slots { slot.onChange?() }
    case .leaving:
      // The last that closes leaves.
      for slot in slots { slot.suspend() }
      if !slots.contains(where: \.isOpen) { leaveSeat() }
    case .lost:
      devices = []
      for slot in slots {
        if slot.isOpen { slot.suspend() } else { release(slot) }
      }
      seat = nil
    }
  }

  private func leaveSeat() {
    guard seat?.state == .leaving else { return }
    for slot in slots { release(slot) }
    closeDevices(except: [])
    seat?.leave()
  }
}
