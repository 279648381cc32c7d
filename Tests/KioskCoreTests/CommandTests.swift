import Foundation
import InteractionCore
import KioskCore
import PlaybackCore
import Testing

@Suite("Commands")
struct CommandTests {
  private var machine: PlaybackMachine {
    var machine = PlaybackMachine(
      queue: [MediaItem(uri: "file:///a.mp4", kind: .file), MediaItem(uri: "file:///b.mp4", kind: .file)],
      loops: true, seed: 1)
    for event in [PlaybackEvent.start, .outputReady] { _ = machine.handle(event, at: Instant(nanoseconds: 0)) }
    return machine
  }

  private func fact(_ command: Command, _ machine: PlaybackMachine) -> PlaybackEvent? {
    try? command.facts(for: machine)?.get()
  }

  private func refusal(_ command: Command, _ machine: PlaybackMachine) -> KioskRefusal? {
    if case .failure(let refusal) = command.facts(for: machine) { refusal } else { nil }
  }

  @Test("Each playback command becomes one playback event")
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

  @Test("The play-pause command plays when paused")
  func playPause() {
    var machine = machine
    _ = machine.handle(.pauseRequested, at: Instant(nanoseconds: 1))
    #expect(fact(.playPause, machine) == .playRequested)
  }

  @Test("A command that can't be carried out gives a reason")
  func refusals() {
    #expect(refusal(.select(number: 3), machine) == .noSuchItem)
    #expect(refusal(.select(number: 0), machine) == .noSuchItem)
    #expect(refusal(.select(number: .min), machine) == .noSuchItem)
    let empty = PlaybackMachine(queue: [], loops: false, seed: 1)
    #expect(refusal(.skip(by: .seconds(1)), empty) == .positionUnknown)
    for command in [Command.seek(to: .seconds(1)), .next, .previous] {
      #expect(refusal(command, empty) == .nothingPlays)
    }
  }

  @Test("A command that isn't for playback alone becomes no playback event")
  func others() {
    for command in [
      Command.playClip("a"), .playOnce(ClipRequest(list: "a")), .changeVolume(byPercent: 1), .toggleMute, .showControls,
      .showStatus(nil),
      .switchScreen(isOn: true), .reload, .quit,
    ] { #expect(command.facts(for: machine) == nil) }
  }

  @Test("Each refusal has words for people")
  func texts() { #expect(Set(KioskRefusal.allCases.map(\.text)).count == KioskRefusal.allCases.count) }
}

@Suite("Verbs")
struct VerbTests {
  private static let sources = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "Sources")

  /// The cases of `Command`, read from its source.
  private func cases() throws -> [String] {
    let table = try String(
      contentsOf: Self.sources.appending(path: "InteractionCore/Command/Command.swift"), encoding: .utf8)
    let body = try #require(table.firstMatch(of: /public enum Command[^{]*\{(?s)(.*?)\n\}/)?.1)
    return body.matches(of: /\n  case (\w+)/).map { String($0.1) }
  }

  /// The lines that may name a case, of each source that uses commands. Key names don't count, and a word in a list of
  /// signals is one word.
  private func linesOfCommands() throws -> [(path: String, lines: [Substring])] {
    let names = try #require(FileManager.default.enumerator(atPath: Self.sources.path))
    return try names.compactMap { $0 as? String }.filter {
      $0.hasSuffix(".swift") && !$0.hasSuffix("ActionMap.swift") && !$0.hasSuffix("Binding.swift")
    }.sorted().compactMap { path in
      let text = try String(contentsOf: Self.sources.appending(path: path), encoding: .utf8)
      guard text.contains("Command"), text.contains(/\bCommand\b/) else { return nil }
      return (path, text.split(separator: "\n").filter { $0.contains("case ") || $0.contains("command(.") })
    }
  }

  @Test("Each command is named by the table, by one place that carries it out, and by no other source")
  func spelt() throws {
    let cases = try cases()
    #expect(cases.count > 20)
    let known = [
      // The answer has to be sent before the player ends.
      "quit": ["KioskRuntime/Control/ControlServerOwner.swift"],
      // A later screen gets the same switch state as the others.
      "switchScreen": ["KioskRuntime/Screens/ScreenGroup.swift"],
    ]
    let sources = try linesOfCommands()
    #expect(sources.count > 10)
    for name in cases {
      let spelling = try Regex("case .*\\.\(name)\\b|command\\(\\.\(name)\\b")
      let others = sources.filter { source in source.lines.contains { $0.contains(spelling) } }.map(\.path).filter {
        $0 != "InteractionCore/Command/Command.swift" && known[name]?.contains($0) != true
      }
      #expect(others.count <= 1, "\(name): \(others)")
    }
  }

  @Test("A command for the whole player has a verb that takes no screen")
  func scope() {
    for command in [Command.reload, .retry(nil), .retry("a"), .quit] { #expect(!command.isOfScreen) }
    // All verbs that need arguments are for screens.
    for verb in Verb.allCases {
      #expect((try? verb.command(CommandArguments()))?.isOfScreen ?? true == verb.isOfScreen, "\(verb)")
    }
    for command in [Command.play, .seek(to: .zero), .playClip("a"), .showStatus(nil), .switchScreen(isOn: true)] {
      #expect(command.isOfScreen)
    }
  }
}
