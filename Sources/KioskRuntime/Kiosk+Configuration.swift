internal import Displays
internal import Glibc
internal import InteractionCore
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
    assumeIsolated { kiosk in
      // Only a change of the schedule's mind: what was switched by hand stays until then.
      guard kiosk.isScreenOnBySchedule != isOn else { return }
      kiosk.isScreenOnBySchedule = isOn
      kiosk.setScreen(on: isOn)
    }
  }

  nonisolated func sessionAsksForFrames(_ session: ConfigurationSession) -> Bool? {
    assumeIsolated { $0.framesVerdict() }
  }

  nonisolated func sessionAsksForScreen(_ session: ConfigurationSession) -> ScreenState {
    assumeIsolated { $0.isScreenOff ? .asleep : $0.display == nil ? .none : .on }
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
    edited.replaceAll(
      input.loopQueue == nil ? options.queue : options.visitorsQueue, keeping: input.detour.clip)
    edited.repeatMode = options.loops ? .all : .none
    framesSinceLook = 0
    if edited != engine.machine.queue { engine.feed(.queueEdited(edited)) }
    updateStore()
    if display == nil {
      if !options.hasSameOutput(as: old) { openScreen() }
    } else if engine.machine.current?.readiness.isLive ?? true {
      // Nothing plays that could come to its end.
      if needsNewOutput { reopenOutput() }
      changeSoundDevice()
    }
    refreshOverlay()
  }

  /// At the boundary of two items, so that nothing that plays is cut short.
  func reopenOutput() {
    // After the deck that waits for it is gone: it would begin here and now.
    defer { forgetOutputChange() }
    guard let display, let engine else { return }
    self.display = nil
    overlayOnScreen = nil
    // The sink lets go of the screen before it is opened again.
    engine.detach(showsLast: true) { [weak self] in
      Screen.close(display, after: engine)
      self?.assumeIsolated { $0.openScreen() }
    }
  }

  /// Another output is opened where one item ends and the next begins; the machine says when that is.
  func setNeedsNewOutput(_ isNeeded: Bool) {
    guard needsNewOutput != isNeeded else { return }
    needsNewOutput = isNeeded
    tellOutputChange()
  }

  /// Sound goes over to the device that is now wanted, where that is another one and the screen stays open.
  func changeSoundDevice() {
    guard display != nil, !needsNewOutput, let used = optionsOfScreen?.sound.device, used != options.sound.device else {
      return
    }
    optionsOfScreen?.sound.device = options.sound.device
    engine?.useSoundDevice(options.sound.device)
  }

  /// Pictures that stay have no frames to count: there it counts that they play.
  private func framesVerdict() -> Bool? {
    guard display != nil, !isScreenOff, let machine = engine?.machine, machine.wantsToPlay else { return nil }
    defer { framesSinceLook = 0 }
    guard let deck = machine.current, case .playing = deck.phase else { return false }
    let isGood = framesSinceLook > 0 || deck.media.kind == .picture
    // Good frames on a screen that is yet to be opened anew prove nothing about the settings; where none come, no item will
    // ever begin that could open it.
    return isGood && needsNewOutput ? nil : isGood
  }
}

/// The addresses at which this board can be reached, for cards.
enum HostAddresses {
  static var all: [String] {
    var first: UnsafeMutablePointer<ifaddrs>?
    guard getifaddrs(&first) == 0 else { return [] }
    defer { freeifaddrs(first) }
    var addresses: [String] = []
    var next = first
    while let entry = next?.pointee {
      next = entry.ifa_next
      guard let address = entry.ifa_addr, Int32(address.pointee.sa_family) == AF_INET,
        entry.ifa_flags & UInt32(IFF_LOOPBACK) == 0
      else { continue }
      var host = [CChar](repeating: 0, count: Int(NI_MAXHOST))
      let length = socklen_t(MemoryLayout<sockaddr_in>.size)
      guard getnameinfo(address, length, &host, socklen_t(host.count), nil, 0, NI_NUMERICHOST) == 0 else { continue }
      addresses.append(String(decoding: host.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self))
    }
    return addresses
  }
}
