import CDRM
import Glibc

// What an open file of a card has of a process that is gone.

extension Card {
  /// The card that an open file is of; nil for one that is no card of this machine.
  static func path(of descriptor: Int32) -> String? {
    // By its number: what it was opened as may be another's path by now.
    guard let name = drmGetDeviceNameFromFd2(descriptor) else { return nil }
    defer { free(name) }
    let path = String(cString: name)
    return paths().contains(path) ? path : nil
  }

  /// Every framebuffer that was made on this open file and is still there, by whichever process.
  func framebuffers() throws(DRMFailure) -> Set<UInt32> {
    guard let resources = drmModeGetResources(descriptor) else {
      throw DRMFailure(call: "drmModeGetResources", code: errno)
    }
    defer { drmModeFreeResources(resources) }
    let count = Int(resources.pointee.count_fbs)
    return Set(UnsafeBufferPointer(start: resources.pointee.fbs, count: resources.pointee.fbs == nil ? 0 : count))
  }

  /// A plane that still shows it goes dark.
  func removeFramebuffer(_ id: UInt32) { _ = drmModeRmFB(descriptor, id) }

  /// What a plane shows; 0 for nothing.
  func framebuffer(onPlane id: UInt32) -> UInt32 {
    guard let plane = drmModeGetPlane(descriptor, id) else { return 0 }
    defer { drmModeFreePlane(plane) }
    return plane.pointee.fb_id
  }

  /// Everything that planes show that this file sees.
  func shownFramebuffers() -> Set<UInt32> {
    guard let planes = drmModeGetPlaneResources(descriptor) else { return [] }
    defer { drmModeFreePlaneResources(planes) }
    let ids = UnsafeBufferPointer(
      start: planes.pointee.planes, count: planes.pointee.planes == nil ? 0 : Int(planes.pointee.count_planes))
    return Set(ids.map(framebuffer(onPlane:))).subtracting([0])
  }

  /// Takes what a dead process has asked to be told. Whoever reads next would take an answer for its own, and follow a
  /// pointer that was another's.
  func dropEvents() {
    var buffer = [UInt8](repeating: 0, count: 1024)
    var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    // No queue is longer: the kernel lets a file have 4 KB of them.
    for _ in 0..<256 {
      guard poll(&waiting, 1, 0) == 1, waiting.revents & Int16(POLLIN) != 0,
        read(descriptor, &buffer, buffer.count) > 0
      else { return }
    }
  }

  /// Closes every handle of memory on this file. They can't be listed, but the kernel gives the lowest number that is
  /// free: beyond a long row of numbers that are none, there are no more. What a framebuffer needs of it stays.
  ///
  /// To be called before anything of one's own is made on the file.
  func closeHandles() {
    var (handle, misses) = (UInt32(1), 0)
    while misses < Self.handleGap {
      misses = drmCloseBufferHandle(descriptor, handle) == 0 ? 0 : misses + 1
      handle += 1
    }
  }

  /// A gap so wide needs as many buffers at one time; a player has some dozens.
  private static let handleGap = 1024

  /// The numbers of the leases that this card has given.
  func lessees() -> [UInt32] {
    guard let list = drmModeListLessees(descriptor) else { return [] }
    defer { drmFree(list) }
    return words(UnsafeRawPointer(list))
  }

  /// Takes back a lease by its number, whoever has it open. What shows goes on showing.
  func revoke(lessee: UInt32) { _ = drmModeRevokeLease(descriptor, lessee) }

  /// The objects that this lease is of.
  func leasedObjects() -> [UInt32] {
    guard let list = drmModeGetLease(descriptor) else { return [] }
    defer { drmFree(list) }
    return words(UnsafeRawPointer(list))
  }

  /// A count with as many numbers behind it, as libdrm has its lists.
  private func words(_ list: UnsafeRawPointer) -> [UInt32] {
    let count = Int(list.load(as: UInt32.self))
    return (0..<count).map { list.load(fromByteOffset: 4 + 4 * $0, as: UInt32.self) }
  }
}
