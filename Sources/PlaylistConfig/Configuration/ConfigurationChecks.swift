internal import InteractionCore
internal import PlaybackCore

/// Checks that need more than one key: whether settings fit together. Runs once all files have been read.
struct ConfigurationChecks {
  let configuration: Configuration
  let merged: TOMLTable
  let context: TableContext

  func run(reporting diagnostics: inout [Diagnostic]) {
    checkDefaultPlaylist(reporting: &diagnostics)
    checkDisplay(reporting: &diagnostics)
    checkScreens(reporting: &diagnostics)
    checkProjectors(reporting: &diagnostics)
    checkSchedule(reporting: &diagnostics)
    checkAlerts(reporting: &diagnostics)
    checkWarnings(reporting: &diagnostics)
    checkCues(reporting: &diagnostics)
    checkItems(reporting: &diagnostics)
    checkTelemetry(reporting: &diagnostics)
    checkControl(reporting: &diagnostics)
    let attract = configuration.attract
    for (key, name, position) in [
      ("playlist", attract.playlist, attract.playlistPosition),
      ("visitors", attract.visitors, attract.visitorsPosition),
    ] {
      guard let name, let position else { continue }
      checkPlaylist(name, key: key, at: position, in: context.inner("attract"), reporting: &diagnostics)
    }
    checkInput(reporting: &diagnostics)
  }

  private func checkControl(reporting diagnostics: inout [Diagnostic]) {
    let control = configuration.control
    guard let listen = control.listen, let position = control.listenPosition, !listen.isLoopback, control.from.isEmpty
    else { return }
    diagnostics.append(
      context.inner("control").diagnostic(
        "listen", at: position, message: "can be reached by other machines, and none is let in",
        allowed: "name them in from, or listen at 127.0.0.1", severity: .warning))
  }

  private func checkInput(reporting diagnostics: inout [Diagnostic]) {
    let (input, context) = (configuration.input, context.inner("input"))
    let bound =
      input.keyActions.map { (context.inner("keys"), $0.key, $0.value) }
      + input.gestureActions.map { (context.inner("gestures"), $0.key.rawValue, $0.value) }
    for (context, key, action) in bound { checkClip(of: action, key: key, in: context, reporting: &diagnostics) }
    checkLines(reporting: &diagnostics)
    checkSerial(reporting: &diagnostics)
  }

  /// Checks that the playlist exists that a binding takes a clip from.
  func checkClip(
    of action: BoundAction, key: String, in context: TableContext, reporting diagnostics: inout [Diagnostic]
  ) {
    guard case .command(.playOnce(let request)) = action.action else { return }
    checkPlaylist(request.list, key: key, at: action.position, in: context, reporting: &diagnostics)
  }

  private func checkDefaultPlaylist(reporting diagnostics: inout [Diagnostic]) {
    let name = configuration.schedule.defaultPlaylist
    if let position = configuration.schedule.defaultPosition {
      checkPlaylist(name, key: "default", at: position, in: context.inner("schedule"), reporting: &diagnostics)
      return
    }
    // Screens with lists of their own may be all that there is.
    guard configuration.needsSchedule else { return }
    guard let playlists = merged["playlist"] else {
      // `play` can use files with settings only: its arguments name the media.
      diagnostics.append(
        Diagnostic(
          .warning, path: context.paths.first ?? "configuration", position: nil, keyPath: "[playlist.\(name)]",
          message: "missing", allowed: "nothing plays by itself"))
      return
    }
    guard case .table(let named) = playlists.value, named[name] == nil else { return }
    let meant = Suggestion.nearest(to: name, among: named.entries.map(\.key))
    let position = playlists.keyPosition ?? playlists.position
    diagnostics.append(
      Diagnostic(
        path: context.path(of: position), position: position, keyPath: "[playlist.\(name)]", message: "missing",
        allowed: "it is the playlist that plays" + (meant.map { "; is it the one called \($0)?" } ?? "")))
  }

  private func checkDisplay(reporting diagnostics: inout [Diagnostic]) {
    let display = configuration.display
    guard let connector = display.connector, let position = display.connectorPosition,
      display.output == .wayland || display.output == .headless
    else { return }
    diagnostics.append(
      context.inner("display").diagnostic(
        "connector", at: position, value: TOMLText.quoted(connector),
        message: "has no effect with output = \"\(display.output.rawValue)\"",
        allowed: "only \"kms\" and \"auto\" choose a connector", severity: .warning))
  }

  private func checkSchedule(reporting diagnostics: inout [Diagnostic]) {
    let schedule = configuration.schedule
    let outer = context.inner("schedule")
    for (index, rule) in schedule.rules.enumerated() {
      let context = outer.inner("rule").element(index + 1)
      // A rule without a playlist has been reported.
      guard !rule.playlist.isEmpty else { continue }
      checkPlaylist(rule.playlist, key: "playlist", at: rule.position, in: context, reporting: &diagnostics)
      check(rule.condition, at: rule.position, in: context, reporting: &diagnostics)
    }
    for (index, condition) in schedule.off.enumerated() {
      let context = outer.inner("off").element(index + 1)
      // The condition may be empty because its keys were refused, which has been reported already.
      let isMisread = diagnostics.contains { $0.keyPath.hasPrefix("[\(context.table)]") }
      if condition.isAlways, !isMisread {
        diagnostics.append(
          Diagnostic(
            path: context.path(of: condition.position), position: condition.position, keyPath: "[\(context.table)]",
            message: "is empty, and the screen would be off for ever", allowed: "give it days, dates or times"))
      }
      check(condition, at: condition.position, in: context, reporting: &diagnostics)
    }
  }

  private func checkItems(reporting diagnostics: inout [Diagnostic]) {
    let accounts = configuration.network.servers.compactMap(\.origin)
    for (name, playlist) in configuration.playlists.sorted(by: { $0.key < $1.key }) {
      for (index, item) in playlist.items.enumerated() {
        // Made only when needed: there may be a hundred thousand items.
        func place() -> TableContext { context.inner("playlist").inner(name).inner("item").element(index + 1) }
        if !item.isUsual {
          checkDetails(of: item, in: place(), reporting: &diagnostics)
          checkEnd(of: item, of: name, in: place(), reporting: &diagnostics)
        }
        if !accounts.isEmpty, let origin = WebOrigin(address: item.uri),
          let missed = Self.missedAccount(of: origin, among: accounts)
        {
          diagnostics.append(
            place().diagnostic(
              "uri", at: item.position,
              message: "is at \(origin), but the password of that host is for \(missed): the server is asked without "
                + "a password",
              allowed: "write the address as in [[network.server]], or add a [[network.server]] for it",
              severity: .warning))
        }
      }
    }
  }

  private func checkDetails(of entry: PlaylistEntry, in place: TableContext, reporting diagnostics: inout [Diagnostic])
  {
    if let condition = entry.when {
      check(condition, at: condition.position, in: place.inner("when"), reporting: &diagnostics)
    }
    if let end = entry.item.end, entry.item.start >= end {
      diagnostics.append(
        place.diagnostic(
          "end", at: entry.position, message: "is not after start", allowed: "leave one of them out, or swap them"))
    }
    if entry.item.sha256 != nil, let reason = whyNeverCompared(entry) {
      // No error: a configuration that was in use before checksums were kept to must not end with an update.
      diagnostics.append(
        place.diagnostic(
          "checksum", at: entry.position, message: "can't be compared, and so it will never play: \(reason.0)",
          allowed: reason.1, severity: .warning))
    }
  }

  /// Why a remote item's copy can never be compared with its checksum, and the remedy; nil if it can.
  private func whyNeverCompared(_ entry: PlaylistEntry) -> (String, String)? {
    guard case .remote(let uri)? = try? MediaAddress.parse(entry.uri) else { return nil }
    if ![.progressive, .picture].contains(MediaKind.guess(uri)) {
      return ("it is a stream, not a file", "leave out the checksum")
    }
    if !entry.item.keepsCopy { return ("store = false", "leave out one of the two") }
    if !configuration.store.isEnabled { return ("[store].enabled = false", "leave out one of the two") }
    return nil
  }

  /// An account of the same host under another scheme or port, if the server itself has no account: a likely slip in
  /// the account's address.
  private static func missedAccount(of origin: WebOrigin, among accounts: [WebOrigin]) -> WebOrigin? {
    guard !accounts.contains(origin) else { return nil }
    return accounts.first { $0.host == origin.host }
  }

  private func check(
    _ condition: ScheduleCondition, at position: TOMLPosition, in context: TableContext,
    reporting diagnostics: inout [Diagnostic]
  ) {
    switch (condition.from, condition.until) {
    case (.once(let from)?, .once(let until)?) where until < from:
      diagnostics.append(
        context.diagnostic(
          "until", at: position, value: "\(until)", message: "is before from, \(from)",
          allowed: "without years (\"12-24\") a range may go over the end of the year"))
    case (.once?, .yearly?), (.yearly?, .once?):
      diagnostics.append(
        context.diagnostic(
          "until", at: position, message: "has a year and from has none, or the other way round",
          allowed: "both with a year or both without"))
    default: break
    }
    if let start = condition.start, let end = condition.end, start == end {
      diagnostics.append(
        context.diagnostic(
          "end", at: position, value: TOMLText.quoted("\(end)"), message: "is the same as start",
          allowed: "leave out both for the whole day"))
    }
    if condition.start?.seconds == TimeOfDay.secondsOfDay {
      diagnostics.append(
        context.diagnostic(
          "start", at: position, value: "\"24:00\"", message: "is the end of the day", allowed: "write \"00:00\""))
    }
    if condition.start == nil, condition.end == .midnight {
      diagnostics.append(
        context.diagnostic(
          "end", at: position, value: "\"00:00\"", message: "is the start of the day",
          allowed: "write \"24:00\", or leave it out"))
    }
  }

  func checkPlaylist(
    _ name: String, key: String, at position: TOMLPosition, in context: TableContext,
    reporting diagnostics: inout [Diagnostic]
  ) {
    guard configuration.playlists[name] == nil else { return }
    let names = configuration.playlists.keys.sorted()
    let meant = Suggestion.nearest(to: name, among: names)
    let known =
      names.isEmpty ? "the configuration has no playlists" : "there are: \(names.prefix(10).joined(separator: ", "))"
    diagnostics.append(
      context.diagnostic(
        key, at: position, value: TOMLText.quoted(name), message: "there is no playlist of that name",
        allowed: meant.map { "did you mean \($0)?" } ?? known))
  }
}
