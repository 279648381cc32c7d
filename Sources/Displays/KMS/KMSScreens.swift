public import MainLoop
internal import PlaybackCore

/// The graphics cards of the machine over a whole run: opens displays on them, one or several at a time, tells when screens
/// come and go, and stays master of a card whose screen was unplugged.
///
/// Each screen has a `slot`. Who has several says of all what they want before the first opens. One seat, one console and one
/// watch serve them all. Confined to the loop's thread.
public final class KMSScreens {
  private(set) var slots: [KMSSlot] = []
  private var seat: Seat?
  /// What the seat has opened.
  private var devices: [(path: String, number: Int32)] = []
  let loop: EventLoop
  private var watch: ScreenWatch?
  /// Ours from the first picture to the end. A seat does the same with its own.
  private var console: Console?

  /// What of cards outlives this process, and what the one before has left.
  let kept: KeptCards

  /// - Parameters:
  ///   - keeper: keeps cards beyond the end of this process; nil where nobody does.
  ///   - files: what it has kept of the process before.
  public init(on loop: EventLoop, keeper: (any CardKeeper)? = nil, files: [KeptFile] = []) {
    self.loop = loop
    kept = KeptCards(keeper: keeper, files: files)
    watch = ScreenWatch(on: loop) { [weak self] in self?.changed() }
  }

  /// Whether changes are told. If not, they have to be looked for.
  public var tellsChanges: Bool { watch != nil }

  /// The slot of that name; made when it is asked for first. Slots keep the order in which they were made, and where a card
  /// can't serve all of them the earlier ones are served.
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
    // Without a card nobody's session has a screen, and a seat isn't given to anyone.
    if let seat, seat.state != .active {
      throw Card.paths().isEmpty ? KMSError.noCard("/dev/dri") : KMSError.seatTaken("seat")
    }
    // What the seat has opened for nothing is given back, whatever comes of this.
    defer { closeUnusedDevices() }
    let cards = SlotCards(slot: slot, request: request, screens: self)
    let display: KMSDisplay
    do throws(VitrineError) {
      display = try KMSDisplay.open(on: loop, request: request, splash: splash, from: cards)
    } catch {
      // What was kept and given up for this is nobody's now: others may have it.
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
      if let console { display.noteText(console.note) }
    }
    display.onClosed = { [weak self, weak slot] card, keep in
      guard let self, let slot else { return card.dropMaster() }
      closed(slot, card, keep: keep)
    }
    return display
  }

  /// What a slot had before is replaced, and no other card is kept for it.
  private func settle(_ slot: KMSSlot, _ holding: KMSSlot.Holding) {
    let before = slot.holding
    slot.holding = holding
    slot.kept = nil
    letGo(of: before)
  }

  /// A card of a seat isn't kept: who has the seat next is to find it free, and the seat takes it back with our end.
  private func keep(_ owner: Card, _ lease: Card?, for display: KMSDisplay) {
    guard seat == nil else { return }
    kept.claim(owner)
    kept.keep(owner, as: KeptName(card: owner.path))
    guard let lease, let id = lease.leaseID else { return }
    kept.claim(lease)
    kept.keep(lease, as: KeptName(lease: id, of: owner.path, connector: display.connectorName))
  }

  /// Whether what is shown stays when this process ends without closing its displays.
  public var outlives: Bool { kept.isKeeping }

  /// The screen of that name is no card's. What processes before us have left is given up where no other screen may want it.
  public func giveUpLeft(for name: String) { giveUpLeft { $0.name == name } }

  /// What no screen has wanted by now is wanted by none.
  private func giveUpLeft(where isServed: (KMSSlot) -> Bool) {
    if slots.allSatisfy({ $0.wanted == nil || $0.isOpen || isServed($0) }) { kept.giveUpRest() }
  }

  /// The slot has nothing of a card any more.
  func release(_ slot: KMSSlot) {
    let before = slot.holding
    slot.holding = nil
    slot.kept = nil
    letGo(of: before)
    closeUnusedDevices()
  }

  /// What was kept for an unplugged screen serves no more; the card stays ours until another is opened.
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

  /// The mastership of a card ends with the last of ours on it: it carries their leases.
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
    // Not of a display that the slot has had before.
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
