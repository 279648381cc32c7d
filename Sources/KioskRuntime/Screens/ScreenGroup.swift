internal import KioskCore
internal import PlaybackCore
internal import VitrinePlayback

/// All screens of a run, and what holds of them together.
struct ScreenGroup {
  private(set) var all: [ScreenSession] = []

  init(_ all: [ScreenSession] = []) { self.all = all }

  func tell(_ event: ScreenMachine.Event) { for screen in all { screen.tellScreen(event) } }

  func feed(_ event: PlaybackEvent) { for screen in all { screen.engine.feed(event) } }

  /// A line for whoever stands before any of them.
  func say(_ message: String?) { for screen in all { screen.say(message) } }

  /// - Parameter name: of the one that is meant; nil means all of them.
  func perform(_ command: KioskCommand, on name: String?) -> KioskReply {
    let wanted = all.filter { name == nil || $0.name == name }
    guard !wanted.isEmpty else { return .refused(.noSuchScreen) }
    let replies = wanted.map { $0.perform(command) }
    return replies.first { $0 != .done } ?? .done
  }

  /// What decks have open.
  var openMedia: [MediaItem] { all.flatMap(\.openMedia) }

  var hasShownFrame: Bool { all.contains { $0.frames.hasShownFrame } }

  /// How many pipelines hang at this moment.
  var hungPipelines: Int { all.reduce(0) { $0 + $1.engine.hungDecks.count } }

  /// With what the run ends when all playlists have come to their end; nil while one goes on.
  var exitCodeAtEnd: Int32? {
    guard all.allSatisfy(\.isOver) else { return nil }
    return all.contains { $0.engine.ledger.hasPlayedSomething } ? KioskExit.done : KioskExit.nothingPlayed
  }

  /// One that shows nothing is enough to doubt the settings, and one that sleeps says nothing of them.
  func framesVerdict() -> Bool? {
    let verdicts = all.compactMap { $0.framesVerdict() }
    return verdicts.isEmpty ? nil : !verdicts.contains(false)
  }

  /// Whether somebody could see what plays, on any of them.
  var presence: KioskStatus.Screen.Presence {
    let presences = all.map(\.presence)
    return presences.contains(.on) ? .on : presences.contains(.asleep) ? .asleep : .none
  }

  /// Of the first screen, with those of the others in it.
  func report(_ problems: ProblemLog, exitCode: Int32) -> PlaybackReport? {
    all.first?.report(problems, exitCode: exitCode)
  }
}
