import CWaylandClient
import CWaylandProtocols
import Glibc
import PlaybackCore

/// The compositor's global objects that the output needs, bound and owned.
final class WaylandGlobals {
  let connection: WaylandConnection
  let compositor: WaylandObject
  let subcompositor: WaylandObject
  let sharedMemory: WaylandObject
  let shell: WaylandObject
  /// Scales a one-pixel background to the screen. Compositors may lack it.
  let viewporter: WaylandObject?
  /// The first one. Compositors without input devices may have none.
  let seat: WaylandSeat?
  /// Nil with several screens: which one the window is on isn't determined.
  let output: WaylandOutput?
  /// Serials of pings that wait for their pong.
  private var pings: [UInt32] = []

  /// - Parameter deadline: until when to wait for the list of globals.
  init(_ connection: WaylandConnection, until deadline: Int64) throws(VitrineError) {
    let listing = Listing()
    let registry = try WaylandObject(
      wl_display_get_registry(connection.display), on: connection, destroy: wl_registry_destroy)
    wl_registry_add_listener(
      registry.pointer, Listing.table.pointer, Unmanaged.passUnretained(listing).toOpaque())
    guard try connection.roundTrip(until: deadline) else {
      throw connection.failure ?? WaylandErrors.noCompositor(connection.socketPath, code: ETIMEDOUT)
    }
    let globals = withExtendedLifetime(listing) { listing.globals }
    let required = ["wl_compositor", "wl_subcompositor", "wl_shm", "xdg_wm_base"]
    let missing = required.filter { globals[$0] == nil }
    guard missing.isEmpty else { throw WaylandErrors.missing(missing, connection.socketPath) }

    func bind(_ name: String, _ interface: UnsafePointer<wl_interface>, atMost version: UInt32) -> OpaquePointer? {
      guard let global = globals[name] else { return nil }
      return OpaquePointer(wl_registry_bind(registry.pointer, global.name, interface, min(version, global.version)))
    }
    self.connection = connection
    compositor = try WaylandObject(
      bind("wl_compositor", vit_wl_compositor_interface(), atMost: 4), on: connection,
      destroy: wl_compositor_destroy)
    subcompositor = try WaylandObject(
      bind("wl_subcompositor", vit_wl_subcompositor_interface(), atMost: 1), on: connection,
      destroy: wl_subcompositor_destroy)
    sharedMemory = try WaylandObject(
      bind("wl_shm", vit_wl_shm_interface(), atMost: 1), on: connection, destroy: wl_shm_destroy)
    shell = try WaylandObject(
      bind("xdg_wm_base", vit_xdg_wm_base_interface(), atMost: 1), on: connection, destroy: xdg_wm_base_destroy)
    if globals["wp_viewporter"] != nil {
      viewporter = try WaylandObject(
        bind("wp_viewporter", vit_wp_viewporter_interface(), atMost: 1), on: connection,
        destroy: wp_viewporter_destroy)
    } else {
      viewporter = nil
    }
    if let global = globals["wl_seat"] {
      seat = try WaylandSeat(
        bind("wl_seat", vit_wl_seat_interface(), atMost: WaylandSeat.newestVersion),
        version: min(global.version, WaylandSeat.newestVersion), on: connection)
    } else {
      seat = nil
    }
    if listing.outputs == 1 {
      output = try WaylandOutput(bind("wl_output", vit_wl_output_interface(), atMost: 1), on: connection)
    } else {
      output = nil
    }
    xdg_wm_base_add_listener(
      shell.pointer, Self.shellTable.pointer, Unmanaged.passUnretained(self).toOpaque())
  }

  /// Answers the compositor's pings, with which it checks that the client lives.
  func answerPings() {
    for serial in pings { xdg_wm_base_pong(shell.pointer, serial) }
    pings.removeAll()
  }

  /// A new surface without a role.
  func makeSurface() throws(VitrineError) -> WaylandObject {
    try WaylandObject(
      wl_compositor_create_surface(compositor.pointer), on: connection, destroy: wl_surface_destroy)
  }

  /// Calls `body` with a region of one rectangle, or an empty one.
  func withRegion(_ size: PixelSize?, _ body: (OpaquePointer) -> Void) {
    guard let region = wl_compositor_create_region(compositor.pointer) else { return }
    if let size { wl_region_add(region, 0, 0, Int32(clamping: size.width), Int32(clamping: size.height)) }
    body(region)
    wl_region_destroy(region)
  }

  private static let shellTable = ListenerTable(
    xdg_wm_base_listener(ping: { data, _, serial in
      guard let data else { return }
      Unmanaged<WaylandGlobals>.fromOpaque(data).takeUnretainedValue().pings.append(serial)
    }))
}

/// The registry's globals by interface name; the first of each.
private final class Listing {
  struct Global {
    let name: UInt32
    let version: UInt32
  }

  var globals: [String: Global] = [:]
  /// The number of screens.
  var outputs = 0

  static let table = ListenerTable(
    wl_registry_listener(
      global: { data, _, name, interface, version in
        guard let data, let interface else { return }
        let listing = Unmanaged<Listing>.fromOpaque(data).takeUnretainedValue()
        let key = String(cString: interface)
        if key == "wl_output" { listing.outputs += 1 }
        if listing.globals[key] == nil { listing.globals[key] = Global(name: name, version: version) }
      },
      global_remove: { _, _, _ in }))
}
