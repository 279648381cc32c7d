internal import MainLoop
package import MediaPipeline
package import PlaybackCore

// The output: attached to a screen, retired, and its events.

extension PlayerEngine {
  /// Opens an output on a screen; playback begins, or goes on, when it is ready.
  ///
  /// - Parameters:
  ///   - target: the screen; it must outlive the output.
  ///   - sound: settings of the sound; a volume set since the start takes precedence.
  ///   - hdr: the treatment of HDR films.
  ///   - prepareColour: called on a streaming thread before the first frame whose colours differ from the last one's.
  package func attach(
    to target: VideoTarget, sound: SoundSettings, hdr: HDRChoice = .map,
    prepareColour: (@Sendable (VideoColour) -> Void)? = nil
  ) {
    guard ending == nil else { return }
    var sound = sound
    if let volume { sound.volume = volume }
    if let isMuted { sound.isMuted = isMuted }
    let generation = outputs.makeNumber()
    let request = OutputRequest(
      target: target, sound: sound, hdr: hdr, clock: clock.media, prepareColour: prepareColour)
    let output = makeOutput(request) { [weak mailbox] event in
      mailbox?.post(.output(generation: generation, event))
    }
    outputs.put(output)
    _ = output.drawOverlay(overlay)
    output.open()
    outputChanged(isOpening: true)
  }

  /// Sets the overlay that is drawn into frames, on a target that needs it; nil draws none.
  package func drawOverlay(_ overlay: OverlayPixels?) {
    self.overlay = overlay
    guard let output, let mark = output.drawOverlay(overlay) else { return }
    overlayTimer = clock.after(EngineTiming.frameWait) { output.repeatFrame(ifStillAt: mark) }
  }

  /// Detaches the engine from a screen that is gone: decks go, the position is kept, and the output is taken down.
  /// `done` is called when no sink holds anything of the screen any more, or its deadline has passed.
  ///
  /// - Parameter showsLast: whether frames on their way to the screen are shown before; on a screen that is gone they
  ///   would hang.
  package func detach(showsLast: Bool = false, then done: @escaping () -> Void = {}) {
    feed(.outputLost)
    overlayTimer = nil
    guard let (output, generation) = outputs.detach() else { return done() }
    outputChanged(isOpening: false)
    newestFrame = nil
    followSubtitles()
    let deadline = clock.after(EngineTiming.outputTeardown) { [weak self] in
      self?.outputs.hasAbandoned = true
      self?.outputRetired(generation)
    }
    outputs.retire(output, generation, deadline: deadline, then: done)
    output.close(showsLast: showsLast)
  }

  /// Whether a retired sink may still hold a screen.
  package var isDetaching: Bool { outputs.isRetiring }

  /// Handles the events of a retired output.
  func receiveLast(_ event: OutputEvent, of generation: UInt32) {
    switch event {
    case .frame(let frame): ledger.record(frame)
    case .heard(let sound): ledger.record(sound)
    case .closed: outputRetired(generation)
    case .ready, .failed, .clockLost, .sound, .headset, .planeRefused: break
    }
  }

  func outputRetired(_ generation: UInt32) {
    outputs.end(generation)?()
    closeMailboxIfOver()
  }

  /// Sets the volume of this output and later ones: see `MediaOutput.setVolume(_:over:)`.
  package func setVolume(_ volume: Double, over fade: Duration? = nil) {
    self.volume = min(1, max(0, volume))
    output?.setVolume(volume, over: fade)
  }

  /// Mutes or unmutes this output and later ones.
  package func setMuted(_ isMuted: Bool, over fade: Duration? = nil) {
    self.isMuted = isMuted
    output?.setMuted(isMuted, over: fade)
  }

  /// Switches to another sound device; the picture goes on.
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
      tell(.output(event))
      feed(.outputReady)
    case .frame(let frame):
      ledger.record(frame)
      if frame.wasRendered {
        newestFrame = frame
        watch.health.shown(book[frame.deck]?.item)
      }
      tell(.output(event))
      if frame.wasRendered { feed(.frameShown(frame.deck, streamTime: frame.streamTime, epoch: frame.epoch)) }
    case .heard(let sound):
      ledger.record(sound)
      tell(.output(event))
      feed(.soundHeard(sound.deck, running: sound.running, streamTime: sound.streamTime, epoch: sound.epoch))
    case .closed: finishEnding()
    case .clockLost: ledger.count(.clockLosses)
    case .failed:
      if watch.openingSince == nil { openOutputFailed() }
      watch.openingSince = nil
      giveUpWay()
      tell(.output(event))
    case .sound, .headset, .planeRefused: tell(.output(event))
    }
  }
}
