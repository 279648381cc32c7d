/// The steps that lock the kernel's console while a kiosk's picture is on the screen, so that no visitor types into the
/// login behind it, or presses Alt+F2 or Ctrl+Alt+Del. Values only.
struct ConsolePlan: Hashable, Sendable {
  /// A console's settings.
  struct Settings: Hashable, Sendable {
    /// Whether the console is in graphics mode: the kernel draws no text, and switches to no other console.
    var isGraphics: Bool
    /// The keyboard mode's number in the kernel (K_OFF, K_UNICODE, ...).
    var keyboard: Int32
  }

  /// The process's terminal, as it was found.
  struct Facts: Hashable, Sendable {
    /// The N of /dev/ttyN.
    var number: Int32
    var settings: Settings
    /// Whether this process leads the terminal's session, as it does if a service manager gave it the terminal. In a
    /// shell's session, a user needs the keyboard for Ctrl+C.
    var isOurs: Bool
  }

  enum Step: Hashable, Sendable {
    case keyboard(Int32)
    case graphics(Bool)
    /// Makes the console the visible one, which gets the keyboard.
    case activate(Int32)
  }

  /// The order matters: at no moment is a console visible that takes input.
  var take: [Step]
  /// The settings to restore.
  private let before: Settings

  /// - Parameters:
  ///   - off, usual: the kernel's numbers for a keyboard that is off, and for the usual mode of a console.
  /// - Returns: nil if the terminal belongs to another process.
  init?(_ facts: Facts, off: Int32, usual: Int32) {
    guard facts.isOurs else { return nil }
    take = [.keyboard(off), .graphics(true), .activate(facts.number)]
    // A killed player may have left the console locked: that isn't a state to restore.
    before = Settings(
      isGraphics: false, keyboard: facts.settings.keyboard == off ? usual : facts.settings.keyboard)
  }

  /// The steps that undo those that were done, in the opposite order.
  func giveBack(_ done: [Step]) -> [Step] {
    done.reversed().compactMap { step in
      switch step {
      case .keyboard: .keyboard(before.keyboard)
      case .graphics: .graphics(before.isGraphics)
      case .activate: nil
      }
    }
  }
}
