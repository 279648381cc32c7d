import PlaybackCore

/// Whether a screen that shows what a dead process has left can go on showing it until there is a frame to put in its place.
/// Values only.
enum TakeOver {
  /// Why not: the screen is lit anew then.
  enum Refusal: String, Hashable, Sendable {
    case off = "the screen is off"
    case route = "it is driven in another way than it was"
    case mode = "its mode is another one"
    case link = "its cable wants a new start"
    case foreign = "what it shows isn't what the process before has left"
    case planes = "other planes are lit than those that are wanted"
    case stacking = "its planes lie in another order, or turn their picture otherwise"
  }

  /// - Parameters:
  ///   - plan: what is wanted.
  ///   - card: as it was found.
  ///   - framebuffers: all that the dead process has left on this open file.
  ///   - videoTurns: whether the video plane is to turn its picture by a half.
  /// - Returns: nil where it can.
  static func refusal(
    _ plan: DisplayPlan, on card: CardSnapshot, left framebuffers: Set<UInt32>, videoTurns: Bool
  ) -> Refusal? {
    guard let crtc = card.crtc(plan.crtcID), let mode = crtc.mode, crtc.properties["ACTIVE"]?.value != 0 else {
      return .off
    }
    let routed = card.connectors.filter { $0.crtcID == plan.crtcID }.map(\.id)
    guard routed == [plan.connector.id] else { return .route }
    guard mode.hasSameTimings(as: plan.mode) else { return .mode }
    let link = plan.connector.properties["link-status"]
    guard link == nil || link?.value != link?.choices["Bad"] else { return .link }
    let lit = card.planes.filter { $0.crtcID == plan.crtcID && $0.framebufferID != 0 }
    guard lit.contains(where: { $0.id == plan.planes.primary }) else { return .off }
    let roles = [plan.planes.primary, plan.planes.video] + (plan.planes.overlay.map { [$0] } ?? [])
    for plane in lit {
      // The kernel makes the pointer's framebuffer itself, and lists it nowhere.
      guard roles.contains(plane.id) else {
        if plane.kind == .cursor { continue }
        return .planes
      }
      guard framebuffers.contains(plane.framebufferID) else { return .foreign }
      guard lies(plane, as: plan, turned: videoTurns && plane.id == plan.planes.video) else { return .stacking }
    }
    return nil
  }

  private static func lies(_ plane: PlaneSnapshot, as plan: DisplayPlan, turned: Bool) -> Bool {
    let properties = plane.properties
    if let zpos = plan.planes.stacking[plane.id], properties["zpos"]?.value != zpos { return false }
    guard let rotation = properties["rotation"] else { return true }
    return rotation.value == (turned ? rotation.choices["rotate-180"] : 1)
  }

  /// The commit that follows the first frame of ours: our background comes under it, and what is lit besides goes.
  ///
  /// - Parameters:
  ///   - background: nil where the video has its plane.
  ///   - videoStays: false where the background takes the place of what a dead process has on the video plane.
  ///   - ours: planes that show something of ours by now.
  static func settling(
    _ plan: DisplayPlan, on card: CardSnapshot, background: UInt32?, colour: UInt32, videoStays: Bool = true,
    ours: Set<UInt32>
  ) -> AtomicChange {
    var change = AtomicChange()
    if let crtc = card.crtc(plan.crtcID) {
      change.setIfPresent("BACKGROUND_COLOR", of: crtc.properties, to: DisplayPlan.wideColour(colour))
    }
    if let background, let primary = card.plane(plan.planes.primary) {
      change.light(
        primary, crtc: plan.crtcID, framebuffer: background, source: plan.mode.size, on: plan.screen,
        zpos: plan.planes.stacking[primary.id])
    }
    for plane in card.planes where plane.isLit && plane.crtcID == plan.crtcID {
      let stays =
        plane.id == plan.planes.primary || (plane.id == plan.planes.video && videoStays) || ours.contains(plane.id)
      if !stays { change.disable(plane) }
    }
    return change
  }
}

extension ModeSnapshot {
  /// Whether a screen sees no difference. What a mode calls itself may have changed since it was set.
  func hasSameTimings(as other: ModeSnapshot) -> Bool {
    // struct drm_mode_modeinfo: clock and lines (24 bytes), vrefresh, flags, type, name.
    let parts = [0..<24, 28..<32]
    guard timings.count >= 32, other.timings.count >= 32 else { return self == other }
    return parts.allSatisfy { timings[$0] == other.timings[$0] }
  }
}

extension CardSnapshot {
  /// What was there can't be shown again, because it will have gone: at the end the screen is switched off, and the kernel
  /// gives it to the console when the card is closed.
  func withoutPictures() -> CardSnapshot {
    var card = self
    for index in card.crtcs.indices { card.crtcs[index].mode = nil }
    return card
  }
}

extension DisplayPlan {
  /// Where the mode follows the films, the rate that the screen has is as good to begin with as any.
  func beginning(asLitOn card: CardSnapshot, wanted: Int?) -> DisplayPlan {
    guard preferredRefresh != nil, wanted == nil, connector.crtcID == crtcID,
      let lit = card.crtc(crtcID)?.mode, lit.size == mode.size,
      let same = self.mode(refreshMillihertz: lit.refreshMillihertz)
    else { return self }
    var plan = self
    plan.mode = same
    return plan
  }

  /// What the screen was told of HDR isn't to be told again at the end.
  func withoutLeftColours() -> DisplayPlan {
    var plan = self
    // Whether it is to be told of SDR the first frame asks of this, where the picture stays.
    let told = connector.properties["HDR_OUTPUT_METADATA"]?.value
    plan.connector = connector.withoutHDR
    if let told { plan.connector.properties.entries["HDR_OUTPUT_METADATA"]?.value = told }
    return plan
  }
}
