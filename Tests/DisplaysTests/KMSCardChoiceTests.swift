import PlaybackCore
import Testing

@testable import Displays

@Suite("KMS card choice")
struct KMSCardChoiceTests {
  @Test("A card with a screen comes before one with better planes, and the lower number before its equal")
  func order() {
    let many = card(0, overlays: 8)
    let few = card(1, overlays: 0)
    #expect(chosen([many, few]) == ["card0", "card1"])
    var unplugged = many
    unplugged.connectors[0].status = .unknown
    #expect(chosen([unplugged, few]) == ["card1", "card0"])
    #expect(chosen([card(0, overlays: 2), card(1, overlays: 2)]) == ["card0", "card1"])
    #expect(chosen([card(0, overlays: 1), card(1, overlays: 2)]) == ["card1", "card0"])
  }

  @Test("A card is named by path, number, driver or device", arguments: ["/dev/dri/card1", "card1", "vc4", "gpu"])
  func named(name: String) {
    var board = card(1, overlays: 0)
    board.driver = "vc4"
    board.device = "gpu"
    let choice = CardChoice(among: [card(0, overlays: 8), board], for: KMSRequest(card: name))
    #expect(choice.candidates.map(\.card.name) == ["card1"])
    #expect(choice.candidates.first?.plan.reasons.first == "card1: as asked (\(name))")
  }

  @Test("An unusable card is reported with the reason, and doesn't keep another card from being used")
  func failures() {
    var unplugged = card(0, overlays: 2)
    unplugged.connectors[0].status = .disconnected
    let choice = CardChoice(among: [unplugged, card(1, overlays: 2)], for: KMSRequest())
    #expect(choice.candidates.map(\.card.name) == ["card1"])
    #expect(choice.candidates.first?.plan.reasons.first == "card1: the only card that can show a picture now")
    #expect(choice.failures.map(\.card) == ["/dev/dri/card0"])
    #expect(choice.failures.first?.error.number == 5004)
    #expect(CardChoice(among: [], for: KMSRequest()).candidates.isEmpty)
  }

  @Test("The list for people marks the choice and gives its reasons")
  func text() throws {
    var board = card(0, overlays: 1)
    board.driver = "vc4"
    board.device = "gpu"
    board.connectors[0].screenName = "Hall"
    board.connectors[0].millimetres = PixelSize(width: 509, height: 286)
    var inventory = DisplayInventory()
    inventory.cards = [DisplayInventory.CardEntry(board, state: "free", holders: [])]
    inventory.mark(try #require(CardChoice(among: [board], for: KMSRequest()).candidates.first))
    #expect(
      inventory.text.hasPrefix(
        """
        * /dev/dri/card0 (vc4, gpu): free
          * HDMI-A-1: connected, Hall, 509 x 286 mm
              modes: *1280x720@60.00 (preferred), 1920x1080@60.00, 1920x1080@50.00, 1920x1080i@60.00, 640x480@59.94
          * plane 35, primary: background and video; scaling not asked, turns 0, AR24 XR24 NV12
          * plane 40, overlay: overlay; scaling not asked, turns 0, AR24 XR24 NV12

        Chosen (*): /dev/dri/card0 HDMI-A-1 1280x720@60.00
          card0: the only card with connectors
          HDMI-A-1: the only connector with a screen
          1280x720@60.00: what the screen prefers
          planes: the only plane above the primary one carries the overlay; the video is on the primary plane
        Not yet proven on hardware: docs/board-checklist.md, and not_yet_proven of --json.

        """), "\(inventory.text)")
  }

  private func chosen(_ cards: [CardSnapshot]) -> [String] {
    CardChoice(among: cards, for: KMSRequest()).candidates.map(\.card.name)
  }

  private func card(_ number: Int, overlays: Int) -> CardSnapshot {
    var card = Board(overlays: overlays).card
    card.path = "/dev/dri/card\(number)"
    return card
  }
}
