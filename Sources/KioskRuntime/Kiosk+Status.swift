internal import Displays
internal import Glibc
internal import InteractionCore
internal import MainLoop
internal import PlaybackCore
internal import VitrinePlayback

// The status card: what somebody wants to know who stands before the screen.

extension Kiosk {
  /// How long the card stays if nobody takes it away: the time to read it aloud on the telephone.
  private static var statusStay: Duration { .seconds(30) }

  func setStatusCard(isShown: Bool) {
    input.isStatusShown = isShown
    input.statusTimer = nil
    if isShown {
      input.statusTimer = loop?.after(Self.statusStay) { [weak self] in
        self?.assumeIsolated { $0.setStatusCard(isShown: false) }
      }
    }
    refreshOverlay()
  }

  func statusCard(_ machine: PlaybackMachine) -> StatusCard {
    var rows: [StatusCard.Row] = []
    if let deck = machine.current {
      let place = machine.queue.index(of: deck.item).map { "\($0 + 1) of \(machine.queue.count)" }
      let name = deck.media.title.isEmpty ? deck.media.uri : deck.media.title
      rows.append(.init("Playing", [place, name].compactMap(\.self).joined(separator: ", ")))
    } else {
      rows.append(.init("Playing", "nothing"))
    }
    rows.append(.init("Screen", display?.summary ?? "none"))
    if let ledger = engine?.ledger {
      rows.append(.init("Frames", "\(ledger.rendered) shown, \(ledger.dropped) dropped"))
    }
    rows.append(.init("Address", HostAddresses.text))
    let minutes = Int((now - options.processStart).inSeconds / 60)
    rows.append(.init("Version", "\(Version.text), up \(minutes / 60) h \(minutes % 60) min"))
    let health: StatusCard.Health =
      machine.current == nil ? .trouble : machine.waitingReason == nil || !machine.wantsToPlay ? .healthy : .attention
    return StatusCard(title: HostName.text, health: health, rows: rows)
  }
}

/// The addresses by which others reach this machine.
enum HostAddresses {
  static var text: String {
    var list: UnsafeMutablePointer<ifaddrs>?
    guard getifaddrs(&list) == 0 else { return "unknown" }
    defer { freeifaddrs(list) }
    var found: [String] = []
    var next = list
    while let entry = next {
      next = entry.pointee.ifa_next
      guard let address = entry.pointee.ifa_addr, entry.pointee.ifa_flags & UInt32(IFF_LOOPBACK) == 0,
        address.pointee.sa_family == UInt16(AF_INET)
      else { continue }
      var name = [CChar](repeating: 0, count: Int(NI_MAXHOST))
      let length = socklen_t(MemoryLayout<sockaddr_in>.size)
      guard getnameinfo(address, length, &name, socklen_t(name.count), nil, 0, NI_NUMERICHOST) == 0 else { continue }
      let end = name.firstIndex(of: 0) ?? name.endIndex
      found.append(String(decoding: name[..<end].map { UInt8(bitPattern: $0) }, as: UTF8.self))
    }
    return found.isEmpty ? "none" : found.joined(separator: ", ")
  }
}
