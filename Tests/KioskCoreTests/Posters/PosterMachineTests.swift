import InteractionCore
import PlaybackCore
import Testing

@testable import KioskCore

@Suite("Posters: what is made, read and dropped")
struct PosterMachineTests {
  typealias Action = PosterMachine.Action

  private func item(_ name: String) -> MediaItem { MediaItem(uri: "/films/\(name).mp4", kind: .file) }
  private func items(_ count: Int) -> [MediaItem] { (1...count).map { item("\($0)") } }

  private func poster(_ number: Int = 1) -> TilePoster? {
    TilePoster(number: number, size: PixelSize(width: 1, height: 1), pixels: [0])
  }

  private func film(_ seconds: Int) -> FilmFacts {
    var facts = FilmFacts()
    facts.length = .seconds(seconds)
    return facts
  }

  private func kept(_ name: String, hasPicture: Bool = true) -> PosterMachine.Survey {
    PosterMachine.Survey(name: name, kept: .init(facts: film(9), hasPicture: hasPicture))
  }

  /// A machine that has looked at films without anything kept.
  private func begun(_ items: [MediaItem], mostInMemory: Int = 64) -> PosterMachine {
    var machine = PosterMachine(mostInMemory: mostInMemory)
    _ = machine.handle(.follow(items))
    _ = machine.handle(
      .surveyed(1, Dictionary(uniqueKeysWithValues: items.map { ($0, PosterMachine.Survey(name: $0.uri)) })))
    return machine
  }

  @Test("Missing pictures are made one after the other, in the list's order, with a pause between; then it rests")
  func order() {
    let films = items(3)
    var machine = PosterMachine()
    #expect(machine.handle(.follow(films + [films[0]])) == [.survey(1, films)])
    let survey = Dictionary(uniqueKeysWithValues: films.map { ($0, PosterMachine.Survey(name: $0.uri)) })
    #expect(machine.handle(.surveyed(1, survey)) == [.startTimer(PosterPolicy.startDelay), .tellChange])
    for (index, film) in films.enumerated() {
      #expect(machine.handle(.timerFired) == [.make(film)])
      // While one is being made, no other begins.
      #expect(machine.handle(.inView(films)) == [])
      let next: Action = index == 2 ? .rest : .startTimer(PosterPolicy.pause)
      #expect(machine.handle(.made(film, .film(self.film(60), poster(), isKept: true))) == [.tellChange, next])
      #expect(machine.facts(of: film).length == .seconds(60) && machine.facts(of: film).poster == poster())
    }
  }

  @Test("A kept picture isn't made again: it is read once it is in view, and a damaged file is made again")
  func keptOnes() {
    let films = items(3)
    var machine = PosterMachine()
    _ = machine.handle(.follow(films))
    let survey = [films[0]: kept("a"), films[1]: kept("b"), films[2]: kept("c", hasPicture: false)]
    #expect(machine.handle(.surveyed(1, survey)) == [.tellChange])
    #expect(machine.facts(of: films[2]).length == .seconds(9) && machine.facts(of: films[0]).poster == nil)
    #expect(machine.lacksPicture(of: films[0]) && !machine.lacksPicture(of: films[2]))
    #expect(machine.handle(.inView([films[0], films[2]])) == [.load(films[0])])
    // Asked about again, it isn't read twice.
    #expect(machine.handle(.asked(films[0])) == [])
    #expect(machine.handle(.asked(films[1])) == [.load(films[1])])
    #expect(machine.handle(.loaded(films[0], poster(7))) == [.tellChange])
    #expect(machine.facts(of: films[0]).poster == poster(7))
    #expect(
      machine.handle(.loaded(films[1], nil)) == [.startTimer(PosterPolicy.startDelay), .tellChange])
    #expect(machine.handle(.timerFired) == [.make(films[1])])
  }

  @Test("A film that gave no picture, or failed for another reason than its own, isn't tried again")
  func none() {
    let films = items(2)
    var machine = begun(films)
    _ = machine.handle(.timerFired)
    #expect(
      machine.handle(.made(films[0], .film(FilmFacts(), nil, isKept: true)))
        == [.tellChange, .startTimer(PosterPolicy.pause)])
    _ = machine.handle(.timerFired)
    #expect(machine.handle(.made(films[1], .nothing)) == [.rest])
    #expect(machine.handle(.inView(films)) == [])
    // Not by another look at the same files either, but once a file has changed.
    #expect(machine.handle(.follow(films)) == [.survey(2, films)])
    let survey = Dictionary(uniqueKeysWithValues: films.map { ($0, PosterMachine.Survey(name: $0.uri)) })
    #expect(machine.handle(.surveyed(2, survey)) == [.tellChange])
    _ = machine.handle(.follow(films))
    let changed = survey.merging([films[1]: PosterMachine.Survey(name: "other")]) { $1 }
    #expect(machine.handle(.surveyed(3, changed)) == [.startTimer(PosterPolicy.pause), .tellChange])
    #expect(machine.handle(.timerFired) == [.make(films[1])])
  }

  @Test("Films that are no longer listed are forgotten; an old look, and the picture being made of one, are dropped")
  func unlisted() {
    let films = items(3)
    var machine = begun(films)
    #expect(machine.handle(.timerFired) == [.make(films[0])])
    #expect(machine.handle(.follow([films[2]])) == [.survey(2, [films[2]])])
    #expect(machine.handle(.surveyed(1, [films[2]: kept("x")])) == [])
    let made = machine.handle(.made(films[0], .film(film(5), poster(), isKept: true)))
    #expect(made == [.startTimer(PosterPolicy.pause)])
    #expect(machine.facts(of: films[0]) == TileFacts())
    // The rest is kept meanwhile: the timer goes.
    #expect(machine.handle(.surveyed(2, [films[2]: kept("x")])) == [.stopTimer, .rest, .tellChange])
  }

  @Test("Beyond the limit of memory, pictures go that were in view longest ago; they come back with the view")
  func memory() {
    let films = items(4)
    var machine = PosterMachine(mostInMemory: 2)
    _ = machine.handle(.follow(films))
    _ = machine.handle(.surveyed(1, Dictionary(uniqueKeysWithValues: films.map { ($0, kept($0.uri)) })))
    func held() -> [Int] { films.indices.filter { machine.facts(of: films[$0]).poster != nil } }
    #expect(machine.handle(.inView(Array(films[0...1]))) == [.load(films[0]), .load(films[1])])
    for film in films[0...1] { _ = machine.handle(.loaded(film, poster())) }
    #expect(held() == [0, 1])
    #expect(machine.handle(.inView(Array(films[1...2]))) == [.load(films[2])])
    _ = machine.handle(.loaded(films[2], poster()))
    #expect(held() == [1, 2])
    // More in view than memory holds: the first ones.
    #expect(machine.handle(.inView([films[3], films[2], films[1]])) == [.load(films[3])])
    _ = machine.handle(.loaded(films[3], poster()))
    #expect(held() == [2, 3])
    #expect(machine.handle(.asked(films[1])) == [])
  }

  @Test("Pictures that aren't kept on the disk are made again when they were dropped and come into view")
  func unkept() {
    let films = items(3)
    var machine = begun(films, mostInMemory: 1)
    for film in films {
      _ = machine.handle(.timerFired)
      _ = machine.handle(.made(film, .film(self.film(1), poster(), isKept: false)))
    }
    let held = films.filter { machine.facts(of: $0).poster != nil }
    #expect(held.count == 1)
    let dropped = films.first { machine.facts(of: $0).poster == nil } ?? films[0]
    #expect(machine.lacksPicture(of: dropped) && !machine.lacksPicture(of: held[0]))
    #expect(machine.handle(.inView([dropped])) == [.startTimer(PosterPolicy.pause)])
    #expect(machine.handle(.timerFired) == [.make(dropped)])
  }

  @Test("Nothing is opened of what a network brings, or whose checksum wasn't compared; 500 films at most")
  func eligible() {
    var checked = item("checked")
    checked.sha256 = String(repeating: "0", count: 64)
    var copy = checked
    copy.isCopy = true
    let others = [
      MediaItem(uri: "http://10.0.0.1/a.mp4", kind: .progressive), MediaItem(uri: "rtsp://10.0.0.1/a", kind: .rtsp),
      MediaItem(uri: "http://10.0.0.1/a.jpg", kind: .picture), MediaItem(uri: "/a.m3u8", kind: .adaptive),
      MediaItem(uri: "udp://239.0.0.1:5000", kind: .udp), checked,
    ]
    let picture = MediaItem(uri: "/a.png", kind: .picture)
    var machine = PosterMachine()
    #expect(machine.handle(.follow(others + [picture, copy])) == [.survey(1, [picture, copy])])
    #expect(machine.handle(.follow(items(600))) == [.survey(2, items(500))])
    // With a poster of its own, that is read alone.
    var stream = others[0]
    stream.poster = "/a.png"
    #expect(machine.handle(.follow([stream, checked])) == [.survey(3, [stream])])
    #expect(PosterMachine.isEligible(stream) && !PosterMachine.isOpened(stream))
  }

  @Test("Captions and descriptions are those in the file and those beside it")
  func captions() {
    let film = item("a")
    var machine = PosterMachine()
    _ = machine.handle(.follow([film]))
    var survey = kept("x")
    _ = machine.handle(.surveyed(1, [film: survey]))
    #expect(!machine.facts(of: film).hasCaptions)
    survey.hasCaptionFiles = true
    _ = machine.handle(.follow([film]))
    _ = machine.handle(.surveyed(2, [film: survey]))
    #expect(machine.facts(of: film).hasCaptions && !machine.facts(of: film).hasDescription)
    survey.hasDescriptionFiles = true
    _ = machine.handle(.follow([film]))
    _ = machine.handle(.surveyed(3, [film: survey]))
    #expect(machine.facts(of: film).hasDescription)
  }
}
