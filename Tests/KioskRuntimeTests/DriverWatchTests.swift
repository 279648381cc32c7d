import Glibc
import MainLoop
import PlaybackCore
import Testing

@testable import KioskRuntime

@Suite("Calls into a screen's driver")
struct DriverWatchTests {
  @Test("One that comes back is nobody's business; one that doesn't is told while it hangs, once, with what it was")
  func late() {
    let told = Locked<[VitrineError]>([])
    let watch = DriverWatch { error in told.withLock { $0.append(error) } }
    for number in 0..<100 { #expect(watch.during("another mode", of: "", { number }) == number) }
    watch.during("the screen is switched", of: "left") {
      // Within another it is the outer one that hangs.
      watch.during("the screen is let go", of: "left") {
        while told.withLock({ $0.isEmpty }) { usleep(10_000) }
      }
    }
    watch.during("the screen is opened", of: "left") {}
    let errors = told.withLock { $0 }
    #expect(errors.map(\.number) == [5051] && errors.first?.subject == "left")
    #expect(errors.first?.message.contains("the screen is switched") == true)
  }
}
