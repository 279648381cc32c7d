import CWaylandClient
import InteractionCore
import PlaybackCore

/// The pointer's picture while it is over the player's window. The compositor moves it.
final class CursorSurface {
  private let globals: WaylandGlobals
  private var surface: WaylandObject?
  private var buffer: SharedMemoryBuffer?
  private var pixels: [UInt32] = []

  init(_ globals: WaylandGlobals) { self.globals = globals }

  /// - Returns: the surface with that picture; nil for want of memory.
  func show(_ image: OverlayImage) -> OpaquePointer? {
    if surface == nil { surface = try? globals.makeSurface() }
    guard let pointer = surface?.pointer else { return nil }
    if buffer == nil || pixels != image.pixels {
      guard let new = try? SharedMemoryBuffer(image.frame.size, hasAlpha: true, globals) else { return nil }
      new.fill(image.pixels)
      new.attach(to: pointer)
      wl_surface_damage(pointer, 0, 0, Int32(clamping: image.frame.width), Int32(clamping: image.frame.height))
      wl_surface_commit(pointer)
      buffer = new
      pixels = image.pixels
    }
    return pointer
  }

  /// Harmless when called twice.
  func destroy() {
    surface = nil
    buffer = nil
  }
}
