import CWaylandClient
import PlaybackCore

/// A screen of the compositor, for its size in the world.
final class WaylandOutput {
  /// As people look at it; nil until it is told, and where the screen doesn't say.
  private(set) var millimetres: PixelSize?
  private let output: WaylandObject

  /// - Parameter pointer: of version 1, which has no destructor of its own.
  init(_ pointer: OpaquePointer?, on connection: WaylandConnection) throws(VitrineError) {
    output = try WaylandObject(pointer, on: connection, destroy: wl_output_destroy)
    wl_output_add_listener(output.pointer, Self.table.pointer, Unmanaged.passUnretained(self).toOpaque())
  }

  private func tell(_ size: PixelSize, isTurned: Bool) {
    millimetres =
      size.isEmpty ? nil : isTurned ? PixelSize(width: size.height, height: size.width) : size
  }

  private static let table = ListenerTable(
    wl_output_listener(
      geometry: { data, _, _, _, width, height, _, _, _, transform in
        guard let data else { return }
        // The odd ones turn by a quarter, mirrored or not.
        Unmanaged<WaylandOutput>.fromOpaque(data).takeUnretainedValue()
          .tell(PixelSize(width: Int(width), height: Int(height)), isTurned: transform & 1 == 1)
      }, mode: { _, _, _, _, _, _ in }, done: { _, _ in }, scale: { _, _, _ in }, name: { _, _, _ in },
      description: { _, _, _ in }))
}
