internal import ConfigurationFiles
public import InteractionCore
internal import MainLoop
internal import MediaPipeline
internal import OverlayRenderer
public import PlaybackCore
public import PlaylistConfig

/// The checks of a configuration that look beyond its text: `vitrine check`, and every reload.
public struct ConfigurationCheck: Sendable {
  /// An opened item: the key that lists it, and its medium.
  public struct Medium: Sendable {
    public var keyPath: String
    public var medium: ProbedMedium
  }

  /// Remarks on settings that this machine can't follow.
  public private(set) var settings: [Diagnostic] = []
  /// Letters of titles that no font on this machine has; one entry for each package that has them.
  public private(set) var fonts: [(package: String?, letters: String, titles: Int, diagnostic: Diagnostic)] = []
  /// Remarks on media.
  public private(set) var diagnostics: [Diagnostic] = []
  public private(set) var media: [Medium] = []

  private let configuration: Configuration
  private var titles: [Title] = []
  private let isProbing: Bool
  private let board: PlayabilityAdvice.Board
  private let prober: MediaProber?
  /// Results by address: a medium that is listed many times is opened once.
  private var opened: [String: Result<ProbedMedium, VitrineError>] = [:]

  /// Looks up every item of every playlist, and opens it if `isProbing`. Blocks.
  ///
  /// A medium that is too much for the board causes a warning: people may want to see it all the same. A medium that
  /// can't be found causes a warning, because it may be on the board and not here; when `isProbing`, it causes an
  /// error.
  ///
  /// - Parameters:
  ///   - board: the board that media are judged for.
  ///   - prober: opens them in another process; nil opens them in this one, for tests.
  public init(
    _ configuration: Configuration, isProbing: Bool, board: PlayabilityAdvice.Board = .unknown,
    by prober: MediaProber? = nil
  ) {
    self.board = board
    self.prober = prober
    self.configuration = configuration
    self.isProbing = isProbing
    if configuration.schedule.timezone != nil {
      do throws(VitrineError) {
        _ = try ScheduleSetup.engine(configuration)
      } catch {
        let position = configuration.schedule.timezonePosition
        let file = position?.file ?? 0
        settings.append(
          Diagnostic(
            path: configuration.sources.indices.contains(file) ? configuration.sources[file] : "configuration",
            position: position, keyPath: "[schedule].timezone", value: "\"\(error.subject)\"", message: error.message,
            allowed: error.remedy
          ).withLine(of: "timezone"))
      }
    }
    checkAccent()
    checkAlerts()
    for (name, playlist) in configuration.playlists.sorted(by: { $0.key < $1.key }) {
      for (index, entry) in playlist.items.enumerated() {
        check(entry, keyPath: "[playlist.\(name).item \(index + 1)]")
      }
    }
    checkFonts()
  }

  /// Adds a warning for each alert that is over, and for letters that no font here has.
  private mutating func checkAlerts() {
    guard !configuration.alerts.isEmpty else { return }
    let zone = ScheduleSetup.zone(configuration.schedule.timezone)
    for (index, alert) in configuration.alerts.enumerated() {
      let file = alert.position.file
      let path = configuration.sources.indices.contains(file) ? configuration.sources[file] : "configuration"
      func warn(_ key: String, _ message: String, _ allowed: String) {
        settings.append(
          Diagnostic(
            .warning, path: path, position: alert.position, keyPath: "[alert \(index + 1)].\(key)", message: message,
            allowed: allowed))
      }
      if case .utc(let now) = ScheduleSetup.clock(configuration.schedule),
        let until = alert.until?.utc(in: zone), until <= now
      {
        warn("until", "is over, so the alert isn't shown", "give a later time, or take the alert out")
      }
      let theme = Theme(configuration.overlay.look)
      for gap in FontGap.find(in: [alert.text], theme: theme) { warn("text", gap.message, gap.remedy) }
    }
  }

  /// The least contrast that text needs (WCAG 2.1, level AA).
  private static let leastContrast = 4.5

  private mutating func checkAccent() {
    let look = configuration.overlay.look
    let contrast = Theme(look).accentContrast
    guard contrast < Self.leastContrast else { return }
    settings.append(
      Diagnostic(
        .warning, path: configuration.sources.first ?? "configuration", position: nil, keyPath: "[overlay].accent",
        message: "is hard to see above a bright film: its contrast is \((contrast * 10).rounded() / 10) to 1",
        allowed: "take a lighter colour; text needs \(Self.leastContrast) to 1"))
  }

  /// A title that the overlay shows: the configured one, or the file's name.
  private struct Title {
    var text: String
    var entry: PlaylistEntry
    var keyPath: String
  }

  /// Adds a warning for each missing font, at the first title that needs it.
  private mutating func checkFonts() {
    let theme = Theme(configuration.overlay.look)
    let gaps = FontGap.find(in: titles.map(\.text), theme: theme)
    for gap in gaps {
      let concerned = titles.filter { FontGap.find(in: [$0.text], theme: theme).contains { $0.package == gap.package } }
      guard let first = concerned.first else { continue }
      let others = concerned.count > 1 ? " (in \(concerned.count) titles)" : ""
      let key = first.entry.title == nil ? "uri" : "title"
      let warning = diagnostic(
        .warning, first.entry, "\(first.keyPath).\(key)", first.text, gap.message + others, gap.remedy)
      fonts.append((gap.package, gap.letters, concerned.count, warning))
    }
  }

  /// A warning for each font that is missing for what visitors read.
  public static func fonts(of texts: VisitorTexts, path: String) -> [Diagnostic] {
    let all = texts.sentences.values.flatMap(\.values) + texts.errors.values
    return FontGap.find(in: all.sorted(), theme: Theme(OverlayLook(), texts: texts)).map { gap in
      Diagnostic(.warning, path: path, position: nil, message: gap.message, allowed: gap.remedy)
    }
  }

  private mutating func check(_ entry: PlaylistEntry, keyPath: String) {
    var once = entry
    once.repeatCount = 1
    let found = ItemResolver().resolve([once], of: configuration)
    titles += found.items.flatMap { item in
      [item.title] + item.localTitle.languages.values.filter { $0 != item.title }.sorted()
    }.map { Title(text: $0, entry: entry, keyPath: keyPath) }
    for problem in found.problems { report(problem, entry, keyPath) }
    guard isProbing else {
      for item in found.items { report(BesideProblem.missing(of: item), entry, keyPath) }
      return
    }
    var items = found.items[...]
    var listed = 0
    while let item = items.popFirst() {
      switch probe(item) {
      case .success(var medium):
        if let list = medium.facts.list {
          let entries = self.entries(of: list, for: item)
          if entries.isEmpty { report(PlaybackErrors.emptyList(uri: item.uri), entry, keyPath) }
          medium.facts.container = "list of addresses, \(entries.count) entries"
          // Lists may name each other in a circle.
          let new = entries.prefix(Self.mostListed - listed).filter { opened[$0.uri] == nil }
          listed += new.count
          items += new
        }
        media.append(Medium(keyPath: keyPath, medium: medium))
        let beside = BesideProblem.find(of: item, film: medium.facts) { probe($0).map(\.facts) }
        report(beside, entry, keyPath)
        if let problem = medium.problem(on: board) {
          add(.warning, entry, "\(keyPath).uri", entry.uri, problem.message, problem.remedy)
        }
      case .failure(var problem):
        if let remedy = ProbedMedium.remedy(for: problem, item, on: board) { problem.remedy += "; \(remedy)" }
        report(problem, entry, keyPath)
      }
    }
    if entry.item.sha256 != nil { checkSum(of: entry, items: found.items, keyPath) }
  }

  /// The largest number of server lists' entries that are opened for one entry of a playlist: each may take as long as
  /// the timeout of a silent server.
  private static let mostListed = 100

  private func entries(of list: ListFacts, for item: MediaItem) -> [MediaItem] {
    ServedList.items(
      of: Array(list.text.utf8), list.medium, for: item, from: list.reach,
      redirects: configuration.network.access.redirects, networks: SystemNetworks.current)
  }

  private mutating func probe(_ item: MediaItem) -> Result<ProbedMedium, VitrineError> {
    if let known = opened[item.uri] { return known }
    let (board, access, prober) = (board, configuration.network.access, prober)
    let result = Result { () throws(VitrineError) in try ProbedMedium(item, for: board, access: access, by: prober) }
    opened[item.uri] = result
    return result
  }

  private mutating func checkSum(of entry: PlaylistEntry, items: [MediaItem], _ keyPath: String) {
    guard let wanted = entry.item.sha256, items.count == 1, let item = items.first,
      case .path(let path)? = try? MediaAddress.parse(item.uri)
    else {
      add(.warning, entry, "\(keyPath).checksum", nil, "can't be compared", "it is for one local file")
      return
    }
    guard let found = FileChecksum.sha256(path: path.bytes) else {
      return add(.error, entry, "\(keyPath).checksum", nil, "can't be compared, because the file can't be read", "")
    }
    if found != wanted {
      add(.error, entry, "\(keyPath).checksum", wanted, "is not that of the file, which is \(found)", "copy it again")
    }
  }

  private mutating func report(_ problem: VitrineError, _ entry: PlaylistEntry, _ keyPath: String) {
    // Errors of the entries of a list or directory differ by their subjects.
    let subject = problem.subject == Redaction.value(entry.uri) ? "" : "\(problem.subject): "
    add(
      isProbing ? .error : .warning, entry, "\(keyPath).uri", entry.uri,
      "\(subject)\(problem.message) (error \(problem.number))", problem.remedy)
  }

  private mutating func report(_ problems: [BesideProblem], _ entry: PlaylistEntry, _ keyPath: String) {
    for problem in problems {
      add(
        problem.isError && isProbing ? .error : .warning, entry, "\(keyPath).\(problem.key)",
        Redaction.value(problem.uri), problem.message, problem.remedy)
    }
  }

  private mutating func add(
    _ severity: Diagnostic.Severity, _ entry: PlaylistEntry, _ keyPath: String, _ value: String?, _ message: String,
    _ allowed: String
  ) {
    diagnostics.append(diagnostic(severity, entry, keyPath, value, message, allowed))
  }

  private func diagnostic(
    _ severity: Diagnostic.Severity, _ entry: PlaylistEntry, _ keyPath: String, _ value: String?, _ message: String,
    _ allowed: String
  ) -> Diagnostic {
    let file = entry.position.file
    let path = configuration.sources.indices.contains(file) ? configuration.sources[file] : "configuration"
    return Diagnostic(
      severity, path: path, position: entry.position, keyPath: keyPath, value: value.map { "\"\($0)\"" },
      message: message, allowed: allowed)
  }
}
