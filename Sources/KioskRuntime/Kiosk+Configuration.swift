internal import Displays
internal import InteractionCore
internal import KioskCore
internal import MainLoop
internal import MediaPipeline
internal import PlaybackCore
internal import PlaylistConfig
internal import VitrinePlayback

// The configuration in use: how it begins, and what happens when it changes.

extension Kiosk: ConfigurationSessionOwner {
  func startConfiguration() {
    guard let setup = options.configuration, let loop else { return }
    let session = ConfigurationSession(setup, on: loop, owner: self, log: log)
    self.session = session
    if setup.boot.active == nil { showConfigurationErrors(setup.boot.problems) }
    session.start()
  }

  /// Nothing can be played, and nothing was ever kept: the screen says where the fault is, and how to reach the board.
  private func showConfigurationErrors(_ problems: [String]) {
    card = ErrorCard(
      number: ErrorNumber.configurationInvalid.rawValue, headline: "The configuration can't be used",
      body: problems.prefix(3).joined(separator: "\n"),
      footer: ([HostName.text] + HostAddresses.all).joined(separator: "  "))
  }

  nonisolated func session(_ session: ConfigurationSession, plays lists: PlayedLists, by configuration: Configuration) {
    assumeIsolated { $0.play(lists, by: configuration) }
  }

  nonisolated func session(_ session: ConfigurationSession, wantsScreenOn isOn: Bool) {
    assumeIsolated { $0.feed(.scheduleWants(on: isOn)) }
  }

  nonisolated func sessionAsksForFrames(_ session: ConfigurationSession) -> Bool? {
    assumeIsolated { $0.framesVerdict() }
  }

  nonisolated func sessionAsksForScreen(_ session: ConfigurationSession) -> ScreenState {
    assumeIsolated { $0.screen.isOff ? .asleep : $0.display == nil ? .none : .on }
  }

  nonisolated func session(_ session: ConfigurationSession, says message: String?) {
    assumeIsolated { kiosk in
      kiosk.message = message
      kiosk.refreshOverlay()
    }
  }

  private func play(_ lists: PlayedLists, by configuration: Configuration) {
    guard ending == nil, let engine else { return }
    let old = options
    options.queue = lists.loop
    options.visitorsQueue = lists.visitors
    options.applySettings?(configuration, &options)
    applySettings(after: old)
    card = nil
    // Who is in the visitors' list stays in it, as long as there is one.
    if input.loopQueue != nil { input.loopQueue = options.visitorsQueue.isEmpty ? nil : options.queue }
    var edited = engine.machine.queue
    // A clip that somebody asked for is in no list, and plays on.
    let wanted = input.loopQueue == nil ? options.queue : options.visitorsQueue
    edited.replaceAll(engine.machine.listed(wanted), keeping: input.detour.clip)
    edited.repeatMode = options.loops ? .all : .none
    framesSinceLook = 0
    if edited != engine.machine.queue { engine.feed(.queueEdited(edited)) }
    updateStore()
    let playsNothing = engine.machine.current?.readiness.isLive ?? true
    feed(.settingsInUse(isOther: !options.hasSameOutput(as: old), playsNothing: playsNothing))
    if playsNothing { changeSoundDevice() }
    refreshOverlay()
  }

  /// Sound goes over to the device that is now wanted, where that is another one and the screen stays open.
  func changeSoundDevice() {
    guard display != nil, !screen.isOutdated, let used = optionsOfScreen?.sound.device, used != options.sound.device
    else { return }
    optionsOfScreen?.sound.device = options.sound.device
    engine?.useSoundDevice(options.sound.device)
  }

  /// Pictures that stay have no frames to count: there it counts that they play.
  private func framesVerdict() -> Bool? {
    guard display != nil, !screen.isOff, let machine = engine?.machine, machine.wantsToPlay else { return nil }
    defer { framesSinceLook = 0 }
    guard let deck = machine.current, case .playing = deck.phase else { return false }
    let isGood = framesSinceLook > 0 || deck.media.kind == .picture
    // Good frames on a screen that is yet to be opened anew prove nothing about the settings; where none come, no item will
    // ever begin that could open it.
    return isGood && screen.isOutdated ? nil : isGood
  }
}
