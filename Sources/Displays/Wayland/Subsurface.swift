import CWaylandClient
import PlaybackCore

/// A surface placed in another one, free-running (desync) and transparent to touch: input goes to the parent.
final class Subsurface {
  private let globals: WaylandGlobals
  private var surface: WaylandObject?
  private var role: WaylandObject?
  /// Borrowed `wl_surface`; valid until `destroy`.
  let pointer: OpaquePointer
  private let rolePointer: OpaquePointer

  /// Above the parent and its earlier subsurfaces, at the top left. Shows with the first buffer and the parent's next
  /// commit.
  init(of parent: OpaquePointer, _ globals: WaylandGlobals) throws(VitrineError) {
    let surface = try globals.makeSurface()
    let role = try WaylandObject(
      wl_subcompositor_get_subsurface(globals.subcompositor.pointer, surface.pointer, parent),
      on: globals.connection, destroy: wl_subsurface_destroy)
    wl_subsurface_set_desync(role.pointer)
    globals.withRegion(nil) { wl_surface_set_input_region(surface.pointer, $0) }
    pointer = surface.pointer
    rolePointer = role.pointer
    self.globals = globals
    self.surface = consume surface
    self.role = consume role
  }

  deinit { destroy() }

  /// Takes effect with the parent's next commit.
  func setPosition(x: Int, y: Int) {
    guard role != nil else { return }
    wl_subsurface_set_position(rolePointer, Int32(clamping: x), Int32(clamping: y))
  }

  /// The role before its surface. Harmless when called twice.
  func destroy() {
    role = nil
    surface = nil
  }
}
