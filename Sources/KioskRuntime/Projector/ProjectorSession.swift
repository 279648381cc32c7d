internal import KioskCore
internal import Logging
internal import MainLoop
internal import PlaybackCore
internal import PlaylistConfig
internal import VitrinePlayback

/// The projector of one screen: a `PJLinkMachine` on a line of its own, so that no projector delays another one, or the
/// picture. Confined to the loop's thread.
final class ProjectorSession {
  /// The projector that the configuration names.
  private struct Target: Hashable {
    var address: ProjectorAddress
    var passwordFile: String?
  }

  private let screen: String?
  private let loop: EventLoop
  private let clock: any EngineClock
  private let policy: PJLinkPolicy
  private weak var owner: (any ScreenSessionOwner)?
  private let log: Logger
  private var target: Target?
  private var machine: PJLinkMachine
  private var line: PJLinkLine?
  private var timer: (any EngineTimer)?
  private var isWantedOn: Bool?
  /// Tells the answer to a command from those to earlier ones.
  private var number = 0

  /// - Parameter screen: the screen's name; nil where there is only one, without a name.
  init(
    of screen: String?, on loop: EventLoop, clock: any EngineClock, policy: PJLinkPolicy = PJLinkPolicy(),
    owner: (any ScreenSessionOwner)?, log: Logger
  ) {
    self.screen = screen
    self.loop = loop
    self.clock = clock
    self.policy = policy
    self.owner = owner
    self.log = log
    machine = PJLinkMachine(policy: policy)
  }

  /// Takes the projector from new settings. One that stays keeps its state; one that goes stays as it is.
  func follow(_ display: DisplaySettings) {
    let new = display.projector.map { Target(address: $0, passwordFile: display.projectorPasswordFile) }
    guard new != target else { return }
    hangUp()
    target = new
    guard let new else { return }
    machine = PJLinkMachine(input: new.address.input, policy: policy)
    line = PJLinkLine(to: new.address.machine, passwordFile: new.passwordFile, on: loop)
    if let isWantedOn { feed(.wanted(isOn: isWantedOn)) }
  }

  /// Wants the projector on, or off. Returns at once; the same wish again changes nothing.
  func want(isOn: Bool) {
    isWantedOn = isOn
    feed(.wanted(isOn: isOn))
  }

  /// Leaves the projector as it is, for good.
  func stop() {
    hangUp()
    target = nil
  }

  /// Nil without a projector.
  var status: KioskStatus.Projector? { target.map { KioskStatus.Projector($0.address, machine.state) } }

  private func hangUp() {
    timer = nil
    number += 1
    line?.hangUp()
    line = nil
  }

  private func feed(_ event: PJLinkMachine.Event) {
    guard target != nil else { return }
    for action in machine.handle(event, at: clock.now) {
      switch action {
      case .ask(let command): ask(command)
      case .giveUp:
        number += 1
        line?.hangUp()
      case .tell(let note): tell(note)
      }
    }
    if machine.underWay == nil { line?.hangUp() }
    timer = machine.deadline.map { due in
      clock.after(max(.zero, due - clock.now)) { [weak self] in self?.feed(.time) }
    }
  }

  private func ask(_ command: PJLinkCommand) {
    number += 1
    let mine = number
    line?.ask(command) { [weak self] result in
      guard let self, number == mine else { return }
      number += 1
      switch result {
      case .success(let reply): feed(.answered(reply))
      case .failure(let failure): feed(.failed(failure))
      }
    }
  }

  private func tell(_ note: PJLinkMachine.Note) {
    guard let address = target?.address else { return }
    let place = address.place
    switch note {
    case .obeyed(let isOn): log.notice("\(place): the projector is \(isOn ? "on" : "off")")
    case .corrected(let isOn):
      log.notice(
        "\(place): the projector was switched \(isOn ? "off" : "on"); it is switched \(isOn ? "on" : "off") again")
    case .showsInput(let input): log.notice("\(place): the projector shows input \(input) again")
    case .answers: log.notice("\(place): the projector answers again")
    case .troubled(let trouble): report(ProjectorErrors.trouble(address, trouble))
    case .faults(let faults) where faults.isEmpty: log.notice("\(place): the projector reports no fault any more")
    case .faults(let faults): report(ProjectorErrors.faults(address, faults))
    }
  }

  private func report(_ error: VitrineError) {
    log.report(error)
    owner?.screen(screen, tells: .problem(error))
  }
}
