import KioskCore
import PlaybackCore
import Testing

@Suite("Commands")
struct KioskCommandTests {
  private var machine: PlaybackMachine {
    var machine = PlaybackMachine(
      queue: [MediaItem(uri: "file:///a.mp4", kind: .file), MediaItem(uri: "file:///b.mp4", kind: .file)],
      loops: true, seed: 1)
    for event in [PlaybackEvent.start, .outputReady] { _ = machine.handle(event, at: Instant(nanoseconds: 0)) }
    return machine
  }

  private func fact(_ command: KioskCommand, _ machine: PlaybackMachine) -> PlaybackEvent? {
    try? command.facts(for: machine)?.get()
  }

  private func refusal(_ command: KioskCommand, _ machine: PlaybackMachine) -> KioskRefusal? {
    if case .failure(let refusal) = command.facts(for: machine) { refusal } else { nil }
  }

  @Test("Each is one fact for playback")
  func facts() {
    let machine = machine
    #expect(fact(.play, machine) == .playRequested)
    #expect(fact(.pause, machine) == .pauseRequested)
    #expect(fact(.playPause, machine) == .pauseRequested)
    #expect(fact(.next, machine) == .nextRequested)
    #expect(fact(.previous, machine) == .previousRequested)
    #expect(fact(.seek(to: .seconds(3)), machine) == .seekRequested(to: .seconds(3), .exact))
    #expect(
      fact(.seek(to: .seconds(3), .nearestKeyframe), machine) == .seekRequested(to: .seconds(3), .nearestKeyframe))
    #expect(fact(.skip(by: .seconds(-2)), machine) == .seekRequested(to: .seconds(-2), .exact))
    #expect(fact(.select(number: 2), machine) == .itemSelected(machine.queue.entries[1].id))
  }

  @Test("A paused player plays by the same key")
  func playPause() {
    var machine = machine
    _ = machine.handle(.pauseRequested, at: Instant(nanoseconds: 1))
    #expect(fact(.playPause, machine) == .playRequested)
  }

  @Test("What can't be done says why")
  func refusals() {
    #expect(refusal(.select(number: 3), machine) == .noSuchItem)
    #expect(refusal(.select(number: 0), machine) == .noSuchItem)
    #expect(refusal(.select(number: .min), machine) == .noSuchItem)
    let empty = PlaybackMachine(queue: [], loops: false, seed: 1)
    #expect(refusal(.skip(by: .seconds(1)), empty) == .positionUnknown)
    for command in [KioskCommand.seek(to: .seconds(1)), .next, .previous] {
      #expect(refusal(command, empty) == .nothingPlays)
    }
  }

  @Test("What isn't for playback alone is no fact of it")
  func others() {
    for command in [
      KioskCommand.playClip("a"), .changeVolume(byPercent: 1), .toggleMute, .showControls, .showStatus(nil),
      .switchScreen(isOn: true), .reload, .end,
    ] { #expect(command.facts(for: machine) == nil) }
  }

  @Test("Each refusal has words for people")
  func texts() { #expect(Set(KioskRefusal.allCases.map(\.text)).count == KioskRefusal.allCases.count) }
}
