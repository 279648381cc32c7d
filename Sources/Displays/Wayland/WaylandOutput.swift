import CWaylandClient
import PlaybackCore

/// A screen of the compositor, for its size in the world.
final class WaylandOutput {
  /// The size after rotation; nil until it has arrived, and if the screen doesn't report it.
  private(set) var millimetres: PixelSize?
  private let output: WaylandObject

  /// - Parameter pointer: of version 1, which has no destructor of its own.
  init(_ pointer: OpaquePointer?, on connection: WaylandConnection) throws(VitrineError) {
    output = try WaylandObject(pointer, on: connection, destroy: wl_output_destroy)
    wl_output_add_listener(output.pointer, Self.table.pointer, Unmanaged.passUnretained(self).toOpaque())
  }

  private func updatePhysicalSize(_ size: PixelSize, isTurned: Bool) {
    millimetres =
      size.isEmpty ? nil : isTurned ? PixelSize(width: size.height, height: size.width) : size
  }

  private static let table = ListenerTable(
    wl_output_listener(
      geometry: { data, _, _, _, width, height, _, _, _, transform in
        guard let data else { return }
        // Odd transforms turn by a quarter, mirrored or not.
        Unmanaged<WaylandOutput>.fromOpaque(data).takeUnretainedValue()
          .updatePhysicalSize(PixelSize(width: Int(width), height: Int(height)), isTurned: transform & 1 == 1)
      }, mode: { _, _, _, _, _, _ in }, done: { _, _ in }, scale: { _, _, _ in }, name: { _, _, _ in },
      description: { _, _, _ in }))
}
