public import PlaybackCore

/// When the status is sent to a server, and when again after that failed. Pure: it has no clock, no server and no dice but its seed.
///
/// There is one status, the latest: what couldn't be sent is out of date by the next try, and its counters are in the next one. What would
/// be lost that way, the problems of the meantime, is kept, `Policy.problems` of them at most.
public struct HeartbeatMachine: Sendable {
  /// Each number with its reason.
  public struct Policy: Hashable, Sendable {
    public var interval: Duration = .seconds(60)
    /// Between two pictures; nil sends none.
    public var pictures: Duration?
    /// A server that hiccups has the next one soon.
    public var firstRetry: Duration = .seconds(5)
    /// A server that is down for a day is asked some hundred times by each board, and heard of within five minutes when it is back. A longer
    /// interval is kept to.
    public var longestRetry: Duration = .seconds(300)
    /// Each wait is made longer by up to this part, and the first of all is up to one interval: a hundred boards come back from the same power cut
    /// at once.
    public var jitter = 0.5
    /// A server may ask us to wait, but not to go.
    public var longestPatience: Duration = .seconds(3600)
    /// What a server may take for one, with a picture over a thin line.
    public var limit: Duration = .seconds(30)
    /// More than a person reads; some 10 kB.
    public var problems = 32

    public init() {}
  }

  /// What became of one.
  public enum Answer: Hashable, Sendable {
    case accepted
    /// Its status, and for how long it asks us to wait.
    case refused(Int, wait: Duration?)
    /// There was no answer: the reason, in words.
    case failed(String)
  }

  /// One that is to be sent.
  public struct Beat: Hashable, Sendable {
    /// Counts from 1; a hole is one that didn't arrive.
    public var number: Int
    public var wantsPicture: Bool
    public var problems: [Problem]
    /// Problems that were given up for lack of room.
    public var problemsLost: Int
  }

  public struct Problem: Hashable, Sendable {
    /// Milliseconds since 1970.
    public var time: Int64
    public var error: VitrineError
  }

  /// What the log is told.
  public enum Word: Hashable, Sendable {
    /// The first failure after a success.
    case fails(Answer)
    /// After so many failures.
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
  /// It was too large with the last picture.
  private var leavesPictureOut = false
  private var random: UInt64

  public init(_ policy: Policy, seed: UInt64, at now: Instant) {
    self.policy = policy
    random = seed
    due = now
    pictureDue = policy.pictures == nil ? nil : now
    due = now + min(policy.interval, .seconds(60)) * next()
  }

  /// What is to be sent now; nil while nothing is.
  public mutating func begin(at now: Instant) -> Beat? {
    guard !isUnderWay, now >= due else { return nil }
    isUnderWay = true
    number += 1
    sent = problems.count
    sentPicture = !leavesPictureOut && pictureDue.map { now >= $0 } == true
    return Beat(number: number, wantsPicture: sentPicture, problems: problems, problemsLost: problemsLost)
  }

  /// - Returns: what people should know of it.
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
      // From when it was due: the time that a request takes isn't added up. What was missed isn't made up for.
      due = max(due + policy.interval, now + policy.interval / 2)
      return before > 0 ? .goesAgain(failures: before) : nil
    }
    failures += 1
    var wait = min(policy.firstRetry * (1 << min(failures - 1, 16)), max(policy.longestRetry, policy.interval))
    if case .refused(let status, let wanted) = answer {
      // It is us who are wrong: asking soon again changes nothing.
      if (300..<500).contains(status), status != 408, status != 425, status != 429 {
        wait = max(policy.longestRetry, policy.interval)
      }
      if status == 413, sentPicture {
        leavesPictureOut = true
        wait = policy.firstRetry
      }
      if let wanted { wait = max(wait, min(wanted, policy.longestPatience)) }
    }
    due = now + wait * (1 + policy.jitter * next())
    return failures == 1 ? .fails(answer) : nil
  }

  /// Something went wrong on this board.
  public mutating func noteProblem(_ error: VitrineError, time: Int64) {
    problems.append(Problem(time: time, error: error))
    guard problems.count > policy.problems else { return }
    problems.removeFirst()
    problemsLost += 1
    sent = max(0, sent - 1)
  }

  /// 0..<1, by SplitMix64.
  private mutating func next() -> Double {
    random &+= 0x9E37_79B9_7F4A_7C15
    var value = random
    value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
    return Double((value ^ (value >> 31)) >> 11) / Double(1 << 53)
  }
}
