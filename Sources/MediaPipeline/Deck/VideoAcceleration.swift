internal import CGStreamer
internal import CGStreamerShims
internal import MainLoop
public import PlaybackCore

/// The graphics chip that writes frames once more: its element, and the layouts that it is asked for.
struct GraphicsChip: Hashable, Sendable {
  /// Name of a factory, such as `vapostproc`.
  var processor: String
  var formats: Set<DRMFormat>
}

/// In which memory decoders of VA-API give their frames, in one deck.
///
/// What a film needs is known with the caps in front of its decoder: size, fields, colours. So the way of its frames is chosen there,
/// before the decoder asks what is taken; where a size comes that needs another way, it is chosen once more. Of the ways that there are
/// (`FrameWays`) the first one is taken that hasn't been given up.
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
  ///   - isGivenUp: asked for each way that there is.
  ///   - mustFit: whether the plane doesn't scale frames of a size.
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

  /// The chip that may be asked to write the frames that come; nil before it is known that there is one.
  var chip: GraphicsChip? { known.withLock { $0 } }

  /// Has a decoder be told what it is to give; does nothing to decoders of another kind.
  ///
  /// - Returns: how it is used, once its first caps have come; nil for decoders of another kind.
  func attach(to decoder: Element) -> (@Sendable () -> DecoderUse)? {
    guard let kind = VADecoder(decoder.factory), let input = decoder.staticPad("sink"),
      let output = decoder.staticPad("src")
    else { return nil }
    let use = Locked(DecoderUse(kind.name, way: .downloaded))
    // Until caps have come, and for whatever comes without.
    output.wish(for: .downloaded, [])
    // Known before it is opened. The element itself isn't held: it holds the pad that holds this.
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

  /// Whether a decoder is of another chip than the screen's.
  private func isForeign(_ device: String?) -> Bool {
    guard let node, let device else { return false }
    return node != device
  }
}

/// What is known of decoders of VA-API in this process.
public enum VideoAccelerators {
  private static let givenUp = Locked<Set<DecoderUse>>([])

  @Sendable static func isGivenUp(_ use: DecoderUse) -> Bool { givenUp.withLock { $0.contains(use) } }

  /// From now on no deck takes this way.
  static func giveUp(_ use: DecoderUse) { givenUp.withLock { _ = $0.insert(use) } }

  /// By the templates of their elements, which are made of what the driver says.
  static func facts(of kind: VADecoder, screen: Set<DRMFormat>, largest: PixelSize?, isForeign: Bool)
    -> FrameWays.Facts
  {
    FrameWays.Facts(
      decoder: formats(of: kind.name), screen: screen,
      processor: GStreamerLibrary.missing(of: [kind.processor]).isEmpty ? formats(of: kind.processor) : nil,
      largest: largest, isForeign: isForeign)
  }

  /// The same for the board's inventory; nil for decoders of another kind.
  ///
  /// - Parameter screen: what the plane takes, as caps would have it.
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

  /// Of several chips, the screen's own decodes: what another one gives has to be read back.
  ///
  /// - Parameter node: of the screen's card, such as `/dev/dri/renderD128`.
  static func prefer(_ node: String) {
    // GST_ELEMENT_FACTORY_TYPE_DECODER, whose macro Swift can't read.
    guard let list = gst_element_factory_list_get_elements(1, GST_RANK_MARGINAL) else { return }
    defer { gst_plugin_feature_list_free(list) }
    var link: UnsafeMutablePointer<GList>? = list
    while let entry = link {
      link = entry.pointee.next
      guard let data = entry.pointee.data, let text = vit_factory_name(OpaquePointer(data)) else { continue }
      let name = String(cString: text)
      guard VADecoder(name) != nil, (try? Element.make(name))?.devicePath == node else { continue }
      // GStreamer gives each of them the same.
      gst_plugin_feature_set_rank(OpaquePointer(data), guint(GST_RANK_PRIMARY.rawValue) + 2)
    }
  }
}

extension GStreamerLibrary {
  // GStreamer 1.26: sinks say which layouts of memory a screen reads.
  static var tellsLayouts: Bool {
    guard let version = SoftwareVersion(version), let first = SoftwareVersion("1.26") else { return false }
    return version >= first
  }
}

extension Element {
  /// Of an element of VA-API: such as `/dev/dri/renderD128`.
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
  /// Layouts of frames for hardware that are in these.
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
