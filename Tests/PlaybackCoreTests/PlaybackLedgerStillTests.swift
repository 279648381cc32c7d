import Testing

@testable import PlaybackCore

@Suite("Playback ledger: items after a still picture")
struct PlaybackLedgerStillTests {
  @Test(
    "A late item after a picture is a stall; after a film of one frame it is a gap",
    arguments: [("b.png", MediaKind.picture, 1), ("b.mp4", .file, 0)])
  func late(name: String, kind: MediaKind, stalls: Int) {
    let (first, second) = (deck(1), deck(2))
    var ledger = PlaybackStatistics(
      processStart: Instant(nanoseconds: 0),
      queue: PlayQueue([MediaItem(uri: "file:///\(name)", kind: kind), MediaItem(uri: "file:///c.mp4", kind: .file)]))
    func show(_ id: DeckID, _ item: ItemID, atSecond second: Int) {
      ledger.itemStarted(item, deck: id, isAutomatic: true)
      ledger.frameInterval(id == first ? .seconds(3) : .milliseconds(40), deck: id, item: item)
      ledger.record(
        RenderedFrame(
          deck: id, index: 0, streamTime: .zero, at: Instant(nanoseconds: 0) + .seconds(second), wasRendered: true))
    }
    show(first, 0, atSecond: 1)
    ledger.videoEnded(deck: first, frames: 1, lastFrameDuration: .seconds(3))
    show(second, 1, atSecond: 6)
    let report = ledger.report(
      version: "t", output: .headless, screen: "s", exitCode: 0, at: Instant(nanoseconds: 0) + .seconds(6))
    #expect(report.stallsTotal == stalls)
    #expect(report.stalls.map(\.seconds) == [Double](repeating: 2, count: stalls))
    #expect(report.gapsMilliseconds == [2000])
  }
}
