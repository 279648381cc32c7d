import PlaybackCore
import Testing

@testable import Displays

@Suite("A dead process's picture on a card")
struct TakeOverTests {
  /// A card as a player has left it: background 91, a frame 92, an overlay 93.
  private static func left(overlays: Int = 2) throws -> (card: CardSnapshot, plan: DisplayPlan) {
    var card = Board(overlays: overlays).card
    for index in card.planes.indices {
      card.planes[index].crtcID = 80
      card.planes[index].framebufferID = UInt32(91 + index)
      card.planes[index].properties.entries["rotation"] = ObjectProperties.Property(
        id: 57, value: 1, choices: ["rotate-0": 1, "rotate-180": 4])
    }
    card.connectors[0].crtcID = 80
    card.crtcs[0].properties.entries["ACTIVE"] = ObjectProperties.Property(id: 55, value: 1)
    let plan = try DisplayPlan.choose(card: card, request: KMSRequest()).get()
    card.crtcs[0].mode = plan.mode
    return (card, plan)
  }

  private func refusal(
    _ left: (card: CardSnapshot, plan: DisplayPlan), _ framebuffers: Set<UInt32> = [91, 92, 93], turns: Bool = false
  ) -> TakeOver.Refusal? {
    TakeOver.refusal(left.plan, on: left.card, left: framebuffers, videoTurns: turns)
  }

  @Test("A picture that fits the plan can stay, with or without an overlay, and before the first frame too")
  func stays() throws {
    var left = try Self.left()
    #expect(refusal(left) == nil)
    for index in [2, 1] {
      left.card.planes[index].crtcID = 0
      left.card.planes[index].framebufferID = 0
      #expect(refusal(left) == nil)
    }
    left.card.planes[0].crtcID = 0
    left.card.planes[0].framebufferID = 0
    #expect(refusal(left) == .off)
  }

  @Test("Any other mode, route, order, turn or picture is a reason to set the screen up from the beginning")
  func refused() throws {
    let whole = try Self.left()
    var left = whole
    left.plan.mode.timings = Array(repeating: 1, count: 68)
    #expect(refusal(left) == .mode)
    left = whole
    left.card.crtcs[0].properties.entries["ACTIVE"]?.value = 0
    #expect(refusal(left) == .off)
    left = whole
    left.card.crtcs[0].mode = nil
    #expect(refusal(left) == .off)
    left = whole
    left.card.connectors[0].crtcID = 0
    #expect(refusal(left) == .route)
    left = whole
    left.plan.connector.properties.entries["link-status"] = ObjectProperties.Property(
      id: 59, value: 1, choices: ["Good": 0, "Bad": 1])
    #expect(refusal(left) == .link)
    #expect(refusal(whole, [91, 92]) == .foreign)
    left = whole
    left.plan.planes.overlay = nil
    #expect(refusal(left) == .planes)
    left = whole
    left.plan.planes.stacking = [left.plan.planes.video: 3]
    #expect(refusal(left) == .stacking)
    #expect(refusal(whole, turns: true) == .stacking, "the video plane is to turn, and doesn't")
    left = whole
    left.card.planes[1].properties.entries["rotation"]?.value = 4
    #expect(refusal(left) == .stacking)
    #expect(refusal(left, turns: true) == nil)
  }

  @Test("Two modes with the same timings are equal, whatever their names")
  func timings() throws {
    var mode = try Self.left().plan.mode
    mode.timings = (0..<68).map { UInt8($0) }
    var same = mode
    same.timings[24] = 0  // vrefresh
    same.timings[33] = 0  // type
    same.timings[40] = 0  // name
    #expect(mode.hasSameTimings(as: same))
    same.timings[28] = 0  // flags
    #expect(!mode.hasSameTimings(as: same))
    same = mode
    same.timings[0] = 99  // clock
    #expect(!mode.hasSameTimings(as: same))
  }

  @Test("With the first frame, the background goes below it and foreign planes go dark")
  func settling() throws {
    let (card, plan) = try Self.left()
    let overlay = try #require(plan.planes.overlay)
    let change = TakeOver.settling(plan, on: card, background: 7, colour: 0, ours: [])
    let lit = { (plane: UInt32, change: AtomicChange) in
      change.assignments.first { $0.object == plane && $0.property == card.plane(plane)?.properties["FB_ID"]?.id }?
        .value
    }
    #expect(lit(plan.planes.primary, change) == 7)
    #expect(lit(plan.planes.video, change) == nil, "the sink's")
    #expect(lit(overlay, change) == 0)
    #expect(lit(overlay, TakeOver.settling(plan, on: card, background: 7, colour: 0, ours: [overlay])) == nil)
    // If the video is on the primary plane, there is nothing below it.
    let alone = TakeOver.settling(plan, on: card, background: nil, colour: 0, ours: [])
    #expect(lit(plan.planes.primary, alone) == nil)
  }

  @Test("At the end nothing is shown again that a dead process has shown")
  func restore() throws {
    let (card, plan) = try Self.left()
    let before = card.withoutPictures()
    #expect(before.crtcs.allSatisfy { $0.mode == nil })
    let change = plan.restoreAll(before, modeBlob: nil, otherBlob: nil)
    let framebuffers = card.planes.compactMap { $0.properties["FB_ID"]?.id }
    #expect(change.assignments.filter { framebuffers.contains($0.property) }.allSatisfy { $0.value == 0 })
  }

  @Test("A mode that follows the films begins with the screen's present rate")
  func rate() throws {
    var (card, _) = try Self.left()
    var slow = card.connectors[0].modes[0]
    slow.refreshMillihertz = 24_000
    card.connectors[0].modes.append(slow)
    card.crtcs[0].mode = slow
    let follows = try DisplayPlan.choose(card: card, request: KMSRequest(mode: .match(nil))).get()
    #expect(follows.beginning(asLitOn: card, wanted: nil).mode.refreshMillihertz == 24_000)
    #expect(follows.beginning(asLitOn: card, wanted: 60_000).mode == follows.mode)
    let fixed = try DisplayPlan.choose(card: card, request: KMSRequest()).get()
    #expect(fixed.beginning(asLitOn: card, wanted: nil).mode == fixed.mode)
  }

  @Test(
    "Names of kept files identify their card and connector",
    arguments: ["card0", "card12", "lease-card0-HDMI-A-1-3", "lease-card1-Virtual-2-17"])
  func names(text: String) throws {
    #expect(try #require(KeptName(text)).text == text)
  }

  @Test(
    "Names of another form aren't recognised",
    arguments: [
      "", "card", "cardx", "socket", "lease-card0", "lease-card0-3", "lease-sda-HDMI-A-1-3", "lease-card0-HDMI-A-x",
      "card0-1",
    ])
  func otherNames(text: String) { #expect(KeptName(text) == nil) }

  @Test("A lease's name has its card, connector and number")
  func lease() {
    #expect(KeptName(lease: 3, of: "/dev/dri/card0", connector: "HDMI-A-1").text == "lease-card0-HDMI-A-1-3")
    #expect(KeptName("lease-card0-HDMI-A-1-3") == .lease(card: "card0", connector: "HDMI-A-1", id: 3))
    #expect(KeptName(card: "/dev/dri/card2").text == "card2")
  }

  @Test("A card's holder is its live master, else the process that has its open file")
  func holders() {
    let (dead, keeper) = (CardHolder(pid: 70, name: "vitrine"), CardHolder(pid: 60, name: "vitrine supervise"))
    #expect(CardHolder.choose(master: dead, openers: [keeper]) == [keeper])
    #expect(CardHolder.choose(master: dead, openers: [keeper, dead]) == [dead])
    #expect(CardHolder.choose(master: dead, openers: []) == [dead])
    let next = CardHolder(pid: 71, name: "vitrine")
    #expect(CardHolder.choose(master: dead, openers: [keeper, next]) == [next], "not who keeps it for that one")
    #expect(CardHolder.choose(master: nil, openers: [keeper]) == [keeper])
    #expect(CardHolder.name(command: "vitrine", line: "/usr/bin/vitrine\0supervise\0--\0run\0") == "vitrine supervise")
    #expect(CardHolder.name(command: "vitrine", line: "/usr/bin/vitrine\0run\0") == "vitrine")
    #expect(CardHolder(pid: 1, name: "systemd").description.contains("keeps it for a service"))
  }
}
