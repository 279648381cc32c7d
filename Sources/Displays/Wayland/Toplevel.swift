import CWaylandClient
import CWaylandProtocols
import PlaybackCore

/// The fullscreen window T: opaque black, below the player's other surfaces.
final class Toplevel {
  /// Borrowed `wl_surface`; valid until `destroy`.
  let pointer: OpaquePointer
  /// The compositor has asked the window to close.
  private(set) var isCloseRequested = false

  private let globals: WaylandGlobals
  private var surface: WaylandObject?
  private var shellSurface: WaylandObject?
  private var role: WaylandObject?
  private var viewport: WaylandObject?
  private var background: SharedMemoryBuffer?

  /// The size in the newest configure event, which a later `xdg_surface.configure` makes valid.
  private var proposed = PixelSize(width: 0, height: 0)
  private var serial: UInt32?

  /// The window's size if the compositor leaves it to the client, which no compositor does for a fullscreen window.
  private static let fallback = PixelSize(width: 1280, height: 720)

  init(title: String, appID: String, _ globals: WaylandGlobals) throws(VitrineError) {
    let connection = globals.connection
    let surface = try globals.makeSurface()
    let shellSurface = try WaylandObject(
      xdg_wm_base_get_xdg_surface(globals.shell.pointer, surface.pointer), on: connection,
      destroy: xdg_surface_destroy)
    let role = try WaylandObject(
      xdg_surface_get_toplevel(shellSurface.pointer), on: connection, destroy: xdg_toplevel_destroy)
    var viewport: WaylandObject?
    if let viewporter = WaylandObject.pointer(of: globals.viewporter) {
      viewport = try WaylandObject(
        wp_viewporter_get_viewport(viewporter, surface.pointer), on: connection, destroy: wp_viewport_destroy)
    }
    let rolePointer = role.pointer
    let shellSurfacePointer = shellSurface.pointer
    pointer = surface.pointer
    self.globals = globals
    self.surface = consume surface
    self.shellSurface = consume shellSurface
    self.role = consume role
    self.viewport = consume viewport

    let context = Unmanaged.passUnretained(self).toOpaque()
    xdg_surface_add_listener(shellSurfacePointer, Self.shellSurfaceTable.pointer, context)
    xdg_toplevel_add_listener(rolePointer, Self.roleTable.pointer, context)
    xdg_toplevel_set_title(rolePointer, title)
    xdg_toplevel_set_app_id(rolePointer, appID)
    xdg_toplevel_set_fullscreen(rolePointer, nil)
    // A commit without a buffer asks for the first configure event.
    wl_surface_commit(pointer)
  }

  deinit { destroy() }

  var isConfigured: Bool { serial != nil }

  /// Acknowledges the newest configure, if there is one, and prepares a background of its size; shows with `commit`.
  ///
  /// - Returns: the size to have from now on; nil when nothing was asked.
  func acknowledgeConfigure() throws(VitrineError) -> PixelSize? {
    guard let serial, let shell = WaylandObject.pointer(of: shellSurface) else { return nil }
    self.serial = nil
    xdg_surface_ack_configure(shell, serial)
    let size = proposed.isEmpty ? Self.fallback : proposed
    try setBackground(size)
    return size
  }

  func commit() {
    guard surface != nil else { return }
    wl_surface_commit(pointer)
  }

  /// Makes the compositor look at the window again.
  func touch() {
    guard surface != nil else { return }
    wl_surface_damage(pointer, 0, 0, 1, 1)
    wl_surface_commit(pointer)
  }

  /// The role before its surface, as xdg-shell demands. Harmless when called twice.
  func destroy() {
    viewport = nil
    role = nil
    shellSurface = nil
    surface = nil
    background = nil
  }

  private func setBackground(_ size: PixelSize) throws(VitrineError) {
    let scaled = WaylandObject.pointer(of: viewport)
    let pixels = scaled == nil ? size : PixelSize(width: 1, height: 1)
    if background?.size != pixels {
      let buffer = try SharedMemoryBuffer(pixels, hasAlpha: false, globals)
      // The unused byte is set, because software compositors copy it, and screenshots then take it for alpha.
      buffer.fill(Array(repeating: 0xff00_0000, count: pixels.width * pixels.height))
      // Never written after this, so it need not be free to be attached again.
      background = buffer
    }
    background?.attach(to: pointer)
    if let scaled { wp_viewport_set_destination(scaled, Int32(clamping: size.width), Int32(clamping: size.height)) }
    wl_surface_damage(pointer, 0, 0, Int32(clamping: size.width), Int32(clamping: size.height))
    globals.withRegion(size) { wl_surface_set_opaque_region(pointer, $0) }
  }

  private static let shellSurfaceTable = ListenerTable(
    xdg_surface_listener(configure: { data, _, serial in
      guard let data else { return }
      Unmanaged<Toplevel>.fromOpaque(data).takeUnretainedValue().serial = serial
    }))

  private static let roleTable: ListenerTable<xdg_toplevel_listener> = {
    // Version 1 of the protocol sends these two only.
    var table = xdg_toplevel_listener()
    table.configure = { data, _, width, height, _ in
      guard let data else { return }
      let size = PixelSize(width: Int(width), height: Int(height))
      Unmanaged<Toplevel>.fromOpaque(data).takeUnretainedValue().proposed = size
    }
    table.close = { data, _ in
      guard let data else { return }
      Unmanaged<Toplevel>.fromOpaque(data).takeUnretainedValue().isCloseRequested = true
    }
    return ListenerTable(table)
  }()
}
