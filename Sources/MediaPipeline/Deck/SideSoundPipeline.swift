internal import CGStreamer
internal import CGStreamerShims
internal import CElements
internal import MainLoop
internal import PlaybackCore

/// The elements of a side sound, linked and ready to start: `uridecodebin` for sound alone, the filter that keeps its
/// pitch at other speeds, and a sink that hands out blocks as early as a deck's does.
///
/// No playbin, which decks have: without pictures, it connects a picture in the file to the first video sink that it
/// finds, on a board the screen's own.
struct SideSoundPipeline: Sendable {
  let pipeline: Element
  let sink: Element

  /// - Parameters:
  ///   - isEmpty: called on a streaming thread where the file has no such stream.
  /// - Throws: 7202 or 7203 where an element is missing.
  init(
    _ source: SideSound.Source, name: String, format: DeckFormat, isEmpty: @escaping @Sendable () -> Void
  ) throws(VitrineError) {
    guard let sound = Caps("audio/x-raw") else {
      throw VitrineError(7202, subject: name, message: "GStreamer has no raw sound", remedy: "report this as a bug")
    }
    pipeline = try Element.pipeline(name: name)
    let decoder = try Element.make("uridecodebin")
    let convert = try Element.make("audioconvert")
    let resample = try Element.make("audioresample")
    sink = try DeckPipeline.appsink("sound", caps: format.soundCaps ?? sound, lead: format.soundLead, of: format)
    decoder.set("caps", sound)
    // Pictures aren't decoded.
    decoder.set("expose-all-streams", false)
    var parts = [convert, resample, sink]
    // Costs nothing at the usual speed.
    if let stretch = try? Element.make("scaletempo") { parts.insert(stretch, at: 1) }
    // Before the pipeline has a source. A file that names others is no sound.
    vit_refuse_manifests(pipeline.pointer)
    vit_hold_sources(pipeline.pointer, source.uri, VIT_PARTS_NONE, 0)
    source.prepare(pipeline)
    decoder.set("uri", source.uri)
    pipeline.add([decoder] + parts)
    for (one, next) in zip(parts, parts.dropFirst()) { try one.link(to: next) }
    pipeline.useClock(format.clock)
    guard let entry = convert.staticPad("sink") else { return }
    let (isLinked, stream) = (Locked(false), source.stream)
    decoder.observePads { pad in
      let isWanted = isLinked.withLock { isLinked in
        guard !isLinked, stream == nil || pad.streamID == stream else { return false }
        isLinked = true
        return true
      }
      if isWanted, pad.link(to: entry) { return }
      pad.intercept(GST_PAD_PROBE_TYPE_DATA_DOWNSTREAM) { _ in GST_PAD_PROBE_DROP }
    }
    decoder.observeNoMorePads { if !isLinked.withLock({ $0 }) { isEmpty() } }
  }
}

extension Pad {
  /// GStreamer's id of the pad's stream, the same each time that a file is opened; nil before any data.
  var streamID: String? {
    guard let id = gst_pad_get_stream_id(pointer) else { return nil }
    defer { g_free(id) }
    return String(cString: id)
  }
}

extension Element {
  /// Calls `observe`, on a streaming thread, once the element has all its pads.
  func observeNoMorePads(_ observe: @escaping @Sendable () -> Void) {
    let callback: @Sendable @convention(c) (gpointer?, gpointer?) -> Void = { _, data in
      guard let data else { return }
      Unmanaged<Callback>.fromOpaque(data).takeUnretainedValue().call()
    }
    g_signal_connect_data(
      pointer, "no-more-pads", unsafeBitCast(callback, to: GCallback.self),
      Unmanaged.passRetained(Callback(observe)).toOpaque(),
      { data, _ in if let data { Unmanaged<Callback>.fromOpaque(data).release() } }, GConnectFlags(0))
  }
}

private final class Callback: Sendable {
  let call: @Sendable () -> Void
  init(_ call: @escaping @Sendable () -> Void) { self.call = call }
}
