internal import MainLoop
package import MediaPipeline
package import PlaybackCore

// The output: on a screen, on its way out, and what it tells.

extension PlayerEngine {
  /// Opens an output on a screen; playback begins, or goes on, when it is ready.
  ///
  /// - Parameters:
  ///   - target: the screen; it must outlive the output.
  ///   - sound: how it sounds; the volume set since the start counts more.
  ///   - hdr: what is done with HDR films.
  ///   - prepareColour: called on a streaming thread before the first frame of other colours.
  package func attach(
    to target: VideoTarget, sound: SoundSettings, hdr: HDRChoice = .map,
    prepareColour: (@Sendable (VideoColour) -> Void)? = nil
  ) {
    guard ending == nil else { return }
    var sound = sound
    if let volume { sound.volume = volume }
    if let isMuted { sound.isMuted = isMuted }
    outputGeneration += 1
    let generation = outputGeneration
    let request = OutputRequest(
      target: target, sound: sound, hdr: hdr, clock: clock.media, prepareColour: prepareColour)
    let output = makeOutput(request) { [weak mailbox] event in
      mailbox?.post(.output(generation: generation, event))
    }
    self.output = output
    _ = output.drawOverlay(overlay)
    output.open()
    outputChanged(isOpening: true)
  }

  /// What is drawn into the frames, on a target that wants that; nil draws nothing.
  package func drawOverlay(_ overlay: OverlayPixels?) {
    self.overlay = overlay
    guard let output, let mark = output.drawOverlay(overlay) else { return }
    overlayTimer = clock.after(EngineTiming.frameWait) { output.repeatFrame(ifStillAt: mark) }
  }

  /// The screen is gone: decks go, the position is kept, and the output is taken down. `done` is called when no sink
  /// holds anything of the screen any more, or the deadline for that has passed.
  ///
  /// - Parameter showsLast: whether frames on their way to the screen are shown before; on a screen that isn't there they
  ///   would hang.
  package func detach(showsLast: Bool = false, then done: @escaping () -> Void = {}) {
    feed(.outputLost)
    overlayTimer = nil
    guard let output else { return done() }
    let generation = outputGeneration
    outputGeneration += 1  // from here on its events are stale, but for `closed`
    self.output = nil
    outputChanged(isOpening: false)
    newestFrame = nil
    followSubtitles()
    let deadline = clock.after(EngineTiming.outputTeardown) { [weak self] in
      self?.hasAbandonedOutput = true
      self?.outputRetired(generation)
    }
    retiredOutputs[generation] = RetiredOutput(output: output, deadline: deadline, done: done)
    output.close(showsLast: showsLast)
  }

  /// Whether a sink of the past may still hold a screen.
  package var isDetaching: Bool { !retiredOutputs.isEmpty }

  /// What an output on its way out still tells.
  func receiveLast(_ event: OutputEvent, of generation: UInt32) {
    switch event {
    case .frame(let frame): ledger.record(frame)
    case .heard(let sound): ledger.record(sound)
    case .closed: outputRetired(generation)
    case .ready, .failed, .clockLost, .sound, .planeRefused: break
    }
  }

  func outputRetired(_ generation: UInt32) {
    retiredOutputs.removeValue(forKey: generation)?.done()
    closeMailboxIfOver()
  }

  /// Turns everything up or down, on this output and those after it: see `MediaOutput.setVolume(_:over:)`.
  package func setVolume(_ volume: Double, over fade: Duration? = nil) {
    self.volume = min(1, max(0, volume))
    output?.setVolume(volume, over: fade)
  }

  /// Silences everything, or lets it sound again, on this output and those after it.
  package func setMuted(_ isMuted: Bool, over fade: Duration? = nil) {
    self.isMuted = isMuted
    output?.setMuted(isMuted, over: fade)
  }

  /// Goes over to another sound device; the picture goes on.
  package func useSoundDevice(_ device: SoundDevice) { output?.useSoundDevice(device) }

  /// A copy of the frame on the screen; `done` is called on a worker.
  package func captureFrame(_ done: @escaping @Sendable (FrameCapture) -> Void) {
    guard let output else { return done(.nothing) }
    output.captureFrame(done)
  }

  func receiveOutputEvent(_ event: OutputEvent) {
    switch event {
    case .ready:
      watch.openingSince = nil
      guard ending == nil else { return }
      owner?.engine(self, output: event)
      feed(.outputReady)
    case .frame(let frame):
      ledger.record(frame)
      if frame.wasRendered {
        newestFrame = frame
        watch.health.shown(book[frame.deck]?.item)
      }
      owner?.engine(self, output: event)
      if frame.wasRendered { feed(.frameShown(frame.deck, streamTime: frame.streamTime, epoch: frame.epoch)) }
    case .heard(let sound):
      ledger.record(sound)
      owner?.engine(self, output: event)
      feed(.soundHeard(sound.deck, running: sound.running, streamTime: sound.streamTime, epoch: sound.epoch))
    case .closed: finishEnding()
    case .clockLost: ledger.clockLost()
    case .failed:
      watch.openingSince = nil
      giveUpWay()
      owner?.engine(self, output: event)
    case .sound, .planeRefused: owner?.engine(self, output: event)
    }
  }
}
