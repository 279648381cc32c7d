internal import CGStreamer
internal import CGStreamerShims
internal import PlaybackCore

/// Caps, with one reference held.
///
/// `@unchecked Sendable` holds because shared caps are immutable and their reference count is atomic.
final class Caps: @unchecked Sendable {
  let pointer: UnsafeMutablePointer<GstCaps>

  init(adopting pointer: UnsafeMutablePointer<GstCaps>) { self.pointer = pointer }
  init(borrowing pointer: UnsafeMutablePointer<GstCaps>) { self.pointer = vit_caps_ref(pointer) }
  deinit { vit_caps_unref(pointer) }

  /// Fails for text that isn't caps.
  convenience init?(_ text: String) {
    guard let pointer = gst_caps_from_string(text) else { return nil }
    self.init(adopting: pointer)
  }

  var isEmpty: Bool { gst_caps_is_empty(pointer) != 0 }
  var isAny: Bool { gst_caps_is_any(pointer) != 0 }

  func intersects(_ other: Caps) -> Bool { gst_caps_can_intersect(pointer, other.pointer) != 0 }

  /// These caps and then `other`; earlier structures are preferred.
  func followed(by other: Caps) -> Caps {
    Caps(adopting: gst_caps_merge(gst_caps_copy(pointer), vit_caps_ref(other.pointer)))
  }

  func intersection(_ other: Caps) -> Caps { Caps(adopting: gst_caps_intersect(pointer, other.pointer)) }

  func subtracting(_ other: Caps) -> Caps { Caps(adopting: gst_caps_subtract(pointer, other.pointer)) }

  /// The part of these caps that `other` allows, in the order of these.
  func filtered(by other: Caps) -> Caps {
    Caps(adopting: gst_caps_intersect_full(pointer, other.pointer, GST_CAPS_INTERSECT_FIRST))
  }

  /// These caps without the structures that fix a size: a sink that can't scale names the screen's size as its first
  /// choice, and a scaler upstream would choose it and fill the rest of the frame with black bars.
  func withoutFixedSizes() -> Caps {
    guard let copy = gst_caps_copy(pointer) else { return self }
    for index in stride(from: Int(gst_caps_get_size(copy)) - 1, through: 0, by: -1) {
      guard let structure = gst_caps_get_structure(copy, guint(index)) else { continue }
      var width: gint = 0
      // Succeeds only for an int, not for a range.
      if gst_structure_get_int(structure, "width", &width) != 0 { gst_caps_remove_structure(copy, guint(index)) }
    }
    return Caps(adopting: copy)
  }

  var text: String {
    guard let text = gst_caps_to_string(pointer) else { return "" }
    defer { g_free(text) }
    return String(cString: text)
  }

  /// The format in fixed raw video caps; nil for any other caps.
  var video: VideoFormat? {
    guard gst_caps_is_fixed(pointer) != 0 else { return nil }
    // Size and shape don't depend on the memory layout. GStreamer 1.22 only: it can't parse caps of hardware layouts.
    if case .hardware(let format) = memory { return asPlain(format?.rawFormat ?? "NV12").video }
    var info = GstVideoInfo()
    guard vit_video_info(&info, pointer) != 0 else { return nil }
    let interval: Duration? =
      info.fps_n > 0 ? .nanoseconds(Int64(info.fps_d) * 1_000_000_000 / Int64(info.fps_n)) : nil
    return VideoFormat(
      size: PresentationSize(
        pixels: PixelSize(width: Int(info.width), height: Int(info.height)),
        pixelAspect: Ratio(numerator: Int(info.par_n), denominator: Int(info.par_d))),
      frameInterval: interval, colour: colour(info.colorimetry), scan: Self.scan(info.interlace_mode))
  }

  /// Whether fixed caps are RGB, which has no colour matrix to name.
  var isRGB: Bool {
    var info = GstVideoInfo()
    return vit_video_info(&info, pointer) != 0 && info.colorimetry.matrix == GST_VIDEO_COLOR_MATRIX_RGB
  }

  /// Bytes of a frame without padding; 0 for anything but raw video.
  var frameSize: gsize {
    guard memory == .plain else { return 0 }
    var info = GstVideoInfo()
    return vit_video_info(&info, pointer) != 0 ? info.size : 0
  }

  /// The memory that fixed caps name.
  var memory: FrameMemory {
    guard vit_caps_are_for_hardware(pointer) != 0 else { return .plain }
    return .hardware(vit_caps_drm_format(pointer).flatMap { DRMFormat(String(cString: $0)) })
  }

  func asPlain(_ format: String) -> Caps { Caps(adopting: vit_caps_as_plain(pointer, format)) }

  /// These caps without those in hardware memory, for frames that are read by something else than the screen.
  func withoutHardwareMemory() -> Caps { Caps(adopting: vit_caps_without_hardware(pointer)) }

  private static func scan(_ mode: GstVideoInterlaceMode) -> VideoFormat.Scan {
    switch mode {
    case GST_VIDEO_INTERLACE_MODE_PROGRESSIVE: .progressive
    case GST_VIDEO_INTERLACE_MODE_MIXED: .mixed
    default: .interlaced
    }
  }

  private func colour(_ colorimetry: GstVideoColorimetry) -> VideoColour {
    let matrix: VideoColour.Matrix =
      switch colorimetry.matrix {
      case GST_VIDEO_COLOR_MATRIX_BT601, GST_VIDEO_COLOR_MATRIX_FCC: .bt601
      case GST_VIDEO_COLOR_MATRIX_BT2020: .bt2020
      default: .bt709
      }
    let primaries: ColourPrimaries =
      switch colorimetry.primaries {
      case GST_VIDEO_COLOR_PRIMARIES_BT2020: .bt2020
      case GST_VIDEO_COLOR_PRIMARIES_SMPTEEG432, GST_VIDEO_COLOR_PRIMARIES_SMPTERP431: .p3
      default: .bt709
      }
    let hdr: HDRTransfer? =
      switch colorimetry.transfer {
      case GST_VIDEO_TRANSFER_SMPTE2084: .pq
      case GST_VIDEO_TRANSFER_ARIB_STD_B67: .hlg
      default: nil
      }
    return VideoColour(
      matrix: matrix, isFullRange: colorimetry.range == GST_VIDEO_COLOR_RANGE_0_255, primaries: primaries, hdr: hdr,
      light: hdr == nil ? HDRLight() : light)
  }

  /// The light levels of an HDR film in these caps.
  private var light: HDRLight {
    var level = GstVideoContentLightLevel()
    var light = HDRLight()
    if gst_video_content_light_level_from_caps(&level, pointer) != 0 {
      light.brightestPixel = level.max_content_light_level
      light.brightestFrame = level.max_frame_average_light_level
    }
    var info = GstVideoMasteringDisplayInfo()
    if gst_video_mastering_display_info_from_caps(&info, pointer) != 0 {
      func point(_ coordinates: GstVideoMasteringDisplayInfoCoordinates) -> HDRLight.Chromaticity {
        HDRLight.Chromaticity(x: coordinates.x, y: coordinates.y)
      }
      light.display = HDRLight.Display(
        red: point(info.display_primaries.0), green: point(info.display_primaries.1),
        blue: point(info.display_primaries.2), white: point(info.white_point),
        most: info.max_display_mastering_luminance, least: info.min_display_mastering_luminance)
    }
    return light
  }

  /// Answers a CAPS or ACCEPT_CAPS query with these caps; CAPS in the order of the query's filter, as every element
  /// does.
  ///
  /// - Returns: false, with nothing answered, for other queries.
  func answer(_ query: UnsafeMutablePointer<GstQuery>) -> Bool {
    switch vit_query_type(query) {
    case GST_QUERY_CAPS:
      var filter: UnsafeMutablePointer<GstCaps>?
      gst_query_parse_caps(query, &filter)
      let result = filter.map { Caps(borrowing: $0).filtered(by: self) } ?? self
      gst_query_set_caps_result(query, result.pointer)
    case GST_QUERY_ACCEPT_CAPS:
      var caps: UnsafeMutablePointer<GstCaps>?
      gst_query_parse_accept_caps(query, &caps)
      guard let caps else { return false }
      gst_query_set_accept_caps_result(query, Caps(borrowing: caps).intersects(self) ? 1 : 0)
    default: return false
    }
    return true
  }

  /// The pixel shape that the first structure asks for, if it asks for one.
  var pixelAspect: Ratio? {
    guard !isAny, !isEmpty, let structure = gst_caps_get_structure(pointer, 0) else { return nil }
    var numerator: gint = 0
    var denominator: gint = 0
    guard gst_structure_get_fraction(structure, "pixel-aspect-ratio", &numerator, &denominator) != 0 else { return nil }
    return Ratio(numerator: Int(numerator), denominator: Int(denominator))
  }
}

struct VideoFormat: Hashable, Sendable {
  var size: PresentationSize
  /// Nil for a variable frame rate.
  var frameInterval: Duration?
  var colour: VideoColour
  var scan = Scan.progressive

  enum Scan: Hashable, Sendable {
    case progressive
    case interlaced
    /// Each frame is marked as progressive or interlaced.
    case mixed
  }
}

/// A pad, with one reference held.
///
/// `@unchecked Sendable` holds for the same reason as for `Element`.
final class Pad: @unchecked Sendable {
  let pointer: UnsafeMutablePointer<GstPad>
  init(adopting pointer: UnsafeMutablePointer<GstPad>) { self.pointer = pointer }
  deinit { gst_object_unref(pointer) }

  /// The inner pad of a ghost pad. Only call on ghost pads.
  var insideOfGhost: Pad? {
    let proxy = UnsafeMutableRawPointer(pointer).assumingMemoryBound(to: GstProxyPad.self)
    return gst_proxy_pad_get_internal(proxy).map { inside in
      Pad(adopting: UnsafeMutableRawPointer(inside).assumingMemoryBound(to: GstPad.self))
    }
  }

  /// Sets the pad that a ghost pad stands for.
  func setTarget(_ target: Pad) -> Bool {
    let ghost = UnsafeMutableRawPointer(pointer).assumingMemoryBound(to: GstGhostPad.self)
    return gst_ghost_pad_set_target(ghost, target.pointer) != 0
  }

  func link(to other: Pad) -> Bool { gst_pad_link(pointer, other.pointer) == GST_PAD_LINK_OK }

  func queryCaps() -> Caps? { gst_pad_query_caps(pointer, nil).map(Caps.init(adopting:)) }

  /// Calls `observe` on the streaming thread for each downstream event (flushes included) before the event is passed
  /// on.
  func observeEvents(_ observe: @escaping @Sendable (UnsafeMutablePointer<GstEvent>) -> Void) {
    let types = GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM.rawValue | GST_PAD_PROBE_TYPE_EVENT_FLUSH.rawValue
    probe(GstPadProbeType(rawValue: types)) { _, info in
      if let event = gst_pad_probe_info_get_event(info) { observe(event) }
    }
  }

  /// Calls `observe` on the streaming thread with the running time of each buffer, before the element waits until the
  /// buffer is due.
  func observeArrivals(_ observe: @escaping @Sendable (Duration) -> Void) {
    probe(GST_PAD_PROBE_TYPE_BUFFER) { pad, info in
      guard let buffer = gst_pad_probe_info_get_buffer(info),
        let event = gst_pad_get_sticky_event(pad, GST_EVENT_SEGMENT, 0)
      else { return }
      defer { gst_event_unref(event) }
      var segment: UnsafePointer<GstSegment>?
      gst_event_parse_segment(event, &segment)
      if let running = gst_segment_to_running_time(segment, GST_FORMAT_TIME, vit_buffer_pts(buffer)).duration {
        observe(running)
      }
    }
  }

  /// Calls `observe` on the streaming thread for events, buffers or queries of these types, before they are passed on.
  func probe(_ types: GstPadProbeType, _ observe: @escaping PadObserver.Observe) {
    let box = Unmanaged.passRetained(PadObserver(observe))
    _ = gst_pad_add_probe(
      pointer, types,
      { pad, info, data in
        if let pad, let info, let data {
          Unmanaged<PadObserver>.fromOpaque(data).takeUnretainedValue().observe(pad, info)
        }
        return GST_PAD_PROBE_OK
      }, box.toOpaque(), { data in if let data { Unmanaged<PadObserver>.fromOpaque(data).release() } })
  }

  /// Completes the colours in a stream's caps: V4L2 drivers accept no format with partly known colours (a stream with
  /// "0:3:0:1" leaves v4l2h264dec without any), https://github.com/raspberrypi/linux/issues/7560.
  func completeColours() {
    intercept(GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM) { info in
      vit_complete_colorimetry(info)
      return GST_PAD_PROBE_OK
    }
  }

  /// Calls `decide` on the thread where data of these types passes; its answer says whether the data is passed on or
  /// dropped.
  func intercept(_ types: GstPadProbeType, _ decide: @escaping PadGuard.Decide) {
    let box = Unmanaged.passRetained(PadGuard(decide))
    _ = gst_pad_add_probe(
      pointer, types,
      { _, info, data in
        guard let info, let data else { return GST_PAD_PROBE_OK }
        return Unmanaged<PadGuard>.fromOpaque(data).takeUnretainedValue().decide(info)
      }, box.toOpaque(), { data in if let data { Unmanaged<PadGuard>.fromOpaque(data).release() } })
  }

  /// Answers ALLOCATION queries that no element downstream would answer, so that padded frames need no copy and
  /// decoders have enough frames.
  func answerAllocation() {
    intercept(GST_PAD_PROBE_TYPE_QUERY_DOWNSTREAM) { info in
      guard let query = gst_pad_probe_info_get_query(info), vit_query_type(query) == GST_QUERY_ALLOCATION else {
        return GST_PAD_PROBE_OK
      }
      vit_answer_allocation(query, guint(MediaOutput.framesHeld))
      return GST_PAD_PROBE_HANDLED
    }
  }

  /// Has the element upstream write its frames into memory that a compositor reads too, where there is such memory.
  func offerSharedFrames() {
    intercept(GST_PAD_PROBE_TYPE_QUERY_DOWNSTREAM) { info in
      guard let query = gst_pad_probe_info_get_query(info), vit_query_type(query) == GST_QUERY_ALLOCATION,
        vit_offer_shared_frames(query) != 0
      else { return GST_PAD_PROBE_OK }
      return GST_PAD_PROBE_HANDLED
    }
  }
}

final class PadGuard: Sendable {
  typealias Decide = @Sendable (UnsafeMutablePointer<GstPadProbeInfo>) -> GstPadProbeReturn
  let decide: Decide
  init(_ decide: @escaping Decide) { self.decide = decide }
}

final class PadObserver: Sendable {
  typealias Observe = @Sendable (UnsafeMutablePointer<GstPad>, UnsafeMutablePointer<GstPadProbeInfo>) -> Void
  let observe: Observe
  init(_ observe: @escaping Observe) { self.observe = observe }
}
