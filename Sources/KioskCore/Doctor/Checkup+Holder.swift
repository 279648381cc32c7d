// The advice for a graphics card that another program holds.

extension Checkup {
  /// The advice on the program that holds the problem's card. The command only shows the program: it may be a service,
  /// which would start again, or a session, whose other programs would end, too.
  ///
  /// - Returns: nil where the program isn't known, or where it is systemd itself, which keeps cards for services.
  static func advice(onHolderOf problem: DoctorFacts.Screen.Problem, _ facts: DoctorFacts) -> (
    words: String, command: String
  )? {
    // A problem's message begins with its card: `/dev/dri/card0: another program ...`
    let cards = facts.screen.cards.filter { !$0.holders.isEmpty }
    let named = cards.first { problem.message.hasPrefix("\($0.path):") }
    guard let holder = (named ?? (cards.count == 1 ? cards.first : nil))?.holders.first,
      let (name, pid) = parts(of: holder), pid > 1
    else { return nil }
    let shows = facts.service.hasSystemd ? "systemctl status \(pid)" : "ps -fp \(pid)"
    if name.hasSuffix(" supervise") {
      return ("stop Vitrine's keeper: `systemctl stop vitrine`, or end `vitrine supervise` where it was started", shows)
    }
    // These give cards to sessions: stopping one ends all sessions, not only the desktop.
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

  /// - Parameter holder: a program such as `Xorg (pid 77)`, maybe with more words.
  private static func parts(of holder: String) -> (name: String, pid: Int)? {
    let parts = holder.split(separator: " (pid ")
    guard parts.count > 1, let last = parts.last, let pid = Int(last.prefix { $0.isNumber }) else { return nil }
    return (parts.dropLast().joined(separator: " (pid "), pid)
  }
}
