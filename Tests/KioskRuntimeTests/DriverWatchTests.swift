import Glibc
import KioskCore
import MainLoop
import PlaybackCore
import Testing

@testable import KioskRuntime

@Suite("Calls into a screen's driver")
struct DriverWatchTests {
  private static var short: HealthPolicy {
    var policy = HealthPolicy()
    policy.driverCall = .milliseconds(250)
    policy.firstOpening = .milliseconds(500)
    policy.driverAgain = .milliseconds(1)
    return policy
  }

  @Test("A call that returns isn't reported; a call that hangs is reported meanwhile, with its name")
  func late() {
    let told = Locked<[VitrineError]>([])
    let watch = DriverWatch { error, isNews in if isNews { told.withLock { $0.append(error) } } }
    for number in 0..<100 { #expect(watch.during("another mode", of: "", { number }) == number) }
    watch.during("the screen is switched", of: "left") {
      // For nested calls the outer one is reported.
      watch.during("the screen is released", of: "left") {
        while told.withLock({ $0.isEmpty }) { usleep(10_000) }
      }
    }
    watch.during("the screen is opened", of: "left") {}
    let errors = told.withLock { $0 }
    #expect(errors.map(\.number) == [5051] && errors.first?.subject == "left")
    #expect(errors.first?.message.contains("for 4.5 s: the screen is switched") == true)
  }

  @Test("A hanging call is reported repeatedly, because a report may be lost, and is logged once")
  func again() {
    let told = Locked<[Bool]>([])
    let watch = DriverWatch(Self.short) { _, isNews in told.withLock { $0.append(isNews) } }
    watch.during("the screen is switched", of: "") { while told.withLock({ $0.count < 4 }) { usleep(10_000) } }
    #expect(told.withLock { Array($0.prefix(4)) } == [true, false, false, false])
  }

  @Test("Only the opening of a screen that has shown nothing yet has the longer limit")
  func opening() {
    let told = Locked<[String]>([])
    let watch = DriverWatch(Self.short) { error, isNews in if isNews { told.withLock { $0.append(error.message) } } }
    for (number, isFirst) in [true, false].enumerated() {
      watch.during("the screen is opened", of: "", isFirst: isFirst) {
        while told.withLock({ $0.count <= number }) { usleep(10_000) }
      }
    }
    let messages = told.withLock { $0 }
    #expect(messages.map { $0.contains("for 0.5 s") } == [true, false], "\(messages)")
    #expect(HealthPolicy().firstOpening >= .seconds(15) && HealthPolicy().driverCall <= .seconds(5))
  }
}
