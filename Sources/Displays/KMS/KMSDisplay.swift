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
  public let summary: String
  public let target: VideoTarget
  public var onEvent: ((DisplayEvent) -> Void)?
  /// What isn't as it was asked for, such as another mode; for the log.
  public private(set) var notes: [String]

  /// What is ours until `close`.
  private struct Session {
    let card: Card
    let before: CardSnapshot
    let plan: DisplayPlan
    let background: DumbFramebuffer
    var overlay: OverlayPlane?
  }
  private var session: Session?
  private var colour = VideoColour.highDefinition
  private let colourWorker = BlockingWorker()

  /// Opens the card, lights the screen with the background colour and takes everything else off it.
  ///
  /// Takes as long as the driver takes for a modeset, which can be some hundred milliseconds.
  ///
  /// - Parameter loop: the display belongs to its thread.
  /// - Throws: an error of the 5xxx family. With several cards, that of the card that came closest.
  public static func open(on loop: EventLoop, request: KMSRequest) throws(VitrineError) -> KMSDisplay {
    var failure: VitrineError?
    for path in request.cardPath.map({ [$0] }) ?? Card.paths() {
      do throws(VitrineError) {
        return try open(path, on: loop, request: request)
      } catch {
        failure = KMSError.moreTelling(failure, error)
      }
    }
    throw failure ?? KMSError.noCard(request.cardPath ?? "/dev/dri")
  }

  public func showOverlay(_ image: OverlayImage?) {
    session?.overlay?.show(image)
  }

  /// Commits on a thread of its own, as the overlay does and for the same reason: the sink holds the screen's lock.
  public func videoColourChanged(_ colour: VideoColour) {
    guard let session, colour != self.colour, let plane = session.before.plane(session.plan.planes.video) else {
      return
    }
    self.colour = colour
    var change = AtomicChange()
    change.prepareColour(plane, colour)
    guard !change.assignments.isEmpty else { return }
    let card = session.card
    // A refusal leaves the colours as they were: nothing that anybody could do about it.
    colourWorker.submit { [change] in _ = try? card.commit(change, .blocking) }
  }

  public func videoDidStart() {}

  public func close() {
    guard let session else { return }
    self.session = nil
    colourWorker.finish()
    let painter = session.overlay?.stop()
    // What can't be had back, such as the picture of a process that is gone, leaves the screen off. There is nobody to
    // tell if that fails too: the kernel switches off what is left when the descriptor goes.
    if !Self.restore(session) {
      _ = try? session.card.commit(session.plan.restore(session.before, modeBlob: nil), .modeset)
    }
    // Its buffers go only now that the plane is off: letting go of one that is shown costs a commit of its own.
    withExtendedLifetime(painter) {}
    session.card.dropMaster()
  }

  deinit { close() }

  private init(_ session: Session, canScale: Bool, on loop: EventLoop) {
    let plan = session.plan
    summary = "kms \(session.before.name) \(plan.connector.name) \(plan.mode.description)"
    notes = plan.notes
    target = .drmPlane(
      DRMPlaneTarget(
        cardDescriptor: session.card.descriptor, connectorID: plan.connector.id, planeID: plan.planes.video,
        canScale: canScale, screen: plan.mode.size))
    self.session = session
    guard let id = plan.planes.overlay, let plane = session.before.plane(id) else { return }
    let display = LoopReference(self, of: loop.executor)
    self.session?.overlay = OverlayPlane(
      card: session.card, plane: plane, crtcID: plan.crtcID, zpos: plan.planes.stacking[id], loop: loop
    ) { display.value?.overlayFailed($0) }
  }

  private func overlayFailed(_ failure: DRMFailure) {
    // After `close` no failure means anything.
    guard let session else { return }
    if failure.meansLostCard {
      let path = session.card.path
      onEvent?(
        .lost(
          failure.code == ENODEV
            ? KMSError.noCard(path, detail: failure.description)
            : KMSError.cardInUse(path, holders: CardHolder.find(card: path), detail: failure.description)))
      return
    }
    // The video goes on without an overlay; once said is enough.
    let note = "the overlay can't be shown: \(failure.description)"
    if !notes.contains(note) { notes.append(note) }
  }
}

extension KMSDisplay {
  private static func open(_ path: String, on loop: EventLoop, request: KMSRequest) throws(VitrineError) -> KMSDisplay {
    let card = try openCard(path)
    let before: CardSnapshot
    do throws(DRMFailure) {
      before = try card.snapshot()
    } catch {
      throw KMSError.noCard(path, detail: error.description)
    }
    var plan = try DisplayPlan.choose(card: before, request: request).get()
    do throws(DRMFailure) {
      let background = try DumbFramebuffer(card, size: plan.mode.size, format: .xrgb8888)
      try background.fill(request.background & 0xFF_FFFF)
      let blob = try PropertyBlob(card, bytes: plan.mode.timings)
      try card.commit(plan.modeset(on: before, modeBlob: blob.id, background: background.id), .modeset)
      let canScale = scalesVideo(card, plan, before)
      if !canScale { plan.notes.append("the video plane of \(before.name) can't scale: pictures are scaled before it") }
      return KMSDisplay(
        Session(card: card, before: before, plan: plan, background: background), canScale: canScale, on: loop)
    } catch {
      throw KMSError.modesetRefused(
        "\(path) \(plan.connector.name)", mode: plan.mode.description, detail: error.description)
    }
  }

  private static func openCard(_ path: String) throws(VitrineError) -> Card {
    let card: Card
    do throws(DRMFailure) {
      card = try Card(path: path)
    } catch {
      switch error.code {
      case EACCES, EPERM: throw KMSError.noPermission(path, detail: error.description)
      case EBUSY: throw KMSError.cardInUse(path, holders: CardHolder.find(card: path), detail: error.description)
      default: throw KMSError.noCard(path, detail: error.description)
      }
    }
    guard card.hasScreens else { throw KMSError.noCard(path, detail: "the card has no connectors") }
    do throws(DRMFailure) {
      try card.becomeMaster()
    } catch {
      throw KMSError.cardInUse(path, holders: CardHolder.find(card: path), detail: error.description)
    }
    do throws(DRMFailure) {
      try card.enableAtomic()
    } catch {
      throw KMSError.atomicNotSupported(path, detail: error.description)
    }
    return card
  }

  /// Shows what was there before us, if anything was.
  private static func restore(_ session: Session) -> Bool {
    guard let mode = session.before.crtc(session.plan.crtcID)?.mode,
      let blob = try? PropertyBlob(session.card, bytes: mode.timings)
    else { return false }
    let change = session.plan.restore(session.before, modeBlob: blob.id)
    return (try? session.card.commit(change, .modeset)) != nil
  }

  /// Asks the driver whether the video plane could show a picture of half the screen's size on all of it.
  ///
  /// The commit may not change modes, because the video sink's own way of setting the plane may not either.
  private static func scalesVideo(_ card: Card, _ plan: DisplayPlan, _ before: CardSnapshot) -> Bool {
    let formats = FourCC.yuvFormats + FourCC.rgbFormats
    guard let plane = before.plane(plan.planes.video),
      let format = formats.first(where: { plane.formats.contains($0) }),
      let probe = try? DumbFramebuffer(
        card, size: PixelSize(width: plan.mode.size.width / 4 * 2, height: plan.mode.size.height / 4 * 2),
        format: format)
    else { return false }
    var change = AtomicChange()
    change.light(
      plane, crtc: plan.crtcID, framebuffer: probe.id, source: probe.size, on: plan.screen,
      zpos: plan.planes.stacking[plane.id])
    return (try? card.commit(change, .test)) != nil
  }
}
