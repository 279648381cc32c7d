import PlaybackCore

/// The keys of a projector, in `[display]` and `[[screen]]`.
enum ProjectorSchema {
  private static let name = "projector"
  private static let passwordName = "projector_password_file"
  private static let example = "\"pjlink://192.168.1.40/31\""
  private static let passwordExample = "\"/etc/vitrine/projector.password\""

  static let display: [TableDescription<DisplaySettings>.Field] = [
    .optional(
      name, address, \.projector, position: \DisplaySettings.projectorPosition, example: example,
      "The projector that is switched on and off with the screen, over the network (PJLink), and the input that it is to "
        + "show: 1 RGB, 2 video, 3 digital, 4 storage or 5 network, then the socket's number from 1 to 9. With any "
        + "output: docs/displays.md."
    ).takesEffect(.atOnce),
    .optional(
      passwordName, .absolutePath, \.projectorPasswordFile, example: passwordExample,
      "A file whose first line is the projector's password. Read for each connection."
    ).takesEffect(.atOnce),
  ]

  static let screen: [TableDescription<ScreenSettings>.Field] = [
    .optional(
      name, address, \.projector, position: \ScreenSettings.projectorPosition, example: example,
      "The projector of this screen. Without it, that of [display]; two screens can't have the same one."
    ).takesEffect(.atOnce),
    .optional(
      passwordName, .absolutePath, \.projectorPasswordFile, example: passwordExample,
      "The file with its password. Without it, that of [display]."
    ).takesEffect(.atOnce),
  ]

  private static var address: ValueRule<ProjectorAddress> {
    ValueRule(
      allowed: "\(ProjectorAddress.allowed) is allowed",
      shape: .text(pattern: "^pjlink://[^/@?# ]+(/[1-5][1-9])?$")
    ) { (node) throws(Refusal) in
      guard case .string(let text) = node.value else { throw .kind(node, expected: "string") }
      guard text.utf8.count <= ConfigurationLimits.addressCharacters else { throw Refusal("is too long") }
      guard !text.contains("@") else {
        throw Refusal(
          "has a password in it, which everybody could read",
          allowed: "leave out what stands before @, and name a file with the password in \(passwordName)")
      }
      guard let address = ProjectorAddress(text) else { throw Refusal("is not the address of a projector") }
      return address
    } spell: {
      TOMLText.quoted("\($0)")
    }
  }
}

extension ConfigurationChecks {
  /// Two screens that sleep at different times would switch one projector against each other.
  func checkProjectors(reporting diagnostics: inout [Diagnostic]) {
    let screens = configuration.screens
    let machines = screens.map { ($0.projector ?? configuration.display.projector)?.machine }
    for (index, screen) in screens.enumerated() {
      guard let machine = machines[index], let other = machines[..<index].firstIndex(of: machine) else { continue }
      diagnostics.append(
        context.inner("screen").element(index + 1).diagnostic(
          "projector", at: screen.projectorPosition ?? screen.position, message: "is that of screen \(other + 1) too",
          allowed: "each screen has a projector of its own, in its [[screen]]; leave it out of [display]"))
    }
  }
}
