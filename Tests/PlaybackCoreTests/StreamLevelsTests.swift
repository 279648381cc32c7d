import PlaybackCore
import Testing

@Suite("How much the queues of an item's streams hold")
struct StreamLevelsTests {
  private typealias Level = StreamLevels.Level
  private let scale = Duration.seconds(10)

  @Test("The stream with the least counts, up and down, and without one nothing is known")
  func least() {
    var levels = StreamLevels()
    #expect(levels.percent(of: scale) == nil)
    levels.noteLevel(of: 1, Level(media: .seconds(6)))
    levels.noteLevel(of: 2, Level(media: .zero))
    #expect(levels.percent(of: scale) == 0)
    levels.noteLevel(of: 2, Level(media: .milliseconds(3090)))
    #expect(levels.percent(of: scale) == 30)
    levels.noteLevel(of: 1, Level(media: .seconds(1)))
    #expect(levels.percent(of: scale) == 10)
    levels.noteLevel(of: 1, nil)
    #expect(levels.percent(of: scale) == 30)
    levels.noteLevel(of: 2, Level(media: .seconds(12)))
    #expect(levels.percent(of: scale) == 100)
    levels.noteLevel(of: 2, nil)
    #expect(levels.percent(of: scale) == nil)
  }

  @Test("A queue that takes no more is as much as there will be, however little time it is")
  func full() {
    var levels = StreamLevels()
    levels.noteLevel(of: 1, Level(media: .seconds(2), isFull: true))
    levels.noteLevel(of: 2, Level(media: .seconds(1)))
    #expect(levels.percent(of: scale) == 100)
    levels.noteLevel(of: 1, Level(media: .seconds(2)))
    #expect(levels.percent(of: scale) == 10)
    #expect(levels.percent(of: .zero) == 100)
  }

  @Test("A stream that has ended isn't waited for, until it begins anew")
  func ends() {
    var levels = StreamLevels()
    levels.noteLevel(of: 1, Level(media: .seconds(3)))
    levels.noteLevel(of: 2, Level(media: .seconds(1), hasEnded: true))
    #expect(levels.percent(of: scale) == 30)
    levels.noteLevel(of: 1, Level(media: .seconds(2), hasEnded: true))
    #expect(levels.percent(of: scale) == 100)
    levels.noteLevel(of: 1, Level(media: .zero))
    #expect(levels.percent(of: scale) == 0)
  }
}
