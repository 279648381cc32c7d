import CWaylandClient
import Glibc
import PlaybackCore

/// A protocol object that this process owns: destroyed once, when its owner releases it.
///
/// Every object lies in its connection's memory, so each keeps the connection alive: in whatever order the owners go,
/// the connection goes last.
struct WaylandObject: ~Copyable {
  /// Borrowed: valid as long as this value.
  let pointer: OpaquePointer
  private let connection: WaylandConnection
  private let destroy: (OpaquePointer) -> Void

  /// Takes over `pointer`.
  ///
  /// - Parameter pointer: libwayland's new object; nil if it had no memory.
  /// - Parameter destroy: sends the destructor request if the interface has one, and frees the object.
  init(
    _ pointer: OpaquePointer?, on connection: WaylandConnection, destroy: @escaping (OpaquePointer) -> Void
  ) throws(VitrineError) {
    guard let pointer else { throw WaylandErrors.noMemory(connection.socketPath, code: ENOMEM) }
    self.pointer = pointer
    self.connection = connection
    self.destroy = destroy
  }

  deinit { destroy(pointer) }

  /// Optional chaining would consume the owner; a borrowed parameter doesn't.
  static func pointer(of object: borrowing WaylandObject?) -> OpaquePointer? {
    switch object {
    case .some(let object): object.pointer
    case .none: nil
    }
  }
}

/// A table of C callbacks. libwayland keeps its address for as long as an object uses it, so tables live in static
/// constants and are never freed.
///
/// `@unchecked Sendable` holds because the table is written before the pointer exists and never after.
struct ListenerTable<Table>: @unchecked Sendable {
  let pointer: UnsafePointer<Table>

  init(_ table: Table) {
    let memory = UnsafeMutablePointer<Table>.allocate(capacity: 1)
    memory.initialize(to: table)
    pointer = UnsafePointer(memory)
  }
}
