internal import CGStreamer
internal import CGStreamerShims
internal import MainLoop
internal import PlaybackCore

/// What lies between a decoder and the deck's video sink: the stages of a `VideoTreatment`, and for frames that need
/// nothing, nothing at all.
///
/// What a film needs is known with its caps and its tags, and tags may come after the caps. So the decision is held until
/// the first frame: caps and what follows them wait at the entry, then `VideoTreatment` decides, the stages are put in on the
/// frame's own thread, and all of it goes on into them. The same again when caps or tags change in the middle of a film. A chain whose
/// treatment stays what it was is left alone.
///
/// Decoders are told that the output's own formats are liked best and that any other raw one will do.
final class VideoChain: Sendable {
  /// Takes decoded frames at its pad `sink`; ends in the deck's sink.
  let bin: Element
  /// The pad where frames arrive as they were decoded.
  let input: Pad
  /// Where it passes them on, inside of the bin.
  private let entry: Pad
  private let end: Pad
  private let accepted: Caps
  private let raw: Caps
  private let demand: VideoDemand
  private let sharesFrames: Bool
  /// What may write frames that the processor can't read.
  private let chip: @Sendable () -> GraphicsChip?
  /// Whether frames of a size have to be fitted, because the plane doesn't scale them.
  private let mustFit: @Sendable (PixelSize) -> Bool
  private let state = Locked(State())

  /// Frames of this size and shape are on their way. `interval`: from picture to picture; nil: it varies.
  typealias Observer = @Sendable (VideoFacts, _ interval: Duration?) -> Void
  /// What becomes of frames from now on; `isShared`: they come in dmabufs. Returns whether each of them is copied that needn't be.
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
    /// As the decoder told them last.
    var caps: Caps?
    /// What they say of the frames' size; nil for what only the sink understands.
    var frameSize: PixelSize?
    /// As the stream's tags told it last; nil before.
    var orientation: PictureOrientation?
    /// As the file has it, for streams whose tags don't say.
    var fileOrientation: PictureOrientation?
    /// A frame with two fields has come, of caps that leave it to the frames.
    var hasFields = false
    /// What the observer was told last.
    var told: Told?
    /// Whether the stages are right for what comes; until then nothing goes on.
    var isDecided = false
    /// The end of the stream, or a hole, has come since the caps: it needs a segment, and no caps.
    var hasNoFrames = false
    /// The plane doesn't scale what comes.
    var fitsFrames = false
    var treatment = VideoTreatment.none
    var stages: [Element] = []
    /// What comes out of the last stage is what is left of the treatment before.
    var isDraining = false
    var observer: Observer?
    var pathObserver: PathObserver?
    /// What that one was told last, and whether frames are copied on that path.
    var path: Path?
    var copies = false
    /// How many were, since somebody asked.
    var copied = 0
  }

  /// - Parameters:
  ///   - tail: what frames go into at last, in order and not yet linked; the last one is the deck's sink.
  ///   - accepted: what that takes.
  ///   - sharesFrames: whether a compositor reads what the last stage writes.
  ///   - chip: asked for frames that the processor can't read and that can't stay as they are.
  ///   - mustFit: asked for each frame of a plane that scales: whether frames of this size have to be fitted all the same.
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

  /// From frame to frame as decoded, which is how far a step goes; nil before the first one, and where it varies.
  var frameInterval: Duration? { state.withLock { $0.caps }?.video?.frameInterval }

  /// From picture to picture as they go to the screen: of a film with fields there may be two of a frame.
  var pictureInterval: Duration? { state.withLock { $0.told }?.interval }

  /// Calls `observe` on the streaming thread before the first frame, and where the frames become others.
  func observe(_ observe: @escaping Observer) { state.withLock { $0.observer = observe } }

  /// Calls `observe` on the streaming thread with the first frame, and where another thing is done to frames.
  func observePath(_ observe: @escaping PathObserver) { state.withLock { $0.pathObserver = observe } }

  /// How many frames were copied that needn't have been, since this was called last.
  func takeCopied() -> Int {
    state.withLock { state in
      defer { state.copied = 0 }
      return state.copied
    }
  }

  /// How frames are to be turned where no tag says it. Before the first frame.
  func assume(_ orientation: PictureOrientation?) { change { $0.fileOrientation = orientation } }

  // MARK: Streaming thread

  private func watch() {
    // Before all that reads them.
    input.intercept(GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM) { info in
      vit_repair_caps(info)
      return GST_PAD_PROBE_OK
    }
    input.observeEvents { [weak self] event in self?.noteEvent(event) }
    input.intercept(GST_PAD_PROBE_TYPE_QUERY_DOWNSTREAM) { [weak self] info in
      guard let self, let query = gst_pad_probe_info_get_query(info) else { return GST_PAD_PROBE_OK }
      return answer(query) ? GST_PAD_PROBE_HANDLED : GST_PAD_PROBE_OK
    }
    entry.intercept(GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM) { [weak self] info in
      guard let self, let event = gst_pad_probe_info_get_event(info) else { return GST_PAD_PROBE_OK }
      // Dropped caps stay with the pad, and are sent before the next frame; the same for what must not overtake them.
      return mayPass(event) ? GST_PAD_PROBE_OK : GST_PAD_PROBE_DROP
    }
    entry.intercept(GST_PAD_PROBE_TYPE_BUFFER) { [weak self] info in
      guard let self, let buffer = gst_pad_probe_info_get_buffer(info) else { return GST_PAD_PROBE_OK }
      guard isReady(for: buffer) || decide() else { return GST_PAD_PROBE_DROP }
      // Of each: a decoder that runs short of buffers copies now and then a frame.
      tellPath(of: buffer)
      return GST_PAD_PROBE_OK
    }
    end.intercept(GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM) { [weak self] info in
      guard let self, let event = gst_pad_probe_info_get_event(info), vit_event_type(event) == GST_EVENT_EOS else {
        return GST_PAD_PROBE_OK
      }
      return state.withLock { $0.isDraining } ? GST_PAD_PROBE_DROP : GST_PAD_PROBE_OK
    }
  }

  private func noteEvent(_ event: UnsafeMutablePointer<GstEvent>) {
    switch vit_event_type(event) {
    case GST_EVENT_STREAM_START: change { $0.orientation = nil }
    case GST_EVENT_TAG:
      var tags: UnsafeMutablePointer<GstTagList>?
      gst_event_parse_tag(event, &tags)
      // Tags come in pieces: what one doesn't name stays as it was.
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
    // A stream that has come to its end, or to a hole, without a frame.
    case GST_EVENT_EOS, GST_EVENT_GAP: state.withLock { $0.hasNoFrames = true }
    default: break
    }
  }

  /// Something is known that may need other stages, from the next frame on.
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
    // Of this stream, once is for good.
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
      // Decoders ask right behind their caps. Stages that are put in later have them ask again.
      guard !state.withLock({ $0.isDecided }) else { return false }
      vit_answer_allocation(query, guint(MediaOutput.framesHeld))
      return true
    default: return false
    }
  }

  /// Puts the right stages in; false where that failed, which is told on the bus.
  private func decide() -> Bool {
    let (caps, orientation, hasFields, old, fitsFrames) = state.withLock {
      ($0.caps, $0.orientation ?? $0.fileOrientation ?? .upright, $0.hasFields, $0.treatment, $0.fitsFrames)
    }
    var demand = demand
    if fitsFrames { demand.shape = demand.shape.withoutPlane }
    guard let caps, let video = caps.video else {
      // Caps that only the sink understands, such as those of a memory of its own: it has them as they are.
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

  private func tellPath(of frame: UnsafeMutablePointer<GstBuffer>) {
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
    // Before the input goes on to what they are still linked to.
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

  /// Has stages give out what they still hold, frames and not the end of the stream that makes them do so.
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
