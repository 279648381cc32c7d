package import InteractionCore
package import PlaybackCore

/// Decides which small pictures of films are made, read and kept in memory. Events in, actions out; no clock, no file.
package struct PosterMachine: Sendable {
  package enum Event: Sendable {
    /// The list that visitors choose from, as its films are played here.
    case follow([MediaItem])
    /// The kept facts of the films of that list, by its number.
    case surveyed(Int, [MediaItem: Survey])
    /// The films in view and on the pages beside, the ones in view first.
    case inView([MediaItem])
    /// A film whose picture isn't in memory was asked about.
    case asked(MediaItem)
    case timerFired
    case made(MediaItem, Made)
    /// A kept picture; nil where its file is damaged.
    case loaded(MediaItem, TilePoster?)
  }

  package enum Action: Sendable, Equatable {
    /// Look what is kept of these films, and remove what is kept of others.
    case survey(Int, [MediaItem])
    case startTimer(Duration)
    case stopTimer
    case make(MediaItem)
    case load(MediaItem)
    /// Nothing is left to make.
    case rest
    case tellChange
  }

  /// The facts of a film's file and of its kept picture.
  package struct Survey: Hashable, Sendable {
    /// Differs when the file or the part that is played does; nil where the file isn't there.
    package var name: String?
    /// Nil where nothing is kept.
    package var kept: Kept?
    /// Whether it has captions in files of their own.
    package var hasCaptionFiles = false
    /// Whether it has sound that describes the picture in a file of its own.
    package var hasDescriptionFiles = false

    package init(name: String? = nil, kept: Kept? = nil, hasCaptionFiles: Bool = false) {
      (self.name, self.kept, self.hasCaptionFiles) = (name, kept, hasCaptionFiles)
    }
  }

  package struct Kept: Hashable, Sendable {
    package var facts: FilmFacts
    package var hasPicture: Bool
    package init(facts: FilmFacts, hasPicture: Bool) { (self.facts, self.hasPicture) = (facts, hasPicture) }
  }

  package enum Made: Sendable {
    case film(FilmFacts, TilePoster?, isKept: Bool)
    /// Nothing is known of the film, for a reason that isn't its own. It isn't tried again in this run.
    case nothing
  }

  private enum State: Hashable {
    /// Nobody has looked at the film yet, or its file is missing.
    case unknown
    case missing
    case failed
    case noPicture
    /// There is a picture in a file.
    case kept
    /// There is a picture in memory only; or there was.
    case inMemory, dropped
  }

  private struct Film {
    var state = State.unknown
    var name: String?
    var facts = FilmFacts()
    var hasCaptionFiles = false
    var hasDescriptionFiles = false
    var poster: TilePoster?
    /// A count: the higher, the later it was in view.
    var lastInView = 0
  }

  private let mostInMemory: Int
  private var films: [MediaItem: Film] = [:]
  /// Without repetitions.
  private var order: [MediaItem] = []
  private var view: [MediaItem] = []
  private var views = 0
  private var round = 0
  private var making: MediaItem?
  private var loading: Set<MediaItem> = []
  private var isWaiting = false
  private var hasBegun = false
  /// Whether something was made since the last rest.
  private var isAtWork = false

  /// - Parameter mostInMemory: pictures.
  package init(mostInMemory: Int = PosterPolicy.mostInMemory) { self.mostInMemory = mostInMemory }

  package func facts(of item: MediaItem) -> TileFacts {
    guard let film = films[item] else { return TileFacts() }
    var facts = TileFacts(length: film.facts.length, poster: film.poster)
    facts.hasCaptions = film.facts.hasCaptions || film.hasCaptionFiles
    facts.hasDescription = film.facts.hasDescription || film.hasDescriptionFiles
    facts.hasLanguages = film.facts.hasLanguages
    return facts
  }

  /// Whether a film has a picture that isn't in memory now.
  package func lacksPicture(of item: MediaItem) -> Bool {
    films[item].map { $0.poster == nil && ($0.state == .kept || $0.state == .dropped) } ?? false
  }

  /// Whether an item gets a small picture: its own poster, or one that is made of it.
  package static func isEligible(_ item: MediaItem) -> Bool { item.poster != nil || isOpened(item) }

  /// Whether a small picture is made of an item: of a film in a file, or a picture. Nothing is opened on a server for
  /// it. A file with a checksum isn't shown before it was compared, and reading whole films only for their pictures
  /// would hold up the disk; a copy in the store was compared when it came.
  package static func isOpened(_ item: MediaItem) -> Bool {
    (item.kind == .file || item.kind == .picture) && !item.isRemote && (item.sha256 == nil || item.isCopy == true)
  }

  package mutating func handle(_ event: Event) -> [Action] {
    switch event {
    case .follow(let items): return follow(items)
    case .surveyed(let round, let found): return round == self.round ? adopt(found) : []
    case .inView(let items):
      view = items
      views += 1
      for item in items { films[item]?.lastInView = views }
      for item in items where films[item]?.state == .dropped { films[item]?.state = .missing }
      return load() + next()
    case .asked(let item):
      guard !view.contains(item), view.count < mostInMemory else { return [] }
      view.append(item)
      films[item]?.lastInView = views
      if films[item]?.state == .dropped { films[item]?.state = .missing }
      return load() + next()
    case .timerFired:
      isWaiting = false
      hasBegun = true
      guard making == nil, let item = order.first(where: { films[$0]?.state == .missing }) else { return next() }
      making = item
      isAtWork = true
      return [.make(item)]
    case .made(let item, let made):
      making = nil
      return keep(made, of: item) + next()
    case .loaded(let item, let poster):
      loading.remove(item)
      guard films[item]?.state == .kept else { return load() }
      films[item]?.poster = poster
      if poster == nil { films[item]?.state = .missing }
      dropPosters()
      return load() + next() + [.tellChange]
    }
  }

  private mutating func follow(_ items: [MediaItem]) -> [Action] {
    var known: Set<MediaItem> = []
    order = []
    for item in items where order.count < PosterPolicy.mostFilms && Self.isEligible(item) {
      if known.insert(item).inserted { order.append(item) }
    }
    films = films.filter { known.contains($0.key) }
    for item in order where films[item] == nil { films[item] = Film() }
    view = view.filter(known.contains)
    for item in view { films[item]?.lastInView = max(1, views) }
    round += 1
    return [.survey(round, order)] + next()
  }

  private mutating func adopt(_ found: [MediaItem: Survey]) -> [Action] {
    for (item, survey) in found {
      guard var film = films[item] else { continue }
      film.hasCaptionFiles = survey.hasCaptionFiles
      film.hasDescriptionFiles = survey.hasDescriptionFiles
      let isSame = film.name == survey.name && film.name != nil
      if !isSame { (film.poster, film.facts) = (nil, FilmFacts()) }
      film.name = survey.name
      if let kept = survey.kept {
        film.facts = kept.facts
        film.state = kept.hasPicture ? .kept : .noPicture
      } else if survey.name == nil {
        film.state = .unknown
      } else if !isSame || film.state == .kept {
        // What was kept may have been removed from the disk; a picture in memory still serves.
        film.state = film.poster == nil ? .missing : .inMemory
      }
      films[item] = film
    }
    return load() + next() + [.tellChange]
  }

  private mutating func keep(_ made: Made, of item: MediaItem) -> [Action] {
    guard films[item] != nil else { return [] }
    switch made {
    case .nothing:
      films[item]?.state = .failed
      return []
    case .film(let facts, let poster, let isKept):
      films[item]?.facts = facts
      films[item]?.poster = poster
      films[item]?.state = poster == nil ? .noPicture : isKept ? .kept : .inMemory
      dropPosters()
      return [.tellChange]
    }
  }

  /// Reads kept pictures of the films in view, as far as there is room.
  private mutating func load() -> [Action] {
    var actions: [Action] = []
    for item in view.prefix(mostInMemory) {
      guard let film = films[item], film.state == .kept, film.poster == nil, loading.insert(item).inserted else {
        continue
      }
      actions.append(.load(item))
    }
    return actions
  }

  /// Drops pictures beyond the limit: those first that were in view longest ago.
  private mutating func dropPosters() {
    let held = films.filter { $0.value.poster != nil }
    guard held.count > mostInMemory else { return }
    let places = Dictionary(view.enumerated().map { ($1, $0) }) { first, _ in first }
    let oldest = held.keys.sorted { one, other in
      let (first, second) = (films[one]?.lastInView ?? 0, films[other]?.lastInView ?? 0)
      // Of those in view at the same time, the last; of others, whichever.
      return first != second ? first < second : places[one] ?? .max > places[other] ?? .max
    }
    for item in oldest.prefix(held.count - mostInMemory) {
      films[item]?.poster = nil
      if films[item]?.state == .inMemory { films[item]?.state = .dropped }
    }
  }

  /// Goes on with the next film after a pause, or rests.
  private mutating func next() -> [Action] {
    guard making == nil else { return [] }
    guard order.contains(where: { films[$0]?.state == .missing }) else {
      var actions: [Action] = []
      if isWaiting { actions.append(.stopTimer) }
      if isAtWork { actions.append(.rest) }
      (isWaiting, isAtWork) = (false, false)
      return actions
    }
    guard !isWaiting else { return [] }
    isWaiting = true
    return [.startTimer(hasBegun ? PosterPolicy.pause : PosterPolicy.startDelay)]
  }
}
