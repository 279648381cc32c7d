import ControlProtocol
import Foundation
import InteractionCore
import JSONText
import KioskCore
import PlaybackCore
import Testing

@Suite("Events of the control socket")
struct ControlWatchTests {
  private func screen(_ name: String? = nil, _ uri: String? = "file:///a.mp4", paused: Bool = false)
    -> KioskStatus.Screen
  {
    let start = Instant(nanoseconds: 0)
    var machine = PlaybackMachine(queue: uri.map { [MediaItem(uri: $0, kind: .file)] } ?? [], loops: true, seed: 1)
    for event in [PlaybackEvent.start, .outputReady] { _ = machine.handle(event, at: start) }
    if paused { _ = machine.handle(.pauseRequested, at: start) }
    return KioskStatus.Screen(
      name: name, presence: .on, playback: KioskStatus.Playback(machine, at: start), counters: PlaybackCounters())
  }

  private func status(_ screens: [KioskStatus.Screen]) -> KioskStatus {
    var status = KioskStatus(version: "1", name: "b", uptimeSeconds: 1)
    status.screens = screens
    return status
  }

  @Test("A failed item's event has its address without the password, and cut to the length of all texts")
  func failedItem() {
    let item = MediaItem(uri: "http://me:secret@host/" + String(repeating: "a", count: 1000), kind: .file)
    let error = VitrineError(2101, subject: "a", message: "b", remedy: "c")
    let event = ControlEvent.itemFailed(item, error, on: "left").json
    let uri = event["uri"]?.text ?? ""
    #expect(!uri.contains("secret") && uri.hasPrefix("http://") && uri.unicodeScalars.count == PlainText.longest)
    #expect(event["screen"] == .string("left") && event["error"]?["number"] == .integer(2101))
  }

  @Test("The first state gives no event, and neither does the same state again")
  func nothing() {
    var watch = ControlWatch()
    #expect(watch.compare(with: status([screen()])) == [])
    #expect(watch.compare(with: status([screen()])) == [])
  }

  @Test("The start of another item ends the one before, also when an item is repeated")
  func items() {
    var watch = ControlWatch()
    _ = watch.compare(with: status([screen()]))
    let again = watch.itemStarted(on: nil, status: status([screen()]))
    #expect(again.map(\.kind) == [.itemEnded, .itemStarted])
    let other = status([screen(nil, "file:///b.mp4")])
    #expect(watch.compare(with: other).map(\.kind) == [.itemEnded, .itemStarted])
    // The start of the item may be reported after the status has shown it.
    #expect(watch.itemStarted(on: nil, status: other) == [])
    #expect(watch.itemStarted(on: nil, status: other).count == 2)
    #expect(watch.compare(with: status([screen(nil, nil)])).map(\.kind).contains(.itemEnded))
  }

  @Test("States, sound, screens and configurations give an event when they change")
  func changes() {
    var watch = ControlWatch()
    var now = status([screen("a")])
    _ = watch.compare(with: now)
    now.screens[0] = screen("a", paused: true)
    #expect(watch.compare(with: now).map(\.kind) == [.state])
    now.screens[0].sound = KioskStatus.Sound(VolumeControl(volume: 0.5))
    let louder = watch.compare(with: now)
    #expect(louder.map(\.kind) == [.state] && louder[0].json["sound"]?["volume_percent"] == .integer(50))
    now.screens[0].presence = .asleep
    let asleep = watch.compare(with: now)
    #expect(
      asleep.map(\.kind) == [.screen] && asleep[0].json["presence"] == .string("asleep") && asleep[0].screen == "a")
    now.configuration = .init(state: .refused, reason: "why", files: ["f"])
    let refused = watch.compare(with: now)
    #expect(refused.map(\.kind) == [.configuration] && refused[0].json["reason"] == .string("why"))
    now.screens = [screen("b")]
    let kinds = watch.compare(with: now)
    #expect(kinds.contains { $0.screen == "a" && $0.json["presence"] == .string("gone") })
    #expect(kinds.contains { $0.screen == "b" && $0.kind == .screen })
  }

  @Test("docs/control.md has the tables that the types generate")
  func documented() throws {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let page = try String(contentsOf: root.appending(path: "docs/control.md"), encoding: .utf8)
    #expect(
      page.contains(ControlDocuments.markdown), "put what `vitrine ctl schema --markdown` prints into docs/control.md")
    for refusal in KioskRefusal.allCases {
      #expect(page.contains("`\(refusal.rawValue)`"), "\(refusal.rawValue) isn't in docs/control.md")
    }
    let errors = try String(contentsOf: root.appending(path: "docs/errors.md"), encoding: .utf8)
    for number in Array(7600...7619) + [7630] {
      #expect(errors.contains("| \(number) |"), "\(number) isn't in docs/errors.md")
    }
  }

  @Test("The schema has every verb with its parameters")
  func schema() throws {
    let verbs = try #require(ControlDocuments.schema["oneOf"]?.elements)
    #expect(verbs.count == ControlVerb.allCases.count)
    for (verb, schema) in zip(ControlVerb.allCases, verbs) {
      #expect(schema["properties"]?["verb"]?["const"] == .string(verb.word))
      for parameter in verb.parameters { #expect(schema["properties"]?[parameter.name] != nil) }
    }
  }
}
