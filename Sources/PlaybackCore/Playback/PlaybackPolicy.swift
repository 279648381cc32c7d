/// Every number that the playback machine uses, with its reason.
public struct PlaybackPolicy: Hashable, Sendable, Codable {
  /// How long a local item may take to its first frame. Measured prerolls are below 0.1 s, and a slow card gets many
  /// times that; a preroll that hangs does so for ever (1 in 130 to 800 with the newer elements).
  public var localPrerollDeadline: Duration = .seconds(4)

  /// The same for items from the network: name look-up, connection and the first two seconds of media on a slow link.
  public var remotePrerollDeadline: Duration = .seconds(30)

  /// How often a hanging preroll is tried again with a fresh deck before the item counts as failed.
  public var prerollAttempts = 2

  /// How far ahead the first frame of a deck is due when nothing plays before it: enough for the state change to
  /// PLAYING and the way through the bridge, short enough not to be seen.
  public var openingLead: Duration = .milliseconds(20)

  /// The same for an item with sound. The sound output hands over to the device 60 ms ahead (`SoundTiming.feedLead`), and
  /// what is due sooner than that is not heard any more: with 20 ms, the first 40 ms of speech or music would be missing.
  public var openingLeadWithSound: Duration = .milliseconds(75)

  /// How long before the end of the current deck the next one is armed when the end is known earlier (pictures send
  /// their end at once). Long enough for a state change on a loaded board, short enough that a pause or a new
  /// playlist seldom finds a deck already armed.
  public var armLead: Duration = .milliseconds(400)

  /// How long after its arrival the frame behind a gap is due: those before it that are on their way to the screen, two at
  /// most, come first.
  public var gapLead: Duration = .milliseconds(100)

  /// Sound that goes on for less than this after the picture doesn't hold up the next item: AAC pads its last block
  /// (measured: 21 ms on a 500 ms clip), muxers round to a frame.
  public var soundTail: Duration = .milliseconds(250)

  /// When the frame that retires the previous deck doesn't come (sound only, screen off), it goes after this.
  public var retireDelay: Duration = .seconds(1)

  /// How long a seek may take before the next one may be sent. mpv waits 0.3 s, but slow cards need more for an exact
  /// seek over a long group of pictures.
  public var seekGuard: Duration = .seconds(2)

  /// Where exact seeks take less than this, a finger that drags gets the very frames and no key frames: 20 a second are
  /// seen as a film that moves. Where they take more, key frames come first, however far apart they are.
  public var quickSeek: Duration = .milliseconds(50)

  /// Speeds that make sense: below a quarter, motion falls apart; above four, decoders of small boards drop nearly all
  /// frames. The same backwards.
  public var rates: ClosedRange<Double> = 0.25...4

  /// How long one picture stays, unless it says otherwise.
  public var pictureDuration: Duration = .seconds(10)

  /// When every item of a looping playlist has failed, the next round starts after this: soon enough for a shop window,
  /// slow enough not to be a busy loop.
  public var failedRoundPause: Duration = .seconds(10)

  /// Whether the board's decoder takes one stream at a time: then the next film can't be prepared while one plays. From the
  /// board's profile; the decoders of V4L2 that we know take several.
  public var decodesOneStream = false

  /// How long the checksum of a local file may take before the item counts as failed: 12 GB from a card that gives 40 MB a
  /// second. While another item plays nobody waits for it.
  public var checkDeadline: Duration = .seconds(300)

  /// How much of a network item must be buffered.
  public var buffering = BufferingPolicy()

  /// What is tried when a source breaks off.
  public var reconnect = ReconnectPolicy()

  /// How long an item is waited for whose turn it is.
  public var turn = TurnPolicy()

  /// How sources go on when a server fails.
  public var source = SourcePolicy()

  public var rtsp = RTSPPolicy()

  public init() {}

  /// The same with every duration between nothing and 292 years, and speeds that are some: a configuration may say anything.
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

  /// How far ahead the first frame of a deck is due that follows nothing.
  func openingLead(of readiness: DeckReadiness) -> Duration { readiness.hasSound ? openingLeadWithSound : openingLead }

  /// For one item: the player's numbers, with its own in their place.
  public func rtsp(for item: MediaItem) -> RTSPPolicy {
    var rtsp = rtsp
    if let latency = item.network?.rtspLatency { rtsp.latency = latency.bounded }
    if let transport = item.network?.rtspTransport { rtsp.transport = transport }
    return rtsp
  }

  /// How much of an item is buffered at most.
  public func buffer(for item: MediaItem) -> Duration { item.network?.buffer?.bounded ?? buffering.fullScale }

  /// Whether an item has no more buffered than that, in bytes of its own: where somebody has asked for less than usual. What is
  /// as long as usual or longer may have more, as long as there is memory for it.
  public func keepsSeconds(of item: MediaItem) -> Bool { buffer(for: item) < buffering.usualScale }
}
