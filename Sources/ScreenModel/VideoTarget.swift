public import PlaybackCore

/// What a video sink needs to know of the screen that it draws on. Handles are plain numbers here: this module knows
/// neither DRM nor Wayland; the display that made the target keeps them alive.
public enum VideoTarget: Hashable, Sendable {
  /// A DRM plane. `cardDescriptor` is shared with the display, which is master.
  case drmPlane(DRMPlaneTarget)
  /// A Wayland surface: addresses of the `wl_display` and of the container `wl_surface`.
  case waylandSurface(display: UInt, surface: UInt, size: PixelSize)
  /// Frames stay in memory.
  case memory(size: PixelSize)

  /// The size of the screen in its own pixels, as people look at it.
  public var size: PixelSize {
    switch self {
    case .drmPlane(let plane): plane.rotation.turned(plane.screen)
    case .waylandSurface(_, _, let size), .memory(let size): size
    }
  }

  /// By how much frames, and what is drawn into them, have to be turned.
  public var rotation: ScreenRotation {
    if case .drmPlane(let plane) = self { plane.rotation } else { .none }
  }

  /// 0xRRGGBB: what lies behind the video.
  public var background: UInt32 {
    if case .drmPlane(let plane) = self { plane.background } else { 0 }
  }

  /// The render node of its card, such as `/dev/dri/renderD128`; nil where it isn't known.
  public var renderNode: String? { if case .drmPlane(let plane) = self { plane.renderNode } else { nil } }

  /// The curves of HDR that the screen shows by itself.
  public var hdr: Set<HDRTransfer> { if case .drmPlane(let plane) = self { plane.hdr } else { [] } }

  /// Whether the overlay is shown by drawing it into the frames, as there is nothing else to show it on.
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
  /// By how much frames have to be turned before they come; none where the plane turns them.
  public var rotation: ScreenRotation
  /// As the hardware has it, not turned.
  public var screen: PixelSize
  /// 0xRRGGBB: what lies behind the plane.
  public var background: UInt32
  /// The curves of HDR that the screen shows by itself.
  public var hdr: Set<HDRTransfer>
  /// Where programs decode on the same device; nil where there is none.
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
