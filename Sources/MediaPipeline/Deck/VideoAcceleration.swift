internal import CGStreamer
internal import CGStreamerShims
internal import MainLoop
public import PlaybackCore

/// The graphics chip that converts frames: its element, and the memory layouts that it is asked for.
struct GraphicsChip: Hashable, Sendable {
  /// Name of a factory, such as `vapostproc`.
  var processor: String
  var formats: Set<DRMFormat>
}

/// Chooses the memory in which VA-API decoders deliver their frames, in one deck.
///
/// A film's size, fields and colours are known from the caps in front of its decoder. So the way of its frames is
/// chosen there, before the decoder negotiates its output, and chosen again where a later size needs another way. The
/// first of the possible ways (`FrameWays`) that hasn't been given up is taken.
final class VideoAcceleration: Sendable {
  private let screen: Set<DRMFormat>
  private let largest: PixelSize?
  private let node: String?
  private let demand: VideoDemand
  private let copies: Bool
  private let mustFit: @Sendable (PixelSize) -> Bool
  private let isGivenUp: @Sendable (DecoderUse) -> Bool
  private let known = Locked<GraphicsChip?>(nil)

  /// - Parameters:
  ///   - copies: the board's profile has frames copied out of decoders' memory.
  ///   - isGivenUp: whether a way has failed before; asked for each possible way.
  ///   - mustFit: whether the plane doesn't scale frames of this size.
  init(
    for format: DeckFormat, copies: Bool,
    isGivenUp: @escaping @Sendable (DecoderUse) -> Bool = VideoAccelerators.isGivenUp,
    mustFit: @escaping @Sendable (PixelSize) -> Bool
  ) {
    screen = format.videoCaps.drmFormats
    var (width, height): (gint, gint) = (0, 0)
    let isKnown = vit_caps_largest(format.videoCaps.pointer, &width, &height) != 0
    largest = isKnown ? PixelSize(width: Int(width), height: Int(height)) : nil
    node = format.screenNode
    demand = format.video
    self.copies = copies
    self.isGivenUp = isGivenUp
    self.mustFit = mustFit
  }

  /// The chip that may convert frames; nil until a film's caps have shown that there is one.
  var chip: GraphicsChip? { known.withLock { $0 } }

  /// Sets the output memory of a VA-API decoder; does nothing to other decoders.
  ///
  /// - Returns: how the decoder is used, once its first caps have come; nil for other decoders.
  func attach(to decoder: Element) -> (@Sendable () -> DecoderUse)? {
    guard let kind = VADecoder(decoder.factory), let input = decoder.staticPad("sink"),
      let output = decoder.staticPad("src")
    else { return nil }
    let use = Locked(DecoderUse(kind.name, way: .downloaded))
    // The default until caps have come, and for streams without any.
    output.wish(for: .downloaded, [])
    // Read here, before the decoder is opened. The closure must not hold the element: its pad holds the closure.
    let device = decoder.devicePath
    input.observeEvents { [self] event in
      guard vit_event_type(event) == GST_EVENT_CAPS else { return }
      var caps: UnsafeMutablePointer<GstCaps>?
      gst_event_parse_caps(event, &caps)
      guard let caps, let decoded = vit_caps_of_decoded(caps).map(Caps.init(adopting:)) else { return }
      let (way, formats) = choose(for: decoded, of: kind, device: device)
      use.withLock { $0.way = way }
      output.wish(for: way, formats)
    }
    return { use.withLock { $0 } }
  }

  private func choose(for decoded: Caps, of kind: VADecoder, device: String?) -> (FrameWay, Set<DRMFormat>) {
    guard let video = decoded.video, !copies else { return (.downloaded, []) }
    var demand = demand
    if demand.shape.isPlaced, mustFit(video.size.pixels) { demand.shape = demand.shape.withoutPlane }
    let facts = VideoFacts(
      size: video.size, isInterlaced: video.scan != .progressive, colour: video.colour, isAccepted: true)
    let ways = FrameWays(
      VideoAccelerators.facts(of: kind, screen: screen, largest: largest, isForeign: isForeign(device)),
      code: decoded.text.contains("P010") ? "P010" : "NV12", size: video.size.pixels,
      treatment: VideoTreatment(facts, for: demand))
    known.withLock { $0 = ways.written.isEmpty ? nil : GraphicsChip(processor: kind.processor, formats: ways.written) }
    let way = ways.ways.first { !isGivenUp(DecoderUse(kind.name, way: $0)) } ?? .downloaded
    return (way, ways.shared)
  }

  /// Whether a decoder belongs to another chip than the screen's.
  private func isForeign(_ device: String?) -> Bool {
    guard let node, let device else { return false }
    return node != device
  }
}

/// The facts about VA-API decoders that hold for the whole process.
public enum VideoAccelerators {
  private static let givenUp = Locked<Set<DecoderUse>>([])

  @Sendable static func isGivenUp(_ use: DecoderUse) -> Bool { givenUp.withLock { $0.contains(use) } }

  /// From now on no deck uses a decoder in this way.
  static func giveUp(_ use: DecoderUse) { givenUp.withLock { _ = $0.insert(use) } }

  /// Read from the elements' templates, which are made from what the driver reports.
  static func facts(of kind: VADecoder, screen: Set<DRMFormat>, largest: PixelSize?, isForeign: Bool)
    -> FrameWays.Facts
  {
    FrameWays.Facts(
      decoder: formats(of: kind.name), screen: screen,
      processor: GStreamerLibrary.missing(of: [kind.processor]).isEmpty ? formats(of: kind.processor) : nil,
      largest: largest, isForeign: isForeign)
  }

  /// The facts for the board's inventory; nil for decoders that aren't VA-API's.
  ///
  /// - Parameter screen: the layouts that the plane accepts, as caps would name them.
  public static func facts(of decoder: String, screen: Set<DRMFormat>, node: String?) -> FrameWays.Facts? {
    guard let kind = VADecoder(decoder) else { return nil }
    let device = (try? Element.make(decoder))?.devicePath
    let isForeign = node.flatMap { node in device.map { $0 != node } } ?? false
    return facts(
      of: kind, screen: GStreamerLibrary.tellsLayouts ? screen : [], largest: nil, isForeign: isForeign)
  }

  private static func formats(of factory: String) -> Set<DRMFormat> {
    Caps(adopting: vit_factory_source_caps(factory)).drmFormats
  }

  /// Prefers the screen's own chip for decoding where there are several: frames of another chip would have to be read
  /// back.
  ///
  /// - Parameter node: the render node of the screen's card, such as `/dev/dri/renderD128`.
  static func prefer(_ node: String) {
    // 1 is GST_ELEMENT_FACTORY_TYPE_DECODER, a macro that Swift can't import.
    guard let list = gst_element_factory_list_get_elements(1, GST_RANK_MARGINAL) else { return }
    defer { gst_plugin_feature_list_free(list) }
    var link: UnsafeMutablePointer<GList>? = list
    while let entry = link {
      link = entry.pointee.next
      guard let data = entry.pointee.data, let text = vit_factory_name(OpaquePointer(data)) else { continue }
      let name = String(cString: text)
      guard VADecoder(name) != nil, (try? Element.make(name))?.devicePath == node else { continue }
      // GStreamer ranks the decoders of all chips alike.
      gst_plugin_feature_set_rank(OpaquePointer(data), guint(GST_RANK_PRIMARY.rawValue) + 2)
    }
  }
}

extension GStreamerLibrary {
  // GStreamer 1.26: sinks report which memory layouts a screen reads.
  static var tellsLayouts: Bool { isAtLeast("1.26") }
}

extension Element {
  /// The render node of a VA-API element, such as `/dev/dri/renderD128`; nil for other elements.
  fileprivate var devicePath: String? {
    var found: UnsafeMutablePointer<CChar>?
    ifPresent("device-path") { found = vit_get_string(pointer, "device-path") }
    guard let text = found else { return nil }
    defer { g_free(text) }
    return String(cString: text)
  }
}

extension Pad {
  fileprivate func wish(for way: FrameWay, _ formats: Set<DRMFormat>) {
    let text =
      switch way {
      case .untouched: Caps.text(of: formats)
      case .processed: "video/x-raw(memory:VAMemory)"
      case .downloaded: "video/x-raw"
      }
    guard let wish = Caps(text) else { return }
    vit_wish_of_decoder(pointer, wish.pointer)
  }
}

extension Caps {
  /// The layouts of hardware frames that are in these caps.
  var drmFormats: Set<DRMFormat> {
    let text = vit_caps_drm_formats(pointer)
    defer { g_free(text) }
    return Set(String(cString: text).split(separator: ",").compactMap { DRMFormat($0) })
  }

  /// Caps of frames in one of these layouts.
  static func text(of formats: Set<DRMFormat>) -> String {
    let list = formats.map { "(string)\"\($0.text)\"" }.sorted().joined(separator: ",")
    return "video/x-raw(memory:DMABuf),format=DMA_DRM,drm-format={\(list)}"
  }
}
