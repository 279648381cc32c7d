import PlaybackCore

/// Which connector, mode, CRTC and planes are used, and what for.
struct DisplayPlan: Hashable, Sendable {
  var connector: ConnectorSnapshot
  var mode: ModeSnapshot
  var crtcID: UInt32
  var planes: PlaneRoles
  /// What is not as it was asked for, for the log.
  var notes: [String] = []

  /// Plans for one card.
  ///
  /// - Returns: the plan, or why this card can't show what is asked for.
  static func choose(card: CardSnapshot, request: KMSRequest) -> Result<DisplayPlan, VitrineError> {
    connector(of: card, named: request.connector).flatMap { connector in
      guard let choice = ModeChoice.choose(from: connector.modes, for: request.mode) else {
        return .failure(KMSError.noScreen(connector.name, message: "the connected screen names no mode"))
      }
      return roles(card, connector).map { crtcID, planes in
        var plan = DisplayPlan(connector: connector, mode: choice.mode, crtcID: crtcID, planes: planes)
        if !choice.isExact {
          plan.notes.append(
            "\(connector.name) has no mode \(request.mode); using \(choice.mode.description), the nearest of "
              + "\(connector.modes.count)")
        }
        if planes.overlay == nil {
          plan.notes.append("\(card.name) has no plane above the video: the seek bar and messages can't be shown")
        }
        if !planes.videoTakesYUV {
          plan.notes.append("the video plane of \(card.name) takes no YUV: pictures are converted by the CPU")
        }
        return plan
      }
    }
  }

  private static func connector(of card: CardSnapshot, named name: String) -> Result<ConnectorSnapshot, VitrineError> {
    guard name == KMSRequest.autoConnector else {
      guard let found = card.connectors.first(where: { $0.name == name }) else {
        return .failure(KMSError.noSuchConnector(name, card: card.path, known: card.connectors.map(\.name)))
      }
      // Some kinds (VGA, composite, DPI) can't tell: a person who names one knows.
      guard found.status != .disconnected else {
        return .failure(KMSError.noScreen(name, message: "no screen is connected"))
      }
      return .success(found)
    }
    // A headset says that it isn't for desktops.
    let screens = card.connectors.filter { !$0.modes.isEmpty && ($0.properties["non-desktop"]?.value ?? 0) == 0 }
    if let found = screens.first(where: { $0.status == .connected }) ?? screens.first(where: { $0.status == .unknown })
    {
      return .success(found)
    }
    let names = card.connectors.map(\.name).joined(separator: ", ")
    return .failure(
      KMSError.noScreen(
        card.path, message: names.isEmpty ? "the card has no connector" : "no screen is connected (\(names))"))
  }

  /// The CRTC with the best set of planes; between equals the one that the connector is routed to already, then one
  /// that is off, then the first.
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
    let hasOverlay = card.planes.contains { $0.kind == .overlay }
    return .failure(
      KMSError.noUsablePlane(
        "\(card.path) \(connector.name)",
        message: hasOverlay ? "no free plane of the card can show video" : "the card has no plane but the primary one"))
  }
}

extension UInt32 {
  func hasBit(_ index: Int) -> Bool { index < 32 && self & (1 << UInt32(index)) != 0 }
}
