// Another program has the card.

extension Checkup {
  /// What to do about whoever has the card that the problem is about. The command only shows: what is to be stopped may be
  /// a service, which would start again, or a session, which takes more with it.
  ///
  /// - Returns: nil where it isn't known who that is, or where it is systemd itself, which keeps cards for services.
  static func advice(onHolderOf problem: DoctorFacts.Screen.Problem, _ facts: DoctorFacts) -> (
    words: String, command: String
  )? {
    // A problem begins with its card: `/dev/dri/card0: another program ...`
    let cards = facts.screen.cards.filter { !$0.holders.isEmpty }
    let named = cards.first { problem.message.hasPrefix("\($0.path):") }
    guard let holder = (named ?? (cards.count == 1 ? cards.first : nil))?.holders.first,
      let (name, pid) = parts(of: holder), pid > 1
    else { return nil }
    let shows = facts.service.hasSystemd ? "systemctl status \(pid)" : "ps -fp \(pid)"
    if name.hasSuffix(" supervise") {
      return ("stop our own keeper: `systemctl stop vitrine`, or end `vitrine supervise` where it was started", shows)
    }
    // It gives cards to sessions; to stop it takes all of them down, and not the desktop alone.
    if ["systemd-logind", "elogind", "seatd"].contains(name) {
      return (
        "a desktop session has the screen through \(name): log out there, or start without a desktop "
          + "(`systemctl isolate multi-user.target` now, `systemctl set-default multi-user.target` for good)",
        name == "systemd-logind" ? "loginctl list-sessions" : shows
      )
    }
    return (
      facts.service.hasSystemd
        ? "stop \(name): the status names its unit, for `systemctl stop UNIT`; of a session, log out there"
        : "stop \(name), by what has started it", shows
    )
  }

  /// - Parameter holder: `Xorg (pid 77)`, and perhaps more words.
  private static func parts(of holder: String) -> (name: String, pid: Int)? {
    let parts = holder.split(separator: " (pid ")
    guard parts.count > 1, let last = parts.last, let pid = Int(last.prefix { $0.isNumber }) else { return nil }
    return (parts.dropLast().joined(separator: " (pid "), pid)
  }
}
