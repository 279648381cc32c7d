import CDRM
import Glibc

extension Card {
  /// Leases a part of the card: returns another open file, which sees only those objects and is their master for as
  /// long as this file is master of the card. The lease ends when its last descriptor is closed.
  ///
  /// - Parameter objects: a connector, a CRTC and planes.
  func lease(_ objects: [UInt32]) throws(DRMFailure) -> Card {
    var id: UInt32 = 0
    let descriptor = drmModeCreateLease(self.descriptor, objects, Int32(clamping: objects.count), O_CLOEXEC, &id)
    try DRMFailure.check("drmModeCreateLease", descriptor)
    let lease = Card(path: path, adopting: descriptor, leaseID: id)
    // A lease is a new file: client capabilities aren't inherited.
    try lease.enableAtomic()
    return lease
  }

  /// Ends a lease, although other descriptors of it may be open: kmssink has a duplicate, and a sink that hangs would
  /// keep the screen for good. The picture stays.
  func revoke(_ lease: Card) {
    if let id = lease.leaseID { _ = drmModeRevokeLease(descriptor, id) }
  }
}
