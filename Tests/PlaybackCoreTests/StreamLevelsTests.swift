import PlaybackCore
import Testing

@Suite("Levels of the queues of an item's streams")
struct StreamLevelsTests {
  private typealias Level = StreamLevels.Level
  private let scale = Duration.seconds(10)

  @Test("The emptiest stream counts, up and down, and without one the level is unknown")
  func least() {
    var levels = StreamLevels()
    #expect(levels.percent(of: scale) == nil)
    levels.updateLevel(of: 1, Level(media: .seconds(6)))
    levels.updateLevel(of: 2, Level(media: .zero))
    #expect(levels.percent(of: scale) == 0)
    levels.updateLevel(of: 2, Level(media: .milliseconds(3090)))
    #expect(levels.percent(of: scale) == 30)
    levels.updateLevel(of: 1, Level(media: .seconds(1)))
    #expect(levels.percent(of: scale) == 10)
    levels.updateLevel(of: 1, nil)
    #expect(levels.percent(of: scale) == 30)
    levels.updateLevel(of: 2, Level(media: .seconds(12)))
    #expect(levels.percent(of: scale) == 100)
    levels.updateLevel(of: 2, nil)
    #expect(levels.percent(of: scale) == nil)
  }

  @Test("A full queue counts as full, however little time it holds")
  func full() {
    var levels = StreamLevels()
    levels.updateLevel(of: 1, Level(media: .seconds(2), isFull: true))
    levels.updateLevel(of: 2, Level(media: .seconds(1)))
    #expect(levels.percent(of: scale) == 100)
    levels.updateLevel(of: 1, Level(media: .seconds(2)))
    #expect(levels.percent(of: scale) == 10)
    #expect(levels.percent(of: .zero) == 100)
  }

  @Test("A stream that has ended isn't waited for, until it starts over")
  func ends() {
    var levels = StreamLevels()
    levels.updateLevel(of: 1, Level(media: .seconds(3)))
    levels.updateLevel(of: 2, Level(media: .seconds(1), hasEnded: true))
    #expect(levels.percent(of: scale) == 30)
    levels.updateLevel(of: 1, Level(media: .seconds(2), hasEnded: true))
    #expect(levels.percent(of: scale) == 100)
    levels.updateLevel(of: 1, Level(media: .zero))
    #expect(levels.percent(of: scale) == 0)
  }
}
