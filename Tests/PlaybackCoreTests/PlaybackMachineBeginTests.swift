import PlaybackCore
import Testing

@Suite("The first item and position of playback")
struct PlaybackMachineBeginTests {
  private let queue = ["a", "b", "c"].map { MediaItem(uri: "/\($0).mp4", kind: .file) }

  private func firstDeck(_ machine: PlaybackMachine) -> (uri: String, from: Duration)? {
    var machine = machine
    let now = Instant(nanoseconds: 0)
    for action in machine.handle(.start, at: now) + machine.handle(.outputReady, at: now) {
      if case .buildDeck(_, let media, _, let position, _) = action { return (media.uri, position) }
    }
    return nil
  }

  @Test("Playback begins with any entry at any position, or with the first when the entry isn't there")
  func begin() throws {
    var machine = PlaybackMachine(queue: queue, loops: true, seed: 0)
    machine.begin(at: 2, position: .seconds(7))
    let deck = try #require(firstDeck(machine))
    #expect(deck.uri == "file:///c.mp4" && deck.from == .seconds(7))
    machine.begin(at: 9, position: .seconds(1))
    #expect(try #require(firstDeck(machine)).uri == "file:///c.mp4")
    #expect(try #require(firstDeck(PlaybackMachine(queue: queue, loops: true, seed: 0))).uri == "file:///a.mp4")
  }

  @Test("A start position given after the start is ignored")
  func started() throws {
    var machine = PlaybackMachine(queue: queue, loops: true, seed: 0)
    _ = machine.handle(.start, at: Instant(nanoseconds: 0))
    machine.begin(at: 2, position: .seconds(7))
    let actions = machine.handle(.outputReady, at: Instant(nanoseconds: 0))
    #expect(
      actions.contains {
        if case .buildDeck(_, let media, _, _, _) = $0 { media.uri == "file:///a.mp4" } else { false }
      })
  }

  @Test("A path survives its conversion to an address and back, with any bytes; a cut or foreign address has none")
  func address() {
    let path = Array("/films/a b%ü?#.mp4".utf8) + [0xFF]
    #expect(FileAddress.path(of: FileAddress.uri(path: path)) == path)
    for text in ["http://host/a", "file:///a%", "file:///a%4", "file:///a%zz", "file:///a%00", "file://host/a", ""] {
      #expect(FileAddress.path(of: text) == nil, "\(text)")
    }
  }
}
