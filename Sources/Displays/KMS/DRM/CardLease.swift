import CDRM
import Glibc

extension Card {
  /// Leases a part of the card: another open file of it, which sees those objects only and is master of them, for as long as
  /// this one is master of the card. It ends with the last that holds it.
  ///
  /// - Parameter objects: a connector, a CRTC and planes.
  func lease(_ objects: [UInt32]) throws(DRMFailure) -> Card {
    var id: UInt32 = 0
    let descriptor = drmModeCreateLease(self.descriptor, objects, Int32(clamping: objects.count), O_CLOEXEC, &id)
    try DRMFailure.check("drmModeCreateLease", descriptor)
    let lease = Card(path: path, adopting: descriptor, leaseID: id)
    // What a file is told of its card's abilities, the lease has to be told anew.
    try lease.enableAtomic()
    return lease
  }

  /// Takes back what was leased, whoever still has the file open: kmssink has a duplicate of it, and one that hangs would keep
  /// the screen for good. What shows goes on showing.
  func revoke(_ lease: Card) {
    if let id = lease.leaseID { _ = drmModeRevokeLease(descriptor, id) }
  }
}
