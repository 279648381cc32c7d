internal import ControlProtocol
internal import Downloads
internal import KioskCore
internal import Logging
internal import MainLoop
internal import MediaPipeline
internal import PlaybackCore
internal import TelemetryCore

/// Sends the status to a server when `HeartbeatMachine` says so. Confined to the loop's thread; a worker reads files,
/// and libsoup does the network's work.
final class HeartbeatSession {
  private let options: TelemetryOptions.Post
  private let loop: EventLoop
  private let log: Logger
  private weak var owner: (any ControlServerOwner)?
  private let poster: HTTPPoster
  private let worker = BlockingWorker()
  private var tokens: Mailbox<String?>?
  private var machine: HeartbeatMachine
  private var timer: EventSource?
  /// The screenshot that a post waits for, and the timer that gives it up.
  private var picture: (request: ScreenshotRequest, limit: EventSource)?
  /// The body that waits for the token to be read.
  private var body: [UInt8] = []

  /// In pixels: enough to see what is shown, some 100 kB for a film.
  private static let pictureWidth = 640

  /// - Parameters:
  ///   - access: certificates and proxy; the accounts of media servers aren't used here.
  ///   - seed: differs from board to board.
  init(
    _ options: TelemetryOptions.Post, access: ServerAccess, seed: UInt64, on loop: EventLoop,
    owner: any ControlServerOwner, log: Logger, adjust: (inout HeartbeatMachine.Policy) -> Void = { _ in }
  ) {
    self.options = options
    self.loop = loop
    self.owner = owner
    self.log = log
    var policy = HeartbeatMachine.Policy()
    policy.interval = options.interval
    policy.pictures = options.screenshots
    adjust(&policy)
    var settings = HTTPSettings()
    settings.access = access
    settings.userAgent = "vitrine/\(Version.text)"
    poster = HTTPPoster(settings, limit: policy.limit, on: loop)
    machine = HeartbeatMachine(policy, seed: seed, at: .monotonicNow)
    let reference = LoopReference(self, of: loop.executor)
    tokens = Mailbox(executor: loop.executor) { reference.value?.send(token: $0) }
    arm()
  }

  func stop() {
    timer = nil
    picture?.request.finish(.failure(ControlErrors.noPicture("the player ends")))
    picture = nil
    tokens?.close()
    tokens = nil
    worker.finish()
    poster.cancel()
  }

  func recordProblem(_ error: VitrineError) { machine.recordProblem(error, time: SystemClock.utcMilliseconds) }

  private func arm() {
    guard tokens != nil, !machine.isUnderWay else { return }
    timer = loop.after(max(.zero, machine.due - .monotonicNow)) { [weak self] in self?.beat() }
  }

  private func beat() {
    guard let beat = machine.begin(at: .monotonicNow) else { return arm() }
    guard beat.wantsPicture, let owner else { return compose(beat, nil) }
    let request = ScreenshotRequest { [weak self] answer in
      guard let self, picture != nil else { return }
      picture = nil
      compose(beat, try? answer.get())
    }
    let limit = loop.after(RuntimeTiming.snapshotLimit) { [weak request] in
      request?.finish(.failure(ControlErrors.noPicture("the picture doesn't come")))
    }
    picture = (request, limit)
    let screen = owner.controlAsksForStatus().screens.first?.name
    // A JPEG of a film has a tenth of the bytes of a PNG.
    var wish = ControlPictureWish(width: Self.pictureWidth)
    wish.format = .jpeg
    owner.controlAsksForPicture(of: screen, wish, for: LoopReference(request, of: loop.executor))
  }

  private func compose(_ beat: HeartbeatMachine.Beat, _ picture: ControlPicture?) {
    guard let owner, let tokens else { return }
    if picture == nil { machine.pictureFailed() }
    body = HeartbeatText.body(
      beat, status: owner.controlAsksForStatus(), time: SystemClock.utcMilliseconds,
      isClockGood: SystemClock.isSynchronised, picture: picture)
    // Read for each post, so that a new token needs no restart.
    guard let file = options.tokenFile else { return send(token: nil) }
    worker.submit { tokens.post(FirstLine.read(file)) }
  }

  private func send(token: String?) {
    guard tokens != nil else { return }
    if let file = options.tokenFile, token == nil {
      // Without the token the server would refuse, and people would look for the reason there.
      return answered(.failed("\(file) has no token in it, or can't be read"))
    }
    poster.send(body, type: "application/json", to: options.address, token: token) { [weak self] answer in
      switch answer {
      case .status(200..<300, _): self?.answered(.accepted)
      case .status(let status, let wait): self?.answered(.refused(status, wait: wait))
      case .failed(let reason, _): self?.answered(.failed(reason))
      }
    }
    body = []
  }

  private func answered(_ answer: HeartbeatMachine.Answer) {
    switch machine.answered(answer, at: .monotonicNow) {
    case .fails(let answer): log.warning("\(TelemetryErrors.notSent(options.address, answer).line)")
    case .goesAgain(let failures):
      log.notice("\(Redaction.value(options.address)) takes the status again after \(failures) failed tries")
    case nil: break
    }
    arm()
  }
}

extension TelemetryErrors {
  static func notSent(_ address: String, _ answer: HeartbeatMachine.Answer) -> VitrineError {
    let (message, remedy) =
      switch answer {
      case .failed(let reason): (reason, "check the network, the address and its certificate")
      case .refused(300..<400, _): ("the server redirects to another address", "name that address as [telemetry] post")
      case .refused(401, _), .refused(403, _): ("the server denies access", "check post_token_file")
      case .refused(413, _): ("it is too large for the server", "raise its limit, or leave post_screenshots out")
      case .refused(let status, _): ("the server answered \(status)", "see its log")
      case .accepted: ("it was sent", "")
      }
    return VitrineError(
      7760, subject: address, message: "the status can't be delivered: \(message)",
      remedy: remedy + "; it is tried again, with the latest status")
  }
}
