internal import CGStreamer
internal import CGStreamerShims
internal import PlaybackCore

/// What the output wants from every deck.
struct DeckFormat: Sendable {
  /// What the video sink takes.
  var videoCaps: Caps
  var shape: FrameShape
  /// By how much frames are turned, once they have their size.
  var rotation = ScreenRotation.none
  /// What the sound output takes; nil without one, and then decks have no sound branch at all.
  var soundCaps: Caps?
  /// How long before it is due sound leaves a deck.
  var soundLead: Duration
  /// The largest useful picture: still pictures are scaled down to it, whatever the sink can do.
  var screen: PixelSize
}

extension DeckFormat {
  /// How early a deck's clock runs.
  var longestLead: Duration { max(soundLead, DeckTiming.videoLead) }
}

/// The elements of a deck, linked and ready to start.
///
/// Which kind of pipeline plays what is in docs/decisions/0003-deck-kinds.md: the legacy playbin for files, because its
/// preroll never hung in 1,200 runs where playbin3's did in 4 of 3,400. Adaptive streams too: its older demultiplexers fetch by a
/// source of ours, which keeps trying (docs/decisions/0050-http-source.md).
struct DeckPipeline: Sendable {
  let pipeline: Element
  let videoSink: Element
  let soundSink: Element?
  /// Where subtitles come out; nil for pipelines that have none.
  let textSink: Element?
  /// The streams of a playbin; nil for pipelines that have no choice.
  let tracks: PlaybinTracks?
  /// The pad where the picture arrives as decoded, before any scaling of ours.
  let decodedVideo: Pad

  static func make(_ recipe: DeckRecipe, format: DeckFormat) throws(VitrineError) -> DeckPipeline {
    var format = format
    format.shape = format.shape.fitting(recipe.item.fit ?? .contain, screen: format.screen)
    return switch recipe.item.kind {
    case .picture: try picture(recipe, format)
    case .file, .progressive, .adaptive, .rtsp, .udp: try playbin("playbin", recipe, format)
    }
  }

  /// Demultiplexers that deliver key frame by key frame backwards, which decoders then turn round: those of files on a
  /// disk. Each is held to it by a test; MPEG transport streams and networks are not among them.
  private static let reversible: Set<String> = ["qtdemux", "matroskademux", "oggdemux", "avidemux"]

  /// Whether what the pipeline has put together plays backwards. Only once it has prerolled.
  var canPlayReverse: Bool { !pipeline.childFactories().isDisjoint(with: Self.reversible) }

  // MARK: Video and sound

  private static func playbin(_ factory: String, _ recipe: DeckRecipe, _ format: DeckFormat) throws(VitrineError)
    -> DeckPipeline
  {
    let pipeline = try Element.make(factory, name: "\(recipe.id)")
    recipe.decoders.prepare(pipeline)
    let videoSink = try appsink("video", caps: format.videoCaps, lead: DeckTiming.videoLead, of: format)
    let decoded: Pad
    if format.shape == .asDecoded, format.rotation == .none {
      decoded = try sinkPad(of: videoSink)
      pipeline.set("video-sink", videoSink)
    } else {
      let bin = try Element.bin(name: "fitted-video")
      let fitter = try Fitter(shape: format.shape, rotation: format.rotation)
      bin.add(fitter.elements + [videoSink])
      try fitter.link(to: videoSink)
      try bin.expose(padOf: fitter.first, "sink")
      decoded = fitter.input
      pipeline.set("video-sink", bin)
    }
    var flags = "video"
    var soundSink: Element?
    if let soundCaps = format.soundCaps {
      let sink = try appsink("sound", caps: soundCaps, lead: format.soundLead, of: format)
      pipeline.set("audio-sink", sink)
      soundSink = sink
      // Keeps the pitch at rates other than 1, and costs nothing at 1.
      if let stretch = try? Element.make("scaletempo") { pipeline.set("audio-filter", stretch) }
      flags += "+audio"
      // Where there are both, playbin writes the offsets of the sinks anew from its own.
      pipeline.set("av-offset", int64: (format.longestLead - DeckTiming.videoLead).wholeNanoseconds)
    } else {
      // Without one, playbin would open the default device only to ask it for its formats.
      pipeline.set("audio-sink", try Element.make("fakesink"))
    }
    var textSink: Element?
    // Subtitles that are pictures are taken too, and thrown away: refused, they would end the whole deck with an error.
    // Whether any are wanted or not: they may be switched on while the item plays.
    if factory == "playbin", let caps = Caps(TextGate.caps) {
      let sink = try appsink("text", caps: caps, lead: .zero, of: format)
      // They are shown by the time of the frame on the screen; here they come as early as they can.
      sink.set("sync", false)
      pipeline.set("text-sink", sink)
      textSink = sink
      flags += "+text"
    }
    pipeline.set("flags", nick: flags)
    pipeline.set("uri", recipe.item.uri)
    if recipe.item.isRemote {
      pipeline.set("buffer-duration", int64: recipe.buffer.wholeNanoseconds)
      pipeline.set("buffer-size", int: Int32(clamping: recipe.bufferBytes))
      var settings = vit_source_settings(
        rtsp_latency: guint(clamping: recipe.rtsp.latency.wholeNanoseconds / 1_000_000),
        rtsp_udp_timeout: guint64(recipe.rtsp.udpTimeout.wholeNanoseconds / 1000),
        rtsp_tcp_timeout: guint64(recipe.rtsp.tcpTimeout.wholeNanoseconds / 1000),
        rtsp_transport: recipe.rtsp.transport.sourceTransport)
      vit_prepare_sources(pipeline.pointer, &settings)
    }
    return DeckPipeline(
      pipeline: pipeline, videoSink: videoSink, soundSink: soundSink, textSink: textSink,
      tracks: factory == "playbin" ? PlaybinTracks(playbin: pipeline) : nil, decodedVideo: decoded)
  }

  // MARK: Still pictures

  /// One frame that lasts as long as the item: `imagefreeze num-buffers=1` at a frame rate of one per duration.
  private static func picture(_ recipe: DeckRecipe, _ format: DeckFormat) throws(VitrineError) -> DeckPipeline {
    let pipeline = try Element.pipeline(name: "\(recipe.id)")
    recipe.decoders.prepare(pipeline)
    let source = try Element.make("uridecodebin")
    let shape: FrameShape =
      switch format.shape {
      case .fitted, .covering, .filling: format.shape
      case .asDecoded: .fitted(screen: format.screen, pixelAspect: .one)
      case .fittedIfAnamorphic(let screen, let aspect): .fitted(screen: screen, pixelAspect: aspect)
      }
    let fitter = try Fitter(shape: shape, rotation: format.rotation)
    let freeze = try Element.make("imagefreeze")
    let rate = try Element.make("capsfilter")
    let sink = try appsink("video", caps: format.videoCaps, lead: DeckTiming.videoLead, of: format)
    source.set("uri", recipe.item.uri)
    freeze.set("num-buffers", int: 1)
    let milliseconds = max(1, Int32(clamping: recipe.pictureDuration.wholeNanoseconds / 1_000_000))
    if let caps = Caps("video/x-raw,framerate=1000/\(milliseconds)") { rate.set("caps", caps) }
    pipeline.add([source] + fitter.elements + [freeze, rate, sink])
    try fitter.link(to: freeze)
    try freeze.link(to: rate)
    try rate.link(to: sink)
    linkDecodedPads(of: source, to: fitter.input)
    return DeckPipeline(
      pipeline: pipeline, videoSink: sink, soundSink: nil, textSink: nil, tracks: nil, decodedVideo: fitter.input)
  }

  /// Links the first video pad that a decoder offers.
  private static func linkDecodedPads(of source: Element, to target: Pad) {
    let callback: @convention(c) (gpointer?, UnsafeMutablePointer<GstPad>?, gpointer?) -> Void = { _, pad, data in
      guard let pad, let data else { return }
      let target = Unmanaged<Pad>.fromOpaque(data).takeUnretainedValue()
      if gst_pad_is_linked(target.pointer) == 0 { _ = gst_pad_link(pad, target.pointer) }
    }
    g_signal_connect_data(
      source.pointer, "pad-added", unsafeBitCast(callback, to: GCallback.self),
      Unmanaged.passRetained(target).toOpaque(),
      { data, _ in if let data { Unmanaged<Pad>.fromOpaque(data).release() } }, GConnectFlags(0))
  }

  // MARK: Parts

  /// A sink that hands out its samples a little before they are due.
  static func appsink(_ name: String, caps: Caps, lead: Duration, of format: DeckFormat) throws(VitrineError)
    -> Element
  {
    let sink = try Element.make("appsink", name: name)
    sink.set("caps", caps)
    sink.set("sync", true)
    // The whole deck runs early by the longest lead, and each sink holds its samples back by what it needs less: a negative
    // offset would be cut off at the start of the stream, and the first frame of an item would come out only when due.
    sink.set("ts-offset", int64: (format.longestLead - lead).wholeNanoseconds)
    // A decoder that can't keep up leaves frames out instead of falling behind the sound for good.
    sink.set("qos", true)
    // One sample at a time: the gate takes it inside of the callback.
    sink.set("max-buffers", uint64: 1)
    sink.set("enable-last-sample", false)
    return sink
  }

  private static func sinkPad(of element: Element) throws(VitrineError) -> Pad {
    guard let pad = element.staticPad("sink") else {
      throw VitrineError(7203, subject: element.name, message: "has no sink pad", remedy: "report this as a bug")
    }
    return pad
  }

  /// Converter and filter that bring frames to their fitted size, the size being known with the caps; before them what
  /// cuts off what isn't shown, so that it isn't scaled; after them what turns frames, so that it has no more formats and no
  /// more pixels to do with than needed.
  private struct Fitter {
    private let convert: Element
    private let filter: Element
    private let crop: Element?
    private let flip: Element?
    let input: Pad
    var first: Element { crop ?? convert }
    var elements: [Element] { [crop, convert, filter, flip].compactMap(\.self) }

    init(shape: FrameShape, rotation: ScreenRotation) throws(VitrineError) {
      let directions: [ScreenRotation: String] = [.clockwise: "90r", .half: "180", .counterclockwise: "90l"]
      if let direction = directions[rotation] {
        let element = try Element.make("videoflip")
        element.set("video-direction", nick: direction)
        flip = element
      } else {
        flip = nil
      }
      convert = try Element.make("videoconvertscale")
      filter = try Element.make("capsfilter")
      if case .filling(_, _, true) = shape { crop = try Element.make("videocrop") } else { crop = nil }
      input = try DeckPipeline.sinkPad(of: crop ?? convert)
      convert.set("add-borders", shape.hasBorders)
      // All cores: a full-screen conversion is the heaviest thing that a board without a scaler does.
      convert.set("n-threads", int: 0)
      let (crop, filter) = (crop, filter)
      input.observeEvents { event in
        guard vit_event_type(event) == GST_EVENT_CAPS else { return }
        var caps: UnsafeMutablePointer<GstCaps>?
        gst_event_parse_caps(event, &caps)
        guard let caps, let video = Caps(borrowing: caps).video else { return }
        if let crop, let part = shape.crop(of: video.size) {
          crop.set("left", int: Int32(clamping: part.x))
          crop.set("right", int: Int32(clamping: video.size.pixels.width - part.x - part.width))
          crop.set("top", int: Int32(clamping: part.y))
          crop.set("bottom", int: Int32(clamping: video.size.pixels.height - part.y - part.height))
        }
        let text =
          shape.size(for: video.size).map { fit in
            "video/x-raw(ANY),width=\(fit.size.width),height=\(fit.size.height)"
              + ",pixel-aspect-ratio=\(fit.pixelAspect.numerator)/\(fit.pixelAspect.denominator)"
          } ?? "video/x-raw(ANY)"
        if let wanted = Caps(text) { filter.set("caps", wanted) }
      }
    }

    func link(to next: Element) throws(VitrineError) {
      if let crop { try crop.link(to: convert) }
      try convert.link(to: filter)
      guard let flip else { return try filter.link(to: next) }
      try filter.link(to: flip)
      try flip.link(to: next)
    }
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
  /// Sound is given to the device `SoundTiming.feedLead` before it is due; the rest is for the longest blocks of decoders
  /// (AAC 21 ms, Vorbis 43 ms), which come as a whole. A pause takes it back, so it costs nothing but memory.
  static let soundLead: Duration = SoundTiming.feedLead + .milliseconds(55)
  /// How far the pipeline's position is ahead of the frame on the screen at the most, besides the lead: two frames at 10 a
  /// second.
  static let bridgeDepth: Duration = .milliseconds(200)
  /// Nothing to show for longer than this is a hole in time and not a slow film: half a part of live HLS, and more than what
  /// the slowest film that we know stands on one frame.
  static let longestGap: Duration = .seconds(1)
}
