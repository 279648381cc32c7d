internal import CCrash
internal import CGStreamer
internal import CGStreamerShims
internal import CElements
internal import MainLoop
internal import PlaybackCore

/// The formats and times that the output requires of every deck.
struct DeckFormat: Sendable {
  /// The caps that the video sink accepts.
  var videoCaps: Caps
  var video: VideoDemand
  /// The caps that the sound output accepts; nil for an output without sound.
  var soundCaps: Caps?
  /// No sound is wanted: decks have no sound branch, unless sound is all that an item has.
  var isSilent = false
  /// How long before it is due sound leaves a deck.
  var soundLead: Duration
  /// The largest useful picture: still pictures are scaled down to it, whatever the sink can do.
  var screen: PixelSize
  /// The scaling limits of the screen's plane, as far as they are known.
  var scaling = Locked(PlaneScaling())
  /// 0xRRGGBB: the colour behind transparent pixels.
  var background: UInt32 = 0
  /// Frames that are converted lie in memory that the compositor reads.
  var sharesFrames = false
  /// The render node of the screen's card, such as `/dev/dri/renderD128`; nil where it isn't known.
  var screenNode: String?
  /// The clock of the output.
  var clock = MediaClock.system
}

extension DeckFormat {
  /// How early a deck's clock runs.
  var longestLead: Duration { max(soundLead, DeckTiming.videoLead) }
}

/// The elements of a deck, linked and ready to start.
///
/// Decision 0003 says which kind of pipeline plays which item: the legacy playbin for files,
/// because its preroll never hung in 1,200 runs where playbin3's did in 4 of 3,400. It plays adaptive streams too: its
/// older demultiplexers fetch through the player's own HTTP source, which retries (docs/decisions/0050-http-source.md).
struct DeckPipeline: Sendable {
  let pipeline: Element
  let videoSink: Element
  let soundSink: Element?
  /// Delivers subtitles; nil for pipelines without any.
  let textSink: Element?
  /// The streams of a playbin; nil for pipelines without a choice of tracks.
  let tracks: PlaybinTracks?
  /// The sound is left out, though the pipeline has a sink for it.
  var isSilent = false
  /// Consumes the sound where it is muted but has to flow.
  var mutedSound: Element?
  /// Keeps the pitch of sound at other speeds than 1.
  var stretch: Element?
  /// The elements between the decoder and the video sink.
  let videoChain: VideoChain
  /// Decodes a still picture; nil for all other items.
  var picture: PictureFeed?
  /// Facts of the item's file, which are read before the pipeline starts.
  var film = Locked(FilmFile())

  /// - Parameter decodes: called on the streaming thread with news of decoders in hardware.
  static func make(
    _ recipe: DeckRecipe, format: DeckFormat, decodes: @escaping @Sendable (DecoderNews) -> Void
  ) throws(VitrineError) -> DeckPipeline {
    var format = format
    format.video.shape = format.video.shape.fitting(recipe.item.fit ?? .contain, screen: format.screen)
    format.video.screen = format.screen
    format.video.deinterlacing = recipe.decoders.deinterlacing
    return switch recipe.item.kind {
    case .picture: try picture(recipe, format)
    case .file, .progressive, .adaptive, .rtsp, .udp: try playbin("playbin", recipe, format, decodes)
    }
  }

  /// Demultiplexers that play backwards: they deliver one group of pictures after the other, from the last to the
  /// first, and decoders turn each round. They work with files on a disk only, each has a test, and MPEG transport
  /// streams aren't among them. From a network a seek backwards is accepted, but data can't be read backwards and the
  /// film goes on forwards.
  private static let reversible: Set<String> = ["qtdemux", "matroskademux", "oggdemux", "avidemux"]

  /// Whether the elements that the pipeline has chosen play backwards; known only once it has prerolled.
  func canPlayReverse(_ item: MediaItem) -> Bool {
    !item.isRemote && !pipeline.childFactories().isDisjoint(with: Self.reversible)
  }

  // MARK: Questions

  /// The elements that are asked, each with an answer of the demultiplexer. A playbin would keep its lock until its
  /// source answers, and the deck's next choice of tracks or change of latency would wait for that lock.
  private var asked: [Element] { [videoSink, soundSink].compactMap(\.self) }

  func queryDuration() -> Duration? { asked.compactMap { $0.queryDuration() }.max() }

  func queryPosition() -> Duration? { asked.compactMap { $0.queryPosition() }.max() }

  func queryIsSeekable() -> Bool { asked.contains { $0.queryIsSeekable() } }

  /// The range in which seeks are possible, as far as it is known; nil where none is.
  func querySeekable() -> Range<Duration>? {
    for element in asked { if let range = element.querySeekable() { return range } }
    return nil
  }

  /// The parts of the item that its buffers hold, as shares of the whole; empty where the pipeline doesn't say.
  func queryBuffered() -> [Range<Double>] {
    for element in asked {
      let ranges = element.queryBuffered()
      if !ranges.isEmpty { return ranges }
    }
    return []
  }

  /// The pads where each stream changes its speed: right before the sinks, and before the filter that keeps the sound's
  /// pitch.
  var speedPads: [(pad: Pad, isPicture: Bool)] {
    let sound = (stretch ?? soundSink)?.staticPad("sink")
    // Muted sound flows too, and would fall behind without the change.
    let pads = [(videoSink.staticPad("sink"), true), (sound, false), (mutedSound?.staticPad("sink"), false)]
    return pads.compactMap { pad, isPicture in pad.map { ($0, isPicture) } }
  }

  /// Limits the queue between source and demultiplexer to the bytes that the wanted seconds take. That queue counts
  /// bytes, and how long they last isn't known before the item's length is: a configured buffer takes effect only then
  /// (decision 0103).
  func keepSeconds(of recipe: DeckRecipe) {
    guard recipe.keepsSeconds, recipe.item.kind == .progressive, let duration = queryDuration(),
      duration > .zero,
      let size = pipeline.querySourceSize(),
      let bytes = BufferingPolicy.bytes(of: recipe.buffer, size: size, duration: duration, limit: recipe.bufferBytes)
    else { return }
    vit_limit_download(pipeline.pointer, guint(clamping: bytes))
  }

  /// The source of another sound of the film beside the one that the deck plays; nil for a film that isn't on this
  /// machine, which would be fetched twice.
  func sideSource(of track: MediaTrack.ID, _ item: MediaItem, _ start: MediaStart) -> SideSound.Source? {
    guard !item.isRemote, let stream = tracks?.streamID(of: track) else { return nil }
    return .film(item.uri, stream: stream, start, film)
  }

  // MARK: Video and sound

  private static func playbin(
    _ factory: String, _ recipe: DeckRecipe, _ format: DeckFormat, _ decodes: @escaping @Sendable (DecoderNews) -> Void
  ) throws(VitrineError) -> DeckPipeline {
    let pipeline = try Element.make(factory, name: "\(recipe.id)")
    let (scaling, id) = (format.scaling, recipe.id)
    let mustFit: @Sendable (PixelSize) -> Bool = { size in scaling.withLock { $0.mustFit(id, size: size) } }
    let acceleration = VideoAcceleration(for: format, copies: recipe.decoders.copiesFrames, mustFit: mustFit)
    recipe.decoders.prepare(pipeline, acceleration: acceleration, decodes: decodes)
    pipeline.observeParts { vit_record_element(recipe.id.generation, $0.name) }
    // A list of parts sets where they end, so `MovieEnd` is left out there.
    if recipe.item.kind == .adaptive { DASHPeriods.watch(pipeline) } else { MovieEnd.mend(pipeline) }
    let film = Locked(FilmFile())
    JoinedMP3.watch(pipeline, film)
    MendedStream.watch(pipeline, film)
    if [.file, .progressive].contains(recipe.item.kind) { pipeline.observeParts { $0.ignoreGaps() } }
    PCMInMP4.watch(pipeline)
    let videoSink = try appsink("video", caps: format.videoCaps, lead: DeckTiming.videoLead, of: format)
    let chain = try VideoChain(
      into: [videoSink], accepting: format.videoCaps, demand: format.video, sharesFrames: format.sharesFrames,
      chip: { acceleration.chip }, mustFit: mustFit)
    if let entry = chain.bin.staticPad("sink") { AlphaGround.attach(to: entry, background: format.background) }
    pipeline.set("video-sink", chain.bin)
    // The orientation of a file on a disk is read before it plays.
    if recipe.item.kind == .progressive { MovieOrientation.watch(pipeline, for: chain) }
    // Without playbin's own converters: the chain converts frames.
    var flags = "video+native-video"
    var soundSink: Element?
    var mutedSound: Element?
    var stretch: Element?
    if let soundCaps = format.soundCaps {
      let sink = try appsink("sound", caps: soundCaps, lead: format.soundLead, of: format)
      pipeline.set("audio-sink", sink)
      soundSink = sink
    }
    if !format.isSilent, soundSink != nil {
      // Keeps the pitch at rates other than 1, and costs nothing at 1.
      stretch = try? Element.make("scaletempo")
      if let stretch { pipeline.set("audio-filter", stretch) }
      flags += "+audio"
    } else if recipe.item.kind == .adaptive {
      // A separate sound stream has to flow: one without a sink ends with an error, and the picture ends with it. It
      // flows at its own pace, because the buffering level is that of the emptier queue.
      let sink = try Element.make("fakesink")
      sink.set("sync", true)
      pipeline.set("audio-sink", sink)
      mutedSound = sink
      flags += "+audio"
    }
    // With both sinks, playbin overwrites their offsets with its own, even where the sound is muted: frames would leave
    // the deck as early as sound does, and more of them than the output holds.
    pipeline.set("av-offset", int64: (format.longestLead - DeckTiming.videoLead).wholeNanoseconds)
    var textSink: Element?
    // Bitmap subtitles are accepted too, and thrown away: refused, they would end the whole deck with an error. The
    // branch exists even where no subtitles are wanted: they may be switched on while the item plays.
    if factory == "playbin", let caps = Caps(TextGate.caps) {
      let sink = try appsink("text", caps: caps, lead: .zero, of: format)
      // Subtitles are shown by the time of the frame on the screen; here they are delivered as early as possible.
      sink.set("sync", false)
      pipeline.set("text-sink", sink)
      textSink = sink
      flags += "+text"
    }
    pipeline.set("flags", nick: flags)
    pipeline.set("uri", recipe.item.uri)
    if recipe.item.isAlone { vit_refuse_manifests(pipeline.pointer) }
    // A list on this machine may name items on a server.
    recipe.servers.apply(to: pipeline)
    pipeline.holdSources(to: recipe.item)
    if recipe.item.isRemote {
      pipeline.set("buffer-duration", int64: recipe.buffer.wholeNanoseconds)
      pipeline.set("buffer-size", int: Int32(clamping: recipe.bufferBytes))
      var settings = vit_source_settings(
        rtsp_latency: guint(clamping: recipe.rtsp.latency.wholeNanoseconds / 1_000_000),
        rtsp_udp_timeout: guint64(clamping: recipe.rtsp.udpTimeout.wholeNanoseconds / 1000),
        rtsp_tcp_timeout: guint64(clamping: recipe.rtsp.tcpTimeout.wholeNanoseconds / 1000),
        rtsp_transport: recipe.rtsp.transport.sourceTransport,
        named_from: guint(recipe.item.namedFrom?.rawValue ?? 0))
      vit_prepare_sources(pipeline.pointer, &settings)
    }
    return DeckPipeline(
      pipeline: pipeline, videoSink: videoSink, soundSink: soundSink, textSink: textSink,
      tracks: factory == "playbin" ? PlaybinTracks(playbin: pipeline, film: film) : nil, isSilent: format.isSilent,
      mutedSound: mutedSound, stretch: stretch, videoChain: chain, film: film)
  }

  // MARK: Parts

  /// A sink that hands out its samples a little before they are due.
  static func appsink(_ name: String, caps: Caps, lead: Duration, of format: DeckFormat) throws(VitrineError)
    -> Element
  {
    let sink = try Element.make("appsink", name: name)
    sink.set("caps", caps)
    sink.set("sync", true)
    // The whole deck runs early by the longest lead, and each sink delays its samples by the part of it that it doesn't
    // need: a negative offset would be cut off at the start of the stream, and the first frame of an item would come
    // out only when due.
    sink.set("ts-offset", int64: (format.longestLead - lead).wholeNanoseconds)
    // A decoder that can't keep up drops frames instead of falling behind the sound for good.
    sink.set("qos", true)
    // One sample at a time: the gate takes it inside of the callback.
    sink.set("max-buffers", uint64: 1)
    sink.set("enable-last-sample", false)
    return sink
  }
}

extension RTSPPolicy.Transport {
  fileprivate var sourceTransport: vit_rtsp_transport {
    switch self {
    case .auto: VIT_RTSP_AUTO
    case .tcp: VIT_RTSP_TCP
    case .udp: VIT_RTSP_UDP
    }
  }
}

/// The times of the bridge, each with its reason.
enum DeckTiming {
  /// Video leaves the deck this long before it is due: enough for the way through appsrc to a sink's wait on a loaded
  /// 2-core machine, and less than a frame at 50 fps, so that no more than two frames are under way.
  static let videoLead: Duration = .milliseconds(20)
  /// Sound is given to the device `SoundTiming.feedLead` before it is due; the rest is for the longest blocks of
  /// decoders (AAC 21 ms, Vorbis 43 ms), which come as a whole. A pause takes it back, so it costs nothing but memory.
  static let soundLead: Duration = SoundTiming.feedLead + .milliseconds(55)
  /// The most by which the pipeline's position is ahead of the frame on the screen, besides the lead: two frames at 10
  /// a second.
  static let bridgeDepth: Duration = .milliseconds(200)
  /// A stretch without frames that is longer than this is a gap, not a slow film: half a segment of live HLS, and
  /// longer than any frame of the slowest known film.
  static let longestGap: Duration = .seconds(1)
}
