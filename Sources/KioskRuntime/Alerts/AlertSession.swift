internal import ControlProtocol
internal import FileModel
internal import FileSystem
internal import InteractionCore
internal import JSONText
internal import KioskCore
internal import Logging
internal import MainLoop
internal import OverlayRenderer
internal import PlaybackCore
internal import PlaylistConfig
internal import Supervision
internal import VitrinePlayback

/// The alerts of all screens: shows them when `AlertMachine` says so, and keeps them over a restart and a loss of power.
/// Confined to the loop's thread; a thread of its own writes the file, because a worn SD card may take seconds, and the
/// screens don't wait for it.
final class AlertSession {
  private let path: String?
  private let clock: any EngineClock
  private weak var owner: (any ScreenSessionOwner)?
  private let log: Logger
  /// Called when other alerts are shown.
  private let shownChanged: () -> Void
  /// Reads the clocks.
  private let moment: (ScheduleSettings) -> AlertMachine.Moment
  private var machine = AlertMachine()
  private var schedule = ScheduleSettings()
  private var theme = Theme()
  /// Names of the playlists that have items.
  private var playlists: Set<String> = []
  private var timer: (any EngineTimer)?
  private var watch: ClockWatch?
  private let worker = BlockingWorker()
  private var problems: Mailbox<VitrineError>?
  private var warnings: WarningSession?

  /// Shows what the previous run kept, by these options; `follow` then takes their alerts.
  ///
  /// - Parameters:
  ///   - policy: how a feed of warnings is asked.
  ///   - shownChanged: called when other alerts are shown.
  init(
    _ options: KioskOptions, on loop: EventLoop, clock: any EngineClock, owner: (any ScreenSessionOwner)?, log: Logger,
    moment: @escaping (ScheduleSettings) -> AlertMachine.Moment = AlertMachine.Moment.reader(),
    policy: WarningMachine.Policy = WarningMachine.Policy(),
    shownChanged: @escaping () -> Void
  ) {
    path = options.alertsPath
    self.clock = clock
    self.owner = owner
    self.log = log
    self.moment = moment
    self.shownChanged = shownChanged
    let reference = LoopReference(self, of: loop.executor)
    problems = Mailbox(executor: loop.executor) { reference.value?.report($0) }
    watch = ClockWatch(
      on: loop,
      jumped: { [weak self] in
        self?.feed(.looked)
        self?.warnings?.clockWasSet()
      })
    adopt(options)
    readKept()
    warnings = WarningSession(on: loop, clock: clock, policy: policy, log: log) { [weak self] warnings, endings in
      self?.feed(.warned(warnings, endings))
    } report: { [weak self] in
      self?.report($0)
    }
  }

  var shown: [Alert] { machine.shown }

  /// Reads what the previous run kept.
  private func readKept() {
    guard let path else { return }
    do throws(FileError) {
      let bytes = try SystemFileAccess().read(FilePath(path), limit: KeptAlerts.longestText)
      guard let kept = KeptAlerts(bytes: bytes) else { return report(AlertErrors.damaged(path)) }
      feed(.restored(kept.alerts))
    } catch {
      if !error.isMissing { report(AlertErrors.damaged(path, "\(error)")) }
    }
  }

  /// Takes the clock's settings, the look and the playlists from options.
  private func adopt(_ options: KioskOptions) {
    schedule = options.settings.schedule
    theme = Theme(options.settings.overlay.look, texts: options.visitorTexts)
    playlists = Set(options.clips.keys.filter(options.hasItems))
  }

  /// Follows new options, and takes the configuration's alerts from them.
  func follow(_ options: KioskOptions) {
    adopt(options)
    feed(.configured(Alert.configured(options.settings)))
    warnings?.follow(options, current: machine.warnings) { [moment, schedule] in moment(schedule).clock }
  }

  /// - Parameter screen: name of the screen that it is for; nil means all of them.
  func show(_ request: AlertRequest, on screen: String?) -> KioskReply {
    if let playlist = request.playlist, !playlists.contains(playlist) { return .refused(.noSuchPlaylist) }
    return feed(.requested(request, screen: screen))
  }

  func end(_ id: String) -> KioskReply { feed(.takenBack(id)) }

  func stop() {
    timer = nil
    watch = nil
    warnings?.stop()
    problems?.close()
    worker.finish()
  }

  @discardableResult
  private func feed(_ event: AlertMachine.Event) -> KioskReply {
    timer = nil
    var reply = KioskReply.done
    for action in machine.handle(event, at: moment(schedule)) {
      switch action {
      case .show: shownChanged()
      case .keep(let alerts): keep(alerts)
      case .tellShown(let alert):
        log.notice("alert \(alert.id) is shown: \(PlainText.clipped(alert.text))")
        publish(.alertShown, of: alert)
        if let playlist = alert.playlist, !playlists.contains(playlist) {
          report(AlertErrors.noPlaylist(alert.id, playlist))
        }
        for gap in FontGap.find(in: [alert.text], theme: theme) { report(AlertErrors.noFont(alert.id, gap)) }
      case .tellEnded(let alert, let ending):
        log.notice("alert \(alert.id) is no longer shown: \(ending.rawValue)")
        publish(.alertEnded, of: alert, [.init("reason", .string(ending.rawValue))])
      case .lookAgain(let delay): timer = clock.after(delay) { [weak self] in self?.feed(.looked) }
      case .refuse(let refusal): reply = .refused(refusal)
      }
    }
    return reply
  }

  private func publish(_ kind: ControlEventKind, of alert: Alert, _ more: [JSONValue.Member] = []) {
    let json = (try? JSONValue(encoding: KioskStatus.Alert(alert))) ?? .null
    owner?.screen(alert.screen, tells: .event(kind, [.init("alert", json)] + more))
  }

  private func report(_ error: VitrineError) {
    log.report(error)
    owner?.screen(nil, tells: .problem(error))
  }

  private func keep(_ alerts: [Alert]) {
    guard let path else { return }
    worker.submit { [problems] in
      do throws(FileError) {
        if alerts.isEmpty { return try DurableFile.remove(path) }
        try DurableFile.replace(path, with: Array(KeptAlerts(alerts: alerts).text.utf8), readers: .nobody)
      } catch {
        problems?.post(AlertErrors.notKept(path, "\(error)"))
      }
    }
  }
}

/// The errors of alerts: numbers 7620 to 7629, listed in docs/errors.md.
enum AlertErrors {
  static func notKept(_ path: String, _ reason: String) -> VitrineError {
    VitrineError(
      7620, subject: path, message: "alerts can't be kept: \(reason); they are shown, and a restart loses them",
      remedy: "check that the folder may be written to and has room")
  }

  static func damaged(_ path: String, _ reason: String = "it isn't a file of alerts") -> VitrineError {
    VitrineError(
      7621, subject: path, message: "the alerts of the previous run are lost: \(reason)", remedy: "send them again")
  }

  static func noFont(_ id: String, _ gap: FontGap) -> VitrineError {
    VitrineError(7622, subject: "alert \(id)", message: gap.message, remedy: gap.remedy)
  }

  static func noPlaylist(_ id: String, _ playlist: String) -> VitrineError {
    VitrineError(
      7623, subject: "alert \(id)", message: "there is no playlist \(playlist) any more: the text is shown alone",
      remedy: "send the alert again with a playlist that `vitrine check` knows")
  }
}

extension Alert {
  /// The alerts that stand in a configuration.
  static func configured(_ configuration: Configuration) -> [Alert] {
    guard !configuration.alerts.isEmpty else { return [] }
    let zone = ScheduleSetup.zone(configuration.schedule.timezone)
    return configuration.alerts.compactMap { table in
      guard let until = table.until?.utc(in: zone) else { return nil }
      var alert = Alert(id: table.id, text: table.text, until: until)
      (alert.isInstead, alert.isTest, alert.isConfigured) = (table.isInstead, table.isTest, true)
      alert.playlist = table.playlist
      return alert
    }
  }
}

extension AlertMachine.Moment {
  /// Reads this machine's clocks, and the time of day as the schedule does.
  static func reader() -> (ScheduleSettings) -> Self {
    let boot = CrashRecorder.boot
    // Without a name of this start of the machine, the process is the longest time in which its clock can't have been set.
    let name = boot.isEmpty ? "process \(ProcessClock.start())" : boot
    return { schedule in
      AlertMachine.Moment(
        ScheduleSetup.clock(schedule), sinceBoot: BootTime(boot: name, seconds: SurvivalBoot.secondsSinceBoot),
        zone: ScheduleSetup.zone(schedule.timezone))
    }
  }
}
