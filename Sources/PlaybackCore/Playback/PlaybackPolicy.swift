/// Every number that the playback machine uses, with its reason.
public struct PlaybackPolicy: Hashable, Sendable, Codable {
  /// Deadline for a local item's first frame. Measured prerolls are below 0.1 s, and a slow card gets many times that;
  /// a preroll that hangs does so for ever (1 in 130 to 800 with the newer elements).
  public var localPrerollDeadline: Duration = .seconds(4)

  /// Deadline for a network item's first frame: name look-up, connection and the first two seconds of media on a slow
  /// link.
  public var remotePrerollDeadline: Duration = .seconds(30)

  /// Tries of a hanging preroll, each with a fresh deck, before the item counts as failed.
  public var prerollAttempts = 2

  /// Lead of a deck's first frame when nothing plays before it: enough for the state change to PLAYING and the way
  /// through the bridge, short enough not to be seen.
  public var openingLead: Duration = .milliseconds(20)

  /// Lead of an item with sound. The sound output hands over to the device 60 ms ahead (`SoundTiming.feedLead`), and
  /// sound that is due sooner isn't heard: with 20 ms, the first 40 ms of speech or music would be missing.
  public var openingLeadWithSound: Duration = .milliseconds(75)

  /// Lead of a picture. Its frame is decoded already; only the way through the bridge is left: 2 ms on a PC. Where a
  /// board takes longer than this, the picture is late by the rest and shown all the same.
  public var openingLeadOfPicture: Duration = .milliseconds(8)

  /// Time before the end of the current deck at which the next one is armed, when the end is known earlier (pictures
  /// send their end at once). Long enough for a state change on a loaded board, short enough that a pause or a new
  /// playlist seldom finds a deck already armed.
  public var armLead: Duration = .milliseconds(400)

  /// Time from the arrival of the frame behind a gap until it is due: at most two frames before it are still on their
  /// way to the screen and come first.
  public var gapLead: Duration = .milliseconds(100)

  /// Sound that goes on for less than this after the picture doesn't hold up the next item: AAC pads its last block
  /// (measured: 21 ms on a 500 ms clip), muxers round to a frame.
  public var soundTail: Duration = .milliseconds(250)

  /// Time after which the previous deck goes when the frame that retires it doesn't come (sound only, screen off).
  public var retireDelay: Duration = .seconds(1)

  /// Time after which an unfinished seek no longer holds up the next one. mpv waits 0.3 s, but slow cards need more for
  /// an exact seek over a long group of pictures.
  public var seekGuard: Duration = .seconds(2)

  /// Limit below which exact seeks count as quick: a drag then gets exact frames and no key frames. 20 a second are
  /// seen as a film that moves. Above it key frames come first, however far apart they are.
  public var quickSeek: Duration = .milliseconds(50)

  /// Range of rates, forwards and backwards. Below a quarter, motion falls apart; above four, decoders of small boards
  /// drop nearly all frames.
  public var rates: ClosedRange<Double> = 0.25...4

  /// Time for which a picture stays, unless it has its own.
  public var pictureDuration: Duration = .seconds(10)

  /// Pause after every item of a looping playlist has failed: short enough for a shop window, long enough not to be a
  /// busy loop.
  public var failedRoundPause: Duration = .seconds(10)

  /// Whether the board's decoder takes one stream at a time, so that the next film can't be prepared while one plays.
  /// From the board's profile; the decoders of V4L2 known so far take several.
  public var decodesOneStream = false

  /// Deadline for the checksum of a local file: 12 GB from a card that gives 40 MB a second. While another item plays
  /// the check delays nothing.
  public var checkDeadline: Duration = .seconds(300)

  /// Amounts of a network item that must be buffered.
  public var buffering = BufferingPolicy()

  /// Tries to recover when a source breaks off.
  public var reconnect = ReconnectPolicy()

  /// Limits of the wait for an item whose turn it is.
  public var turn = TurnPolicy()

  /// Behaviour of sources when a server fails.
  public var source = SourcePolicy()

  public var rtsp = RTSPPolicy()

  public init() {}

  /// A copy with each duration between zero and 292 years, and with plausible rates: a configuration may contain
  /// anything.
  var bounded: PlaybackPolicy {
    let durations: [WritableKeyPath<PlaybackPolicy, Duration>] = [
      \.localPrerollDeadline, \.remotePrerollDeadline, \.openingLead, \.openingLeadWithSound, \.armLead, \.gapLead,
      \.soundTail,
      \.retireDelay, \.seekGuard, \.quickSeek, \.pictureDuration, \.failedRoundPause, \.checkDeadline,
      \.buffering.fullScale, \.buffering.start, \.buffering.resume, \.buffering.quickResume, \.buffering.quickMeasure,
      \.buffering.longest, \.buffering.memory, \.buffering.dry, \.buffering.drained,
      \.reconnect.firstDelay, \.reconnect.eagerFor, \.reconnect.longestDelay, \.reconnect.budget, \.reconnect.progress,
      \.reconnect.earlyEnd, \.reconnect.starved, \.reconnect.stuck, \.reconnect.stuckLocal, \.reconnect.silent,
      \.reconnect.silentAlone, \.source.timeout, \.source.firstDelay, \.source.longestDelay, \.source.eagerFor,
      \.source.patience, \.source.patienceIfMissing, \.source.patienceIfGone, \.turn.opening, \.turn.filling,
      \.rtsp.latency, \.rtsp.udpTimeout, \.rtsp.tcpTimeout,
    ]
    var bounded = self
    for duration in durations { bounded[keyPath: duration] = bounded[keyPath: duration].bounded }
    func isSane(_ rate: Double) -> Bool { rate >= 0.01 && rate <= 100 }
    if !isSane(rates.lowerBound) || !isSane(rates.upperBound) { bounded.rates = PlaybackPolicy().rates }
    bounded.prerollAttempts = min(max(1, prerollAttempts), 1000)
    bounded.buffering.highestRate = min(max(1, buffering.highestRate), 1 << 30)
    return bounded
  }

  /// Lead of the first frame of a deck that follows nothing.
  func openingLead(of deck: PlaybackDeck) -> Duration {
    if deck.isPicture { return openingLeadOfPicture }
    return deck.readiness.hasSound ? openingLeadWithSound : openingLead
  }

  /// The RTSP settings of one item: the player's, overridden by its own.
  public func rtsp(for item: MediaItem) -> RTSPPolicy {
    var rtsp = rtsp
    if let latency = item.network?.rtspLatency { rtsp.latency = latency.bounded }
    if let transport = item.network?.rtspTransport { rtsp.transport = transport }
    return rtsp
  }

  /// The most that is buffered of an item.
  public func buffer(for item: MediaItem) -> Duration { item.network?.buffer?.bounded ?? buffering.fullScale }

  /// Whether an item's buffer is limited by time rather than memory: it is set shorter than usual. A buffer of the
  /// usual length or longer may hold more, as long as there is memory for it.
  public func keepsSeconds(of item: MediaItem) -> Bool { buffer(for: item) < buffering.usualScale }
}
