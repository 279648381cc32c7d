import CLinux
import Glibc

/// Carries out a plan's steps on a terminal.
protocol ConsoleDoor: AnyObject {
  /// - Throws: if there is no console.
  func facts() throws(ConsoleFailure) -> ConsolePlan.Facts
  func perform(_ step: ConsolePlan.Step) throws(ConsoleFailure)
}

struct ConsoleFailure: Error, Hashable {
  var call: String
  /// A positive errno.
  var code: Int32

  var description: String { "\(call): \(String(cString: strerror(code)))" }
}

/// The console that this process was given, locked as long as the object lives. A killed process unlocks nothing: that
/// is left to the service manager (`TTYReset=`).
final class Console {
  /// For the log.
  let note: String
  private let door: any ConsoleDoor
  private let plan: ConsolePlan
  private var done: [ConsolePlan.Step] = []

  /// Locks the console behind /dev/tty; nil without one, or if another process leads its session.
  static func acquire() -> Console? { ControllingTerminal().flatMap { Console($0) } }

  init?(_ door: any ConsoleDoor) {
    guard let facts = try? door.facts(),
      let plan = ConsolePlan(facts, off: vit_console_keyboard_off(), usual: vit_console_keyboard_unicode())
    else { return nil }
    self.door = door
    self.plan = plan
    var failures: [String] = []
    var done: [ConsolePlan.Step] = []
    for step in plan.take {
      do throws(ConsoleFailure) {
        try door.perform(step)
        done.append(step)
      } catch {
        failures.append(error.description)
      }
    }
    self.done = done
    note =
      failures.isEmpty
      ? "the keyboard of the console tty\(facts.number) is off"
      : "the keyboard of the console tty\(facts.number) may reach what is behind the picture: "
        + failures.joined(separator: ", ")
  }

  deinit {
    // A failure here has no remedy.
    for step in plan.giveBack(done) { try? door.perform(step) }
  }
}

/// The process's controlling terminal, if it is a console of the kernel.
private final class ControllingTerminal: ConsoleDoor {
  private let descriptor: Int32

  init?() {
    descriptor = open("/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return nil }
  }

  deinit { close(descriptor) }

  func facts() throws(ConsoleFailure) -> ConsolePlan.Facts {
    var state = vit_console_state()
    try check("KDGETMODE", vit_console_read(descriptor, &state))
    return ConsolePlan.Facts(
      number: state.number,
      settings: ConsolePlan.Settings(isGraphics: state.is_graphics != 0, keyboard: state.keyboard),
      isOurs: getsid(0) == getpid())
  }

  func perform(_ step: ConsolePlan.Step) throws(ConsoleFailure) {
    switch step {
    case .keyboard(let mode): try check("KDSKBMODE", vit_console_set_keyboard(descriptor, mode))
    case .graphics(let isGraphics): try check("KDSETMODE", vit_console_set_graphics(descriptor, isGraphics ? 1 : 0))
    case .activate(let number): try check("VT_ACTIVATE", vit_console_activate(descriptor, number))
    }
  }

  private func check(_ call: String, _ result: Int32) throws(ConsoleFailure) {
    guard result < 0 else { return }
    throw ConsoleFailure(call: call, code: -result)
  }
}
