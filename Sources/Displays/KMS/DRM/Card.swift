import CDRM
import FileSystem
import Glibc
import PlaybackCore

/// A call into libdrm that failed.
struct DRMFailure: Error, Hashable {
  var call: String
  /// A positive errno.
  var code: Int32

  /// - Parameter result: the call's result: 0, a negative errno, or -1 with errno set.
  static func check(_ call: String, _ result: Int32) throws(DRMFailure) {
    let code = errno
    guard result < 0 else { return }
    throw DRMFailure(call: call, code: result == -1 ? code : -result)
  }

  /// The card is gone, or another program has become its master.
  var meansLostCard: Bool { code == EACCES || code == EPERM || code == ENODEV }

  var description: String { "\(call): \(String(cString: strerror(code)))" }
}

/// An open card. Everything made on it keeps it alive; the descriptor is closed with the last of them. Any thread may
/// use it: the kernel has its own locks.
///
/// This folder is the only place that calls libdrm.
final class Card: Sendable {
  let path: String
  let descriptor: Int32
  /// The lease's number at its lessor; nil for a whole card.
  let leaseID: UInt32?

  init(path: String) throws(DRMFailure) {
    let descriptor = Glibc.open(path, O_RDWR | O_CLOEXEC)
    guard descriptor >= 0 else { throw DRMFailure(call: "open", code: errno) }
    self.path = path
    self.descriptor = descriptor
    leaseID = nil
  }

  /// Takes over a descriptor that a seat has opened, or that is a lease.
  init(path: String, adopting descriptor: Int32, leaseID: UInt32? = nil) {
    self.path = path
    self.descriptor = descriptor
    self.leaseID = leaseID
  }

  deinit { close(descriptor) }

  /// Every card of the machine, in the order of their numbers.
  static func paths() -> [String] {
    SmallFile.numbered("/dev/dri/card")
  }

  /// Whether the card can drive a screen: cards that only render have no connectors.
  var hasScreens: Bool {
    guard let resources = drmModeGetResources(descriptor) else { return false }
    defer { drmModeFreeResources(resources) }
    return resources.pointee.count_connectors > 0 && resources.pointee.count_crtcs > 0
  }

  /// The device's render node, for programs that don't need its screens; nil without one.
  var renderNode: String? {
    guard let name = drmGetRenderDeviceNameFromFd(descriptor) else { return nil }
    defer { free(name) }
    return String(cString: name)
  }

  var isMaster: Bool { drmIsMaster(descriptor) != 0 }

  /// Makes this process master. The first process to open a card is master already.
  func becomeMaster() throws(DRMFailure) {
    if isMaster { return }
    try DRMFailure.check("drmSetMaster", drmSetMaster(descriptor))
  }

  func dropMaster() { _ = drmDropMaster(descriptor) }

  /// Asks for planes of every kind, and for atomic commits.
  func enableAtomic() throws(DRMFailure) {
    try DRMFailure.check(
      "DRM_CLIENT_CAP_UNIVERSAL_PLANES", drmSetClientCap(descriptor, UInt64(DRM_CLIENT_CAP_UNIVERSAL_PLANES), 1))
    try DRMFailure.check("DRM_CLIENT_CAP_ATOMIC", drmSetClientCap(descriptor, UInt64(DRM_CLIENT_CAP_ATOMIC), 1))
  }
}

extension Card {
  /// Shows a framebuffer as a CRTC's pointer; nil hides it. May wait for another thread's change of that screen.
  func setCursor(_ framebuffer: DumbFramebuffer?, on crtc: UInt32) throws(DRMFailure) {
    let size = framebuffer?.size ?? PixelSize(width: 0, height: 0)
    try DRMFailure.check(
      "drmModeSetCursor",
      drmModeSetCursor(
        descriptor, crtc, framebuffer?.handle ?? 0, UInt32(clamping: size.width), UInt32(clamping: size.height)))
  }

  /// - Parameters:
  ///   - x: the pointer's left edge in pixels of the panel; may lie beyond.
  ///   - y: the pointer's upper edge.
  func moveCursor(on crtc: UInt32, x: Int, y: Int) throws(DRMFailure) {
    try DRMFailure.check(
      "drmModeMoveCursor", drmModeMoveCursor(descriptor, crtc, Int32(clamping: x), Int32(clamping: y)))
  }
}

/// Reads sysfs about the device behind a card.
enum CardDevice {
  /// The device's name on its bus, the last part of its path in sysfs; empty if unknown.
  static func name(ofCard path: String) -> String {
    let card = path.split(separator: "/").last ?? ""
    guard let resolved = realpath("/sys/class/drm/\(card)/device", nil) else { return "" }
    defer { free(resolved) }
    return String(cString: resolved).split(separator: "/").last.map(String.init) ?? ""
  }
}

/// How a change is committed.
enum CommitKind {
  /// A test that changes nothing.
  case test
  /// Waits until it shows; may change modes.
  case modeset
  /// A test as a part of a change of modes.
  case modesetTest
  /// Waits until it shows.
  case blocking

  fileprivate var flags: UInt32 {
    // Never DRM_MODE_PAGE_FLIP_EVENT: the video sink shares the descriptor, and would read the event and write through
    // its user data.
    switch self {
    case .test: UInt32(DRM_MODE_ATOMIC_TEST_ONLY)
    case .modeset: UInt32(DRM_MODE_ATOMIC_ALLOW_MODESET)
    case .modesetTest: UInt32(DRM_MODE_ATOMIC_ALLOW_MODESET | DRM_MODE_ATOMIC_TEST_ONLY)
    case .blocking: 0
    }
  }
}

extension Card {
  func commit(_ change: AtomicChange, _ kind: CommitKind) throws(DRMFailure) {
    if let name = change.missing.first { throw DRMFailure(call: "property \(name)", code: ENOENT) }
    guard let request = drmModeAtomicAlloc() else { throw DRMFailure(call: "drmModeAtomicAlloc", code: ENOMEM) }
    defer { drmModeAtomicFree(request) }
    for item in change.assignments {
      try DRMFailure.check(
        "drmModeAtomicAddProperty", drmModeAtomicAddProperty(request, item.object, item.property, item.value))
    }
    try DRMFailure.check("drmModeAtomicCommit", drmModeAtomicCommit(descriptor, request, kind.flags, nil))
  }
}

/// A blob of bytes in the kernel: a mode, or HDR metadata.
struct PropertyBlob: ~Copyable {
  private let card: Card
  let id: UInt32

  init(_ card: Card, bytes: [UInt8]) throws(DRMFailure) {
    var id: UInt32 = 0
    try DRMFailure.check(
      "drmModeCreatePropertyBlob", drmModeCreatePropertyBlob(card.descriptor, bytes, bytes.count, &id))
    self.card = card
    self.id = id
  }

  deinit { _ = drmModeDestroyPropertyBlob(card.descriptor, id) }
}
