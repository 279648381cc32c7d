import Testing

@testable import PlaybackCore

@Suite("Output health: frames that don't reach the screen (0139)")
struct OutputHealthTests {
  private let policy = OutputHealth.Policy()

  /// A sink, with the looks at it that the engine takes.
  private struct Watch {
    var health = OutputHealth()
    var now = Instant(nanoseconds: 1_000_000_000_000)
    var item: ItemID? = 0
    var fault = OutputHealth.Fault.blocks
    var hasAlternative = true
    /// Nil while every frame that came is shown.
    var stuckSince: Instant?

    mutating func getStuck() { stuckSince = now }

    mutating func poll() -> [OutputHealth.Action] {
      now = now + health.policy.interval
      if stuckSince == nil { health.shown(item) }
      return health.evaluate(
        OutputHealth.Sight(waitingSince: stuckSince, fault: fault, item: item, hasAlternative: hasAlternative), at: now)
    }

    /// Looks until there is an action or `limit` has passed; gives the time that this took.
    mutating func run(_ limit: Duration = .seconds(120)) -> (actions: [OutputHealth.Action], after: Duration) {
      let start = now
      while now - start < limit {
        let actions = poll()
        if !actions.isEmpty { return (actions, now - start) }
      }
      return ([], now - start)
    }

    /// Carries out the machine's step, without success: the output stays stuck.
    mutating func getOtherOutput() {
      health.outputChanged()
      stuckSince = now
    }
  }

  @Test("Frames that are shown raise no alarm for a day, with late frames and pauses between")
  func quiet() {
    var watch = Watch()
    for second in 0..<86400 {
      if second % 7 == 0 { watch.getStuck() } else { watch.stuckSince = nil }
      for _ in 0..<2 { #expect(watch.poll().isEmpty) }
    }
    #expect(watch.health.step == nil)
  }

  @Test(
    "An output that fails with one item passes it over if there is another; if that fails too, it isn't the item")
  func fails() {
    var health = OutputHealth()
    for _ in 1..<policy.failures { #expect(health.failed(0, hasAlternative: true).isEmpty) }
    #expect(health.failed(0, hasAlternative: false).isEmpty, "there is no other")
    #expect(health.failed(0, hasAlternative: true) == [.passOver(0, because: .fails)])
    // The other item fails too: the first one isn't to blame.
    for _ in 0..<9 { #expect(health.failed(1, hasAlternative: true).isEmpty) }
    var innocent = OutputHealth()
    for _ in 0..<9 {
      for _ in 1..<policy.failures { #expect(innocent.failed(0, hasAlternative: true).isEmpty) }
      innocent.shown(0)
    }
  }

  @Test("A sink that blocks is found within 5 s and rebuilt with the playing item, as the sink is the likelier cause")
  func blocks() {
    var watch = Watch()
    _ = watch.run(.seconds(20))
    watch.getStuck()
    let found = watch.run()
    #expect(found.actions == [.take(.rebuild, because: .blocks)] && found.after < .seconds(5))
    watch.stuckSince = nil
    watch.health.outputChanged()
    let mended = watch.run()
    #expect(mended.actions == [.recovered(by: .rebuild)] && mended.after >= policy.good)
  }

  @Test("With a sink that drops, another item is tried; if that is stuck too it is the output, and no item is blamed")
  func drops() {
    var watch = Watch()
    watch.fault = .drops
    watch.getStuck()
    #expect(watch.run().actions == [.passOver(0, because: .drops)])
    // Until the other item's frames are shown no action follows.
    watch.stuckSince = nil
    watch.item = nil
    watch.getStuck()
    watch.item = 1
    let second = watch.run()
    #expect(second.actions == [.take(.rebuild, because: .drops)] && second.after <= policy.limit + policy.interval)
    watch.stuckSince = nil
    watch.health.outputChanged()
    #expect(watch.run().actions == [.recovered(by: .rebuild)])
  }

  @Test("An item is blamed once another item's frames have been shown for long enough")
  func itemIsToBlame() {
    for fault in [OutputHealth.Fault.drops, .blocks] {
      var watch = Watch()
      watch.fault = fault
      watch.getStuck()
      var actions = watch.run().actions
      if fault == .blocks {
        #expect(actions == [.take(.rebuild, because: .blocks)])
        watch.getOtherOutput()
        actions = watch.run().actions
        #expect(actions == [.passOver(0, because: .blocks), .take(.rebuild, because: .blocks)])
        watch.health.outputChanged()
      } else {
        #expect(actions == [.passOver(0, because: .drops)])
      }
      watch.item = 1
      watch.stuckSince = nil
      let mended = watch.run()
      #expect(mended.actions.first == .blame(0) && mended.actions.count == 2 && mended.after >= policy.good)
      #expect(watch.health.step == nil)
    }
  }

  @Test("Items shorter than the time limit, with seams between, don't hide a stuck output")
  func shortItems() {
    for fault in [OutputHealth.Fault.drops, .blocks] {
      var watch = Watch()
      watch.fault = fault
      watch.getStuck()
      var actions: [OutputHealth.Action] = []
      for look in 0..<24 where actions.isEmpty {
        watch.item = look % 5 == 4 ? nil : ItemID(rawValue: UInt64(look / 5 % 3))
        actions = watch.poll()
      }
      #expect(actions == [.take(.rebuild, because: fault)])
    }
  }

  @Test("An item whose own frames are shown again isn't blamed")
  func itemIsInnocent() {
    var watch = Watch()
    watch.fault = .drops
    watch.getStuck()
    #expect(watch.run().actions == [.passOver(0, because: .drops)])
    watch.stuckSince = nil
    #expect(watch.run().actions == [.recovered(by: .passOver)])
  }

  @Test("The steps are sink, card and process in turn; a list of one item has no other to try", arguments: [0, 1])
  func ladder(alternatives: Int) {
    for fault in OutputHealth.Fault.allCases where fault != .overlayBlocks {
      var watch = Watch()
      watch.fault = fault
      watch.hasAlternative = alternatives > 0
      if fault == .doesNotOpen { watch.item = nil }
      var steps: [OutputHealth.Step] = []
      watch.getStuck()
      for turn in 0..<6 {
        for action in watch.run(.seconds(30)).actions {
          if case .take(let step, fault) = action { steps.append(step) }
        }
        if alternatives > 0, watch.item != nil { watch.item = turn % 2 == 0 ? 1 : 0 }
        watch.getOtherOutput()
      }
      let rungs = steps.reduce(into: [OutputHealth.Step]()) { if $0.last != $1 { $0.append($1) } }
      #expect(Array(rungs.prefix(3)) == [.rebuild, .reopen, .replace], "\(fault) \(steps)")
    }
  }

  @Test("A stuck overlay needs a new process at once, because closing the screen would hang the loop")
  func overlay() {
    var watch = Watch()
    (watch.item, watch.fault) = (nil, .overlayBlocks)
    watch.getStuck()
    let found = watch.run()
    #expect(found.actions == [.take(.replace, because: .overlayBlocks)] && found.after < .seconds(5))
    #expect(watch.run(.seconds(600)).actions.isEmpty)
  }

  @Test("A process that isn't replaced reopens the card once a minute, and asks again")
  func patience() {
    var watch = Watch()
    watch.hasAlternative = false
    watch.getStuck()
    var seen: [(OutputHealth.Step, Instant)] = []
    let end = watch.now + .seconds(600)
    while watch.now < end {
      for action in watch.run(.seconds(90)).actions {
        if case .take(let step, _) = action { seen.append((step, watch.now)) }
      }
      watch.getOtherOutput()
    }
    let reopened = seen.filter { $0.0 == .reopen }.map(\.1)
    #expect((9...11).contains(reopened.count), "\(seen)")
    #expect(zip(reopened, reopened.dropFirst()).allSatisfy { $1 - $0 >= policy.patience })
    #expect(seen.filter { $0.0 == .replace }.count >= 5 && seen.filter { $0.0 == .rebuild }.count == 1)
  }

  @Test("A sink that fails again each minute is reopened when its budget is used up, then the process is replaced")
  func budgets() {
    var watch = Watch()
    watch.hasAlternative = false
    var steps: [OutputHealth.Step] = []
    for _ in 0..<6 {
      watch.getStuck()
      for action in watch.run().actions { if case .take(let step, _) = action { steps.append(step) } }
      watch.stuckSince = nil
      watch.health.outputChanged()
      #expect(watch.run().actions.last.map { if case .recovered = $0 { true } else { false } } == true)
      _ = watch.run(.seconds(45))
    }
    #expect(steps == [.rebuild, .rebuild, .rebuild, .reopen, .reopen, .replace])
    // An hour later the gentlest step comes first again.
    _ = watch.run(.seconds(3600))
    watch.getStuck()
    #expect(watch.run().actions == [.take(.rebuild, because: .blocks)])
  }

  @Test("An hour in which the process was stopped doesn't count as watched")
  func stopped() {
    var watch = Watch()
    _ = watch.run(.seconds(5))
    watch.getStuck()
    watch.now = watch.now + .seconds(3600)
    for _ in 0..<3 { #expect(watch.poll().isEmpty) }
    watch.stuckSince = nil
    #expect(watch.run(.seconds(30)).actions.isEmpty)
  }

  @Test(
    "In any order of events a lone item costs no more than a new sink, and only one item is ever blamed"
  )
  func anyOrder() {
    var random = SplitMix64(state: 20)
    for _ in 0..<3000 {
      var watch = Watch()
      var stuck: Set<ItemID> = []
      var rebuilds: [Instant] = []
      for _ in 0..<40 {
        switch random.next() % 6 {
        case 0: watch.stuckSince = nil
        case 1: if watch.stuckSince == nil { watch.getStuck() }
        case 2: watch.item = ItemID(rawValue: random.next() % 3)
        case 3: watch.fault = random.next() % 2 == 0 ? .blocks : .drops
        case 4: watch.hasAlternative = random.next() % 4 != 0
        default: break
        }
        for _ in 0..<Int(random.next() % 12) {
          let before = watch.health.step
          let new = watch.poll()
          if let item = watch.item, watch.stuckSince != nil { stuck.insert(item) }
          for action in new {
            switch action {
            case .take(.rebuild, _):
              rebuilds.append(watch.now)
              watch.health.outputChanged()
            case .take(.reopen, _):
              rebuiltOrOut(before, &rebuilds, watch.now)
              watch.health.outputChanged()
            case .take(.replace, _): #expect(before != .replace)
            case .take(.passOver, _): Issue.record("passing over is no step of the output's")
            case .passOver(let item, _): #expect(item == watch.item && watch.hasAlternative)
            case .blame(let item): #expect(stuck.contains(item) && new.count == 2)
            case .recovered: #expect(watch.health.step == nil)
            }
          }
        }
      }
    }
  }

  /// A card is reopened only after another sink didn't help, the budget of sinks is used up, or a new process didn't
  /// come.
  private func rebuiltOrOut(_ before: OutputHealth.Step?, _ rebuilds: inout [Instant], _ now: Instant) {
    let recent = rebuilds.filter { now - $0 < policy.rebuildWindow }.count
    #expect(before == .rebuild || before == .replace || recent >= policy.rebuilds)
  }
}
