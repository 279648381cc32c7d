import InteractionCore
import KioskCore
import PlaybackCore
import Testing

@testable import KioskRuntime

/// A board that reads a feed: the real parser and the real machine, without a network.
struct FeedStory {
  /// 2026-11-27 14:00:00 UTC.
  static let now: Int64 = 1_795_788_000
  static let feed = "https://feeds.example.org/index.atom"

  private var machine: WarningMachine
  private var alerts = AlertMachine()
  private(set) var told: [VitrineError] = []
  /// The addresses of the messages that were asked for.
  private(set) var asked: [String] = []
  private(set) var ended: [String: AlertMachine.Ending] = [:]
  private var utc = now

  init(_ wish: WarningWish = WarningWish(), language: String = "en") throws {
    let tag = try #require(LanguageTag(language))
    let settings = WarningSettings(feed: Self.feed, wish: wish, language: tag, interval: .seconds(60))
    machine = WarningMachine(settings, current: [], seed: 1, at: Instant(nanoseconds: 0))
  }

  private var instant: Instant { Instant(nanoseconds: 0) + .seconds(utc - Self.now) }

  private var moment: AlertMachine.Moment {
    AlertMachine.Moment(.utc(utc), sinceBoot: BootTime(boot: "a", seconds: utc - Self.now + 500), zone: .utc)
  }

  /// One poll.
  ///
  /// - Parameters:
  ///   - messages: what is at the addresses that the index names; an address that is missing can't be reached.
  mutating func poll(_ index: String, _ messages: [String: String] = [:]) throws {
    utc = max(
      utc, machine.deadline.map { Int64(($0 - Instant(nanoseconds: 0)).inSeconds.rounded(.up)) + Self.now } ?? 0)
    var actions = machine.handle(.time, at: instant, clock: .utc(utc))
    while !actions.isEmpty {
      switch actions.removeFirst() {
      case .readIndex: actions += feed(index, nil)
      case .readMessage(let link):
        asked.append(link)
        actions += feed(messages[link], link)
      case .show(let warnings, let endings): apply(.warned(warnings, endings))
      case .tell(let error): told.append(error)
      case .tellAnswers, .tellCut: break
      }
    }
    #expect(machine.deadline != nil, "the poll ends")
  }

  /// Waits until seconds after the beginning.
  mutating func wait(until seconds: Int64) {
    utc = max(utc, Self.now + seconds)
    apply(.looked)
  }

  /// The texts on the screen.
  var shown: [String] { alerts.shown.map { ($0.isTest ? "TEST " : "") + $0.text } }

  private mutating func apply(_ event: AlertMachine.Event) {
    for case .tellEnded(let alert, let ending) in alerts.handle(event, at: moment) { ended[alert.text] = ending }
  }

  private mutating func feed(_ text: String?, _ link: String?) -> [WarningMachine.Action] {
    func handle(_ event: WarningMachine.Event) -> [WarningMachine.Action] {
      machine.handle(event, at: instant, clock: .utc(utc))
    }
    guard let text else {
      let error = VitrineError(7672, subject: link ?? Self.feed, message: "it is away", remedy: "wait")
      return handle(.failed(error, isFinal: false, wait: nil))
    }
    do throws(WarningFault) {
      let document = try WarningSession.document(Array(text.utf8))
      guard link != nil else {
        return handle(.indexRead(WarningIndex(document, for: machine.settings, at: utc), WarningMachine.Version()))
      }
      if case .message(let message) = document { return handle(.messageRead(message)) }
      throw WarningFault.otherDocument("feed")
    } catch {
      let error = VitrineError(link == nil ? 7671 : 7672, subject: "", message: error.words, remedy: "")
      return handle(.failed(error, isFinal: true, wait: nil))
    }
  }
}
