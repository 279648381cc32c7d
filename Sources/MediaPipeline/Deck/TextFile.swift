internal import CGStreamer
internal import CGStreamerShims
internal import CElements
internal import MainLoop
internal import PlaybackCore

/// Reads small files from any address that GStreamer has a source for: a disk, a web server. Every call may block.
enum TextFile {
  /// A server that hasn't sent some hundred kilobytes within this time is given up.
  static let patience: Duration = .seconds(20)
  /// How often a read checks whether it is still wanted.
  private static let step: Duration = .milliseconds(200)

  /// The path of a `file:` URI, nil for any other.
  static func path(of uri: String) -> String? {
    guard let path = g_filename_from_uri(uri, nil, nil) else { return nil }
    defer { g_free(path) }
    return String(cString: path)
  }

  static func uri(of path: String) -> String? {
    guard let uri = g_filename_to_uri(path, nil, nil) else { return nil }
    defer { g_free(uri) }
    return String(cString: uri)
  }

  /// The last part of an address, decoded.
  static func name(of uri: String) -> String {
    let whole = uri.prefix { $0 != "?" && $0 != "#" }
    let last = String(whole.split(separator: "/").last ?? "")
    guard let decoded = g_uri_unescape_string(last, nil) else { return last }
    defer { g_free(decoded) }
    return String(cString: decoded)
  }

  /// The names in a folder; empty where it can't be read.
  static func names(in folder: String, limit: Int) -> [String] {
    guard let directory = g_dir_open(folder, 0, nil) else { return [] }
    defer { g_dir_close(directory) }
    var names: [String] = []
    while names.count < limit, let name = g_dir_read_name(directory) { names.append(String(cString: name)) }
    return names
  }

  /// Reads a file to its end.
  ///
  /// - Parameters:
  ///   - limit: in bytes; of a longer file, reading stops once it is exceeded.
  ///   - servers: how web servers are reached.
  ///   - namedFrom: the reach of the farthest server that named the address; nil where none did.
  ///   - isWanted: asked every `step`; false ends the reading with the bytes so far.
  /// - Throws: 3204 when it can't be read, or not in time.
  static func read(
    _ uri: String, limit: Int, servers: ServerSetup, namedFrom: NetworkReach? = nil, while isWanted: () -> Bool
  ) throws(VitrineError) -> ServedText {
    guard let source = gst_element_make_from_uri(GST_URI_SRC, uri, nil, nil) else {
      throw failure(uri, "nothing reads such addresses")
    }
    let pipeline = try Element.pipeline(name: "text-file")
    servers.apply(to: pipeline)
    vit_hold_sources(pipeline.pointer, uri, VIT_PARTS_NONE, guint(namedFrom?.rawValue ?? 0))
    let sink = try Element.make("appsink")
    sink.set("sync", false)
    sink.set("max-buffers", uint64: 4)
    gst_bin_add(vit_bin(pipeline.pointer), source)
    // Only what a server has named has a reach, and that is on the web.
    if let namedFrom { Element(sinking: source).set("named-from", int: Int32(namedFrom.rawValue)) }
    pipeline.add(sink)
    let fault = Locked<MediaFault?>(nil)
    let place = Locked(ServedText(address: uri, reach: namedFrom))
    Bus.receiveMessages(from: pipeline) { message in
      switch message {
      case .error(let new): fault.withLock { $0 = $0 ?? new }
      case .medium(_, let list): if !list.address.isEmpty { place.withLock { $0 = list } }
      default: break
      }
    }
    defer {
      Bus.release(pipeline)
      _ = pipeline.setState(GST_STATE_NULL)
    }
    guard gst_element_link(source, sink.pointer) != 0 else { throw failure(uri, "it can't be linked") }
    _ = pipeline.setState(GST_STATE_PLAYING)
    let appsink = UnsafeMutableRawPointer(sink.pointer).assumingMemoryBound(to: GstAppSink.self)
    let deadline = Instant.monotonicNow + patience
    var bytes: [UInt8] = []
    while bytes.count <= limit, isWanted() {
      guard let sample = gst_app_sink_try_pull_sample(appsink, GstClockTime(step.wholeNanoseconds)) else {
        if let fault = fault.withLock({ $0 }) { throw failure(uri, fault.message, fault) }
        if gst_app_sink_is_eos(appsink) != 0 { break }
        guard Instant.monotonicNow < deadline else { throw failure(uri, "nothing came in \(patience.inSeconds) s") }
        continue
      }
      defer { vit_sample_unref(sample) }
      append(sample, to: &bytes)
    }
    var text = place.withLock { $0 }
    text.bytes = bytes
    return text
  }

  private static func append(_ sample: OpaquePointer, to bytes: inout [UInt8]) {
    guard let buffer = gst_sample_get_buffer(sample) else { return }
    var map = GstMapInfo()
    guard gst_buffer_map(buffer, &map, GST_MAP_READ) != 0 else { return }
    defer { gst_buffer_unmap(buffer, &map) }
    if let data = map.data { bytes += UnsafeBufferPointer(start: data, count: Int(map.size)) }
  }

  static func failure(_ uri: String, _ detail: String, _ fault: MediaFault? = nil) -> VitrineError {
    let status = fault?.httpStatus.map { " (HTTP \($0))" } ?? ""
    return VitrineError(
      3204, subject: uri, message: "the subtitles can't be read\(status)",
      remedy: "check the address and the permissions", detail: detail)
  }
}
