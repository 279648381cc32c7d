import InteractionCore
import MainLoop
import PlaybackCore

/// The picture of a process that is gone, while it is on our screen.
///
/// States: shown -> settled, with the first frame of ours on the video plane, or with a message where no plane is free for it.
/// Nothing that it is made of is changed before. A card that stands above it for `patience`, or a message that waits for so long for a
/// plane, ends it too; a frame that never gets to its plane, or a change that the kernel doesn't take, ends the display (5050).
final class TakenPicture {
  let leftovers: Leftovers
  /// As it was found.
  let card: CardSnapshot
  let colour: UInt32
  fileprivate var retry: EventSource?
  fileprivate var patience: EventSource?
  fileprivate var message: OverlayImage?
  fileprivate var looks = SettleLooks()

  init(_ leftovers: Leftovers, on card: CardSnapshot, colour: UInt32) {
    self.leftovers = leftovers
    self.card = card
    self.colour = colour
  }

  deinit {
    retry?.cancel()
    patience?.cancel()
  }

  /// For as long a message without a plane of its own waits for the first frame, and a card has the last picture behind it: a start takes a second on the slowest board,
  /// and who has no picture then may say why.
  static let patience = Duration.seconds(3)
}

/// How often it is looked whether our first frame is on its plane. Values only.
struct SettleLooks: Hashable, Sendable {
  static let interval = Duration.milliseconds(50)
  /// A frame that is shown is on its plane with the next refresh; a card that is slow takes some of them. An output that shows nothing of
  /// what it gets is found as late.
  static let limit = Duration.seconds(5)
  private var left = Int(Self.limit / Self.interval)

  /// False when it has been looked often enough.
  mutating func goOn() -> Bool {
    left -= 1
    return left > 0
  }
}

extension KMSDisplay {
  /// Whether what the process before has left can stay until our first frame.
  static func takesOver(
    _ left: Leftovers, _ plan: DisplayPlan, _ before: CardSnapshot, _ probe: PlaneProbe, _ request: KMSRequest
  ) -> Bool {
    let refusal = { (turns: Bool) in
      TakeOver.refusal(plan, on: before, left: left.framebuffers, videoTurns: turns)
    }
    guard request.rotation == .half else { return refusal(false) == nil }
    return refusal(turns(plan, before, probe, request)) == nil
  }

  /// Where the overlay has no plane, it would have to be drawn over the last picture, which is nobody's to write.
  func holdBack(_ image: OverlayImage?, over taken: TakenPicture) {
    taken.message = image
    guard image != nil else { return }
    wait(with: taken) { [weak self] in
      guard let self, let message = taken.message else { return }
      draw(message)
      settle(showsBackground: true)
    }
  }

  public func cardChanged(isShown: Bool) {
    // Without a plane of its own it waits as any message does.
    guard let taken = session?.taken, session?.overlay != nil else { return }
    guard isShown else {
      taken.patience?.cancel()
      taken.patience = nil
      return
    }
    wait(with: taken) { [weak self] in self?.settle(showsBackground: true) }
  }

  /// Gives the first frame the time of `TakenPicture.patience`.
  private func wait(with taken: TakenPicture, then: @escaping () -> Void) {
    guard taken.patience == nil else { return }
    taken.patience = loop.after(TakenPicture.patience) { [weak self, weak taken] in
      guard let self, let taken, session?.taken === taken else { return }
      taken.patience = nil
      then()
    }
  }

  /// The last picture gives way to ours, for good.
  ///
  /// - Parameter showsBackground: whether that is what is shown, in place of a frame.
  func settle(showsBackground: Bool = false) {
    guard let session, let taken = session.taken else { return }
    let plan = session.plan
    // A framebuffer that is removed from under its plane leaves that dark.
    if !showsBackground, taken.leftovers.isShown(onPlane: plan.planes.video) {
      return settleSoon(taken, "the first frame doesn't get to its plane")
    }
    let background =
      showsBackground || plan.planes.video != plan.planes.primary ? session.background.framebuffer.id : nil
    let videoStays = !taken.leftovers.isShown(onPlane: plan.planes.video)
    let commit = { (ours: Set<UInt32>) in
      Result { () throws(DRMFailure) in
        try session.card.commit(
          TakeOver.settling(
            plan, on: taken.card, background: background, colour: taken.colour, videoStays: videoStays, ours: ours),
          .blocking)
      }
    }
    // Nothing else is shown on these planes meanwhile.
    if case .failure(let failure) = session.withPainters(commit) {
      return settleSoon(taken, failure.description, showsBackground: showsBackground)
    }
    self.session?.taken = nil
    taken.leftovers.removeAll()
    onSettled?(session.card)
  }

  private func settleSoon(_ taken: TakenPicture, _ reason: String, showsBackground: Bool = false) {
    guard taken.looks.goOn() else {
      // Its owner closes this display, which takes what was left away, and opens another.
      onEvent?(.lost(KMSError.leftStays(summary, reason)))
      return
    }
    taken.retry = loop.after(SettleLooks.interval) { [weak self, weak taken] in
      guard let self, let taken, session?.taken === taken else { return }
      settle(showsBackground: showsBackground)
    }
  }
}

extension KMSDisplay.Session {
  /// Calls `body` with the planes on which painters of ours show something, while none of them can change that.
  fileprivate func withPainters<R>(_ body: (Set<UInt32>) -> R) -> R {
    guard let overlay, let id = plan.planes.overlay else { return withPointer([], body) }
    return overlay.withPainter { withPointer($0.isShown ? [id] : [], body) } ?? withPointer([], body)
  }

  private func withPointer<R>(_ ours: Set<UInt32>, _ body: (Set<UInt32>) -> R) -> R {
    let pointers = before.planes.filter { $0.kind == .cursor }.map(\.id)
    return pointer?.withPainter { body($0.isShown ? ours.union(pointers) : ours) } ?? body(ours)
  }
}
