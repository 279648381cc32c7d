import InteractionCore
import KioskTestSupport
import KioskCore
import PlaybackCore
import Testing

@Suite("Status")
struct KioskStatusTests {
  private let start = Instant(nanoseconds: 0)

  private func screen(_ name: String? = nil, playing uri: String? = "file:///a.mp4", title: String = "A film")
    -> KioskStatus.Screen
  {
    var machine = PlaybackMachine(
      queue: uri.map { [MediaItem(uri: $0, title: title, kind: .file)] } ?? [], loops: true, seed: 1)
    for event in [PlaybackEvent.start, .outputReady] { _ = machine.handle(event, at: start) }
    if machine.current != nil {
      let deck = DeckID(generation: 1)
      _ = machine.handle(.deckReady(deck, DeckReadiness(duration: .seconds(60))), at: start)
    }
    return KioskStatus.Screen(
      name: name, presence: .on, playback: KioskStatus.Playback(machine, at: start),
      counters: PlaybackCounters([.framesRendered: 10, .framesDropped: 1]))
  }

  private func status(_ screens: [KioskStatus.Screen]) -> KioskStatus {
    var status = KioskStatus(version: "1.2", name: "board-7", uptimeSeconds: 3725)
    status.screens = screens
    return status
  }

  @Test("A projector that isn't as it is to be, or has a fault, needs attention; its problem has number and words")
  func projector() throws {
    let address = try #require(ProjectorAddress("pjlink://10.0.0.7:4000/31"))
    func health(_ events: [PJLinkMachine.Event]) -> (KioskStatus.Health, KioskStatus.Projector) {
      var machine = PJLinkMachine(input: address.input)
      for event in [.wanted(isOn: true)] + events { _ = machine.handle(event, at: start) }
      var shown = screen()
      let projector = KioskStatus.Projector(address, machine.state)
      shown.projector = projector
      return (status([shown]).health, projector)
    }
    let (well, on) = health([.answered(.power(.on)), .answered(.input("31"))])
    #expect(well == .healthy && on.power == "on" && on.input == "31" && on.isWantedOn && on.problem == nil)
    #expect(on.address == "pjlink://10.0.0.7:4000")
    let (locked, refused) = health([.failed(.wrongPassword)])
    #expect(locked == .attention && refused.problem == 7651 && refused.power == nil)
    #expect(refused.reason == "the projector refuses the password")
    let faults = try #require(PJLinkReply(Array("%1ERST=020000".utf8), to: .askFaults))
    let lamps = try #require(PJLinkReply(Array("%1LAMP=3000 1".utf8), to: .askLamps))
    let (worn, lamp) = health([
      .answered(.power(.on)), .answered(.input("31")), .answered(faults), .answered(lamps),
    ])
    #expect(worn == .attention && lamp.problem == 7654 && lamp.faults == ["lamp error"] && lamp.lampHours == [3000])
  }

  @Test("Health: trouble without an item, attention while waiting or with a doubtful configuration, else healthy")
  func health() {
    #expect(status([screen()]).health == .healthy)
    #expect(status([screen(), screen(playing: nil)]).health == .trouble)
    #expect(status([]).health == .trouble)
    for state in ConfigurationState.allCases {
      var status = status([screen()])
      status.configuration = .init(state: state, reason: nil, files: [])
      #expect(status.health == ([.confirmed, .candidate].contains(state) ? .healthy : .attention))
    }
    var waiting = screen()
    waiting.playback.waitingReason = .buffering
    #expect(status([waiting]).health == .attention)
    waiting.playback.isWanted = false
    #expect(status([waiting]).health == .healthy)
    // A sleeping screen shows nothing, and playback waits for it.
    var asleep = screen(playing: nil)
    asleep.presence = .asleep
    asleep.playback.waitingReason = .noOutput
    #expect(status([asleep]).health == .healthy && status([asleep, screen(playing: nil)]).health == .trouble)
    var standing = screen()
    standing.overdueSeconds = 60
    #expect(status([standing]).health == .attention)
  }

  @Test("The line for `systemctl status` names the item, or the reason why none plays")
  func line() {
    var machine = PlaybackMachine(
      queue: [
        MediaItem(uri: "file:///a.mp4", title: "A film", kind: .file),
        MediaItem(uri: "http://user:secret@host/b.mp4?token=x", kind: .progressive),
      ], loops: true, seed: 1)
    #expect(machine.statusLine == "nothing to play")
    func feed(_ events: PlaybackEvent...) { for event in events { _ = machine.handle(event, at: start) } }
    feed(.start, .outputReady)
    #expect(machine.statusLine == "preparing: A film (1 of 2)")
    feed(.deckReady(DeckID(generation: 1), DeckReadiness(duration: .seconds(60))))
    #expect(machine.statusLine == "playing A film (1 of 2)")
    feed(.pauseRequested)
    #expect(machine.statusLine == "paused: A film (1 of 2)")
    feed(.playRequested, .nextRequested)
    #expect(machine.statusLine.contains("(2 of 2)") && !machine.statusLine.contains("secret"), "\(machine.statusLine)")
  }

  @Test("The status card has the facts of the status")
  func card() {
    var status = status([screen("left")])
    status.addresses = ["10.0.0.7"]
    status.configuration = .init(state: .rolledBack, reason: "no picture", files: ["a.toml", "b.toml"])
    status.store = .init(wanted: 3, stored: 2, bytes: 4_200_000, fetching: "http://a/b", problem: 2101)
    let card = status.card(for: status.screens[0])
    #expect(card.title == "board-7, left" && card.health == .attention)
    let rows = Dictionary(uniqueKeysWithValues: card.rows.map { ($0.label, $0.value.english) })
    #expect(rows[.playing] == "1 of 1, A film")
    #expect(rows[.screen] == "none")
    #expect(rows[.frames] == "10 shown, 1 dropped")
    #expect(rows[.configuration] == "b.toml, and 1 more, rolled back, no picture")
    #expect(rows[.store] == "2 of 3 stored, 4 MB, fetching http://a/b, error 2101")
    #expect(rows[.address] == "10.0.0.7")
    #expect(rows[.version] == "1.2, up 1 h 2 min")
  }

  @Test("The status and the card have no passwords of addresses")
  func redacted() {
    let screen = screen(playing: "rtsp://me:secret@10.0.0.1/a", title: "")
    #expect(screen.playback.item?.uri.contains("secret") == false)
    #expect(!"\(status([screen]).card(for: screen))".contains("secret"))
  }
}
