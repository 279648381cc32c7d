internal import CGStreamer
internal import CGStreamerShims
internal import CElements
internal import MainLoop
public import PlaybackCore

/// GStreamer as a whole.
public enum GStreamerLibrary {
  /// Loads GStreamer and its registry. Any thread; later calls cost nothing.
  public static func start() throws(VitrineError) {
    var problem: UnsafeMutablePointer<GError>?
    guard gst_init_check(nil, nil, &problem) == 0 else { return registerElements() }
    let detail = consumeMessage(of: problem)
    throw VitrineError(
      7201, subject: "GStreamer", message: "could not be started",
      remedy: "check that the packages of deploy/packages.txt are installed", detail: detail)
  }

  /// Makes the next request to each server at once, however often it has failed: the failures came from this machine.
  public static func forgetFailures() { vit_http_source_forget_failures() }

  /// Whether the kernel reports its clock as synchronised; tests set `clockReader`.
  static var isClockSynchronised: Bool { clockReader.withLock { $0 }() }
  static let clockReader = Locked<@Sendable () -> Bool> { SystemClock.isSynchronised }

  private static func registerElements() {
    // A second thread waits here until the elements are registered.
    hasElements.withLock { isDone in
      if !isDone { registerAll() }
      isDone = true
    }
  }

  private static func registerAll() {
    ServerSetup.usual.register()
    _ = vit_tone_map_register()
    _ = vit_libav_register()
    // GStreamer 1.22 only: its OpenJPEG decoder refuses the JPEG 2000 that FFmpeg writes into QuickTime, whose caps
    // name no colours. FFmpeg's decoder accepts that, and all that the other accepts.
    vit_prefer_factory("avdec_jpeg2000", "openjpegdec")
    setFacts()
    vit_http_source_set_words(
      { type, bytes, count in
        let start = UnsafeBufferPointer(start: bytes, count: min(Int(count), ServedMedium.sniffedLength))
        return vit_medium(ServedMedium(contentType: type.map { String(cString: $0) }, start: Array(start)))
      },
      { text, count in
        let text = Array(UnsafeBufferPointer(start: text, count: Int(count)))
        return (HLSPlaylist.mended(text) ?? DASHManifest.mended(text)).flatMap { g_bytes_new($0, gsize($0.count)) }
      })
  }

  private static let hasElements = Locked(false)

  private static func setFacts() {
    var facts = vit_http_facts(
      reach: { bytes, count in
        let address = Array(UnsafeBufferPointer(start: bytes, count: Int(count)))
        return guint(NetworkReach(address: address, in: SystemNetworks.current)?.rawValue ?? 0)
      },
      // A name that a proxy looks up may lead anywhere: an unknown host counts as the internet's.
      reach_of_host: { host in
        guint((NetworkReach(host: String(cString: host), in: SystemNetworks.current) ?? .everywhere).rawValue)
      },
      list: { medium, text, count in
        let text = UnsafeBufferPointer(start: text, count: Int(count))
        let isHarmless = medium == VIT_MEDIUM_HLS ? PartList.isHarmlessHLS(text) : PartList.isHarmlessDASH(text)
        return isHarmless ? VIT_REFUSAL_NONE : VIT_REFUSAL_LIST
      })
    vit_http_source_set_facts(&facts)
  }

  /// The elements among these that no plugin provides. GStreamer must have started.
  public static func missing(of elements: [String]) -> [String] {
    elements.filter { name in
      guard let factory = gst_element_factory_find(name) else { return true }
      gst_object_unref(UnsafeMutableRawPointer(factory))
      return false
    }
  }

  /// Excludes decoders, or single ways of handing out their frames (`DecoderUse`), from all decks made from now on.
  public static func avoid(decoders: some Sequence<String>) {
    for use in decoders.map(DecoderUse.init(text:)) {
      if use.hasNext {
        VideoAccelerators.giveUp(use)
        continue
      }
      guard let factory = gst_element_factory_find(use.decoder) else { continue }
      gst_plugin_feature_set_rank(factory, guint(GST_RANK_NONE.rawValue))
      gst_object_unref(UnsafeMutableRawPointer(factory))
    }
  }

  /// Excludes hardware decoders from all decks made from now on.
  public static func avoidHardwareDecoders() { vit_avoid_hardware_decoders() }

  /// The version, such as "1.26.2".
  public static var version: String {
    var parts: (UInt32, UInt32, UInt32, UInt32) = (0, 0, 0, 0)
    gst_version(&parts.0, &parts.1, &parts.2, &parts.3)
    return "\(parts.0).\(parts.1).\(parts.2)"
  }

  /// - Parameter first: a version, such as "1.26".
  static func isAtLeast(_ first: String) -> Bool {
    guard let version = SoftwareVersion(version), let first = SoftwareVersion(first) else { return false }
    return version >= first
  }
}

func consumeMessage(of problem: UnsafeMutablePointer<GError>?) -> String {
  guard let problem else { return "" }
  defer { g_error_free(problem) }
  return problem.pointee.message.map { String(cString: $0) } ?? ""
}

/// An element or pipeline, with one reference held.
///
/// `@unchecked Sendable` holds because GstObject counts references atomically, and an element's properties, states,
/// pads and queries may be used from any thread. Calls that must happen in order run on the owner's worker.
final class Element: @unchecked Sendable {
  let pointer: UnsafeMutablePointer<GstElement>

  /// Takes ownership of a floating reference.
  init(sinking pointer: UnsafeMutablePointer<GstElement>) {
    gst_object_ref_sink(pointer)
    self.pointer = pointer
  }

  deinit { gst_object_unref(pointer) }

  /// Makes an element of a plugin.
  /// - Throws: 7202 when no plugin provides it.
  static func make(_ factory: String, name: String? = nil) throws(VitrineError) -> Element {
    guard let pointer = gst_element_factory_make(factory, name) else {
      throw VitrineError(
        7202, subject: factory, message: "this GStreamer element is missing",
        remedy: "install the packages of deploy/packages.txt, section [run]")
    }
    return Element(sinking: pointer)
  }

  static func pipeline(name: String) throws(VitrineError) -> Element {
    guard let pointer = gst_pipeline_new(name) else {
      throw VitrineError(
        7204, subject: "pipeline", message: "GStreamer could not make a pipeline", remedy: "free memory")
    }
    return Element(sinking: pointer)
  }

  static func bin(name: String) throws(VitrineError) -> Element {
    guard let pointer = gst_bin_new(name) else {
      throw VitrineError(7204, subject: "bin", message: "GStreamer could not make a bin", remedy: "free memory")
    }
    return Element(sinking: pointer)
  }

  static func exists(_ factory: String) -> Bool {
    guard let found = gst_element_factory_find(factory) else { return false }
    gst_object_unref(UnsafeMutableRawPointer(found))
    return true
  }

  // MARK: Properties: one that this version of the element doesn't have is skipped.

  func ifPresent(_ name: String, _ body: () -> Void) {
    if vit_has_property(pointer, name) != 0 { body() }
  }
  func set(_ name: String, _ value: Bool) { ifPresent(name) { vit_set_bool(pointer, name, value ? 1 : 0) } }
  func set(_ name: String, int value: Int32) { ifPresent(name) { vit_set_int(pointer, name, value) } }
  func set(_ name: String, int64 value: Int64) { ifPresent(name) { vit_set_int64(pointer, name, value) } }
  func set(_ name: String, uint64 value: UInt64) { ifPresent(name) { vit_set_uint64(pointer, name, value) } }
  func set(_ name: String, _ value: Double) { ifPresent(name) { vit_set_double(pointer, name, value) } }
  func set(_ name: String, _ value: String) { ifPresent(name) { vit_set_string(pointer, name, value) } }
  func set(_ name: String, _ value: Element) { ifPresent(name) { vit_set_object(pointer, name, value.pointer) } }
  func set(_ name: String, _ value: Caps) { ifPresent(name) { vit_set_caps(pointer, name, value.pointer) } }
  /// Sets enumerations and flags by their nicks: `flags` = `video+audio`.
  func set(_ name: String, nick value: String) { ifPresent(name) { gst_util_set_object_arg(object, name, value) } }

  /// Reads a text property; nil when it is not set or this version of the element doesn't have it.
  func string(_ name: String) -> String? {
    guard vit_has_property(pointer, name) != 0, let text = vit_get_string(pointer, name) else { return nil }
    defer { g_free(text) }
    return String(cString: text)
  }

  private var object: UnsafeMutablePointer<GObject> {
    UnsafeMutableRawPointer(pointer).assumingMemoryBound(to: GObject.self)
  }

  // MARK: Building

  func add(_ children: Element...) { add(children) }

  func add(_ children: [Element]) {
    for child in children { gst_bin_add(vit_bin(pointer), child.pointer) }
  }

  /// Removes a child and shuts it down.
  func remove(_ child: Element) {
    gst_bin_remove(vit_bin(pointer), child.pointer)
    _ = child.setState(GST_STATE_NULL)
  }

  /// - Throws: 7203 when the two have no format in common.
  func link(to other: Element) throws(VitrineError) {
    guard gst_element_link(pointer, other.pointer) != 0 else {
      throw VitrineError(
        7203, subject: name, message: "can't be linked to \(other.name)", remedy: "report this as a bug")
    }
  }

  func staticPad(_ name: String) -> Pad? { gst_element_get_static_pad(pointer, name).map(Pad.init(adopting:)) }

  var name: String {
    guard
      let text = gst_object_get_name(
        UnsafeMutableRawPointer(pointer).assumingMemoryBound(to: GstObject.self))
    else { return "element" }
    defer { g_free(text) }
    return String(cString: text)
  }

  /// The name of the factory that made the element.
  var factory: String {
    guard let factory = gst_element_get_factory(pointer), let name = vit_factory_name(factory) else { return "" }
    return String(cString: name)
  }

  /// The factory names of all elements inside, at any depth.
  func childFactories() -> Set<String> {
    var names: Set<String> = []
    guard let iterator = gst_bin_iterate_recurse(vit_bin(pointer)) else { return names }
    defer { gst_iterator_free(iterator) }
    let box = Unmanaged.passRetained(NameCollector())
    defer { box.release() }
    _ = gst_iterator_foreach(
      iterator,
      { value, data in
        guard let value, let data, let object = g_value_get_object(value) else { return }
        let element = object.assumingMemoryBound(to: GstElement.self)
        guard let factory = gst_element_get_factory(element), let name = vit_factory_name(factory) else { return }
        Unmanaged<NameCollector>.fromOpaque(data).takeUnretainedValue().names.insert(String(cString: name))
      }, box.toOpaque())
    names = box.takeUnretainedValue().names
    return names
  }

  /// Whether the element decodes video in hardware, according to its factory's metadata.
  var isHardwareDecoder: Bool { isVideoDecoder && words.contains("Hardware") }

  /// Whether the element decodes video on the processor, according to its factory's metadata.
  var isSoftwareDecoder: Bool { isVideoDecoder && !words.contains("Hardware") }

  var isVideoDecoder: Bool { words.isSuperset(of: ["Decoder", "Video"]) }

  var isVideoParser: Bool { words.isSuperset(of: ["Parser", "Video"]) }

  private var words: Set<Substring> { gst_element_get_factory(pointer).map(Self.words) ?? [] }

  /// The decoder of video inside, at any depth.
  var videoDecoder: (name: String, isHardware: Bool)? {
    for name in childFactories().sorted() {
      guard let factory = gst_element_factory_find(name) else { continue }
      defer { gst_object_unref(UnsafeMutableRawPointer(factory)) }
      let words = Self.words(of: factory)
      if words.isSuperset(of: ["Decoder", "Video"]) { return (name, words.contains("Hardware")) }
    }
    return nil
  }

  /// The words of a factory's class, such as Decoder, Video, Hardware.
  private static func words(of factory: OpaquePointer) -> Set<Substring> {
    guard let words = gst_element_factory_get_metadata(factory, "klass") else { return [] }
    return Set(String(cString: words).split(separator: "/"))
  }

  // MARK: States, clock, queries

  /// Sets the state. Any thread; blocks for as long as a plugin takes, so don't call it on the loop.
  func setState(_ state: GstState) -> GstStateChangeReturn { gst_element_set_state(pointer, state) }

  func setBaseTime(_ instant: Instant) {
    gst_element_set_base_time(pointer, GstClockTime(max(0, instant.nanoseconds)))
  }

  func queryDuration() -> Duration? {
    var value: gint64 = -1
    guard gst_element_query_duration(pointer, GST_FORMAT_TIME, &value) != 0, value >= 0 else { return nil }
    return .nanoseconds(Int64(value))
  }

  func queryIsSeekable() -> Bool {
    guard let query = gst_query_new_seeking(GST_FORMAT_TIME) else { return false }
    defer { vit_query_unref(query) }
    guard gst_element_query(pointer, query) != 0 else { return false }
    var isSeekable: gboolean = 0
    gst_query_parse_seeking(query, nil, &isSeekable, nil, nil)
    return isSeekable != 0
  }

  /// The range in which seeks are possible, as far as it is known; nil where none is.
  func querySeekable() -> Range<Duration>? {
    guard let query = gst_query_new_seeking(GST_FORMAT_TIME) else { return nil }
    defer { vit_query_unref(query) }
    guard gst_element_query(pointer, query) != 0 else { return nil }
    var isSeekable: gboolean = 0
    var start: gint64 = 0
    var end: gint64 = -1
    gst_query_parse_seeking(query, nil, &isSeekable, &start, &end)
    guard isSeekable != 0 else { return nil }
    let first = Duration.nanoseconds(max(0, Int64(start)))
    let last = end >= 0 ? .nanoseconds(Int64(end)) : queryDuration() ?? .zero
    return first < last ? first..<last : nil
  }

  func queryPosition() -> Duration? {
    var value: gint64 = -1
    guard gst_element_query_position(pointer, GST_FORMAT_TIME, &value) != 0, value >= 0 else { return nil }
    return .nanoseconds(Int64(value))
  }

  /// The parts of the item that its buffers hold, as shares of the whole; empty where the pipeline doesn't say.
  func queryBuffered() -> [Range<Double>] {
    guard let query = gst_query_new_buffering(GST_FORMAT_PERCENT) else { return [] }
    defer { vit_query_unref(query) }
    guard gst_element_query(pointer, query) != 0 else { return [] }
    return (0..<gst_query_get_n_buffering_ranges(query)).compactMap { index in
      var start: gint64 = -1
      var end: gint64 = -1
      guard gst_query_parse_nth_buffering_range(query, index, &start, &end) != 0, start >= 0, start < end else {
        return nil
      }
      let whole = 1_000_000.0  // GST_FORMAT_PERCENT_MAX, a macro
      return Double(start) / whole..<min(1, Double(end) / whole)
    }
  }

  /// The size in bytes of a playbin's source; nil where the source doesn't say.
  func querySourceSize() -> Int64? {
    guard vit_has_property(pointer, "source") != 0, let source = vit_get_element(pointer, "source") else { return nil }
    defer { gst_object_unref(source) }
    var length: gint64 = -1
    return gst_element_query_duration(source, GST_FORMAT_BYTES, &length) != 0 && length > 0 ? Int64(length) : nil
  }

  /// How far a playbin's source has read, as a share of the whole; nil where the source doesn't say.
  func queryReadShare() -> Double? {
    // A playbin3 has no such property.
    guard vit_has_property(pointer, "source") != 0, let source = vit_get_element(pointer, "source") else { return nil }
    defer { gst_object_unref(source) }
    var position: gint64 = -1
    var length: gint64 = -1
    guard gst_element_query_position(source, GST_FORMAT_BYTES, &position) != 0,
      gst_element_query_duration(source, GST_FORMAT_BYTES, &length) != 0, position >= 0, length > 0
    else { return nil }
    return min(1, Double(position) / Double(length))
  }

  /// The least latency of a live pipeline; zero for other pipelines.
  func queryLatency() -> Duration {
    guard let query = gst_query_new_latency() else { return .zero }
    defer { vit_query_unref(query) }
    guard gst_element_query(pointer, query) != 0 else { return .zero }
    var isLive: gboolean = 0
    var least: GstClockTime = 0
    gst_query_parse_latency(query, &isLive, &least, nil)
    return isLive != 0 && least != .none ? .nanoseconds(Int64(clamping: least)) : .zero
  }

  func recalculateLatency() { gst_bin_recalculate_latency(vit_bin(pointer)) }
}

private final class NameCollector {
  var names: Set<String> = []
}

extension GstClockTime {
  static var none: GstClockTime { GstClockTime.max }
  /// Nil for GST_CLOCK_TIME_NONE.
  var duration: Duration? { self == .none ? nil : .nanoseconds(Int64(clamping: self)) }
}
