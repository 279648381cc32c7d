public import PlaybackCore

/// Decides when to send the status to a server, and when to repeat a failed attempt. Pure: it has no clock and no
/// server; its random numbers come from a seed.
///
/// There is one status, the latest: one that couldn't be sent is out of date by the next attempt, which has its
/// counters too. Only the problems of the meantime would be lost, so they are kept, `Policy.problems` of them at most.
public struct HeartbeatMachine: Sendable {
  /// Each number with its reason.
  public struct Policy: Hashable, Sendable {
    public var interval: Duration = .seconds(60)
    /// Between two pictures; nil sends none.
    public var pictures: Duration?
    /// A server that hiccups has the next one soon.
    public var firstRetry: Duration = .seconds(5)
    /// Each board asks a server that is down for a day some hundred times, and reaches it within five minutes of its
    /// return. A longer interval is kept.
    public var longestRetry: Duration = .seconds(300)
    /// Each wait is lengthened by up to this part, and the first report waits up to one interval: a power cut restarts
    /// a hundred boards at once.
    public var jitter = 0.5
    /// A server may ask the player to wait, but not to stop.
    public var longestPatience: Duration = .seconds(3600)
    /// The time limit of one request, with a picture over a slow line.
    public var limit: Duration = .seconds(30)
    /// Problems that are kept until a report arrives: more than a person reads; some 10 kB.
    public var problems = 32

    public init() {}
  }

  /// The server's answer to a report.
  public enum Answer: Hashable, Sendable {
    case accepted
    /// The HTTP status, and the wait that the server asks for.
    case refused(Int, wait: Duration?)
    /// There was no answer; the reason in words.
    case failed(String)
  }

  /// A report that is to be sent.
  public struct Beat: Hashable, Sendable {
    /// Counts from 1; a gap is a report that didn't arrive.
    public var number: Int
    public var wantsPicture: Bool
    public var problems: [Problem]
    /// Problems that were dropped for lack of room.
    public var problemsLost: Int
  }

  public struct Problem: Hashable, Sendable {
    /// Milliseconds since 1970.
    public var time: Int64
    public var error: VitrineError
  }

  /// A message for the log.
  public enum Word: Hashable, Sendable {
    /// The first failure after a success.
    case fails(Answer)
    /// The first success after this many failures.
    case goesAgain(failures: Int)
  }

  public let policy: Policy
  public private(set) var due: Instant
  public private(set) var isUnderWay = false
  public private(set) var failures = 0
  private var number = 0
  private var pictureDue: Instant?
  private var problems: [Problem] = []
  private var problemsLost = 0
  private var sent = 0
  private var sentPicture = false
  /// Whether the last report with a picture was too large for the server.
  private var leavesPictureOut = false
  private var random: SplitMix64

  public init(_ policy: Policy, seed: UInt64, at now: Instant) {
    self.policy = policy
    random = SplitMix64(state: seed)
    due = now
    pictureDue = policy.pictures == nil ? nil : now
    due = now + min(policy.interval, .seconds(60)) * random.nextFraction()
  }

  /// The report to send now; nil if none is due.
  public mutating func begin(at now: Instant) -> Beat? {
    guard !isUnderWay, now >= due else { return nil }
    isUnderWay = true
    number += 1
    sent = problems.count
    sentPicture = !leavesPictureOut && pictureDue.map { now >= $0 } == true
    return Beat(number: number, wantsPicture: sentPicture, problems: problems, problemsLost: problemsLost)
  }

  /// The picture of the report under way couldn't be made: the next report has one.
  public mutating func pictureFailed() { sentPicture = false }

  /// - Returns: a message for the log, if the answer is worth one.
  public mutating func answered(_ answer: Answer, at now: Instant) -> Word? {
    guard isUnderWay else { return nil }
    isUnderWay = false
    guard answer != .accepted else {
      problems.removeFirst(min(sent, problems.count))
      problemsLost = 0
      if sentPicture, let pictures = policy.pictures {
        pictureDue = now + pictures
      }
      leavesPictureOut = false
      let before = failures
      failures = 0
      // Counted from the due time, so that the duration of requests doesn't add up. Missed reports aren't made up for.
      due = max(due + policy.interval, now + policy.interval / 2)
      return before > 0 ? .goesAgain(failures: before) : nil
    }
    failures += 1
    var wait = min(policy.firstRetry * (1 << min(failures - 1, 16)), max(policy.longestRetry, policy.interval))
    if case .refused(let status, let wanted) = answer {
      // The fault is on this side: asking again soon changes nothing.
      if (300..<500).contains(status), status != 408, status != 425, status != 429 {
        wait = max(policy.longestRetry, policy.interval)
      }
      if status == 413, sentPicture {
        leavesPictureOut = true
        wait = policy.firstRetry
      }
      if let wanted { wait = max(wait, min(wanted, policy.longestPatience)) }
    }
    due = now + wait * (1 + policy.jitter * random.nextFraction())
    return failures == 1 ? .fails(answer) : nil
  }

  /// Something went wrong on this board.
  public mutating func recordProblem(_ error: VitrineError, time: Int64) {
    problems.append(Problem(time: time, error: error))
    guard problems.count > policy.problems else { return }
    problems.removeFirst()
    problemsLost += 1
    sent = max(0, sent - 1)
  }
}
