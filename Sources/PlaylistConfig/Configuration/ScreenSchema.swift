import PlaybackCore

// `[[screen]]`: its keys, and the checks of screens against each other.

extension Schema {
  static let screen = TableDescription<ScreenSettings>([
    .value(
      "name", .ownName, \.name, place: \ScreenSettings.namePosition, example: "\"window\"",
      "The screen's name in logs, reports and the status."
    ).required,
    .optional(
      "connector", .text, \.connector, position: \ScreenSettings.connectorPosition, example: "\"HDMI-A-1\"",
      "The connector that the screen is plugged into, by its kernel name. Needed if there are several screens. "
        + "Without it, the connector of [display]."
    ).takesEffect(.newOutput),
    .optional(
      "card", .text, \.card, example: "\"vc4\"",
      "The graphics card, by path, driver or device. Without it, the card of [display]."
    ).takesEffect(.newOutput),
    .optional(
      "playlist", .playlistName, \.playlist, position: \ScreenSettings.playlistPosition, example: "\"morning\"",
      "The playlist that this screen always plays. Without it, [schedule] and [attract] choose the playlist. "
        + "[[schedule.off]] holds for all screens."
    ).takesEffect(.nextItem),
    .optional(
      "rotation", .rotation, \.rotation, example: "90",
      "By how many degrees the picture is turned on this panel, clockwise. Without it, the rotation of [display]."
    ).takesEffect(.newOutput),
    .optional(
      "sound", .boolean, \.sound, example: "true",
      "Whether this screen's sound is heard; true for one screen at most. Without it, the first screen has the sound."
    ).takesEffect(.newOutput),
    .value(
      "touch", .names, \.touch, default: ScreenSettings(), example: "[\"ILITEK\", \"usb-0:1.2\"]",
      "Touchscreens, mice, keys and buttons that belong to this screen: parts of their names, or of where they are plugged "
        + "in; `vitrine inputs` lists both. The first screen gets every device that no screen names."),
  ]).with(ProjectorSchema.screen)
}

extension ValueRule where Value == String {
  /// A name for logs and files.
  static var ownName: Self { bareName("a name for it is allowed: letters, digits, - and _") }
}

extension ConfigurationChecks {
  func checkScreens(reporting diagnostics: inout [Diagnostic]) {
    let screens = configuration.screens
    if screens.count > 1, configuration.display.output == .wayland, let second = screens.dropFirst().first {
      diagnostics.append(
        context.diagnostic(
          "screen", at: second.position, message: "has no effect with output = \"wayland\"",
          allowed: "only \"kms\" and \"auto\" show several screens", severity: .warning))
    }
    var touchOwners: [String: Int] = [:]
    for (index, screen) in screens.enumerated() {
      let context = context.inner("screen").element(index + 1)
      let earlier = screens[..<index]
      if let position = screen.namePosition, let other = earlier.firstIndex(where: { $0.name == screen.name }) {
        diagnostics.append(
          context.diagnostic(
            "name", at: position, value: TOMLText.quoted(screen.name),
            message: "is the name of screen \(other + 1) too",
            allowed: "each screen has a name of its own"))
      }
      checkConnector(screen, index, in: context, reporting: &diagnostics)
      if let playlist = screen.playlist, let position = screen.playlistPosition {
        checkPlaylist(playlist, key: "playlist", at: position, in: context, reporting: &diagnostics)
      }
      if screen.sound == true, let other = earlier.firstIndex(where: { $0.sound == true }) {
        diagnostics.append(
          context.diagnostic(
            "sound", at: screen.position, value: "true", message: "screen \(other + 1) has the sound already",
            allowed: "one screen at most is heard"))
      }
      for word in screen.touch.map({ $0.lowercased() }) {
        if let other = touchOwners[word], other != index {
          diagnostics.append(
            context.diagnostic(
              "touch", at: screen.position, value: TOMLText.quoted(word), message: "belongs to screen \(other + 1) too",
              allowed: "a device belongs to one screen; name two devices of the same name by where they "
                + "are plugged in"))
        }
        touchOwners[word] = touchOwners[word] ?? index
      }
    }
  }

  private func checkConnector(
    _ screen: ScreenSettings, _ index: Int, in context: TableContext, reporting diagnostics: inout [Diagnostic]
  ) {
    let screens = configuration.screens
    guard let connector = screen.connector, let position = screen.connectorPosition else {
      guard screens.count > 1, screen.connector == nil else { return }
      // A connector that was refused has been reported already.
      let path = context.keyPath("connector")
      guard !diagnostics.contains(where: { $0.keyPath == path }) else { return }
      diagnostics.append(
        context.diagnostic(
          "connector", at: screen.position, message: "missing",
          allowed: "with several screens each names its connector, such as \"HDMI-A-1\"; "
            + "`vitrine displays` lists them"))
      return
    }
    let card = { (screen: ScreenSettings) in screen.card ?? configuration.display.card }
    let other = screens[..<index].firstIndex { $0.connector == connector && card($0) == card(screen) }
    guard let other else { return }
    diagnostics.append(
      context.diagnostic(
        "connector", at: position, value: TOMLText.quoted(connector), message: "is that of screen \(other + 1) too",
        allowed: "each screen has a connector of its own; on another card, name the card of each"))
  }
}
