public import PlaybackCore

/// How a run ended that didn't end by itself, and what it most likely died of. Pure: it reads the record.
///
/// The child isn't told why it died (systemd has it, and keeps it): what the handler wrote, and that it wrote nothing, must do.
/// Which deaths count against what: docs/decisions/0134-who-it-was.md.
public struct Death: Hashable, Sendable {
  public enum Cause: Hashable, Sendable {
    /// A fault that the kernel found, or `abort` in the process itself.
    case fault(signal: Int32)
    /// The watchdog's signal came, and the loop hadn't gone round for a while, or the run had said of itself that it stands still.
    case hang
    /// The kernel ended it for want of memory.
    case memory
    /// Somebody sent a signal that can be caught.
    case signalled(Int32)
    /// No word: SIGKILL by hand, or an exit that nobody meant.
    case unknown
  }

  /// Every number has its reason here.
  public struct Policy: Hashable, Sendable {
    /// The loop says that it lives once a second; on a board that swaps a round may take two or three.
    public var longestRound: Duration = .seconds(5)
    /// Who ends without a word having played an item for so long didn't end of what it was at: where one place kills, the next process goes on
    /// at most a second before it, and dies there at once again. Another second is what the loop's word may be late.
    public var atOnce: Duration = .seconds(3)
    /// Who takes all memory does so while it opens and fills its buffers, or soon after; what has played for longer is as likely to be the
    /// one that was there when something else had taken it.
    public var takesMemory: Duration = .seconds(60)
    /// A call into a screen's driver is told after 4.5 s; the slowest that comes back takes a second or two.
    public var longestCall: Duration = .seconds(4)

    public init() {}
  }

  public var cause: Cause
  /// The item that it is blamed on; nil where none is to blame.
  public var suspect: RunRecord.Deck?
  /// It says nothing for certain: somebody may have killed the process by hand. Then it takes more of them to leave the item out.
  public var isDoubtful: Bool { cause == .unknown }
  /// The call into a screen's driver that it hung in: then no item is to blame.
  public var call: String?
  /// Whether a picture had been shown.
  public var hadShown: Bool
  /// From its start until it was last heard of, on CLOCK_BOOTTIME.
  public var ran: Duration

  /// SIGABRT, which the watchdog sends (`WatchdogSignal=`).
  private static let abortSignal: Int32 = 6
  private static let killSignal: Int32 = 9

  /// - Parameter memoryKills: as `RunRecord.memoryKills`, now.
  /// - Returns: nil for a run that ended as it was to.
  public init?(of record: RunRecord, memoryKills: Int64? = nil, policy: Policy = Policy()) {
    switch record.end {
    case .none: break
    case .clean, .handOver: return nil
    // Who takes too long is killed. What it dies of by itself on its way is a death.
    case .asked: if record.crash?.isOwn(of: record.pid) != true { return nil }
    }
    hadShown = record.firstFrame != nil
    let last = record.crash?.at ?? record.alive ?? record.started
    ran = max(.zero, last - record.started)
    if let crash = record.crash {
      let silence = record.alive.map { crash.at - $0 } ?? .zero
      if !crash.isOwn(of: record.pid), crash.signal == Self.abortSignal, let under = record.call,
        crash.at - under.since > policy.longestCall
      {
        cause = .hang
        call = under.name
      } else if crash.isOwn(of: record.pid) {
        cause = .fault(signal: crash.signal)
      } else if record.standstill != nil || crash.signal == Self.abortSignal && silence > policy.longestRound {
        cause = .hang
      } else {
        cause = .signalled(crash.signal)
      }
    } else if record.standstill != nil {
      cause = .hang
    } else if let before = record.memoryKills, let memoryKills, memoryKills > before {
      cause = .memory
    } else {
      cause = .unknown
    }
    // Killed within such a call, without a word: the driver is as likely, and whoever waits for it kills the process.
    let isCalling = call != nil || record.crash == nil && record.call != nil
    suspect = isCalling ? nil : Self.suspect(in: record, cause, policy)
  }

  /// One at most: who blames all that were there blames those that are always there.
  ///
  /// - The deck that the thread worked for, by its own word, or by the name of its element, after which GStreamer calls threads.
  /// - Else the one at which something was begun and isn't done, the newest first: of two the one that is prepared is under way, and the
  ///   other plays, as it has for a while.
  /// - Else the one that plays. One that is ready stands still.
  private static func suspect(in record: RunRecord, _ cause: Cause, _ policy: Policy) -> RunRecord.Deck? {
    let underWay = record.decks.filter(\.step.isUnderWay).max { $0.since < $1.since }
    let playing = record.decks.filter { $0.step == .playing }.max { $0.since < $1.since }
    let last = record.alive ?? record.started
    switch cause {
    case .signalled: return nil
    case .memory: return underWay ?? playing.flatMap { last - $0.since < policy.takesMemory ? $0 : nil }
    case .unknown: return underWay ?? playing.flatMap { last - $0.since < policy.atOnce ? $0 : nil }
    case .hang:
      // Its own word, which is none where no item is to blame.
      if let standstill = record.standstill { return record.decks.first { $0.id == standstill.deck } }
      // Playing for hours is no step: who stopped the process by hand stopped it while something played.
      return underWay
    case .fault:
      let crash = record.crash
      if let deck = crash?.deck {
        // No two screens have decks of one number.
        if let one = record.decks.first(where: { $0.id == deck }) { return one }
      }
      if let element = crash?.thread.split(separator: ":").first.map(String.init), element.count > 3 {
        let named = record.decks.filter { $0.elements.contains(element) }
        if named.count == 1 { return named.first }
      }
      return underWay ?? playing
    }
  }

  /// For people.
  public var text: String {
    switch cause {
    case .fault(let signal): "died by \(SignalName.text(signal))"
    case .hang where call != nil: "hung in a screen's driver (\(call ?? "")) and was ended by the watchdog"
    case .hang: "stood still and was ended by the watchdog"
    case .memory: "was ended by the kernel: there was no memory left"
    case .signalled(let signal): "was ended by \(SignalName.text(signal)) from outside"
    case .unknown: "ended without a word (SIGKILL, or an exit that nobody meant)"
    }
  }

  /// The signal that it is told with; 0 where none is known.
  public var signal: Int32 {
    switch cause {
    case .fault(let signal), .signalled(let signal): signal
    case .hang: Self.abortSignal
    case .memory: Self.killSignal
    case .unknown: 0
    }
  }
}

extension RunRecord.Crash {
  /// The kernel found a fault, or the process sent itself that signal.
  fileprivate func isOwn(of pid: Int32) -> Bool { code > 0 || sender == pid }
}

/// Signals by their names. The numbers are Linux's, the same on all boards that this runs on.
public enum SignalName {
  private static let names: [Int32: String] = [
    1: "SIGHUP", 2: "SIGINT", 3: "SIGQUIT", 4: "SIGILL", 5: "SIGTRAP", 6: "SIGABRT", 7: "SIGBUS", 8: "SIGFPE",
    9: "SIGKILL", 11: "SIGSEGV", 13: "SIGPIPE", 15: "SIGTERM",
  ]

  /// `signal 11 (SIGSEGV)`.
  public static func text(_ signal: Int32) -> String { "signal \(signal)\(names[signal].map { " (\($0))" } ?? "")" }
}

/// Where a run is to go on after one that died, on one screen.
public struct LastPlace: Hashable, Sendable {
  /// Name of the screen; empty where there is one, without a name.
  public var screen: String
  /// Place in the list, from 1.
  public var number: Int?
  /// As the list has it.
  public var uri: String
  public var position: Duration
  /// Whether the item after it is to begin: this one may have ended the process.
  public var isToBeLeft: Bool

  public init(screen: String, number: Int?, uri: String, position: Duration, isToBeLeft: Bool = false) {
    self.screen = screen
    self.number = number
    self.uri = uri
    self.position = position
    self.isToBeLeft = isToBeLeft
  }

  /// One for each screen on which something played. What a run died of is left: at the same bytes it would die once more, at once,
  /// and in the list's next round it has its second chance. What was only prepared beside it goes on being prepared.
  public static func all(of record: RunRecord, after death: Death?) -> [LastPlace] {
    var screens: [String] = []
    for deck in record.decks where !screens.contains(deck.screen) { screens.append(deck.screen) }
    return screens.compactMap { screen -> LastPlace? in
      let own = record.decks.filter { $0.screen == screen && $0.step != .leaving }
      // What is seen; before the first frame, what was to be.
      guard
        let deck = own.first(where: { $0.step == .playing || $0.step == .seeking })
          ?? own.min(by: { $0.since < $1.since })
      else { return nil }
      // On a mere doubt it isn't left: who was killed by hand goes on where it was.
      let isBlamed =
        death.map { !$0.isDoubtful && $0.suspect?.id == deck.id && $0.suspect?.screen == deck.screen } ?? false
      return LastPlace(
        screen: screen, number: deck.number, uri: deck.listed, position: deck.position, isToBeLeft: isBlamed)
    }
  }

  /// The entry of a list that it means: the same place, else the first of that address.
  public func index(in queue: PlayQueue) -> Int? {
    let point = ResumePoint(list: nil, address: uri, index: (number ?? 0) - 1, position: position)
    let items = queue.entries.map { entry in
      var item = entry.item
      item.uri = RunRecord.address(item.uri)
      return item
    }
    return point.index(in: items, of: nil)
  }
}
