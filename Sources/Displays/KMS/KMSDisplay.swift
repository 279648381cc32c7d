import Glibc
public import InteractionCore
public import MainLoop
public import PlaybackCore

/// A screen driven directly through the kernel, with this process as master of the card.
///
/// The background lies on the primary plane; the video sink shares the card's descriptor and shows its frames on an
/// overlay plane; the overlay has a plane above that. Confined to the loop's thread.
public final class KMSDisplay: Display {
  public let kind = OutputKind.kms
  /// Such as `kms card0 HDMI-A-1 1280x720@60.00`.
  public private(set) var summary: String
  public let target: VideoTarget
  public var onEvent: ((DisplayEvent) -> Void)?
  /// Deviations from the request, such as another mode; for the log.
  public internal(set) var notes: [String]

  /// The objects that the display owns until `close`.
  struct Session {
    let card: Card
    var before: CardSnapshot
    var plan: DisplayPlan
    let background: Background
    var overlay: PlaneUpdates<OverlayPainter>?
    /// Nil if the screen has no plane for a pointer.
    var pointer: PlaneUpdates<CursorPainter>?
    /// The earlier process's picture, while the screen shows it.
    var taken: TakenPicture?
  }
  var session: Session?
  private var isVideoShown = false
  let loop: EventLoop
  private static let pointer = "the pointer"
  let rotation: ScreenRotation
  var sleep: CECLine?
  /// The colour for which the video plane is set; nil while an earlier process's setting holds.
  private let readColour: Locked<VideoColour?>
  /// The transfer curve for which the screen is set; nil for SDR.
  private let shownCurve = Locked<HDRTransfer?>(nil)
  /// Receives the card once the display has closed; `keep` if its screen was unplugged and the process stays master.
  /// Without a receiver, the display drops the card.
  var onClosed: ((Card, _ keep: Bool) -> Void)?
  /// Called when the earlier process's picture has left the screen.
  var onSettled: ((Card) -> Void)?
  private var isUnplugged = false
  /// Whether the primary plane holds a picture that stays after `close`.
  private var keepsPicture = false

  /// Opens the card, lights the screen with the background and takes everything else off it.
  ///
  /// Takes as long as the driver takes for a modeset, which can be some hundred milliseconds.
  ///
  /// - Parameters:
  ///   - loop: the display belongs to its thread.
  ///   - splash: gives the pixels (XRGB, row by row) of a screen of that size with a picture on it; nil for the
  ///     background colour alone.
  /// - Throws: an error of the 5xxx family. With several cards, that of the card that came closest.
  public static func open(
    on loop: EventLoop, request: KMSRequest, splash: (PixelSize) -> [UInt32]? = { _ in nil }
  ) throws(VitrineError) -> KMSDisplay {
    try open(on: loop, request: request, splash: splash, from: FreshCards())
  }

  /// - Parameter source: gives the display its card, and its part of the card.
  static func open(
    on loop: EventLoop, request: KMSRequest, splash: (PixelSize) -> [UInt32]?, from source: some CardSource
  ) throws(VitrineError) -> KMSDisplay {
    var failure: VitrineError?
    var cards: [Card] = []
    var snapshots: [CardSnapshot] = []
    for path in Card.paths() {
      do throws(VitrineError) {
        let card = try source.openCard(path)
        let snapshot = try card.snapshotOrTell()
        guard snapshot.isNamed(request.card) else { continue }
        try card.becomeMasterOrTell()
        cards.append(card)
        snapshots.append(source.part(of: snapshot))
      } catch {
        if request.card == KMSRequest.auto || path.hasSuffix(request.card) {
          failure = KMSError.moreTelling(failure, error)
        }
      }
    }
    let choice = CardChoice(among: snapshots, for: request)
    for (_, error) in choice.failures { failure = KMSError.moreTelling(failure, error) }
    for candidate in choice.candidates {
      guard let card = cards.first(where: { $0.path == candidate.card.path }) else { continue }
      do throws(VitrineError) {
        let (granted, part) = try source.grant(candidate, of: card)
        let left = source.leftovers(on: granted)
        return try light(
          granted, part, left, restores: !source.wasLeft(granted), on: loop, request: request, splash: splash)
      } catch {
        failure = KMSError.moreTelling(failure, error)
      }
    }
    throw failure ?? KMSError.noCard(request.card == KMSRequest.auto ? "/dev/dri" : request.card)
  }

  public func showOverlay(_ image: OverlayImage?) {
    guard let session else { return }
    let image = image?.turned(rotation, view: rotation.turned(session.plan.mode.size))
      .signalled(in: shownCurve.withLock(\.self))
    if let overlay = session.overlay { return overlay.show(image) }
    // Once there are frames, the overlay is drawn into them, and the background isn't to be seen.
    guard !isVideoShown else { return }
    if let taken = session.taken { return holdBack(image, over: taken) }
    draw(image)
  }

  func draw(_ image: OverlayImage?) {
    do throws(DRMFailure) {
      try session?.background.draw(image)
    } catch {
      failed("the overlay", error)
    }
  }

  public func showPointer(_ image: OverlayImage?) {
    guard let session, let pointer = session.pointer else { return }
    pointer.show(image?.turned(rotation, view: rotation.turned(session.plan.mode.size)))
  }

  /// The sink leaves the plane's colour properties alone. On its own thread, because there it can't be in the way of its
  /// own frames.
  public var prepareColour: (@Sendable (VideoColour) -> Void)? {
    guard let session, let plane = session.before.plane(session.plan.planes.video) else { return nil }
    let card = session.card
    let screen = HDRScreen(session.plan.connector, plane: plane)
    let (last, shownCurve) = (readColour, shownCurve)
    return { colour in
      let before = last.withLock { last in
        defer { last = colour }
        return last
      }
      guard before != colour else { return }
      var change = AtomicChange()
      change.prepareColour(plane, colour)
      // An earlier process's picture is on that plane: its colours must not change for nothing.
      if before == nil { change.leaveOut(valuesOf: plane.properties) }
      if !change.assignments.isEmpty {
        // A refusal leaves the colours as they were: there is no remedy.
        _ = try? card.commit(change, .blocking)
      }
      guard screen.isToBeTold(colour, after: before) else { return }
      let metadata = screen.metadata(for: colour)
      // A refusal here is ignored too: the screen shows the frames in the mode that it has.
      guard (try? Self.applyHDRMetadata(card, screen, metadata)) != nil else { return }
      shownCurve.withLock { $0 = metadata == nil ? nil : colour.hdr }
    }
  }

  /// Switches the screen to HDR or back to SDR. Some drivers set the mode again for this.
  private static func applyHDRMetadata(_ card: Card, _ screen: HDRScreen, _ metadata: HDRMetadata?) throws(DRMFailure) {
    guard let metadata else { return try card.commit(screen.change(blob: nil), .modeset) }
    let blob = try PropertyBlob(card, bytes: metadata.bytes)
    // The kernel keeps the blob for as long as it is in use.
    try card.commit(screen.change(blob: blob.id), .modeset)
  }

  /// The cost of the overlay so far, for measuring.
  public var overlayWork: OverlayWork { session?.overlay?.withPainter(\.work) ?? OverlayWork() }

  /// Shows the picture on the primary plane in place of the background, before the sink releases its last frame. After
  /// the process's end, the kernel keeps a shown framebuffer only if the process has closed it (`leaveOnScreen`).
  public func keep(_ picture: [UInt32]) -> String? {
    guard let session, let primary = session.before.plane(session.plan.planes.primary) else { return "no screen" }
    let plan = session.plan
    do throws(DRMFailure) {
      let kept = try DumbFramebuffer(session.card, size: plan.mode.size, format: .xrgb8888)
      try kept.write(rotation.turn(picture, size: rotation.turned(plan.mode.size)))
      var change = AtomicChange()
      change.light(
        primary, crtc: plan.crtcID, framebuffer: kept.id, source: plan.mode.size, on: plan.screen,
        zpos: plan.planes.stacking[primary.id])
      try session.card.commit(change, .blocking)
      try kept.leaveOnScreen()
      keepsPicture = true
      return nil
    } catch {
      return "the kernel doesn't allow it, 6.8 or newer does (\(error.description))"
    }
  }

  /// Switches the CRTC, which is the kernel's form of DPMS: the screen loses its signal and sleeps.
  public func setPower(_ isOn: Bool) -> Bool {
    guard let session, let crtc = session.before.crtc(session.plan.crtcID) else { return false }
    // Before the signal goes, while the screen surely listens.
    if !isOn { sleep?.want(isOn: false) }
    var change = AtomicChange()
    change.set("ACTIVE", of: crtc.properties, to: isOn ? 1 : 0)
    isVideoShown = false
    return (try? session.card.commit(change, .modeset)) != nil
  }

  public var millimetres: PixelSize? { session?.plan.connector.millimetres.map(rotation.turned) }
  public var refresh: ScreenRefresh? { session?.plan.refresh }
  public var busySince: Instant? { session?.overlay?.busySince ?? session?.pointer?.busySince }

  public func setRefresh(_ millihertz: Int) -> String? {
    guard let session else { return "no screen" }
    guard let mode = session.plan.mode(refreshMillihertz: millihertz) else { return "the screen has no such mode" }
    do throws(DRMFailure) {
      let blob = try PropertyBlob(session.card, bytes: mode.timings)
      try session.card.commit(session.plan.refreshChange(on: session.before, modeBlob: blob.id), .modeset)
    } catch {
      return error.description
    }
    self.session?.plan.mode = mode
    summary = Self.summary(of: session.before, session.plan, mode)
    return nil
  }

  static func summary(of card: CardSnapshot, _ plan: DisplayPlan, _ mode: ModeSnapshot) -> String {
    "kms \(card.name) \(plan.connector.name) \(mode.description)"
  }

  public func wake() { sleep?.want(isOn: true) }

  public func videoDidStart() {
    isVideoShown = true
    settle()
  }

  public func close() {
    guard let session else { return }
    self.session = nil
    sleep?.close()
    sleep = nil
    try? session.pointer?.stop()?.hide()
    let painter = session.overlay?.stop()
    // An earlier picture that can't be restored, such as a dead process's, leaves the screen off. A second failure has
    // no remedy: the kernel switches off the rest when the descriptor closes.
    if keepsPicture {
      _ = try? session.card.commit(session.plan.leave(session.before), .blocking)
    } else if !Self.restore(session) {
      _ = try? session.card.commit(session.plan.restore(session.before, modeBlob: nil), .modeset)
    }
    session.taken?.leftovers.removeAll()
    onSettled?(session.card)
    // The buffers are released only now that the plane is off: releasing one that is shown costs a commit.
    withExtendedLifetime(painter) {}
    guard let onClosed else { return session.card.dropMaster() }
    onClosed(session.card, isUnplugged)
  }

  deinit { close() }

  var isOpen: Bool { session != nil }
  /// Whether the screen still shows an earlier process's picture.
  var isTakenOver: Bool { session?.taken != nil }
  var connectorName: String { session?.plan.connector.name ?? "" }
  /// The display's share of its card.
  var share: CardShare? { session.map { CardShare($0.plan, on: $0.before) } }

  /// Leaves the rest of the card to other screens: `close` no longer restores it.
  func leaveRest() {
    guard let session, let share else { return }
    self.session?.before = session.before.limited(to: share)
  }

  /// Checks the connector after a hotplug event: is it still the same screen?
  func checkConnector() {
    guard let session, !isUnplugged else { return }
    let before = session.plan.connector
    // A card that doesn't answer is gone, and its screen with it.
    let now = session.card.connectorNow(before.id)
    let name = "\(session.before.path) \(before.name)"
    let problem: VitrineError
    if let now, now.status == before.status || now.status == .connected {
      guard !now.hasSameScreen(as: before) else { return }
      problem = KMSError.noScreen(name, message: "another screen was plugged in")
    } else {
      problem = KMSError.noScreen(name, message: "the screen was unplugged")
    }
    isUnplugged = true
    onEvent?(.unplugged(problem))
  }

  /// The seat has gone to another session; this process has lost the card.
  func suspend() {
    guard session != nil else { return }
    onEvent?(.unplugged(KMSError.seatTaken("seat")))
  }

  init(
    _ session: Session, request: KMSRequest, canScale: Bool, mustCover: Bool, planeTurns: Bool, on loop: EventLoop
  ) {
    let plan = session.plan
    self.loop = loop
    readColour = Locked(session.taken == nil ? .highDefinition : nil)
    rotation = request.rotation
    summary = Self.summary(of: session.before, plan, plan.mode)
    notes = plan.notes
    target = .drmPlane(
      DRMPlaneTarget(
        cardDescriptor: session.card.descriptor, connectorID: plan.connector.id, planeID: plan.planes.video,
        canScale: canScale, mustCover: mustCover, drawsOverlay: plan.planes.overlay == nil,
        rotation: planeTurns ? .none : rotation, screen: plan.mode.size, background: request.background,
        hdr: HDRScreen(plan.connector, plane: session.before.plane(plan.planes.video)).transfers,
        renderNode: session.card.renderNode))
    self.session = session
    let display = LoopReference(self, of: loop.executor)
    let crtc = (plan.crtcID, session.before.crtcs.firstIndex { $0.id == plan.crtcID } ?? 0)
    self.session?.pointer = CursorPainter(card: session.card, planes: session.before.planes, crtc: crtc).map {
      PlaneUpdates($0, loop: loop) { display.value?.failed(Self.pointer, $0) }
    }
    guard let id = plan.planes.overlay, let plane = session.before.plane(id) else { return }
    let painter = OverlayPainter(card: session.card, plane: plane, crtc: crtc, zpos: plan.planes.stacking[id])
    self.session?.overlay = PlaneUpdates(painter, loop: loop) { display.value?.failed("the overlay", $0) }
  }

  func failed(_ what: String, _ failure: DRMFailure) {
    // After `close` no failure means anything.
    guard let session else { return }
    // The kernel moves a CRTC's own pointer only, and which plane that is it doesn't say: a lease may have another.
    let isPointerOfLease = what == Self.pointer && session.card.leaseID != nil && failure.code == EACCES
    if failure.meansLostCard, !isPointerOfLease {
      let path = session.card.path
      onEvent?(
        .lost(
          failure.code == ENODEV
            ? KMSError.noCard(path, detail: failure.description)
            : KMSError.cardInUse(path, holders: CardHolder.find(card: path), detail: failure.description)))
      return
    }
    // The video goes on without it; once said is enough.
    let note = "\(what) can't be shown: \(failure.description)"
    guard !notes.contains(note) else { return }
    notes.append(note)
    onEvent?(.note(note))
  }
}

extension KMSDisplay {
  /// Restores the screen from before this process, if it was on: all of it, else the primary plane's picture.
  private static func restore(_ session: Session) -> Bool {
    let (plan, before) = (session.plan, session.before)
    let mode = before.crtc(plan.crtcID)?.mode
    let otherMode = plan.abandonedCRTC(on: before)?.mode
    guard mode != nil || otherMode != nil else { return false }
    // The blob of a mode that isn't needed has one byte.
    guard let blob = try? PropertyBlob(session.card, bytes: mode?.timings ?? [0]),
      let otherBlob = try? PropertyBlob(session.card, bytes: otherMode?.timings ?? [0])
    else { return false }
    let modeBlob = mode == nil ? nil : blob.id
    let all = plan.restoreAll(before, modeBlob: modeBlob, otherBlob: otherMode == nil ? nil : otherBlob.id)
    if (try? session.card.commit(all, .modeset)) != nil { return true }
    guard let modeBlob else { return false }
    return (try? session.card.commit(plan.restore(before, modeBlob: modeBlob), .modeset)) != nil
  }
}
