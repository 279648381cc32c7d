/// What happens to the kernel's console while a kiosk's picture is on the screen, so that nobody types into what lies behind
/// it: a login, Alt+F2, Ctrl+Alt+Del. Values only.
struct ConsolePlan: Hashable, Sendable {
  /// How a console is set.
  struct Settings: Hashable, Sendable {
    /// The kernel draws no text, and switches to no other console.
    var isGraphics: Bool
    /// By its number in the kernel (K_OFF, K_UNICODE, ...).
    var keyboard: Int32
  }

  /// Our terminal, as it was found.
  struct Facts: Hashable, Sendable {
    /// Of /dev/ttyN.
    var number: Int32
    var settings: Settings
    /// Whether this process leads the terminal's session: it was given to us, as a service manager does. In a shell's
    /// session somebody sits at the keyboard and wants to press Ctrl+C.
    var isOurs: Bool
  }

  enum Step: Hashable, Sendable {
    case keyboard(Int32)
    case graphics(Bool)
    /// That is the one that is seen and typed into.
    case activate(Int32)
  }

  /// In this order: at no moment a console is seen that can be typed into.
  var take: [Step]
  /// What a step that was done needs to be undone.
  private let before: Settings

  /// - Parameters:
  ///   - off, usual: the kernel's numbers of a keyboard that is off, and of one as consoles have it.
  /// - Returns: nil where the terminal isn't ours.
  init?(_ facts: Facts, off: Int32, usual: Int32) {
    guard facts.isOurs else { return nil }
    take = [.keyboard(off), .graphics(true), .activate(facts.number)]
    // What a player before us left when it was killed isn't worth going back to.
    before = Settings(
      isGraphics: false, keyboard: facts.settings.keyboard == off ? usual : facts.settings.keyboard)
  }

  /// The way back from the steps that were done: in the other direction.
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
