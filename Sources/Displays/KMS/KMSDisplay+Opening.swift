import MainLoop
import PlaybackCore

extension KMSDisplay {
  /// Shows the background. A picture that an earlier process left stays until there is a frame to replace it.
  ///
  /// - Parameters:
  ///   - left: the objects that an earlier process left on this file.
  ///   - restores: whether `close` shows the picture from before again.
  static func light(
    _ card: Card, _ candidate: CardChoice.Candidate, _ left: Leftovers?, restores: Bool, on loop: EventLoop,
    request: KMSRequest,
    splash: (PixelSize) -> [UInt32]?
  ) throws(VitrineError) -> KMSDisplay {
    let before = candidate.card
    var plan = candidate.plan
    if left != nil {
      plan = plan.beginning(asLitOn: before, wanted: request.refreshMillihertz).withoutLeftColours()
    }
    do throws(DRMFailure) {
      let background = try Background(
        card, size: plan.mode.size, colour: request.background, picture: turnedSplash(splash, request, plan.mode.size))
      let probe = PlaneProbe(card: card, plan: plan)
      let isTaken = left.map { takesOver($0, plan, before, probe, request) } ?? false
      if !isTaken {
        let blob = try PropertyBlob(card, bytes: plan.mode.timings)
        try card.commit(
          plan.modeset(
            on: before, modeBlob: blob.id, background: background.framebuffer.id, colour: request.background), .modeset)
        left?.removeAll()
      }
      let abilities = before.plane(plan.planes.video).map { video in
        // An overlay that is drawn into frames may lie anywhere on the screen, so frames have to cover all of it.
        let mustCover =
          plan.planes.layout == .composed || (plan.planes.layout == .videoOnPrimary && !probe.canBeSmall(video))
        return (canScale: request.planeScales ?? probe.scales(video), mustCover: mustCover)
      }
      let planeTurns = turns(plan, before, probe, request) && turnVideoPlane(card, plan, before)
      let canScale = abilities?.canScale ?? false
      let mustCover = abilities?.mustCover ?? true
      if !canScale { plan.notes.append("the video plane of \(before.name) can't scale: pictures are scaled before it") }
      if mustCover {
        plan.notes.append(
          "the video plane of \(before.name) has to cover the screen: borders are drawn into the frames")
      }
      if request.rotation != .none, !planeTurns {
        plan.notes.append("the video plane of \(before.name) doesn't turn pictures: they are turned before it")
      }
      // A dead process's pictures will be gone by the end.
      let restored = restores ? before : before.withoutPictures()
      if isTaken { plan.notes.append("the last picture stays on \(plan.connector.name) until the first frame") }
      let display = KMSDisplay(
        Session(
          card: card, before: restored, plan: plan, background: background,
          taken: isTaken ? left.map { TakenPicture($0, on: before, colour: request.background) } : nil),
        request: request,
        canScale: canScale, mustCover: mustCover, planeTurns: planeTurns, on: loop)
      display.openSleep(request.cec, on: loop)
      return display
    } catch {
      throw KMSError.modesetRefused(
        "\(card.path) \(plan.connector.name)", mode: plan.mode.description, detail: error.description)
    }
  }

  private func openSleep(_ choice: CECChoice, on loop: EventLoop) {
    guard let session else { return }
    sleep = ScreenSleep.open(choice, card: session.card.path, connector: session.plan.connector, on: loop) {
      [weak self] text in
      self?.publishNote(text)
    }
  }

  /// For the log. Notes are kept until the display has an owner who listens.
  func publishNote(_ text: String) {
    if let onEvent { onEvent(.note(text)) } else { notes.append(text) }
  }

  private static func turnedSplash(
    _ splash: (PixelSize) -> [UInt32]?, _ request: KMSRequest, _ screen: PixelSize
  ) -> [UInt32]? {
    let view = request.rotation.turned(screen)
    return splash(view).map { request.rotation.turn($0, size: view) }
  }

  /// True if the video plane can turn the sink's frames. A primary plane can't be used for that: it also shows the
  /// background, which is turned already.
  static func turns(
    _ plan: DisplayPlan, _ before: CardSnapshot, _ probe: PlaneProbe, _ request: KMSRequest
  ) -> Bool {
    guard request.rotation == .half, plan.planes.video != plan.planes.primary else { return false }
    return before.plane(plan.planes.video).map { probe.turnsByHalf($0) } ?? false
  }

  private static func turnVideoPlane(_ card: Card, _ plan: DisplayPlan, _ before: CardSnapshot) -> Bool {
    guard let video = before.plane(plan.planes.video) else { return false }
    var change = AtomicChange()
    change.setIfPresent("rotation", of: video.properties, to: video.properties["rotation"]?.choices["rotate-180"])
    return (try? card.commit(change, .blocking)) != nil
  }
}
