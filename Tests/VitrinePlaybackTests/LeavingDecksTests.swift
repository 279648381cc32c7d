import EngineTestSupport
import PlaybackCore
import Testing

@testable import VitrinePlayback

@Suite("Decks on their way down")
struct LeavingDecksTests {
  private let deck = DeckID(generation: 1)

  @Test("A deck comes down once, in time or after it was given up, and only its own incarnation counts")
  func down() {
    var leaving = LeavingDecks()
    leaving.add(deck, givenUpBy: ManualClock().after(.seconds(1)) {})
    #expect(!leaving.isEmpty)
    let inTime = [leaving.remove(deck), leaving.remove(deck)]
    #expect(inTime == [true, false] && leaving.isEmpty)
    leaving.giveUp(deck, incarnation: 2)
    #expect(leaving.isEmpty && leaving.hung == [deck: 2], "nothing waits for it")
    let late = [1, 2, 2].map { leaving.cameDown(deck, incarnation: $0) }
    #expect(late == [false, true, false] && leaving.hung.isEmpty)
  }
}
