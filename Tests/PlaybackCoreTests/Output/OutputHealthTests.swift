import Testing

@testable import PlaybackCore

@Suite("Whether what reaches the output is shown (0139)")
struct OutputHealthTests {
  private let policy = OutputHealth.Policy()

  /// A sink that is looked at as the engine does.
  private struct Watch {
    var health = OutputHealth()
    var now = Instant(nanoseconds: 1_000_000_000_000)
    var item: ItemID? = 0
    var fault = OutputHealth.Fault.blocks
    var hasAlternative = true
    /// Nil: all that came is shown.
    var stuckSince: Instant?

    mutating func getStuck() { stuckSince = now }

    mutating func look() -> [OutputHealth.Effect] {
      now = now + health.policy.interval
      if stuckSince == nil { health.shown(item) }
      return health.look(
        OutputHealth.Sight(waitingSince: stuckSince, fault: fault, item: item, hasAlternative: hasAlternative), at: now)
    }

    /// Until something is to be done, or so long; with the time that it took.
    mutating func run(_ limit: Duration = .seconds(120)) -> (effects: [OutputHealth.Effect], after: Duration) {
      let start = now
      while now - start < limit {
        let effects = look()
        if !effects.isEmpty { return (effects, now - start) }
      }
      return ([], now - start)
    }

    /// What was said is done, and doesn't help.
    mutating func getOtherOutput() {
      health.outputChanged()
      stuckSince = now
    }
  }

  @Test("Frames that are shown are no news, for a day, with frames that are a second late and pauses between")
  func quiet() {
    var watch = Watch()
    for second in 0..<86400 {
      if second % 7 == 0 { watch.getStuck() } else { watch.stuckSince = nil }
      for _ in 0..<2 { #expect(watch.look().isEmpty) }
    }
    #expect(watch.health.step == nil)
  }

  @Test("A sink that blocks is found within 5 s and rebuilt, with the item that plays: it is the sink far more often")
  func blocks() {
    var watch = Watch()
    _ = watch.run(.seconds(20))
    watch.getStuck()
    let found = watch.run()
    #expect(found.effects == [.take(.rebuild, because: .blocks)] && found.after < .seconds(5))
    watch.stuckSince = nil
    watch.health.outputChanged()
    let mended = watch.run()
    #expect(mended.effects == [.recovered(by: .rebuild)] && mended.after >= policy.good)
  }

  @Test("A sink that drops: another item first; where that is stuck too it is the output, and no item is blamed")
  func drops() {
    var watch = Watch()
    watch.fault = .drops
    watch.getStuck()
    #expect(watch.run().effects == [.passOver(0, because: .drops)])
    // Until the other one's frames come there is nothing to be said.
    watch.stuckSince = nil
    watch.item = nil
    watch.getStuck()
    watch.item = 1
    let second = watch.run()
    #expect(second.effects == [.take(.rebuild, because: .drops)] && second.after <= policy.limit + policy.interval)
    watch.stuckSince = nil
    watch.health.outputChanged()
    #expect(watch.run().effects == [.recovered(by: .rebuild)])
  }

  @Test("Where another item's frames are shown, it was the item, and that is said once those were good for long enough")
  func itemIsToBlame() {
    for fault in [OutputHealth.Fault.drops, .blocks] {
      var watch = Watch()
      watch.fault = fault
      watch.getStuck()
      var effects = watch.run().effects
      if fault == .blocks {
        #expect(effects == [.take(.rebuild, because: .blocks)])
        watch.getOtherOutput()
        effects = watch.run().effects
        #expect(effects == [.passOver(0, because: .blocks), .take(.rebuild, because: .blocks)])
        watch.health.outputChanged()
      } else {
        #expect(effects == [.passOver(0, because: .drops)])
      }
      watch.item = 1
      watch.stuckSince = nil
      let mended = watch.run()
      #expect(mended.effects.first == .blame(0) && mended.effects.count == 2 && mended.after >= policy.good)
      #expect(watch.health.step == nil)
    }
  }

  @Test("Items that are all shorter than the limit are no way out: two seconds each, with a seam between")
  func shortItems() {
    for fault in [OutputHealth.Fault.drops, .blocks] {
      var watch = Watch()
      watch.fault = fault
      watch.getStuck()
      var effects: [OutputHealth.Effect] = []
      for look in 0..<24 where effects.isEmpty {
        watch.item = look % 5 == 4 ? nil : ItemID(rawValue: UInt64(look / 5 % 3))
        effects = watch.look()
      }
      #expect(effects == [.take(.rebuild, because: fault)])
    }
  }

  @Test("An item whose own frames are shown again isn't blamed")
  func itemIsInnocent() {
    var watch = Watch()
    watch.fault = .drops
    watch.getStuck()
    #expect(watch.run().effects == [.passOver(0, because: .drops)])
    watch.stuckSince = nil
    #expect(watch.run().effects == [.recovered(by: .passOver)])
  }

  @Test("Rung after rung: sink, card, process; a list of one item has no other to try", arguments: [0, 1])
  func ladder(alternatives: Int) {
    for fault in OutputHealth.Fault.allCases where fault != .overlayBlocks {
      var watch = Watch()
      watch.fault = fault
      watch.hasAlternative = alternatives > 0
      if fault == .doesNotOpen { watch.item = nil }
      var steps: [OutputHealth.Step] = []
      watch.getStuck()
      for turn in 0..<6 {
        for effect in watch.run(.seconds(30)).effects {
          if case .take(let step, fault) = effect { steps.append(step) }
        }
        if alternatives > 0, watch.item != nil { watch.item = turn % 2 == 0 ? 1 : 0 }
        watch.getOtherOutput()
      }
      let rungs = steps.reduce(into: [OutputHealth.Step]()) { if $0.last != $1 { $0.append($1) } }
      #expect(Array(rungs.prefix(3)) == [.rebuild, .reopen, .replace], "\(fault) \(steps)")
    }
  }

  @Test("What is above the video isn't done: another process at once, because closing the screen would hang the loop")
  func overlay() {
    var watch = Watch()
    (watch.item, watch.fault) = (nil, .overlayBlocks)
    watch.getStuck()
    let found = watch.run()
    #expect(found.effects == [.take(.replace, because: .overlayBlocks)] && found.after < .seconds(5))
    #expect(watch.run(.seconds(600)).effects.isEmpty)
  }

  @Test("A process that isn't replaced tries the card once a minute, and asks again")
  func patience() {
    var watch = Watch()
    watch.hasAlternative = false
    watch.getStuck()
    var seen: [(OutputHealth.Step, Instant)] = []
    let end = watch.now + .seconds(600)
    while watch.now < end {
      for effect in watch.run(.seconds(90)).effects {
        if case .take(let step, _) = effect { seen.append((step, watch.now)) }
      }
      watch.getOtherOutput()
    }
    let reopened = seen.filter { $0.0 == .reopen }.map(\.1)
    #expect((9...11).contains(reopened.count), "\(seen)")
    #expect(zip(reopened, reopened.dropFirst()).allSatisfy { $1 - $0 >= policy.patience })
    #expect(seen.filter { $0.0 == .replace }.count >= 5 && seen.filter { $0.0 == .rebuild }.count == 1)
  }

  @Test("A sink that is mended and fails again each minute is reopened when its budget is used up, then replaced")
  func budgets() {
    var watch = Watch()
    watch.hasAlternative = false
    var steps: [OutputHealth.Step] = []
    for _ in 0..<6 {
      watch.getStuck()
      for effect in watch.run().effects { if case .take(let step, _) = effect { steps.append(step) } }
      watch.stuckSince = nil
      watch.health.outputChanged()
      #expect(watch.run().effects.last.map { if case .recovered = $0 { true } else { false } } == true)
      _ = watch.run(.seconds(45))
    }
    #expect(steps == [.rebuild, .rebuild, .rebuild, .reopen, .reopen, .replace])
    // And a way down: an hour later it begins again with the gentlest.
    _ = watch.run(.seconds(3600))
    watch.getStuck()
    #expect(watch.run().effects == [.take(.rebuild, because: .blocks)])
  }

  @Test("A process that was stopped for an hour hasn't looked on for an hour")
  func stopped() {
    var watch = Watch()
    _ = watch.run(.seconds(5))
    watch.getStuck()
    watch.now = watch.now + .seconds(3600)
    for _ in 0..<3 { #expect(watch.look().isEmpty) }
    watch.stuckSince = nil
    #expect(watch.run(.seconds(30)).effects.isEmpty)
  }

  @Test(
    "Whatever is seen in whatever order: an item alone is never more than a new sink, and only one of them is ever blamed"
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
          let new = watch.look()
          if let item = watch.item, watch.stuckSince != nil { stuck.insert(item) }
          for effect in new {
            switch effect {
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

  /// The card is only opened anew when another sink hasn't helped, or none is left in the budget, or another process didn't come.
  private func rebuiltOrOut(_ before: OutputHealth.Step?, _ rebuilds: inout [Instant], _ now: Instant) {
    let recent = rebuilds.filter { now - $0 < policy.rebuildWindow }.count
    #expect(before == .rebuild || before == .replace || recent >= policy.rebuilds)
  }
}
