internal import Displays
internal import InteractionCore
internal import KioskCore
internal import MediaPipeline
internal import MainLoop
internal import PlaybackCore
internal import PlaylistConfig
internal import VitrinePlayback

// Changes settings and lists while the screen plays.

extension ScreenSession {
  /// Plays by new options from now on. The current item goes on if it is still listed.
  func apply(_ new: KioskOptions) {
    guard !hasEnded else { return }
    let old = options
    options = new
    turn {
      goOver(from: old)
      content.card = nil
      replaceLists()
      let playsNothing = machine.current?.readiness.isLive ?? true
      handleScreenEvent(
        .settingsInUse(
          isOther: new.settings.changes(from: old.settings).contains(.newOutput), playsNothing: playsNothing))
      if playsNothing { changeSoundDevice() }
      overlay.isStale = true
    }
  }

  /// Applies the settings that need neither a new item nor a new display.
  private func goOver(from old: KioskOptions) {
    // The machine compares with the settings of the open display: a change that is undone before the next item has no
    // effect.
    handleScreenEvent(.settingsChanged)
    // A volume that a visitor has set stays, unless the configuration changes the volume.
    let sound = options.settings.audio
    if sound.volume != old.settings.audio.volume || sound.isMuted != old.settings.audio.isMuted {
      feedInteraction(.soundReplaced(sound))
    }
    interaction.setOverlayMode(options.settings.overlay.osd)
    output.refresh.hold = options.settings.display.matchHold
    output.projector?.follow(options.settings.display)
    engine.trackPreferences = options.tracks
    engine.decoders = options.decoders
    if options.policy != old.policy { engine.feed(.policyReplaced(options.policy)) }
    engine.access = options.settings.network.access
    if options.settings.overlay.look != old.settings.overlay.look || options.visitorTexts != old.visitorTexts {
      applyLook()
    }
    let devicesChanged = interaction.settings.devices != options.interaction.devices
    if interaction.settings != options.interactionNow { feedInteraction(.settingsReplaced(options.interactionNow)) }
    if devicesChanged, let display = output.display { listen(to: display) }
  }

  /// Puts the kept entries of server lists in place of the lists, at the start and when a list has changed. An item
  /// that plays and is still listed goes on.
  func keep(_ lists: KeptLists) {
    guard lists != content.keptLists else { return }
    content.keptLists = lists
    if feedKeptLists() { replaceLists() }
  }

  /// Tells playback the entries of the kept lists that its items name, each version once: playback itself may have read
  /// a newer one since.
  ///
  /// - Returns: whether there was a new version.
  private func feedKeptLists() -> Bool {
    let entries = content.keptLists.entries(
      in: options.queue + options.visitorsQueue, redirects: options.settings.network.access.redirects,
      networks: SystemNetworks.current)
    let new = entries.filter { content.toldLists[$0.key] != content.keptLists.versions[$0.key]?.name }
    for uri in new.keys { content.toldLists[uri] = content.keptLists.versions[uri]?.name }
    if !new.isEmpty { engine.feed(.listsKept(new)) }
    return !new.isEmpty
  }

  private func replaceLists() {
    _ = feedKeptLists()
    // A visitor's list goes on, unless the new options have none.
    if content.attractLoop != nil { content.attractLoop = options.visitorsQueue.isEmpty ? nil : options.queue }
    var edited = machine.queue
    // A clip that was asked for isn't in any list, and goes on.
    let wanted = content.attractLoop == nil ? options.queue : options.visitorsQueue
    let listed = machine.listed(wanted)
    if !edited.lists(listed) { edited.replaceAll(listed, keeping: interaction.clip) }
    edited.repeatMode = options.settings.playback.loop ? .all : .none
    edited.shuffle = options.shuffle(forVisitors: content.attractLoop != nil)
    // Frames of items that are no longer listed don't count for the new configuration.
    frames.listen(from: machine.current.map { edited.index(of: $0.item) == nil ? $0.id.next : $0.id })
    if edited != machine.queue {
      isOver = false
      engine.feed(.queueEdited(edited))
    }
  }

  /// Changes to the configured sound device, if it differs from the one in use and the display stays open.
  func changeSoundDevice() {
    guard output.display != nil, !output.machine.isOutdated, let used = output.openedBy?.audio.device,
      used != options.settings.audio.device
    else { return }
    output.openedBy?.audio.device = options.settings.audio.device
    engine.useSoundDevice(options.settings.audio.device)
  }

  /// A line for whoever stands before the screen; nil takes it away.
  func say(_ message: VisitorText?) {
    content.message = message
    overlayChanged()
  }

  /// Shows these sentences above all else, and wakes the screen for them.
  func show(_ alerts: [ShownAlert]) {
    guard alerts != content.alerts else { return }
    content.alerts = alerts
    // A screen that wakes shows what was drawn before, and one that goes to sleep has nothing left of it.
    overlayChanged()
    handleScreenEvent(.alertChanged(isShown: !alerts.isEmpty))
  }

  /// Shows a card in place of the picture, until an item starts.
  func showCard(_ card: ErrorCard) {
    content.card = card
    overlayChanged()
  }

  /// Whether frames have come since the last call, or the shown picture is the due one; nil when none are expected.
  func framesVerdict() -> Bool? {
    guard output.display != nil, !output.machine.isOff, machine.wantsToPlay else { return nil }
    defer { frames.sinceLook = 0 }
    let isGood =
      frames.sinceLook > 0 || machine.isPictureOnTime(stays: frames.stays, at: now)
      // Films of a tenth of a second spend most of the time in preparation.
      || machine.waitingReason == .preparing && frames.lastAt.map { now - $0 < FrameWatch.seam } ?? false
    // Good frames on a display that must still be reopened prove nothing about the settings. Without frames no item
    // will ever begin that could reopen it: that is a verdict.
    return isGood && output.machine.isOutdated ? nil : isGood
  }
}
