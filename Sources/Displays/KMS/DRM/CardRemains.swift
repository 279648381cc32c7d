import CDRM
import Glibc

// Reads and removes the objects of a dead process on a card's open file.

extension Card {
  /// The path of the card behind an open file; nil if it isn't a card of this machine.
  static func path(of descriptor: Int32) -> String? {
    // By the device number: another device may have the file's old path by now.
    guard let name = drmGetDeviceNameFromFd2(descriptor) else { return nil }
    defer { free(name) }
    let path = String(cString: name)
    return paths().contains(path) ? path : nil
  }

  /// The framebuffers that any process made on this open file and that still exist.
  func framebuffers() throws(DRMFailure) -> Set<UInt32> {
    guard let resources = drmModeGetResources(descriptor) else {
      throw DRMFailure(call: "drmModeGetResources", code: errno)
    }
    defer { drmModeFreeResources(resources) }
    let count = Int(resources.pointee.count_fbs)
    return Set(UnsafeBufferPointer(start: resources.pointee.fbs, count: resources.pointee.fbs == nil ? 0 : count))
  }

  /// Removes a framebuffer. A plane that still shows it goes dark.
  func removeFramebuffer(_ id: UInt32) { _ = drmModeRmFB(descriptor, id) }

  /// The framebuffer that a plane shows; 0 for none.
  func framebuffer(onPlane id: UInt32) -> UInt32 {
    guard let plane = drmModeGetPlane(descriptor, id) else { return 0 }
    defer { drmModeFreePlane(plane) }
    return plane.pointee.fb_id
  }

  /// The framebuffers on all planes that this file sees.
  func shownFramebuffers() -> Set<UInt32> {
    guard let planes = drmModeGetPlaneResources(descriptor) else { return [] }
    defer { drmModeFreePlaneResources(planes) }
    let ids = UnsafeBufferPointer(
      start: planes.pointee.planes, count: planes.pointee.planes == nil ? 0 : Int(planes.pointee.count_planes))
    return Set(ids.map(framebuffer(onPlane:))).subtracting([0])
  }

  /// Discards the events that a dead process requested. A later reader would take them for its own, and follow a
  /// pointer into freed memory.
  func dropEvents() {
    var buffer = [UInt8](repeating: 0, count: 1024)
    var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    // The kernel limits a file's event queue to 4 KB, which is fewer events.
    for _ in 0..<256 {
      guard poll(&waiting, 1, 0) == 1, waiting.revents & Int16(POLLIN) != 0,
        read(descriptor, &buffer, buffer.count) > 0
      else { return }
    }
  }

  /// Closes all memory handles of this file. They can't be listed, but the kernel gives out the lowest free number:
  /// after a long gap there are no more. Memory that a framebuffer uses stays.
  ///
  /// Must be called before this process makes objects of its own on the file.
  func closeHandles() {
    var (handle, misses) = (UInt32(1), 0)
    while misses < Self.handleGap {
      misses = drmCloseBufferHandle(descriptor, handle) == 0 ? 0 : misses + 1
      handle += 1
    }
  }

  /// A gap this wide takes as many buffers at one time; a player has some dozens.
  private static let handleGap = 1024

  /// The numbers of this card's active leases.
  func lessees() -> [UInt32] {
    guard let list = drmModeListLessees(descriptor) else { return [] }
    defer { drmFree(list) }
    return words(UnsafeRawPointer(list))
  }

  /// Ends a lease by its number, although other processes may have it open. The picture stays.
  func revoke(lessee: UInt32) { _ = drmModeRevokeLease(descriptor, lessee) }

  /// Reads libdrm's form of a list: a count, then that many numbers.
  private func words(_ list: UnsafeRawPointer) -> [UInt32] {
    let count = Int(list.load(as: UInt32.self))
    return (0..<count).map { list.load(fromByteOffset: 4 + 4 * $0, as: UInt32.self) }
  }
}
