internal import Displays
internal import InteractionCore
internal import KioskCore
internal import MediaPipeline
internal import MainLoop
internal import PlaybackCore
internal import PlaylistConfig
internal import VitrinePlayback

// Other settings and other lists while it plays.

extension ScreenSession {
  /// Plays by these from now on. The current item goes on where it is still listed.
  func apply(_ new: KioskOptions) {
    guard !hasEnded else { return }
    let change = SettingsChange(from: options, to: new)
    options = new
    turn {
      apply(change)
      content.card = nil
      replaceLists()
      let playsNothing = machine.current?.readiness.isLive ?? true
      tellScreen(.settingsInUse(isOther: change.contains(.output), playsNothing: playsNothing))
      if playsNothing { changeSoundDevice() }
      overlay.isStale = true
    }
  }

  /// Puts in place what needs no new item and no new screen.
  private func apply(_ change: SettingsChange) {
    // What counts is the screen that is open: settings that came and went before the next item change nothing.
    tellScreen(.settingsChanged)
    // What a visitor has turned down stays so, unless the configuration itself says another volume.
    if change.contains(.volume) { tellInteraction(.soundReplaced(options.sound)) }
    interaction.setOverlayMode(options.overlay)
    output.refresh.hold = options.matchHold
    engine.trackPreferences = options.tracks
    engine.decoders = options.decoders
    if change.contains(.policy) { engine.feed(.policyReplaced(options.policy)) }
    engine.access = options.access
    if change.contains(.look) {
      overlay.setLook(options.look)
      engine.cardPainter = overlay.cardPainter
      interaction.forgetMeasuredBar()
      if let display = output.display, !interaction.model.isEmpty { showOverlay(on: display) }
    }
    let devicesChanged = interaction.settings.devices != options.interaction.devices
    if interaction.settings != options.interactionNow { tellInteraction(.settingsReplaced(options.interactionNow)) }
    if devicesChanged, let display = output.display { listen(to: display) }
  }

  /// Entries of lists that were got from servers take the place of these: at the start, and where a list is another one now. What
  /// plays of it plays on.
  func keep(_ lists: KeptLists) {
    content.keptLists = lists
    if tellKeptLists() { replaceLists() }
  }

  /// Tells playback of the kept lists that its items lead to, each version once: playback itself may have read a newer one since.
  private func tellKeptLists() -> Bool {
    let entries = content.keptLists.entries(
      in: options.queue + options.visitorsQueue, redirects: options.access.redirects, networks: SystemNetworks.current)
    let new = entries.filter { content.toldLists[$0.key] != content.keptLists.versions[$0.key]?.name }
    for uri in new.keys { content.toldLists[uri] = content.keptLists.versions[uri]?.name }
    if !new.isEmpty { engine.feed(.listsKept(new)) }
    return !new.isEmpty
  }

  private func replaceLists() {
    _ = tellKeptLists()
    // Who is in the visitors' list stays in it, as long as there is one.
    if content.attractLoop != nil { content.attractLoop = options.visitorsQueue.isEmpty ? nil : options.queue }
    var edited = machine.queue
    // A clip that somebody asked for is in no list, and plays on.
    let wanted = content.attractLoop == nil ? options.queue : options.visitorsQueue
    let listed = machine.listed(wanted)
    if !edited.lists(listed) { edited.replaceAll(listed, keeping: interaction.clip) }
    edited.repeatMode = options.loops ? .all : .none
    edited.shuffle = options.shuffle(forVisitors: content.attractLoop != nil)
    // Of what is no longer listed nothing counts.
    frames.listen(from: machine.current.map { edited.index(of: $0.item) == nil ? $0.id.next : $0.id })
    if edited != machine.queue {
      isOver = false
      engine.feed(.queueEdited(edited))
    }
  }

  /// Sound goes over to the device that is now wanted, where that is another one and the screen stays open.
  func changeSoundDevice() {
    guard output.display != nil, !output.machine.isOutdated, let used = output.openedBy?.sound.device,
      used != options.sound.device
    else { return }
    output.openedBy?.sound.device = options.sound.device
    engine.useSoundDevice(options.sound.device)
  }

  /// A line for whoever stands before the screen; nil takes it away.
  func say(_ message: String?) {
    content.message = message
    overlayChanged()
  }

  /// In the place of a picture, until something plays.
  func showCard(_ card: ErrorCard) {
    content.card = card
    overlayChanged()
  }

  /// Whether pictures have come since the last time this was asked, or the one that is up is the one that should be; nil when none are
  /// expected.
  func framesVerdict() -> Bool? {
    guard output.display != nil, !output.machine.isOff, machine.wantsToPlay else { return nil }
    defer { frames.sinceLook = 0 }
    let isGood =
      frames.sinceLook > 0 || machine.isPictureOnTime(stays: frames.stays, at: now)
      // Films of a tenth of a second are mostly about to begin.
      || machine.waitingReason == .preparing && frames.lastAt.map { now - $0 < FrameWatch.seam } ?? false
    // Good frames on a screen that is yet to be opened anew prove nothing about the settings; where none come, no item will
    // ever begin that could open it.
    return isGood && output.machine.isOutdated ? nil : isGood
  }
}
