internal import Displays
internal import InteractionCore
internal import KioskCore
internal import Logging
internal import MainLoop
internal import MediaPipeline
internal import PlaybackCore
internal import PlaylistConfig
internal import VitrinePlayback

// Pictures of the screen: the snapshot of `--snapshot`, and the last frame that stays at the end.

extension ScreenSession {
  struct Snapshot {
    enum State {
      /// No snapshot is wanted, or the first frame hasn't come.
      case none
      case waiting
      case taking
      case done
    }

    var state = State.none
    var hasFailed = false
    /// Called when the snapshot is taken.
    var then: (() -> Void)?
    /// Brings the workers' answers to the loop.
    var mailbox: Mailbox<Answer>?
  }

  enum Answer: Sendable {
    case snapshot(VitrineError?)
    /// The screen's last picture, to be left there; nil where nothing was shown.
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

  /// Starts the time to the snapshot, which counts from the first frame.
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
      reportProblem(problem)
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

  /// Takes a snapshot that is still due at the playlist's end, of the last frame, and then calls `done`.
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

  /// Leaves the last frame on the screen, if the configuration wants that and the display can do it.
  func keepLastFrame(then done: @escaping () -> Void) {
    guard options.settings.display.keepsLastFrame, !output.machine.isOff, let target = output.display?.target else {
      return done()
    }
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
