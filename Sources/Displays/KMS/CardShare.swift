import PlaybackCore

/// The objects of a card that belong to one of several screens; its lease covers exactly these.
struct CardShare: Hashable, Sendable {
  var connector: UInt32
  var crtc: UInt32
  /// The planes' numbers, with the primary plane first.
  var planes: [UInt32]

  var objects: [UInt32] { [connector, crtc] + planes }
}

extension CardShare {
  /// The share of a display that has the card to itself.
  init(_ plan: DisplayPlan, on card: CardSnapshot) {
    connector = plan.connector.id
    crtc = plan.crtcID
    let roles = [plan.planes.primary, plan.planes.video] + (plan.planes.overlay.map { [$0] } ?? [])
    let index = card.crtcs.firstIndex { $0.id == plan.crtcID } ?? 0
    // The kernel doesn't report which cursor plane the legacy calls use.
    let cursors = card.planes.filter { $0.kind == .cursor && $0.possibleCRTCs.hasBit(index) }.map(\.id)
    planes = (roles + cursors).reduce(into: []) { list, id in
      if !list.contains(id) { list.append(id) }
    }
  }

  /// The commit by which the lessor detaches the leased objects from all others. A lessee sees its own objects only: it
  /// can't take another connector off its CRTC. Mostly empty.
  func clearing(_ card: CardSnapshot) -> AtomicChange {
    var change = AtomicChange()
    var darkened: Set<UInt32> = []
    for other in card.connectors where other.id != connector && other.crtcID == crtc {
      change.set("CRTC_ID", of: other.properties, to: 0)
    }
    let routedTo = card.connectors.first { $0.id == connector }?.crtcID ?? 0
    if routedTo != crtc {
      if let own = card.connectors.first(where: { $0.id == connector }), routedTo != 0 {
        change.set("CRTC_ID", of: own.properties, to: 0)
        if !card.connectors.contains(where: { $0.id != connector && $0.crtcID == routedTo }) {
          darkened.insert(routedTo)
        }
      }
      // The kernel refuses a CRTC that is on and drives nothing.
      if card.crtc(crtc)?.mode != nil { darkened.insert(crtc) }
    }
    for id in darkened.sorted() {
      if let dark = card.crtc(id) { change.turnOff(dark) }
    }
    for plane in card.planes where plane.isLit {
      let isForeign = planes.contains(plane.id) ? plane.crtcID != crtc : plane.crtcID == crtc
      if isForeign || darkened.contains(plane.crtcID) { change.disable(plane) }
    }
    return change
  }
}

extension CardSnapshot {
  /// The snapshot without the objects outside a share, for restoring the state from before.
  func limited(to share: CardShare) -> CardSnapshot {
    var card = self
    card.connectors.removeAll { $0.id != share.connector }
    card.crtcs.removeAll { $0.id != share.crtc }
    card.planes.removeAll { !share.planes.contains($0.id) }
    return card
  }
}
