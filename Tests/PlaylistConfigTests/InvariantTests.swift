import InteractionCore
import PlaybackCore
import Testing

@testable import PlaylistConfig

@Suite("Invariants of the configuration's state machines")
struct InvariantTests {
  @Test("A trial of a revision that doesn't play, or that is over, violates an invariant")
  func reload() {
    var machine = ReloadMachine()
    let revision = ReloadMachine.Revision(number: 1, fingerprint: "a")
    _ = machine.handle(.booted(revision, isConfirmed: false), at: Instant(nanoseconds: 0))
    #expect(machine.trial != nil && machine.invariants.violations == [])

    var other = machine
    other.active = ReloadMachine.Revision(number: 2, fingerprint: "b")
    #expect(other.invariants.violations == ["The revision on trial plays"])

    machine.trial?.good = machine.policy.confirmAfter
    #expect(machine.invariants.violations == ["A confirmed revision isn't on trial"])
  }

  @Test("With --confirm-after 0, a trial begins like any other")
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
    #expect(machine.invariants.violations == ["The shown decision is that of the last look"])
  }
}
