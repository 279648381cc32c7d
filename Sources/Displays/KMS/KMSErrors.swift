import PlaybackCore

/// The errors of the KMS output, each with the number that docs/errors.md lists.
enum KMSError {
  static let noCard = 5001
  static let cardInUse = 5002
  static let noPermission = 5003
  static let noScreen = 5004
  static let noSuchConnector = 5005
  static let noUsablePlane = 5006
  static let atomicNotSupported = 5007
  static let modesetRefused = 5008
  static let seatTaken = 5010
  static let noShare = 5040
  static let leaseRefused = 5041
  static let leftStays = 5050

  static func seatTaken(_ subject: String) -> VitrineError {
    VitrineError(
      seatTaken, subject: subject, message: "another session has the screen",
      remedy: "switch to this session (such as by Ctrl+Alt+F1), or end the other one; playback goes on then")
  }

  static func noCard(_ subject: String, detail: String = "") -> VitrineError {
    VitrineError(
      noCard, subject: subject, message: "there is no graphics card that can drive a screen here",
      remedy: "enable the board's KMS driver (on a Raspberry Pi: dtoverlay=vc4-kms-v3d), or choose another output",
      detail: detail)
  }

  static func cardInUse(_ path: String, holders: [CardHolder], detail: String = "") -> VitrineError {
    let names = holders.map(\.description).joined(separator: ", ")
    return VitrineError(
      cardInUse, subject: path,
      message: holders.isEmpty ? "another program drives the screen" : "another program drives the screen: \(names)",
      remedy: holders.isEmpty ? "find it with: fuser -v \(path); then stop it" : "stop that program first",
      detail: detail)
  }

  static func noPermission(_ path: String, detail: String = "") -> VitrineError {
    VitrineError(
      noPermission, subject: path, message: "this user may not open the graphics card",
      remedy: "add the user to the group that owns it (see ls -l \(path); on Debian: adduser USER video), "
        + "and log in again", detail: detail)
  }

  static func noScreen(_ subject: String, message: String) -> VitrineError {
    VitrineError(
      noScreen, subject: subject, message: message, remedy: "check the cable, and that the screen is switched on")
  }

  static func noSuchConnector(_ name: String, card: String, known: [String]) -> VitrineError {
    VitrineError(
      noSuchConnector, subject: name, message: "\(card) has no connector of this name",
      remedy: known.isEmpty ? "name another card" : "use one of: auto, \(known.joined(separator: ", "))")
  }

  static func noUsablePlane(_ subject: String, message: String) -> VitrineError {
    VitrineError(
      noUsablePlane, subject: subject, message: message,
      remedy: "this board needs its picture composed; choose the Wayland output with a compositor")
  }

  static func atomicNotSupported(_ path: String, detail: String) -> VitrineError {
    VitrineError(
      atomicNotSupported, subject: path, message: "the driver of this card has no atomic mode setting",
      remedy: "use the board's current KMS driver, or the Wayland output with a compositor", detail: detail)
  }

  static func modesetRefused(_ subject: String, mode: String, detail: String) -> VitrineError {
    VitrineError(
      modesetRefused, subject: subject, message: "the driver refused the mode \(mode)",
      remedy: "ask for another mode, such as 1280x720@60", detail: detail)
  }

  /// The error of a screen that gets no part of its card beside the others.
  static func noShare(_ subject: String, message: String) -> VitrineError {
    VitrineError(
      noShare, subject: subject, message: message,
      remedy: "give each screen a connector of its own, and no card more screens than it drives (see vitrine displays)")
  }

  /// The error of an earlier process's picture that can't be replaced.
  static func leftStays(_ subject: String, _ reason: String) -> VitrineError {
    VitrineError(
      leftStays, subject: subject,
      message:
        "the picture of the player before this one has stayed on the screen for "
        + "\(Int(SettleLooks.limit.inSeconds)) s: \(reason)",
      remedy: "the screen is reopened; see dmesg for the driver")
  }

  static func leaseRefused(_ subject: String, detail: String) -> VitrineError {
    VitrineError(
      leaseRefused, subject: subject, message: "the driver of this card doesn't let several screens share it",
      remedy: "give this card one screen only, or use a newer kernel", detail: detail)
  }

  /// Chooses the more informative of two cards' errors: the error of the card that came closer to showing a picture.
  static func moreTelling(_ a: VitrineError?, _ b: VitrineError) -> VitrineError {
    guard let a else { return b }
    let order = [
      modesetRefused, leaseRefused, noShare, cardInUse, noUsablePlane, noScreen, noSuchConnector, atomicNotSupported,
      noPermission, noCard,
    ]
    let rankA = order.firstIndex(of: a.number) ?? order.count
    let rankB = order.firstIndex(of: b.number) ?? order.count
    return rankB < rankA ? b : a
  }
}
