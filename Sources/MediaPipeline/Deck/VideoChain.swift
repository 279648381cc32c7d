internal import CGStreamer
internal import CGStreamerShims
internal import MainLoop
internal import PlaybackCore

/// The elements between a decoder and the deck's video sink: the stages of a `VideoTreatment`; none for frames that
/// need nothing.
///
/// A film's caps and tags say what it needs, and tags may come after the caps. So the decision is held until the first
/// frame: caps and the events behind them wait at the entry, then `VideoTreatment` decides, the stages are inserted on
/// the frame's thread, and everything goes on into them. When caps or tags change in the middle of a film, the decision
/// is made again; stages are only replaced where the treatment has changed.
///
/// Decoders are told that the output's own formats are preferred and that any other raw format is accepted.
final class VideoChain: Sendable {
  /// Takes decoded frames at its pad `sink`; ends in the deck's sink.
  let bin: Element
  /// The pad where frames arrive as they were decoded.
  let input: Pad
  /// The inside of `input`, where the bin passes frames on.
  private let entry: Pad
  private let end: Pad
  private let accepted: Caps
  private let raw: Caps
  private let demand: VideoDemand
  private let sharesFrames: Bool
  /// Gives the chip that converts frames that the processor can't read; nil on boards without one.
  private let chip: @Sendable () -> GraphicsChip?
  /// Whether frames of a size have to be fitted, because the plane doesn't scale them.
  private let mustFit: @Sendable (PixelSize) -> Bool
  private let state = Locked(State())

  /// Frames of this size and shape are on their way. `interval`: from picture to picture; nil: it varies.
  typealias Observer = @Sendable (VideoFacts, _ interval: Duration?) -> Void
  /// The treatment of frames from now on; `isShared`: they come in dmabufs. Returns whether each frame is copied that
  /// could have been shown without a copy.
  typealias PathObserver = @Sendable (VideoTreatment, _ isShared: Bool) -> Bool

  private struct Told: Hashable, Sendable {
    var video: VideoFacts
    var interval: Duration?
  }

  private struct Path: Hashable, Sendable {
    var treatment: VideoTreatment
    var isShared: Bool
  }

  private struct State: Sendable {
    /// The decoder's latest caps.
    var caps: Caps?
    /// The frame size in those caps; nil for caps that only the sink understands.
    var frameSize: PixelSize?
    /// The orientation in the stream's latest tags; nil before any.
    var orientation: PictureOrientation?
    /// The orientation in the file, for streams whose tags have none.
    var fileOrientation: PictureOrientation?
    /// An interlaced frame has come, under caps that leave scanning to each frame.
    var hasFields = false
    /// The last report to the observer.
    var told: Told?
    /// Whether the stages suit what comes; until then nothing passes.
    var isDecided = false
    /// The stream's end, or a gap, has come since the caps: it needs a segment, and no caps.
    var hasNoFrames = false
    /// The plane doesn't scale frames of this size.
    var fitsFrames = false
    var treatment = VideoTreatment.none
    var stages: [Element] = []
    /// The old stages are giving out their last frames.
    var isDraining = false
    var observer: Observer?
    var pathObserver: PathObserver?
    /// The last report to the path's observer, and whether frames are copied on that path.
    var path: Path?
    var copies = false
    /// Copied frames since the last `drainCopiedCount`.
    var copied = 0
  }

  /// - Parameters:
  ///   - tail: the elements behind the stages, in order and not yet linked; the last one is the deck's sink.
  ///   - accepted: the caps that the tail accepts.
  ///   - sharesFrames: whether a compositor reads the last stage's frames.
  ///   - chip: gives the graphics chip, for frames that the processor can't read and that have to be changed.
  ///   - mustFit: whether a scaling plane can't scale frames of this size, so that a stage has to; asked for each
  ///     frame.
  /// - Throws: 7203 where the tail can't be linked.
  init(
    into tail: [Element], accepting accepted: Caps, demand: VideoDemand, sharesFrames: Bool = false,
    chip: @escaping @Sendable () -> GraphicsChip? = { nil },
    mustFit: @escaping @Sendable (PixelSize) -> Bool = { _ in false }
  ) throws(VitrineError) {
    let bin = try Element.bin(name: "video-chain")
    bin.add(tail)
    for (element, next) in zip(tail, tail.dropFirst()) { try element.link(to: next) }
    guard let end = tail.first?.staticPad("sink"), let raw = Caps("video/x-raw(ANY)"),
      let ghost = gst_ghost_pad_new("sink", end.pointer)
    else { throw Self.broken("the end of the video chain has no pad") }
    gst_element_add_pad(bin.pointer, ghost)
    guard let input = bin.staticPad("sink"), let entry = input.insideOfGhost else {
      throw Self.broken("the video chain has no pad")
    }
    (self.bin, self.end, self.input, self.entry) = (bin, end, input, entry)
    (self.accepted, self.raw, self.demand) = (accepted, raw, demand)
    self.sharesFrames = sharesFrames
    self.chip = chip
    self.mustFit = mustFit
    watch()
  }

  /// From one decoded frame to the next, which is how far a step goes; nil before the first one, and where it varies.
  var frameInterval: Duration? { state.withLock { $0.caps }?.video?.frameInterval }

  /// From one picture on the screen to the next: an interlaced frame may yield two pictures.
  var pictureInterval: Duration? { state.withLock { $0.told }?.interval }

  /// Calls `observe` on the streaming thread before the first frame, and whenever the frames' format changes.
  func observe(_ observe: @escaping Observer) { state.withLock { $0.observer = observe } }

  /// Calls `observe` on the streaming thread with the first frame, and whenever the treatment changes.
  func observePath(_ observe: @escaping PathObserver) { state.withLock { $0.pathObserver = observe } }

  /// How many frames were copied since the last call that could have been shown without a copy.
  func drainCopiedCount() -> Int {
    state.withLock { state in
      defer { state.copied = 0 }
      return state.copied
    }
  }

  /// Sets the orientation for streams whose tags have none. Call before the first frame.
  func assume(_ orientation: PictureOrientation?) { change { $0.fileOrientation = orientation } }

  // MARK: Streaming thread

  private func watch() {
    // Repairs caps before any other probe reads them.
    input.intercept(GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM) { info in
      vit_repair_caps(info)
      return GST_PAD_PROBE_OK
    }
    input.observeEvents { [weak self] event in self?.handleEvent(event) }
    input.intercept(GST_PAD_PROBE_TYPE_QUERY_DOWNSTREAM) { [weak self] info in
      guard let self, let query = gst_pad_probe_info_get_query(info) else { return GST_PAD_PROBE_OK }
      return answer(query) ? GST_PAD_PROBE_HANDLED : GST_PAD_PROBE_OK
    }
    entry.intercept(GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM) { [weak self] info in
      guard let self, let event = gst_pad_probe_info_get_event(info) else { return GST_PAD_PROBE_OK }
      // Dropped caps stay sticky on the pad, and are sent before the next frame, as are the events that must not
      // overtake them.
      return mayPass(event) ? GST_PAD_PROBE_OK : GST_PAD_PROBE_DROP
    }
    entry.intercept(GST_PAD_PROBE_TYPE_BUFFER) { [weak self] info in
      guard let self, let buffer = gst_pad_probe_info_get_buffer(info) else { return GST_PAD_PROBE_OK }
      guard isReady(for: buffer) || decide() else { return GST_PAD_PROBE_DROP }
      // Checked for each frame: a decoder that runs short of buffers copies one now and then.
      reportPath(of: buffer)
      return GST_PAD_PROBE_OK
    }
    end.intercept(GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM) { [weak self] info in
      guard let self, let event = gst_pad_probe_info_get_event(info), vit_event_type(event) == GST_EVENT_EOS else {
        return GST_PAD_PROBE_OK
      }
      return state.withLock { $0.isDraining } ? GST_PAD_PROBE_DROP : GST_PAD_PROBE_OK
    }
  }

  private func handleEvent(_ event: UnsafeMutablePointer<GstEvent>) {
    switch vit_event_type(event) {
    case GST_EVENT_STREAM_START: change { $0.orientation = nil }
    case GST_EVENT_TAG:
      var tags: UnsafeMutablePointer<GstTagList>?
      gst_event_parse_tag(event, &tags)
      // Tags come in several events: one that this event doesn't name keeps its value.
      guard let tags, let name = tag("image-orientation", of: tags), let orientation = PictureOrientation(name: name)
      else { return }
      change { $0.orientation = orientation }
    case GST_EVENT_CAPS:
      var caps: UnsafeMutablePointer<GstCaps>?
      gst_event_parse_caps(event, &caps)
      guard let caps else { return }
      change { state in
        let caps = Caps(borrowing: caps)
        state.caps = caps
        state.frameSize = caps.video?.size.pixels
        state.hasFields = false
        state.hasNoFrames = false
      }
    // The stream has ended, or has a gap, without a frame.
    case GST_EVENT_EOS, GST_EVENT_GAP: state.withLock { $0.hasNoFrames = true }
    default: break
    }
  }

  /// Records a fact that may need other stages, from the next frame on.
  private func change(_ body: (inout State) -> Void) {
    state.withLock { state in
      body(&state)
      state.isDecided = false
    }
  }

  private func mayPass(_ event: UnsafeMutablePointer<GstEvent>) -> Bool {
    let (isDecided, hasNoFrames) = state.withLock { ($0.isDecided, $0.hasNoFrames) }
    return switch vit_event_type(event) {
    case GST_EVENT_CAPS: isDecided
    case GST_EVENT_SEGMENT, GST_EVENT_TAG: isDecided || hasNoFrames
    default: true
    }
  }

  /// Whether the stages are right for a frame.
  private func isReady(for frame: UnsafeMutablePointer<GstBuffer>) -> Bool {
    let isInterlaced = vit_buffer_is_interlaced(frame) != 0
    // Within a stream, one refusal is final.
    let isRefused =
      demand.shape.isPlaced
      && state.withLock { $0.fitsFrames ? nil : $0.frameSize }.map(mustFit) ?? false
    return state.withLock { state in
      if isRefused {
        state.fitsFrames = true
        state.isDecided = false
      }
      if isInterlaced, !state.hasFields {
        state.hasFields = true
        state.isDecided = false
      }
      return state.isDecided
    }
  }

  /// Whether a query of the decoder's has been answered here.
  private func answer(_ query: UnsafeMutablePointer<GstQuery>) -> Bool {
    switch vit_query_type(query) {
    case GST_QUERY_CAPS: return accepted.followed(by: raw).answer(query)
    case GST_QUERY_ACCEPT_CAPS: return raw.answer(query)
    case GST_QUERY_ALLOCATION:
      // Decoders ask right after their caps, before stages are chosen. Inserting stages makes them ask again.
      guard !state.withLock({ $0.isDecided }) else { return false }
      vit_answer_allocation(query, guint(MediaOutput.framesHeld))
      return true
    default: return false
    }
  }

  /// Inserts the right stages; false where that failed, which is posted on the bus.
  private func decide() -> Bool {
    let (caps, orientation, hasFields, old, fitsFrames) = state.withLock {
      ($0.caps, $0.orientation ?? $0.fileOrientation ?? .upright, $0.hasFields, $0.treatment, $0.fitsFrames)
    }
    var demand = demand
    if fitsFrames { demand.shape = demand.shape.withoutPlane }
    guard let caps, let video = caps.video else {
      // Caps that only the sink understands, such as those of a special kind of memory, pass unchanged.
      state.withLock { $0.isDecided = true }
      return true
    }
    let facts = VideoFacts(
      size: video.size, orientation: orientation,
      isInterlaced: video.scan == .interlaced || (video.scan == .mixed && hasFields), colour: video.colour,
      isAccepted: caps.intersects(accepted))
    var treatment = VideoTreatment(facts, for: demand)
    if caps.memory != .plain, !treatment.stages.isEmpty, chip() != nil, let byGraphics = treatment.byGraphics {
      treatment = byGraphics
    }
    do throws(VitrineError) {
      if treatment != old { try use(treatment) }
    } catch {
      fail(error)
      return false
    }
    let doubles = treatment.stages.contains(.deinterlace(.fields))
    let news = Told(video: facts, interval: video.frameInterval.map { doubles ? $0 / 2 : $0 })
    let observer = state.withLock { state in
      defer { state.told = news }
      state.isDecided = true
      return state.told == news ? nil : state.observer
    }
    observer?(news.video, news.interval)
    return true
  }

  private func reportPath(of frame: UnsafeMutablePointer<GstBuffer>) {
    let isShared = vit_buffer_is_dmabuf(frame) != 0
    let news: (PathObserver, Path)? = state.withLock { state in
      let path = Path(treatment: state.treatment, isShared: isShared)
      defer { state.path = path }
      if state.path != path, let observer = state.pathObserver { return (observer, path) }
      if state.copies { state.copied += 1 }
      return nil
    }
    guard let (observe, path) = news else { return }
    let copies = observe(path.treatment, path.isShared)
    state.withLock { state in
      state.copies = copies
      if copies { state.copied += 1 }
    }
  }

  private func use(_ treatment: VideoTreatment) throws(VitrineError) {
    let stages = try VideoStages.elements(for: treatment, chip: chip())
    let old = state.withLock { $0.stages }
    drain(old)
    bin.add(stages)
    for (stage, next) in zip(stages, stages.dropFirst()) { try stage.link(to: next) }
    let first = stages.first.flatMap { $0.staticPad("sink") } ?? end
    // Removed before the input's data can flow into them.
    for stage in old { bin.remove(stage) }
    guard input.setTarget(first) else { throw Self.broken("the video chain can't be linked") }
    if let last = stages.last?.staticPad("src"), !last.link(to: end) {
      throw Self.broken("the video chain can't be linked to its end")
    }
    if sharesFrames, treatment.stages.contains(where: \.isProcessors) {
      stages.last?.staticPad("src")?.offerSharedFrames()
    }
    for stage in stages.reversed() { gst_element_sync_state_with_parent(stage.pointer) }
    state.withLock { state in
      state.stages = stages
      state.treatment = treatment
    }
  }

  /// Makes stages give out the frames that they still hold. The end-of-stream event that makes them do so is dropped at
  /// `end`.
  private func drain(_ stages: [Element]) {
    guard let first = stages.first?.staticPad("sink") else { return }
    state.withLock { $0.isDraining = true }
    gst_pad_send_event(first.pointer, gst_event_new_eos())
    state.withLock { $0.isDraining = false }
  }

  private func fail(_ error: VitrineError) {
    gst_element_message_full(
      bin.pointer, GST_MESSAGE_ERROR, gst_core_error_quark(), gint(GST_CORE_ERROR_MISSING_PLUGIN.rawValue),
      g_strdup("\(error.subject): \(error.message)"), g_strdup(error.remedy), #fileID, #function, #line)
  }

  private static func broken(_ message: String) -> VitrineError {
    VitrineError(7203, subject: "video chain", message: message, remedy: "report this as a bug")
  }
}
