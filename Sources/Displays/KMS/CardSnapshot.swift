import PlaybackCore

/// The state of a card at one moment. The plan depends on this alone.
struct CardSnapshot: Hashable, Sendable {
  /// For example `/dev/dri/card0`.
  var path: String
  /// The kernel driver, such as `vc4`; empty if unknown.
  var driver = ""
  /// The device's name on its bus: `0000:01:00.0` on PCI, `gpu` or `fe5e0000.vop` on a board; empty when unknown.
  var device = ""
  var connectors: [ConnectorSnapshot] = []
  /// In the card's own order: bit N of a mask of possible CRTCs is the Nth.
  var crtcs: [CRTCSnapshot] = []
  /// In the card's own order, which is the order of stacking if there is no `zpos` property.
  var planes: [PlaneSnapshot] = []

  var name: String { String(path.split(separator: "/").last ?? "card") }

  func plane(_ id: UInt32) -> PlaneSnapshot? { planes.first { $0.id == id } }
  func crtc(_ id: UInt32) -> CRTCSnapshot? { crtcs.first { $0.id == id } }
}

struct ConnectorSnapshot: Hashable, Sendable {
  enum Status: Sendable { case connected, disconnected, unknown }

  var id: UInt32
  /// The kernel's name: `HDMI-A-1`.
  var name: String
  var status: Status
  var modes: [ModeSnapshot]
  /// A mask over the card's CRTCs.
  var possibleCRTCs: UInt32
  /// The CRTC that drives the connector; 0 for none.
  var crtcID: UInt32 = 0
  /// The screen's name by its EDID; nil if it has none.
  var screenName: String?
  /// The HDR abilities that the screen's EDID lists.
  var hdr = ScreenHDR()
  /// The picture's size in millimetres; nil if the screen doesn't report it.
  var millimetres: PixelSize?
  var properties = ObjectProperties()

  /// Whether the connector leads to a panel inside the device, and not to a socket.
  var isBuiltIn: Bool {
    ["DSI", "LVDS", "eDP", "DPI"].contains { name.hasPrefix("\($0)-") }
  }

  /// Whether the screen is the same as before, and needs no mode setting.
  func hasSameScreen(as before: ConnectorSnapshot) -> Bool {
    let link = properties["link-status"]
    let isBad = link.map { $0.value == $0.choices["Bad"] } ?? false
    return !isBad && screenName == before.screenName && millimetres == before.millimetres && modes == before.modes
  }

  /// A headset says that it isn't for pictures that many see.
  var isForPeople: Bool { (properties["non-desktop"]?.value ?? 0) == 0 }
}

struct CRTCSnapshot: Hashable, Sendable {
  var id: UInt32
  /// The mode that it shows; nil while it is off.
  var mode: ModeSnapshot?
  var properties = ObjectProperties()
}

struct PlaneSnapshot: Hashable, Sendable {
  enum Kind: UInt64, Sendable { case overlay = 0, primary = 1, cursor = 2 }

  var id: UInt32
  var kind: Kind
  /// A mask over the card's CRTCs.
  var possibleCRTCs: UInt32
  var formats: [FourCC]
  /// Memory layouts (modifiers) by format, if the driver lists them (the property IN_FORMATS): 0 is linear, row by row.
  var modifiers: [FourCC: Set<UInt64>] = [:]
  /// The CRTC that shows the plane; 0 for none.
  var crtcID: UInt32 = 0
  var framebufferID: UInt32 = 0
  var properties = ObjectProperties()

  var isLit: Bool { crtcID != 0 || framebufferID != 0 }

  /// Whether the plane shows linear frames of this format. It may list a format that it takes only tiled or compressed.
  func takesLinear(_ format: FourCC) -> Bool {
    guard formats.contains(format) else { return false }
    return modifiers.isEmpty || modifiers[format]?.contains(PlaneFormats.linear) == true
  }

  /// The plane's formats and layouts, in the form of GStreamer's caps. A plane of a driver that lists no layouts takes
  /// linear memory.
  var drmFormats: Set<DRMFormat> {
    let all = formats.flatMap { format in
      (modifiers.isEmpty ? [PlaneFormats.linear] : modifiers[format] ?? []).map {
        DRMFormat(code: format.letters, modifier: $0)
      }
    }
    return Set(all)
  }

  /// Whether the plane can show decoders' frames without a conversion.
  var takesDecodedFrames: Bool { FourCC.decodedFormats.contains(where: takesLinear) }
}

struct ModeSnapshot: Hashable, Sendable {
  var size: PixelSize
  var refreshMillihertz: Int
  var isPreferred = false
  var isInterlaced = false
  /// The bytes of the kernel's `drm_mode_modeinfo`, to be handed back as they came.
  var timings: [UInt8] = []

  /// `1280x720@60.00`, with an `i` for interlaced modes.
  var description: String {
    "\(size.width)x\(size.height)\(isInterlaced ? "i" : "")@\(DisplayMode.hertz(refreshMillihertz))"
  }
}

/// The properties of one connector, CRTC or plane, by name.
struct ObjectProperties: Hashable, Sendable {
  struct Property: Hashable, Sendable {
    var id: UInt32
    var value: UInt64
    var isImmutable = false
    /// The limits of a range property.
    var range: ClosedRange<UInt64>?
    /// The values of an enumeration by name; the bits of a set of flags by name.
    var choices: [String: UInt64] = [:]
  }

  var objectID: UInt32 = 0
  var entries: [String: Property] = [:]

  subscript(_ name: String) -> Property? { entries[name] }
}

/// A pixel format by its four letters, as in drm_fourcc.h.
struct FourCC: Hashable, Sendable {
  let rawValue: UInt32

  init(rawValue: UInt32) { self.rawValue = rawValue }

  /// - Parameter letters: up to four ASCII letters; missing ones become spaces.
  init(_ letters: String) {
    var value: UInt32 = 0
    let bytes = Array(letters.utf8.prefix(4))
    for index in 0..<4 { value |= UInt32(index < bytes.count ? bytes[index] : 0x20) << UInt32(index * 8) }
    rawValue = value
  }

  /// The letters, without the blanks at the end.
  var letters: String {
    let bytes = (0..<4).map { UInt8(truncatingIfNeeded: rawValue >> UInt32($0 * 8)) }
    return String(decoding: bytes.prefix { $0 > 0x20 && $0 < 0x7F }, as: UTF8.self)
  }

  static let xrgb8888 = FourCC("XR24")
  static let argb8888 = FourCC("AR24")
  static let nv12 = FourCC("NV12")
  static let nv21 = FourCC("NV21")
  static let yuv420 = FourCC("YU12")
  static let yvu420 = FourCC("YV12")
  static let yuyv = FourCC("YUYV")
  static let uyvy = FourCC("UYVY")
  /// Ten bits in words of sixteen.
  static let p010 = FourCC("P010")

  /// The formats of decoders; a plane that takes one of these needs no conversion by the CPU.
  static let decodedFormats: [FourCC] = [.nv12, .yuv420, .yvu420, .nv21]
  /// All YUV formats, best first.
  static let yuvFormats: [FourCC] = [.nv12, .yuv420, .yvu420, .nv21, .yuyv, .uyvy]
  /// The formats to which video is converted if a plane takes no YUV.
  static let rgbFormats: [FourCC] = [.xrgb8888, .argb8888]
}
