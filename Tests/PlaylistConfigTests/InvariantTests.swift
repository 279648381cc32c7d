import PlaybackCore
import Testing

@testable import PlaylistConfig

@Suite("What the machines of the configuration check of themselves")
struct InvariantTests {
  @Test("A trial of something that doesn't play, or that is over, is found")
  func reload() {
    var machine = ReloadMachine()
    let revision = ReloadMachine.Revision(number: 1, fingerprint: "a")
    _ = machine.handle(.booted(revision, isConfirmed: false), at: Instant(nanoseconds: 0))
    #expect(machine.trial != nil && machine.invariants.violations == [])

    var other = machine
    other.active = ReloadMachine.Revision(number: 2, fingerprint: "b")
    #expect(other.invariants.violations == ["What is on trial is what plays"])

    machine.trial?.good = machine.policy.confirmAfter
    #expect(machine.invariants.violations == ["What has proved itself isn't on trial any more"])
  }

  @Test("Where nothing is to be proved (--confirm-after 0) a trial begins like any other")
  func noProof() {
    var policy = ReloadPolicy()
    policy.confirmAfter = .zero
    var machine = ReloadMachine(policy: policy)
    _ = machine.handle(
      .booted(ReloadMachine.Revision(number: 1, fingerprint: "a"), isConfirmed: false), at: Instant(nanoseconds: 0))
    #expect(machine.trial != nil && machine.invariants.violations == [])
  }

  @Test("A decision that the last look didn't make is found")
  func schedule() throws {
    let text = """
      version = 1
      [[playlist.main.item]]
      uri = "a.mp4"
      """
    let engine = ScheduleEngine(try Configuration.parse(Array(text.utf8), path: "k").get(), zone: .utc)
    var machine = ScheduleMachine(engine)
    #expect(machine.invariants.violations == [])
    _ = machine.handle(.looked(.notSet), at: Instant(nanoseconds: 0))
    #expect(machine.invariants.violations == [])
    machine.decision = nil
    #expect(machine.invariants.violations == ["What is shown is what the last look said"])
  }
}
