import CWaylandClient
import CWaylandProtocols
import Glibc
import PlaybackCore

/// A picture in memory that the compositor reads: owns the mapping and the `wl_buffer`.
final class SharedMemoryBuffer {
  let size: PixelSize
  /// The compositor may still read: from `attach` until its release.
  private(set) var isBusy = false
  private let memory: UnsafeMutableRawBufferPointer
  private let buffer: WaylandObject

  /// Transparent (or black, where not `hasAlpha`) at first.
  init(_ size: PixelSize, hasAlpha: Bool, _ globals: WaylandGlobals) throws(VitrineError) {
    let path = globals.connection.socketPath
    let (pixels, overflow) = size.width.multipliedReportingOverflow(by: size.height)
    // The protocol counts the bytes of a pool in 31 bits.
    guard !size.isEmpty, !overflow, pixels <= Int(Int32.max) / 4 else {
      throw WaylandErrors.noMemory(path, code: EOVERFLOW)
    }
    let length = pixels * 4
    let file = vit_memory_file(length)
    guard file >= 0 else { throw WaylandErrors.noMemory(path, code: errno) }
    defer { Glibc.close(file) }
    guard let address = mmap(nil, length, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0), address != MAP_FAILED else {
      throw WaylandErrors.noMemory(path, code: errno)
    }
    let pool = wl_shm_create_pool(globals.sharedMemory.pointer, file, Int32(length))
    let format = hasAlpha ? WL_SHM_FORMAT_ARGB8888 : WL_SHM_FORMAT_XRGB8888
    let pointer = pool.flatMap {
      wl_shm_pool_create_buffer(
        $0, 0, Int32(size.width), Int32(size.height), Int32(size.width * 4), format.rawValue)
    }
    // The buffer keeps the pool's memory alive in the compositor.
    if let pool { wl_shm_pool_destroy(pool) }
    do {
      buffer = try WaylandObject(pointer, on: globals.connection, destroy: wl_buffer_destroy)
    } catch {
      munmap(address, length)
      throw error
    }
    self.size = size
    memory = UnsafeMutableRawBufferPointer(start: address, count: length)
    wl_buffer_add_listener(
      buffer.pointer, Self.table.pointer, Unmanaged.passUnretained(self).toOpaque())
  }

  deinit { munmap(memory.baseAddress, memory.count) }

  /// Replaces all pixels. Only while not busy.
  ///
  /// - Parameter pixels: as many as the buffer has.
  func fill(_ pixels: [UInt32]) {
    pixels.withUnsafeBytes { memory.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0.prefix(memory.count))) }
  }

  /// Makes this the next content of `surface`; takes effect with the surface's commit.
  func attach(to surface: OpaquePointer) {
    wl_surface_attach(surface, buffer.pointer, 0, 0)
    isBusy = true
  }

  private static let table = ListenerTable(
    wl_buffer_listener(release: { data, _ in
      guard let data else { return }
      Unmanaged<SharedMemoryBuffer>.fromOpaque(data).takeUnretainedValue().isBusy = false
    }))
}
