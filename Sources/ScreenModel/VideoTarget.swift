public import PlaybackCore

/// The screen as a video sink needs it. Handles are plain numbers here, because this module knows neither DRM nor
/// Wayland; the display that made the target keeps them alive.
public enum VideoTarget: Hashable, Sendable {
  /// A DRM plane. `cardDescriptor` is shared with the display, which is master.
  case drmPlane(DRMPlaneTarget)
  /// A Wayland surface: addresses of the `wl_display` and of the container `wl_surface`.
  case waylandSurface(display: UInt, surface: UInt, size: PixelSize)
  /// Frames stay in memory.
  case memory(size: PixelSize)

  /// The size of the screen in its own pixels, after rotation.
  public var size: PixelSize {
    switch self {
    case .drmPlane(let plane): plane.rotation.turned(plane.screen)
    case .waylandSurface(_, _, let size), .memory(let size): size
    }
  }

  /// The rotation that frames, and the drawing in them, need.
  public var rotation: ScreenRotation {
    if case .drmPlane(let plane) = self { plane.rotation } else { .none }
  }

  /// The colour (0xRRGGBB) behind the video.
  public var background: UInt32 {
    if case .drmPlane(let plane) = self { plane.background } else { 0 }
  }

  /// The render node of the screen's card, such as `/dev/dri/renderD128`; nil if unknown.
  public var renderNode: String? { if case .drmPlane(let plane) = self { plane.renderNode } else { nil } }

  /// The HDR curves that the screen shows without conversion.
  public var hdr: Set<HDRTransfer> { if case .drmPlane(let plane) = self { plane.hdr } else { [] } }

  /// Whether the overlay has to be drawn into the frames, because there is no plane or surface for it.
  public var drawsOverlay: Bool {
    if case .drmPlane(let plane) = self { plane.drawsOverlay } else { false }
  }
}

public struct DRMPlaneTarget: Hashable, Sendable {
  public var cardDescriptor: Int32
  public var connectorID: UInt32
  public var planeID: UInt32
  /// Whether the plane can scale a picture. If not, frames have to arrive in the fitted size.
  public var canScale: Bool
  /// Whether the plane has to cover the screen. If so, frames have to arrive in the screen's size, borders included.
  public var mustCover: Bool
  /// Whether there is no plane for the overlay, so that it has to be drawn into the frames.
  public var drawsOverlay: Bool
  /// The rotation that frames need before they come; none if the plane turns them.
  public var rotation: ScreenRotation
  /// The screen's size in the hardware, before rotation.
  public var screen: PixelSize
  /// The colour (0xRRGGBB) behind the plane.
  public var background: UInt32
  /// The HDR curves that the screen shows without conversion.
  public var hdr: Set<HDRTransfer>
  /// The render node on which programs decode on the same device; nil without one.
  public var renderNode: String?

  public init(
    cardDescriptor: Int32, connectorID: UInt32, planeID: UInt32, canScale: Bool, mustCover: Bool = false,
    drawsOverlay: Bool = false, rotation: ScreenRotation = .none, screen: PixelSize, background: UInt32 = 0,
    hdr: Set<HDRTransfer> = [], renderNode: String? = nil
  ) {
    self.cardDescriptor = cardDescriptor
    self.connectorID = connectorID
    self.planeID = planeID
    self.canScale = canScale
    self.mustCover = mustCover
    self.drawsOverlay = drawsOverlay
    self.rotation = rotation
    self.screen = screen
    self.background = background
    self.hdr = hdr
    self.renderNode = renderNode
  }
}
