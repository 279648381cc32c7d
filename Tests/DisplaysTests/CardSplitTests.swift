import PlaybackCore
import Testing

@testable import Displays

@Suite("A card's CRTCs and planes are split among several screens")
struct CardSplitTests {
  /// The plan that a display would make with its share.
  private func plan(_ card: CardSnapshot, _ share: CardShare) throws -> DisplayPlan {
    let name = try #require(card.connectors.first { $0.id == share.connector }).name
    var part = card
    part.planes.removeAll { !share.planes.contains($0.id) }
    for index in part.connectors.indices where part.connectors[index].id == share.connector {
      part.connectors[index].status = .connected
      if part.connectors[index].modes.isEmpty { part.connectors[index].modes = Board.modes }
    }
    return try DisplayPlan.choose(card: part, request: KMSRequest(connector: name)).get()
  }

  @Test("Raspberry Pi 4: both sockets have background, video and overlay, like a single one; an unplugged one too")
  func raspberryPi4() throws {
    let card = try BoardRecord("raspberry-pi-4").card
    let shares = CardSplit.shares(of: card, among: [32, 42])
    #expect(
      shares == [
        32: CardShare(connector: 32, crtc: 89, planes: [84, 117, 127]),
        42: CardShare(connector: 42, crtc: 105, planes: [95, 137, 147]),
      ])
    for share in shares.values {
      let plan = try plan(card, share)
      #expect(plan.crtcID == share.crtc && plan.planes.layout == .separate && plan.planes.videoTakesYUV)
    }
  }

  @Test("RK3588: each socket has its own pair of planes")
  func rk3588() throws {
    let card = try BoardRecord("rk3588-vendor").card
    let shares = CardSplit.shares(of: card, among: [208, 219])
    #expect(shares[208] == CardShare(connector: 208, crtc: 82, planes: [54, 68]))
    #expect(shares[219] == CardShare(connector: 219, crtc: 118, planes: [90, 104]))
    #expect(try plan(card, try #require(shares[219])).planes.layout == .videoOnPrimary)
  }

  @Test("Intel: panel and socket keep the CRTCs that drive them, with their pointers")
  func intel() throws {
    let card = try BoardRecord("intel-broadwell").card
    let shares = CardSplit.shares(of: card, among: [103, 95])
    #expect(shares[103]?.crtc == 60 && shares[95]?.crtc == 45)
    #expect(shares[103]?.planes.contains(56) == true && shares[95]?.planes.contains(41) == true)
    #expect(Set(shares.values.flatMap(\.planes)).count == shares.values.flatMap(\.planes).count)
  }

  /// Screens on CRTCs 80 and 81, a primary plane each, and overlay planes that either can show.
  private func pair(overlays: Int) -> CardSnapshot {
    var board = Board(overlays: 0)
    board.addConnector("HDMI-A-2")
    var card = board.card
    var second = card.crtcs[0]
    second.id = 81
    second.properties.objectID = 81
    card.crtcs.append(second)
    card.connectors[0].possibleCRTCs = 3
    card.connectors[1].possibleCRTCs = 3
    var primary = card.planes[0]
    primary.id = 36
    primary.properties.objectID = 36
    primary.possibleCRTCs = 2
    card.planes.append(primary)
    for index in 0..<overlays {
      var overlay = card.planes[0]
      overlay.id = UInt32(40 + index)
      overlay.properties.objectID = overlay.id
      overlay.kind = .overlay
      overlay.possibleCRTCs = 3
      card.planes.append(overlay)
    }
    return card
  }

  @Test("Two spare planes are one for each, not two for the first", arguments: [true, false])
  func fair(firstFirst: Bool) throws {
    let card = pair(overlays: 2)
    let shares = CardSplit.shares(of: card, among: firstFirst ? [90, 91] : [91, 90])
    #expect(shares.count == 2)
    for share in shares.values {
      #expect(share.planes.count == 2)
      #expect(try plan(card, share).planes.layout == .videoOnPrimary)
    }
  }

  @Test("A third overlay plane goes to one of two screens; no screen gets a plane that it can't use")
  func three() {
    let card = pair(overlays: 3)
    let counts = CardSplit.shares(of: card, among: [90, 91]).values.map(\.planes.count).sorted()
    #expect(counts == [2, 3])
    let many = pair(overlays: 8)
    #expect(CardSplit.shares(of: many, among: [90, 91]).values.allSatisfy { $0.planes.count == 3 })
  }

  @Test("A plane that only one screen can show goes to that screen")
  func ownPlanes() throws {
    var card = pair(overlays: 4)
    for index in card.planes.indices where card.planes[index].id >= 42 { card.planes[index].possibleCRTCs = 1 }
    let shares = CardSplit.shares(of: card, among: [90, 91])
    #expect(shares[90]?.planes == [35, 42, 43] && shares[91]?.planes == [36, 40, 41])
  }

  @Test("Screens keep their share; a later screen gets a part of the rest")
  func held() {
    let card = pair(overlays: 2)
    let alone = CardShare(connector: 91, crtc: 80, planes: [35, 40, 41])
    let shares = CardSplit.shares(of: card, among: [90, 91], held: [alone])
    #expect(shares == [90: CardShare(connector: 90, crtc: 81, planes: [36])])
  }

  @Test("More screens than CRTCs: the first ones are served")
  func tooMany() {
    var card = pair(overlays: 2)
    var third = card.connectors[1]
    third.id = 92
    card.connectors.append(third)
    #expect(Set(CardSplit.shares(of: card, among: [92, 90, 91]).keys) == [92, 90])
    #expect(CardSplit.shares(of: card, among: [90], held: []).count == 1)
    card.crtcs = []
    #expect(CardSplit.shares(of: card, among: [90, 91]).isEmpty)
  }

  @Test("A connector keeps its present CRTC, whatever the order")
  func routing() {
    var card = pair(overlays: 4)
    card.connectors[0].crtcID = 81
    card.connectors[1].crtcID = 80
    #expect(CardSplit.shares(of: card, among: [90, 91]).mapValues(\.crtc) == [90: 81, 91: 80])
  }

  @Test("A screen that the player doesn't use keeps its CRTC and planes while others are free")
  func foreign() {
    var card = pair(overlays: 4)
    var other = card.connectors[0]
    other.id = 92
    other.crtcID = 80
    card.connectors.append(other)
    card.crtcs[0].mode = other.modes[0]
    card.planes[2].crtcID = 80
    #expect(CardSplit.shares(of: card, among: [90])[90] == CardShare(connector: 90, crtc: 81, planes: [36, 41, 42]))
    // There are two CRTCs: both are needed.
    #expect(Set(CardSplit.shares(of: card, among: [90, 91]).values.map(\.crtc)) == [80, 81])
  }

  @Test("Before a lease, foreign connectors and planes are detached; a card without any isn't touched")
  func clearing() {
    var card = pair(overlays: 2)
    let share = CardShare(connector: 90, crtc: 80, planes: [35, 40])
    #expect(share.clearing(card).lines == [])
    let mode = card.connectors[0].modes[0]
    card.crtcs[0].mode = mode
    card.connectors[0].crtcID = 80
    card.planes[0].crtcID = 80
    #expect(share.clearing(card).lines == [])
    // A console that shows the same on both.
    card.connectors[1].crtcID = 80
    #expect(share.clearing(card).lines == ["91.CRTC_ID=0"])
    // A picture of an earlier program on a plane outside the lease, and a leased plane on the other screen.
    card.planes[3].crtcID = 80
    card.planes[2].crtcID = 81
    #expect(
      share.clearing(card).lines == [
        "91.CRTC_ID=0", "40.FB_ID=0", "40.CRTC_ID=0", "41.FB_ID=0", "41.CRTC_ID=0",
      ])
  }

  @Test("Before a lease: a CRTC that loses its connector goes off, with its planes")
  func clearingCRTC() {
    var card = pair(overlays: 0)
    card.crtcs[1].mode = card.connectors[0].modes[0]
    card.connectors[0].crtcID = 81
    card.planes[1].crtcID = 81
    let share = CardShare(connector: 90, crtc: 80, planes: [35])
    #expect(
      share.clearing(card).lines == [
        "90.CRTC_ID=0", "81.MODE_ID=0", "81.ACTIVE=0", "36.FB_ID=0", "36.CRTC_ID=0",
      ])
  }

  @Test("A display that now shares its card restores only its own part")
  func limited() throws {
    let card = pair(overlays: 3)
    let plan = try DisplayPlan.choose(card: card, request: KMSRequest(connector: "HDMI-A-1")).get()
    let share = CardShare(plan, on: card)
    let rest = card.limited(to: share)
    #expect(rest.connectors.map(\.id) == [90] && rest.crtcs.map(\.id) == [plan.crtcID])
    #expect(Set(rest.planes.map(\.id)) == Set(share.planes))
  }
}
