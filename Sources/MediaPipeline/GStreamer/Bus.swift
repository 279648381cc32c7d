internal import CCrash
internal import CGStreamer
internal import CGStreamerShims
internal import CElements
internal import MainLoop
internal import PlaybackCore

/// The messages of a pipeline's bus that are handled. All others are ignored on purpose:
/// docs/decisions/0004-bus-messages.md.
enum BusMessage: Sendable {
  case asyncDone
  case stateChanged(GstState)
  case error(MediaFault)
  case warning(MediaFault)
  case buffering(percent: Int)
  case durationChanged
  case latency
  case clockLost
  case tags(MediaMetadata)
  /// A picture file embedded in the item.
  case cover([UInt8], isFront: Bool)
  /// The starts of the chapters.
  case chapters([Duration])
  /// The kind of medium that a server sends; of a list of addresses and of HLS, also its text.
  case medium(ServedMedium, ServedText)
  /// Frames that an element has dropped so far.
  case quality(dropped: UInt64, element: String)
}

/// A list or playlist as a server has sent it.
struct ServedText: Sendable {
  /// Empty for any other medium.
  var bytes: [UInt8] = []
  /// The address that sent the text, after all redirects. Addresses in the text are relative to it.
  var address = ""
  /// Of the farthest server that named or redirected to it.
  var reach: NetworkReach?

  /// Completes an address that the text names. Nil for what is no address, and for an address outside of the web.
  func resolve(_ reference: String) -> String? {
    guard let resolved = g_uri_resolve_relative(address, reference, G_URI_FLAGS_ENCODED, nil) else { return nil }
    defer { g_free(resolved) }
    let uri = String(cString: resolved)
    return uri.hasPrefix("http://") || uri.hasPrefix("https://") ? uri : nil
  }
}

/// Reads a bus on the threads that post to it, so that a message is handled at once instead of through a bus watch.
enum Bus {
  /// Calls `receive` for each message, on the posting thread, until `release`. The bus stores no messages.
  ///
  /// - Parameters:
  ///   - waylandDisplay: address of the `wl_display` for sinks that ask for one; zero for none.
  ///   - computes: the pipeline's threads decode: threads that have to answer are scheduled before them.
  ///   - deck: the pipeline's deck, which a crash report names when one of its threads crashes.
  static func receiveMessages(
    from pipeline: Element, waylandDisplay: UInt = 0, computes: Bool = false, deck: DeckID? = nil,
    _ receive: @escaping @Sendable (BusMessage) -> Void
  ) {
    guard let bus = gst_element_get_bus(pipeline.pointer) else { return }
    defer { gst_object_unref(bus) }
    let reader = BusReader(
      pipeline: pipeline, waylandDisplay: waylandDisplay, computes: computes, deck: deck, receive)
    let box = Unmanaged.passRetained(reader).toOpaque()
    gst_bus_set_sync_handler(
      bus,
      { _, message, data in
        if let message {
          if let data {
            Unmanaged<BusReader>.fromOpaque(data).takeUnretainedValue().read(message)
          }
          vit_message_unref(message)  // a handler that drops a message owns it
        }
        return GST_BUS_DROP
      }, box,
      { data in if let data { Unmanaged<BusReader>.fromOpaque(data).release() } })
  }

  /// Ends the calls of `receive`; one that is running right now still finishes.
  static func release(_ pipeline: Element) {
    guard let bus = gst_element_get_bus(pipeline.pointer) else { return }
    defer { gst_object_unref(bus) }
    gst_bus_set_sync_handler(bus, nil, nil, nil)
    gst_bus_set_flushing(bus, 1)
  }
}

private final class BusReader: Sendable {
  /// Only compared with the source of a message, never followed: the pipeline owns the bus that owns the reader.
  private let pipelineAddress: UInt
  private let waylandDisplay: UInt
  private let computes: Bool
  private let deck: DeckID?
  private let receive: @Sendable (BusMessage) -> Void

  init(
    pipeline: Element, waylandDisplay: UInt, computes: Bool, deck: DeckID?,
    _ receive: @escaping @Sendable (BusMessage) -> Void
  ) {
    self.deck = deck
    pipelineAddress = UInt(bitPattern: pipeline.pointer)
    self.waylandDisplay = waylandDisplay
    self.computes = computes
    self.receive = receive
  }

  func read(_ message: UnsafeMutablePointer<GstMessage>) {
    let type = vit_message_type(message)
    switch type {
    case GST_MESSAGE_ERROR, GST_MESSAGE_WARNING:
      let fault = readFault(message, isError: type == GST_MESSAGE_ERROR)
      receive(type == GST_MESSAGE_ERROR ? .error(fault) : .warning(fault))
    case GST_MESSAGE_ASYNC_DONE: if isFromPipeline(message) { receive(.asyncDone) }
    case GST_MESSAGE_STATE_CHANGED: if isFromPipeline(message) { receive(.stateChanged(readState(message))) }
    case GST_MESSAGE_BUFFERING:
      var percent: gint = 0
      gst_message_parse_buffering(message, &percent)
      receive(.buffering(percent: Int(percent)))
    case GST_MESSAGE_DURATION_CHANGED: receive(.durationChanged)
    case GST_MESSAGE_LATENCY: receive(.latency)
    case GST_MESSAGE_CLOCK_LOST: receive(.clockLost)
    case GST_MESSAGE_QOS:
      var format = GST_FORMAT_UNDEFINED
      var processed: guint64 = 0
      var dropped: guint64 = 0
      gst_message_parse_qos_stats(message, &format, &processed, &dropped)
      if format == GST_FORMAT_BUFFERS || format == GST_FORMAT_DEFAULT, dropped != UInt(bitPattern: -1) {
        receive(.quality(dropped: UInt64(dropped), element: sourceName(message)))
      }
    case GST_MESSAGE_TAG:
      var tags: UnsafeMutablePointer<GstTagList>?
      gst_message_parse_tag(message, &tags)
      guard let tags else { break }
      defer { vit_tags_unref(tags) }
      let metadata = MediaMetadata(tags)
      if !metadata.isEmpty { receive(.tags(metadata)) }
      if let cover = CoverTag.best(of: tags) { receive(.cover(cover.bytes, isFront: cover.isFront)) }
    case GST_MESSAGE_TOC:
      var toc: OpaquePointer?
      gst_message_parse_toc(message, &toc, nil)
      guard let toc else { break }
      defer { gst_mini_object_unref(UnsafeMutablePointer<GstMiniObject>(toc)) }
      receive(.chapters(Chapters.starts(of: toc)))
    case GST_MESSAGE_ELEMENT: readMedium(message)
    case GST_MESSAGE_NEED_CONTEXT: giveContext(message)
    case GST_MESSAGE_STREAM_STATUS: threadChanged(message)
    default: break
    }
  }

  /// Posted by the thread itself. GStreamer lends its threads to any pipeline in turn, so each sets its priority and
  /// deck when it enters.
  private func threadChanged(_ message: UnsafeMutablePointer<GstMessage>) {
    var type = GST_STREAM_STATUS_TYPE_CREATE
    gst_message_parse_stream_status(message, &type, nil)
    switch type {
    case GST_STREAM_STATUS_TYPE_ENTER:
      ThreadPriority.compute(inBulk: computes)
      vit_crash_thread_serves(deck?.generation ?? 0)
    case GST_STREAM_STATUS_TYPE_LEAVE: vit_crash_thread_serves(0)
    default: break
    }
  }

  /// Reads a source's message about the first bytes; other elements' messages are ignored.
  private func readMedium(_ message: UnsafeMutablePointer<GstMessage>) {
    guard let structure = gst_message_get_structure(message),
      gst_structure_has_name(structure, VIT_MEDIUM_MESSAGE) != 0
    else { return }
    var number: guint = 0
    guard gst_structure_get_uint(structure, "medium", &number) != 0,
      let medium = ServedMedium(number: number)
    else { return }
    var text = ServedText()
    if let value = gst_structure_get_value(structure, "list"), let bytes = g_value_get_boxed(value) {
      var size: gsize = 0
      if let data = g_bytes_get_data(OpaquePointer(bytes), &size) {
        text.bytes = Array(UnsafeRawBufferPointer(start: data, count: Int(size)))
      }
    }
    if let address = gst_structure_get_string(structure, "address") { text.address = String(cString: address) }
    var reach: guint = 0
    gst_structure_get_uint(structure, "reach", &reach)
    text.reach = NetworkReach(rawValue: Int(reach))
    receive(.medium(medium, text))
  }

  private func isFromPipeline(_ message: UnsafeMutablePointer<GstMessage>) -> Bool {
    UInt(bitPattern: vit_message_source(message)) == pipelineAddress
  }

  private func readState(_ message: UnsafeMutablePointer<GstMessage>) -> GstState {
    var state = GST_STATE_NULL
    gst_message_parse_state_changed(message, nil, &state, nil)
    return state
  }

  private func sourceName(_ message: UnsafeMutablePointer<GstMessage>) -> String {
    guard let source = vit_message_source(message), let name = gst_object_get_name(source) else { return "" }
    defer { g_free(name) }
    return String(cString: name)
  }

  /// Gives a Wayland sink the player's own connection; the sink names the context type that it understands.
  private func giveContext(_ message: UnsafeMutablePointer<GstMessage>) {
    var type: UnsafePointer<gchar>?
    guard gst_message_parse_context_type(message, &type) != 0, let type, let source = vit_message_source(message),
      let display = UnsafeMutableRawPointer(bitPattern: waylandDisplay)
    else { return }
    let name = String(cString: type)
    guard name == "GstWlDisplayHandleContextType" || name == "GstWaylandDisplayHandleContextType" else { return }
    vit_give_wayland_display(UnsafeMutableRawPointer(source).assumingMemoryBound(to: GstElement.self), type, display)
  }

  private func readFault(_ message: UnsafeMutablePointer<GstMessage>, isError: Bool) -> MediaFault {
    var problem: UnsafeMutablePointer<GError>?
    var debug: UnsafeMutablePointer<gchar>?
    var details: UnsafePointer<GstStructure>?
    if isError {
      gst_message_parse_error(message, &problem, &debug)
      gst_message_parse_error_details(message, &details)
    } else {
      gst_message_parse_warning(message, &problem, &debug)
    }
    let domain = problem.map { $0.pointee.domain } ?? 0
    let code = problem.map { Int($0.pointee.code) } ?? 0
    let debugText = debug.map { String(cString: $0) } ?? ""
    g_free(debug)
    var status: guint = 0
    let hasStatus = details.map { gst_structure_get_uint($0, "http-status-code", &status) != 0 } ?? false
    var isUntrusted: gboolean = 0
    if let details { _ = gst_structure_get_boolean(details, "is-untrusted", &isUntrusted) }
    var isEarly: gboolean = 0
    if let details { _ = gst_structure_get_boolean(details, "is-early", &isEarly) }
    let isInDoubt =
      isEarly != 0 && ClockDoubt.explains(isNotYetValid: true, isSynchronised: GStreamerLibrary.isClockSynchronised)
    var refusal: guint = 0
    if let details { gst_structure_get_uint(details, VIT_REFUSAL_DETAIL, &refusal) }
    var flow: gint = 0
    let hasFlow = details.map { gst_structure_get_int($0, "flow-return", &flow) != 0 } ?? false
    return MediaFault(
      domain: MediaFault.Domain(quark: domain), code: code, message: consumeMessage(of: problem), debug: debugText,
      httpStatus: hasStatus ? Int(status) : nil, isUntrusted: isUntrusted != 0, isClockInDoubt: isInDoubt,
      refusal: RedirectPolicy.Refusal(rawValue: Int(refusal)),
      isUnlinked: hasFlow && flow == GST_FLOW_NOT_LINKED.rawValue, element: sourceName(message))
  }
}

extension MediaFault.Domain {
  init(quark: GQuark) {
    switch quark {
    case gst_resource_error_quark(): self = .resource
    case gst_stream_error_quark(): self = .stream
    case gst_core_error_quark(): self = .core
    case gst_library_error_quark(): self = .library
    default: self = .other
    }
  }
}
