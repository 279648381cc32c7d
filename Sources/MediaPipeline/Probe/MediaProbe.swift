internal import CGStreamer
internal import CGStreamerShims
internal import CElements
public import PlaybackCore

/// Examines a medium by opening it.
public enum MediaProbe {
  /// The most time for opening: name look-up, connection and the first frame over a slow link.
  public static let limit: Duration = .seconds(20)

  /// Opens a medium up to its first decoded frame.
  ///
  /// Blocks for up to `limit`: don't call it on the loop. Several threads may each open one medium.
  ///
  /// - Parameter servers: how web servers are reached.
  /// - Throws: the error that playing the item would give: families 2xxx to 4xxx and 71xx.
  public static func open(
    _ item: MediaItem, limit: Duration = limit, servers: ServerSetup = ServerSetup()
  ) throws(VitrineError) -> MediaFacts {
    if let picture = try PictureProbe.open(item) { return picture }
    try GStreamerLibrary.start()
    var result = vit_probe_result()
    let context = servers.makeContext()
    defer { vit_context_unref(context) }
    item.uri.withCString { uri in
      var opened = vit_probe_item(
        uri: uri, is_alone: item.isAlone ? 1 : 0, parts: vit_part_origins(of: item),
        named_from: guint(item.namedFrom?.rawValue ?? 0))
      vit_probe(&opened, UInt64(max(0, limit.wholeNanoseconds)), context, &result)
    }
    if let list = result.list {
      defer { g_bytes_unref(list) }
      if let facts = listFacts(list, medium: result.list_medium, reach: result.list_reach) {
        return MediaFacts(container: "list of addresses", list: facts)
      }
    }
    guard result.has_failed == 0 else {
      guard result.has_timed_out == 0 else {
        throw VitrineError(
          4101, subject: item.uri, message: "no picture and no sound came within the time allowed",
          remedy: "check that the file plays elsewhere and that its server answers")
      }
      let fault = MediaFault(
        domain: MediaFault.Domain(quark: result.domain), code: Int(result.code),
        message: text(of: &result.message) ?? "",
        refusal: RedirectPolicy.Refusal(rawValue: Int(result.refusal.rawValue)))
      throw MediaErrors.classify(fault, uri: item.uri, isRemote: item.isRemote)
    }
    var titles: [String] = []
    let streams = withUnsafeMutablePointer(to: &result.streams) { pointer in
      pointer.withMemoryRebound(to: vit_probe_stream.self, capacity: Int(VIT_PROBE_STREAMS)) { first in
        (0..<Int(result.stream_count)).map { index in
          if first[index].kind == VIT_PROBE_AUDIO { titles.append(text(of: &first[index].title) ?? "") }
          return StreamFacts(&first[index])
        }
      }
    }
    var facts = MediaFacts(
      container: text(of: &result.container).map { $0 == "video/x-vitrine-utvideo" ? "AVI with Ut Video" : $0 },
      duration: result.duration == 0 ? nil : .nanoseconds(Int64(clamping: result.duration)),
      isLive: result.is_live != 0, streams: streams)
    facts.soundTitles = titles
    return facts
  }
}

/// Nil for a medium that isn't a list.
private func listFacts(_ list: OpaquePointer, medium number: guint, reach: guint) -> ListFacts? {
  guard let medium = ServedMedium(number: number), medium.isList else { return nil }
  var size: gsize = 0
  let data = g_bytes_get_data(list, &size)
  let bytes = UnsafeRawBufferPointer(start: data, count: min(Int(size), ListFacts.longest))
  return ListFacts(
    medium: medium, text: String(decoding: bytes, as: UTF8.self), reach: NetworkReach(rawValue: Int(reach)))
}

extension StreamFacts {
  fileprivate init(_ stream: inout vit_probe_stream) {
    let kind: Kind =
      switch stream.kind {
      case VIT_PROBE_VIDEO: .video
      case VIT_PROBE_PICTURE: .picture
      case VIT_PROBE_AUDIO: .audio
      default: .subtitle
      }
    self.init(kind: kind, codec: text(of: &stream.codec) ?? "")
    profile = text(of: &stream.profile)
    level = text(of: &stream.level)
    decoder = text(of: &stream.decoder)
    // A stream comes decoded where FFmpeg opens the container and decodes it at once, because GStreamer has no
    // demultiplexer for it.
    isRaw = text(of: &stream.format)?.hasSuffix("/x-raw") ?? false
    isHardware = stream.is_hardware != 0
    language = text(of: &stream.language)
    switch kind {
    case .video, .picture: readPicture(&stream)
    case .audio:
      channels = stream.channels > 0 ? Int(stream.channels) : nil
      sampleRate = stream.sample_rate > 0 ? Int(stream.sample_rate) : nil
    case .subtitle: break
    }
  }

  private mutating func readPicture(_ stream: inout vit_probe_stream) {
    if kind == .video {
      format = VideoCodec(caps: text(of: &stream.format) ?? "", mpegVersion: Int(stream.mpeg_version))
      if stream.rate_numerator > 0, stream.rate_denominator > 0 {
        rate = Ratio(numerator: Int(stream.rate_numerator), denominator: Int(stream.rate_denominator))
      }
    }
    if stream.width > 0 {
      size = PixelSize(
        width: Int(Int32(clamping: stream.width)), height: Int(Int32(clamping: stream.height)))
    }
    pixelAspect = Ratio(numerator: Int(stream.pixel_width), denominator: Int(stream.pixel_height))
    bits = stream.bits > 0 ? Int(stream.bits) : nil
    chroma = text(of: &stream.chroma)
    transfer = stream.is_pq != 0 ? .pq : stream.is_hlg != 0 ? .hlg : .sdr
    isInterlaced = stream.is_interlaced != 0
    orientation = text(of: &stream.orientation)
  }
}

extension VideoCodec {
  /// The codec of GStreamer caps.
  fileprivate init?(caps: String, mpegVersion: Int) {
    switch (caps, mpegVersion) {
    case ("video/x-h264", _): self = .h264
    case ("video/x-h265", _): self = .h265
    case ("video/x-vp8", _): self = .vp8
    case ("video/x-vp9", _): self = .vp9
    case ("video/x-av1", _): self = .av1
    // Decoders treat MPEG-1 as part of MPEG-2.
    case ("video/mpeg", 1...2): self = .mpeg2
    case ("video/mpeg", 4): self = .mpeg4
    default: return nil
    }
  }
}

/// Reads a C array of characters, which Swift imports as a tuple; nil when it is empty.
private func text<Characters>(of characters: inout Characters) -> String? {
  let text = withUnsafeBytes(of: &characters) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
  return text.isEmpty ? nil : text
}
