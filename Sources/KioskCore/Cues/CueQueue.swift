public import PlaybackCore

/// Decides what one receiver gets, and what people are told of it. A value without a clock.
///
/// One message is under way at a time, so that they come in their order. A message that is late is dropped: light that
/// comes two seconds after its picture is worse than none.
public struct CueQueue<Message: Sendable>: Sendable {
  public enum Event: Sendable {
    case send(Message)
    /// The message under way was handed over.
    case delivered
    /// The message under way can't be delivered, with the reason.
    case failed(String)
    /// The deadline may have come.
    case looked
  }

  public enum Action: Sendable {
    case deliver(Message)
    /// Forget the message under way.
    case giveUp
    case tellFailure(String)
    /// The receiver takes messages again; so many were lost.
    case tellRecovery(lost: Int)
  }

  /// Messages that wait: a burst of a lighting desk's scenes is ten or twenty.
  static var mostWaiting: Int { 32 }
  /// A message that has waited for longer isn't sent.
  static var patience: Duration { .seconds(2) }
  /// The longest time for one message: a connection over a lost SYN takes three seconds.
  static var limit: Duration { .seconds(5) }
  /// Failures are told once, and again after a while where the receiver comes and goes.
  static var silence: Duration { .seconds(60) }

  private var waiting: [(message: Message, since: Instant)] = []
  private var underWay: Instant?
  /// Messages lost since the receiver last took one.
  private var lost = 0
  private var toldAt: Instant?
  private var isTold = false

  public init() {}

  /// When `looked` is to be fed; nil while nothing is under way.
  public var due: Instant? { underWay.map { $0 + Self.limit } }

  public mutating func handle(_ event: Event, at now: Instant) -> [Action] {
    var actions: [Action] = []
    switch event {
    case .send(let message):
      if waiting.count < Self.mostWaiting {
        waiting.append((message, now))
      } else {
        actions += lose("more than \(Self.mostWaiting) messages wait for it", at: now)
      }
    case .delivered:
      guard underWay != nil else { return [] }
      underWay = nil
      if isTold { actions.append(.tellRecovery(lost: lost)) }
      (lost, isTold) = (0, false)
    case .failed(let reason):
      guard underWay != nil else { return [] }
      underWay = nil
      actions += lose(reason, at: now)
    case .looked:
      guard let due, now >= due else { return [] }
      underWay = nil
      actions.append(.giveUp)
      actions += lose("it doesn't answer", at: now)
    }
    return actions + sendNext(at: now)
  }

  private mutating func sendNext(at now: Instant) -> [Action] {
    guard underWay == nil else { return [] }
    let fresh = waiting.firstIndex { now - $0.since <= Self.patience } ?? waiting.endIndex
    lost += fresh
    waiting.removeFirst(fresh)
    guard !waiting.isEmpty else { return [] }
    underWay = now
    return [.deliver(waiting.removeFirst().message)]
  }

  private mutating func lose(_ reason: String, at now: Instant) -> [Action] {
    lost += 1
    guard !isTold, toldAt.map({ now - $0 >= Self.silence }) ?? true else { return [] }
    (isTold, toldAt) = (true, now)
    return [.tellFailure(reason)]
  }
}
