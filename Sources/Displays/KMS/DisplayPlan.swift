import PlaybackCore

/// The connector, mode, CRTC and planes for one display, and the planes' roles.
struct DisplayPlan: Hashable, Sendable {
  var connector: ConnectorSnapshot
  var mode: ModeSnapshot
  /// The refresh rate of the screen's preferred mode, if the mode follows the films; else nil.
  var preferredRefresh: Int?
  var crtcID: UInt32
  var planes: PlaneRoles
  /// Deviations from the request, for the log.
  var notes: [String] = []
  /// The reasons for the card, connector, mode and use of planes; a line each, for people.
  var reasons: [String] = []

  /// Plans for one card.
  ///
  /// - Returns: the plan, or the reason why this card can't meet the request.
  static func choose(card: CardSnapshot, request: KMSRequest) -> Result<DisplayPlan, VitrineError> {
    connector(of: card, request).flatMap { connector, reason in
      guard let choice = ModeChoice.choose(from: connector.modes, for: request.mode, limit: request.modeLimit)
      else {
        return .failure(KMSError.noScreen(connector.name, message: "the connected screen names no mode"))
      }
      return roles(card, connector).map { crtcID, planes in
        var plan = DisplayPlan(connector: connector, mode: choice.mode, crtcID: crtcID, planes: planes)
        if request.mode.followsFilms { plan.followFilms(from: request.refreshMillihertz) }
        if !choice.isExact {
          plan.notes.append(
            "\(connector.name) has no mode \(request.mode); using \(choice.mode.description), the nearest of "
              + "\(connector.modes.count)")
        }
        plan.notes += planes.notes(card: card.name)
        plan.reasons = [
          "\(connector.name): \(reason)", "\(choice.mode.description): \(choice.reason(for: request.mode))",
          "planes: \(planes.layout.explanation)",
        ]
        if let refresh = plan.refresh { plan.reasons.append("films: \(refresh.explanation)") }
        return plan
      }
    }
  }

  private static func connector(of card: CardSnapshot, _ request: KMSRequest)
    -> Result<(ConnectorSnapshot, reason: String), VitrineError>
  {
    let name = request.connector
    guard name == KMSRequest.auto else {
      guard let found = card.connectors.first(where: { $0.name == name }) else {
        return .failure(KMSError.noSuchConnector(name, card: card.path, known: card.connectors.map(\.name)))
      }
      // Some connectors (VGA, composite, DPI) can't detect a screen: naming one is enough.
      guard found.status != .disconnected else {
        return .failure(KMSError.noScreen(name, message: "no screen is connected"))
      }
      return .success((found, "as asked"))
    }
    let screens = card.connectors.filter { !$0.modes.isEmpty && $0.isForPeople && $0.status != .disconnected }
    // Connected screens first, then perhaps connected ones; then the request's order of panels, then the card's order.
    let best = screens.enumerated().min { a, b in
      let (rankA, rankB) = (rank(a.element, request), rank(b.element, request))
      return rankA == rankB ? a.offset < b.offset : rankA < rankB
    }
    guard let found = best?.element else {
      let names = card.connectors.map(\.name).joined(separator: ", ")
      return .failure(
        KMSError.noScreen(
          card.path, message: names.isEmpty ? "the card has no connector" : "no screen is connected (\(names))"))
    }
    return .success((found, reason(for: found, among: screens, request)))
  }

  /// Smaller is better.
  private static func rank(_ connector: ConnectorSnapshot, _ request: KMSRequest) -> (Int, Int) {
    (connector.status == .connected ? 0 : 1, connector.isBuiltIn == (request.builtInPanels == .first) ? 0 : 1)
  }

  private static func reason(
    for found: ConnectorSnapshot, among screens: [ConnectorSnapshot], _ request: KMSRequest
  ) -> String {
    if found.status == .unknown { return "the only connector that may have a screen: the driver can't tell" }
    let connected = screens.filter { $0.status == .connected }
    if connected.count == 1 { return "the only connector with a screen" }
    let alike = connected.filter { $0.isBuiltIn == found.isBuiltIn }
    if alike.count < connected.count {
      return found.isBuiltIn ? "built-in panels come first" : "built-in panels come last"
    }
    return "the first of \(connected.count) with a screen"
  }

  /// The CRTC with the best set of planes; between equals the connector's present one, then one that is off, then the
  /// first.
  private static func roles(_ card: CardSnapshot, _ connector: ConnectorSnapshot)
    -> Result<(UInt32, PlaneRoles), VitrineError>
  {
    var best: (rank: (Int, Int), crtc: UInt32, planes: PlaneRoles)?
    for (index, crtc) in card.crtcs.enumerated() where connector.possibleCRTCs.hasBit(index) {
      guard let planes = PlaneRoles.choose(from: card.planes, crtc: crtc.id, index: index) else { continue }
      let convenience = crtc.id == connector.crtcID ? 2 : crtc.mode == nil ? 1 : 0
      let rank = (planes.rank, convenience)
      if best.map({ rank > $0.rank }) ?? true { best = (rank, crtc.id, planes) }
    }
    if let best { return .success((best.crtc, best.planes)) }
    return .failure(
      KMSError.noUsablePlane(
        "\(card.path) \(connector.name)", message: "no free primary plane of the card can show a picture"))
  }
}

extension PlaneRoles {
  /// Drawbacks of these roles, for the log.
  func notes(card: String) -> [String] {
    var notes: [String] = []
    if layout == .composed {
      notes.append(
        "\(card) has no plane above the video: the seek bar and messages are drawn into its frames by the CPU")
    }
    if !videoTakesYUV {
      notes.append(
        "the video plane of \(card) takes none of the formats that decoders give: pictures are converted by the CPU")
    }
    return notes
  }
}

extension PlaneRoles.Layout {
  var explanation: String {
    switch self {
    case .separate: "background, video and overlay have a plane each"
    case .videoOnPrimary: "the only plane above the primary one carries the overlay; the video is on the primary plane"
    case .composed: "no plane is left above the video: borders and overlay are drawn into the frames"
    }
  }
}

extension UInt32 {
  func hasBit(_ index: Int) -> Bool { index < 32 && self & (1 << UInt32(index)) != 0 }
}
