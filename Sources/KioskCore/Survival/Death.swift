public import PlaybackCore

/// The cause of a run's unplanned end, and the item that most likely caused it. A pure function of the record.
///
/// A process doesn't get its predecessor's exit status, because systemd keeps that: the record of the signal handler,
/// or its absence, has to suffice. The rules: docs/decisions/0134-who-it-was.md.
public struct Death: Hashable, Sendable {
  public enum Cause: Hashable, Sendable {
    /// A fault detected by the kernel, or `abort` in the process itself.
    case fault(signal: Int32)
    /// The watchdog's signal came, and the loop hadn't run for a while, or the run had recorded that it stood still.
    case hang
    /// The kernel killed the process for lack of memory.
    case memory
    /// Another process sent a signal that can be caught.
    case signalled(Int32)
    /// There is no record of the reason: SIGKILL by hand, or an unexpected exit.
    case unknown
  }

  /// The limits, each with its reason.
  public struct Policy: Hashable, Sendable {
    /// The loop records once a second that it runs; on a board that swaps, a turn may take two or three.
    public var longestRound: Duration = .seconds(5)
    /// A process that ends without a record after its item has played for longer than this wasn't ended by a bad place
    /// in it: after such a crash, the next process goes on at most a second before the place, and crashes at once. The
    /// loop's record may be one more second late.
    public var atOnce: Duration = .seconds(3)
    /// An item that takes all memory does so while its buffers are being filled, or soon after. If it has played for
    /// longer, something else is as likely to have taken the memory.
    public var takesMemory: Duration = .seconds(60)
    /// A call into a screen's driver is reported after 4.5 s; the slowest ones that return take a second or two.
    public var longestCall: Duration = .seconds(4)

    public init() {}
  }

  public var cause: Cause
  /// The deck with the item that is blamed; nil where none is to blame.
  public var suspect: CrashRecord.Deck?
  /// Whether the cause is uncertain: somebody may have killed the process by hand. More such crashes are needed to
  /// leave an item out.
  public var isDoubtful: Bool { cause == .unknown }
  /// The call into a screen's driver in which the run hung: then no item is to blame.
  public var call: String?
  /// Whether a picture had been shown.
  public var hadShown: Bool
  /// The time from its start until its last record, on CLOCK_BOOTTIME.
  public var ran: Duration

  /// SIGABRT, which the watchdog sends (`WatchdogSignal=`).
  private static let abortSignal: Int32 = 6
  private static let killSignal: Int32 = 9

  /// - Parameter memoryKills: the kernel's count now, as `CrashRecord.memoryKills`.
  /// - Returns: nil for a run that ended as planned.
  public init?(of record: CrashRecord, memoryKills: Int64? = nil, policy: Policy = Policy()) {
    switch record.end {
    case .none: break
    case .clean, .handOver: return nil
    // A process that takes too long to end is killed, which isn't a crash. A fault of its own on the way is one.
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
    // If the process was killed within such a call, without a record, the driver is as likely the cause: the user of a
    // hanging screen kills the process.
    let isCalling = call != nil || record.crash == nil && record.call != nil
    suspect = isCalling ? nil : Self.suspect(in: record, cause, policy)
  }

  /// The blamed deck, at most one: blaming all decks would blame items that just play often.
  ///
  /// - The deck that the crashed thread worked for, by its own record, or by the name of its element, after which
  ///   GStreamer names threads.
  /// - Else the deck with an unfinished step, the newest one first: of two decks, the one being prepared has begun
  ///   something, and the other one just plays, as it has for a while.
  /// - Else the playing deck. A ready one does nothing.
  private static func suspect(in record: CrashRecord, _ cause: Cause, _ policy: Policy) -> CrashRecord.Deck? {
    let underWay = record.decks.filter(\.step.isUnderWay).max { $0.since < $1.since }
    let playing = record.decks.filter { $0.step == .playing }.max { $0.since < $1.since }
    let last = record.alive ?? record.started
    switch cause {
    case .signalled: return nil
    case .memory: return underWay ?? playing.flatMap { last - $0.since < policy.takesMemory ? $0 : nil }
    case .unknown: return underWay ?? playing.flatMap { last - $0.since < policy.atOnce ? $0 : nil }
    case .hang:
      // The run's own record, which names no deck where no item is to blame.
      if let standstill = record.standstill { return record.decks.first { $0.id == standstill.deck } }
      // Playing for hours isn't an unfinished step: somebody who stopped the process by hand did so while something
      // played.
      return underWay
    case .fault:
      let crash = record.crash
      if let deck = crash?.deck {
        // Deck numbers are unique across screens.
        if let one = record.decks.first(where: { $0.id == deck }) { return one }
      }
      if let element = crash?.thread.split(separator: ":").first.map(String.init), element.count > 3 {
        let named = record.decks.filter { $0.elements.contains(element) }
        if named.count == 1 { return named.first }
      }
      return underWay ?? playing
    }
  }

  /// The cause in words for people.
  public var text: String {
    switch cause {
    case .fault(let signal): "died by \(SignalName.text(signal))"
    case .hang where call != nil: "hung in a screen's driver (\(call ?? "")) and was ended by the watchdog"
    case .hang: "stood still and was ended by the watchdog"
    case .memory: "was ended by the kernel: there was no memory left"
    case .signalled(let signal): "was ended by \(SignalName.text(signal)) from outside"
    case .unknown: "ended without a word (SIGKILL, or an unexpected exit)"
    }
  }

  /// The signal to report; 0 where none is known.
  public var signal: Int32 {
    switch cause {
    case .fault(let signal), .signalled(let signal): signal
    case .hang: Self.abortSignal
    case .memory: Self.killSignal
    case .unknown: 0
    }
  }
}

extension CrashRecord.Crash {
  /// Whether the kernel detected a fault, or the process sent itself the signal.
  fileprivate func isOwn(of pid: Int32) -> Bool { code > 0 || sender == pid }
}

/// The names of signals. The numbers are Linux's, the same on all supported boards.
public enum SignalName {
  private static let names: [Int32: String] = [
    1: "SIGHUP", 2: "SIGINT", 3: "SIGQUIT", 4: "SIGILL", 5: "SIGTRAP", 6: "SIGABRT", 7: "SIGBUS", 8: "SIGFPE",
    9: "SIGKILL", 11: "SIGSEGV", 13: "SIGPIPE", 15: "SIGTERM",
  ]

  /// A signal's number and name, such as `signal 11 (SIGSEGV)`.
  public static func text(_ signal: Int32) -> String { "signal \(signal)\(names[signal].map { " (\($0))" } ?? "")" }
}

/// The place at which a run goes on after a crash, on one screen.
public struct LastPlace: Hashable, Sendable {
  /// The screen's name; empty for an only screen, without a name.
  public var screen: String
  /// The item's place in the list, from 1.
  public var number: Int?
  /// The address in the playlist.
  public var uri: String
  public var position: Duration
  /// Whether the run begins with the item after it: this one may have caused the crash.
  public var isToBeLeft: Bool

  public init(screen: String, number: Int?, uri: String, position: Duration, isToBeLeft: Bool = false) {
    self.screen = screen
    self.number = number
    self.uri = uri
    self.position = position
    self.isToBeLeft = isToBeLeft
  }

  /// The places of all screens on which an item played. The blamed item is skipped: at the same bytes it would crash
  /// the process again, at once; in the list's next round it gets its second chance. An item that was only being
  /// prepared isn't a place.
  public static func all(of record: CrashRecord, after death: Death?) -> [LastPlace] {
    var screens: [String] = []
    for deck in record.decks where !screens.contains(deck.screen) { screens.append(deck.screen) }
    return screens.compactMap { screen -> LastPlace? in
      let own = record.decks.filter { $0.screen == screen && $0.step != .leaving }
      // The visible item; before the first frame, the one that was being prepared.
      guard
        let deck = own.first(where: { $0.step == .playing || $0.step == .seeking })
          ?? own.min(by: { $0.since < $1.since })
      else { return nil }
      // A doubtful cause isn't enough to skip an item: after a kill by hand the run goes on where it was.
      let isBlamed =
        death.map { !$0.isDoubtful && $0.suspect?.id == deck.id && $0.suspect?.screen == deck.screen } ?? false
      return LastPlace(
        screen: screen, number: deck.number, uri: deck.listed, position: deck.position, isToBeLeft: isBlamed)
    }
  }

  /// The index of the item in a queue: the same place, else the first one with that address.
  public func index(in queue: PlayQueue) -> Int? {
    let point = ResumePoint(list: nil, address: uri, index: (number ?? 0) - 1, position: position)
    let items = queue.entries.map { entry in
      var item = entry.item
      item.uri = CrashRecord.address(item.uri)
      return item
    }
    return point.index(in: items, of: nil)
  }
}
