import InteractionCore
import MainLoop
import PlaybackCore

/// An earlier process's picture that is still on the screen.
///
/// States: shown -> settled. The player's first frame on the video plane settles it, or a message that has a plane of
/// its own. Until then, the objects of the picture stay unchanged. An error card that stands above it for `patience`
/// ends it too, and so does a message that waits this long for a plane. A frame that never gets to its plane, or a
/// change that the kernel refuses, ends the display (5050).
final class TakenPicture {
  let leftovers: Leftovers
  /// The card's state when the picture was found.
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

  /// How long a message without a plane of its own waits for the first frame, and how long the old picture stays behind
  /// an error card: a start takes a second on the slowest board, and after three seconds the message matters more.
  static let patience = Duration.seconds(3)
}

/// Counts the checks whether the first frame is on its plane. Values only.
struct SettleLooks: Hashable, Sendable {
  static let interval = Duration.milliseconds(50)
  /// A frame reaches its plane with the next refresh; a slow card takes some refreshes more. After this time, the
  /// output counts as one that doesn't show its frames.
  static let limit = Duration.seconds(5)
  private var left = Int(Self.limit / Self.interval)

  /// False after the last check.
  mutating func goOn() -> Bool {
    left -= 1
    return left > 0
  }
}

extension KMSDisplay {
  /// True if the earlier process's picture can stay until the player's first frame.
  static func takesOver(
    _ left: Leftovers, _ plan: DisplayPlan, _ before: CardSnapshot, _ probe: PlaneProbe, _ request: KMSRequest
  ) -> Bool {
    let refusal = { (turns: Bool) in
      TakeOver.refusal(plan, on: before, left: left.framebuffers, videoTurns: turns)
    }
    guard request.rotation == .half else { return refusal(false) == nil }
    return refusal(turns(plan, before, probe, request)) == nil
  }

  /// Keeps a message back if the overlay has no plane: drawing would have to change the earlier process's picture,
  /// whose memory isn't mapped here.
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
    // Without a plane of its own, a card waits like any message.
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

  /// Replaces the earlier process's picture for good.
  ///
  /// - Parameter showsBackground: whether the background replaces it, and not a frame.
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
      // The owner closes this display, which removes the old picture, and opens another.
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
  /// Calls `body` with the planes on which the player's painters show something, while no painter can change that.
  fileprivate func withPainters<R>(_ body: (Set<UInt32>) -> R) -> R {
    guard let overlay, let id = plan.planes.overlay else { return withPointer([], body) }
    return overlay.withPainter { withPointer($0.isShown ? [id] : [], body) } ?? withPointer([], body)
  }

  private func withPointer<R>(_ ours: Set<UInt32>, _ body: (Set<UInt32>) -> R) -> R {
    let pointers = before.planes.filter { $0.kind == .cursor }.map(\.id)
    return pointer?.withPainter { body($0.isShown ? ours.union(pointers) : ours) } ?? body(ours)
  }
}
