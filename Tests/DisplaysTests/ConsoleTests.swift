import Glibc
import Testing

@testable import Displays

/// A console that records its steps.
private final class FakeConsole: ConsoleDoor {
  var settings: ConsolePlan.Settings
  var isOurs: Bool
  var steps: [ConsolePlan.Step] = []
  var refused: ConsolePlan.Step?

  init(isGraphics: Bool = false, keyboard: Int32 = unicode, isOurs: Bool = true) {
    settings = ConsolePlan.Settings(isGraphics: isGraphics, keyboard: keyboard)
    self.isOurs = isOurs
  }

  func facts() throws(ConsoleFailure) -> ConsolePlan.Facts {
    ConsolePlan.Facts(number: 1, settings: settings, isOurs: isOurs)
  }

  func perform(_ step: ConsolePlan.Step) throws(ConsoleFailure) {
    guard step != refused else { throw ConsoleFailure(call: "KDSETMODE", code: EPERM) }
    steps.append(step)
  }
}

/// The kernel's numbers (linux/kd.h).
private let (unicode, translated, off): (Int32, Int32, Int32) = (3, 1, 4)

@Suite("The console behind the picture")
struct ConsoleTests {
  @Test("The keyboard goes off first, and everything is as before at the end")
  func takenAndGivenBack() throws {
    let door = FakeConsole(keyboard: translated)
    do {
      let console = try #require(Console(door))
      #expect(door.steps == [.keyboard(off), .graphics(true), .activate(1)])
      #expect(console.note == "the keyboard of the console tty1 is off")
    }
    #expect(door.steps.dropFirst(3) == [.graphics(false), .keyboard(translated)])
  }

  @Test("A terminal in which somebody works is left alone")
  func notOurs() {
    let door = FakeConsole(isOurs: false)
    #expect(Console(door) == nil)
    #expect(door.steps.isEmpty)
  }

  @Test("The settings that a killed player left are not restored")
  func leftover() throws {
    let door = FakeConsole(isGraphics: true, keyboard: off)
    do { _ = try #require(Console(door)) }
    #expect(door.steps.suffix(2) == [.graphics(false), .keyboard(unicode)])
  }

  @Test("Only completed steps are undone, and failed ones are reported")
  func refused() throws {
    let door = FakeConsole()
    door.refused = .graphics(true)
    do {
      let console = try #require(Console(door))
      #expect(console.note.hasSuffix("may reach what is behind the picture: KDSETMODE: Operation not permitted"))
    }
    #expect(door.steps == [.keyboard(off), .activate(1), .keyboard(unicode)])
  }
}
