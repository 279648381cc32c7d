import Foundation
import InteractionCore
import PlaybackCore
import Testing

@testable import KioskCore
import KioskTestSupport

@Suite("The status on crashes")
struct SurvivalStatusTests {
  private func status(_ survival: KioskStatus.Survival?) -> KioskStatus {
    var machine = PlaybackMachine(queue: [MediaItem(uri: "/a.mp4", kind: .file)], loops: true, seed: 1)
    for event in [PlaybackEvent.start, .outputReady] { _ = machine.handle(event, at: Instant(nanoseconds: 0)) }
    let deck = DeckID(generation: 1)
    _ = machine.handle(.deckReady(deck, DeckReadiness(duration: .seconds(60))), at: Instant(nanoseconds: 0))
    var status = KioskStatus(version: "1", name: "board", uptimeSeconds: 1)
    status.screens = [
      KioskStatus.Screen(
        name: nil, presence: .on, playback: KioskStatus.Playback(machine, at: Instant(nanoseconds: 0)),
        counters: PlaybackCounters())
    ]
    status.survival = survival
    return status
  }

  private let crash = CrashSummary(time: "2026-11-23 08:15:33 UTC", signal: 11, cause: "it died", item: "file:///b.mp4")

  @Test("An old crash is shown and doesn't affect the health; safe mode and items in quarantine do")
  func health() throws {
    #expect(status(nil).health == .healthy)
    let old = KioskStatus.Survival(mode: .normal, modeSeconds: nil, lastCrash: crash, quarantine: [])
    #expect(status(old).health == .healthy)
    let safe = KioskStatus.Survival(mode: .safe, modeSeconds: 5, lastCrash: nil, quarantine: [])
    #expect(status(safe).health == .attention)
    var quarantine = Quarantine()
    for _ in 0..<2 { quarantine.died(of: Quarantine.Subject(uri: "http://me:secret@host/b.mp4"), signal: 11, at: 1) }
    let held = KioskStatus.Survival(
      mode: .normal, modeSeconds: nil, lastCrash: crash, quarantine: quarantine.held.map { .init($0) })
    #expect(status(held).health == .attention)
    let text = String(decoding: try JSONEncoder().encode(status(held)), as: UTF8.self)
    #expect(!text.contains("secret") && text.contains("\"last_crash\"") && text.contains("3040"), "\(text)")
    let card = status(held).card(for: try #require(status(held).screens.first))
    #expect(card.rows.contains { $0.label == .lastCrash && $0.value.english.contains("it died") })
    #expect(
      card.rows.contains {
        $0.label == .leftOut && $0.value.english.contains("host/b.mp4") && !$0.value.english.contains("secret")
      })
  }
}
