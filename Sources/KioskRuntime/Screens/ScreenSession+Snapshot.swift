internal import Displays
internal import InteractionCore
internal import KioskCore
internal import Logging
internal import MainLoop
internal import MediaPipeline
internal import PlaybackCore
internal import VitrinePlayback

// Pictures of what is on the screen: the snapshot that somebody asked for, and the last frame that is to stay.

extension ScreenSession {
  struct Snapshot {
    enum State {
      /// None is wanted, or the first frame hasn't come.
      case none
      case waiting
      case taking
      case done
    }

    var state = State.none
    var hasFailed = false
    /// What waits for it.
    var then: (() -> Void)?
    /// By which workers answer.
    var mailbox: Mailbox<Answer>?
  }

  enum Answer: Sendable {
    case snapshot(VitrineError?)
    /// The screen as it is at the end, to be left there; nil where nothing was shown.
    case lastPicture([UInt32]?, VitrineError?)
  }

  private var mailbox: Mailbox<Answer> {
    if let mailbox = snapshot.mailbox { return mailbox }
    let reference = LoopReference(self, of: loop.executor)
    let mailbox = Mailbox<Answer>(executor: loop.executor) { answer in reference.value?.heard(answer) }
    snapshot.mailbox = mailbox
    return mailbox
  }

  private func heard(_ answer: Answer) {
    switch answer {
    case .snapshot(let problem): snapshotTaken(problem)
    case .lastPicture(let picture, let problem): lastFrameCaptured?(picture, problem)
    }
  }

  // MARK: The snapshot

  /// Counted from the first frame.
  func startSnapshotTimer() {
    guard let request = options.snapshot, case .none = snapshot.state else { return }
    snapshot.state = .waiting
    startTimer(.snapshot, after: request.at) { [weak self] in self?.takeSnapshot() }
  }

  private func takeSnapshot() {
    guard let request = options.snapshot, let display = output.display else { return }
    if case .taking = snapshot.state { return }
    stopTimer(.snapshot)
    snapshot.state = .taking
    let (target, above, mailbox) = (display.target, overlay.onScreen, mailbox)
    engine.captureFrame { captured in
      if case .unreadable(let problem) = captured { return mailbox.post(.snapshot(problem)) }
      let frame = captured.frame?.turned(target.rotation.inverse)
      let overlay = target.drawsOverlay && frame != nil ? nil : above
      mailbox.post(.snapshot(SnapshotFile.write(frame, overlay: overlay, screen: target.size, to: request.path)))
    }
  }

  private func snapshotTaken(_ problem: VitrineError?) {
    if let problem {
      log.error("\(problem.line)")
      tellProblem(problem)
      snapshot.hasFailed = true
    } else if let path = options.snapshot?.path {
      log.notice("snapshot: \(path)")
    }
    snapshot.state = .done
    let then = snapshot.then
    snapshot.then = nil
    if then != nil { stopTimer(.snapshot) }
    then?()
  }

  /// The playlist has come to its end: a snapshot that is still due shows the last frame, and `then` follows.
  func finishSnapshot(then done: @escaping () -> Void) {
    switch snapshot.state {
    case .none, .done: return done()
    case .waiting: takeSnapshot()
    case .taking: break
    }
    snapshot.then = done
    startTimer(.snapshot, after: RuntimeTiming.snapshotLimit) { [weak self] in
      self?.snapshot.then = nil
      done()
    }
  }

  // MARK: The last frame

  /// Leaves the last frame on the screen, where that is wanted and can be.
  func keepLastFrame(then done: @escaping () -> Void) {
    guard options.keepsLastFrame, !output.machine.isOff, let target = output.display?.target else { return done() }
    let mailbox = mailbox
    lastFrameCaptured = { [self] picture, problem in
      lastFrameCaptured = nil
      stopTimer(.lastFrame)
      if let problem { log.warning("the last frame doesn't stay: \(problem.line)") }
      if let picture, let problem = calling("the last picture is kept", { output.display?.keep(picture) }) {
        log.warning("the last frame doesn't stay: \(problem)")
      }
      done()
    }
    startTimer(.lastFrame, after: RuntimeTiming.lastFrameLimit) { [weak self] in self?.lastFrameCaptured?(nil, nil) }
    engine.captureFrame { captured in
      if case .unreadable(let problem) = captured { return mailbox.post(.lastPicture(nil, problem)) }
      let frame = captured.frame?.turned(target.rotation.inverse)
      mailbox.post(.lastPicture(frame.flatMap { SnapshotFile.pixels($0, screen: target.size) }, nil))
    }
  }
}
