import PlaybackCore

/// Decides whether a dead process's picture can stay on the screen until there is a frame to replace it. Values only.
enum TakeOver {
  /// The reason against it; the screen is then set up from the beginning.
  enum Refusal: String, Hashable, Sendable {
    case off = "the screen is off"
    case route = "it is driven by another CRTC or connector than before"
    case mode = "it has another mode"
    case link = "its link has to be set up again"
    case foreign = "it shows something other than what the process before has left"
    case planes = "other planes are lit than those that are needed"
    case stacking = "its planes lie in another order, or turn their picture otherwise"
  }

  /// - Parameters:
  ///   - plan: the plan for the new display.
  ///   - card: the card's state as it was found.
  ///   - framebuffers: all framebuffers that the dead process left on this open file.
  ///   - videoTurns: whether the video plane will turn its picture by a half.
  /// - Returns: nil if it can stay.
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

  /// The commit after the player's first frame: shows the background below it, and switches off all other planes.
  ///
  /// - Parameters:
  ///   - background: nil if the video is on the primary plane and replaces it.
  ///   - videoStays: false if the background replaces a dead process's picture on the video plane.
  ///   - ours: planes that already show a picture of this process.
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
  /// Whether a screen sees no difference. The mode's name and type may have changed since it was set.
  func hasSameTimings(as other: ModeSnapshot) -> Bool {
    // struct drm_mode_modeinfo: clock and lines (24 bytes), vrefresh, flags, type, name.
    let parts = [0..<24, 28..<32]
    guard timings.count >= 32, other.timings.count >= 32 else { return self == other }
    return parts.allSatisfy { timings[$0] == other.timings[$0] }
  }
}

extension CardSnapshot {
  /// The snapshot with all screens off: a dead process's pictures can't be restored, because they will be gone. `close`
  /// then switches the screen off, and the kernel gives it to the console.
  func withoutPictures() -> CardSnapshot {
    var card = self
    for index in card.crtcs.indices { card.crtcs[index].mode = nil }
    return card
  }
}

extension DisplayPlan {
  /// Begins with the rate that the screen already has, if the mode follows the films: any rate will do until the first
  /// film.
  func beginning(asLitOn card: CardSnapshot, wanted: Int?) -> DisplayPlan {
    guard preferredRefresh != nil, wanted == nil, connector.crtcID == crtcID,
      let lit = card.crtc(crtcID)?.mode, lit.size == mode.size,
      let same = self.mode(refreshMillihertz: lit.refreshMillihertz)
    else { return self }
    var plan = self
    plan.mode = same
    return plan
  }

  /// Takes the HDR state that was found out of the state that `close` restores.
  func withoutLeftColours() -> DisplayPlan {
    var plan = self
    // The metadata's value stays: the first frame compares with it to decide whether the screen has to be set to SDR.
    let told = connector.properties["HDR_OUTPUT_METADATA"]?.value
    plan.connector = connector.withoutHDR
    if let told { plan.connector.properties.entries["HDR_OUTPUT_METADATA"]?.value = told }
    return plan
  }
}
