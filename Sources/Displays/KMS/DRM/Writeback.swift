import CDRM
import Glibc
import PlaybackCore

/// Makes a card write the picture of one of its screens to memory: all planes, as the hardware composes them. Few
/// drivers can.
///
/// The writeback connector belongs to the whole card: a lease has none. Blocks for some refreshes; any thread but the
/// loop's.
struct Writeback {
  private let card: Card
  private let crtc: UInt32
  /// The screen's, and so the picture's.
  private let size: PixelSize
  private let connector: UInt32
  private let properties: [String: UInt32]

  /// A refresh takes 42 ms at 24 Hz; a picture that isn't there after this time won't come.
  private static let patience: Int32 = 500
  /// A change of the planes between two refreshes has some drivers drop the job.
  private static let tries = 5

  /// - Returns: nil if the card has no writeback connector for that CRTC.
  init?(_ card: Card, crtc: UInt32, size: PixelSize) {
    // The kernel lists writeback connectors only after this request. The sink uses the same file, but doesn't look for
    // them.
    guard drmSetClientCap(card.descriptor, UInt64(DRM_CLIENT_CAP_WRITEBACK_CONNECTORS), 1) == 0,
      let connector = Self.connector(on: card, for: crtc)
    else { return nil }
    (self.card, self.crtc, self.size, self.connector) = (card, crtc, size, connector)
    properties = Self.properties(of: connector, on: card)
    let needed = ["CRTC_ID", "WRITEBACK_FB_ID", "WRITEBACK_OUT_FENCE_PTR"]
    guard needed.allSatisfy({ properties[$0] != nil }) else { return nil }
  }

  /// XRGB pixels of the panel, row by row.
  ///
  /// - Parameter mayBlink: whether a change of modes is allowed, for which some screens go dark for a moment. The
  ///   kernel needs one to route a CRTC to the writeback connector; without it, there is a picture only if an earlier
  ///   program has left that route.
  func pixels(mayBlink: Bool) throws(DRMFailure) -> [UInt32] {
    // Tested before the picture's memory is allocated, which small boards may not have in one piece: the kernel refuses
    // if the CRTC isn't routed to the connector already.
    if !mayBlink { try commit(["CRTC_ID": UInt64(crtc)], UInt32(DRM_MODE_ATOMIC_TEST_ONLY)) }
    let framebuffer = try DumbFramebuffer(card, size: size, format: .xrgb8888)
    defer { if mayBlink { try? commit(["CRTC_ID": 0], UInt32(DRM_MODE_ATOMIC_ALLOW_MODESET)) } }
    if mayBlink {
      // A commit of its own: with a change of modes, some drivers report the picture before it is complete.
      try commit(["CRTC_ID": UInt64(crtc)], UInt32(DRM_MODE_ATOMIC_ALLOW_MODESET))
    }
    for attempt in 0..<Self.tries {
      let flags = attempt > 0 && mayBlink ? UInt32(DRM_MODE_ATOMIC_ALLOW_MODESET) : 0
      if try write(to: framebuffer.id, flags) { return try framebuffer.read() }
    }
    throw DRMFailure(call: "writeback", code: ETIMEDOUT)
  }

  /// - Returns: false if the card hasn't finished the picture.
  private func write(to framebuffer: UInt32, _ flags: UInt32) throws(DRMFailure) -> Bool {
    // The kernel writes a descriptor there.
    let fence = UnsafeMutablePointer<Int32>.allocate(capacity: 1)
    fence.initialize(to: -1)
    defer {
      if fence.pointee >= 0 { close(fence.pointee) }
      fence.deallocate()
    }
    try commit(
      [
        "CRTC_ID": UInt64(crtc), "WRITEBACK_FB_ID": UInt64(framebuffer),
        "WRITEBACK_OUT_FENCE_PTR": UInt64(UInt(bitPattern: fence)),
      ], flags)
    var done = pollfd(fd: fence.pointee, events: Int16(POLLIN), revents: 0)
    return poll(&done, 1, Self.patience) == 1
  }

  private func commit(_ values: [String: UInt64], _ flags: UInt32) throws(DRMFailure) {
    guard let request = drmModeAtomicAlloc() else { throw DRMFailure(call: "drmModeAtomicAlloc", code: ENOMEM) }
    defer { drmModeAtomicFree(request) }
    for (name, value) in values {
      guard let property = properties[name] else { throw DRMFailure(call: "property \(name)", code: ENOENT) }
      try DRMFailure.check(
        "drmModeAtomicAddProperty", drmModeAtomicAddProperty(request, connector, property, value))
    }
    try DRMFailure.check("writeback", drmModeAtomicCommit(card.descriptor, request, flags, nil))
  }

  // MARK: Finding it

  private static func connector(on card: Card, for crtc: UInt32) -> UInt32? {
    guard let resources = drmModeGetResources(card.descriptor) else { return nil }
    defer { drmModeFreeResources(resources) }
    let crtcs = UnsafeBufferPointer(start: resources.pointee.crtcs, count: Int(resources.pointee.count_crtcs))
    guard let index = crtcs.firstIndex(of: crtc) else { return nil }
    let connectors = UnsafeBufferPointer(
      start: resources.pointee.connectors, count: Int(resources.pointee.count_connectors))
    return connectors.first { isWriteback($0, on: card, forCRTCAt: index) }
  }

  private static func isWriteback(_ id: UInt32, on card: Card, forCRTCAt index: Int) -> Bool {
    guard let connector = drmModeGetConnectorCurrent(card.descriptor, id) else { return false }
    defer { drmModeFreeConnector(connector) }
    guard connector.pointee.connector_type == DRM_MODE_CONNECTOR_WRITEBACK else { return false }
    let encoders = UnsafeBufferPointer(
      start: connector.pointee.encoders, count: Int(connector.pointee.count_encoders))
    return encoders.contains { id in
      guard let encoder = drmModeGetEncoder(card.descriptor, id) else { return false }
      defer { drmModeFreeEncoder(encoder) }
      return encoder.pointee.possible_crtcs.hasBit(index)
    }
  }

  private static func properties(of connector: UInt32, on card: Card) -> [String: UInt32] {
    guard let list = drmModeObjectGetProperties(card.descriptor, connector, DRM_MODE_OBJECT_CONNECTOR) else {
      return [:]
    }
    defer { drmModeFreeObjectProperties(list) }
    var found: [String: UInt32] = [:]
    for id in UnsafeBufferPointer(start: list.pointee.props, count: Int(list.pointee.count_props)) {
      guard let property = drmModeGetProperty(card.descriptor, id) else { continue }
      defer { drmModeFreeProperty(property) }
      let name = withUnsafeBytes(of: property.pointee.name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
      found[name] = id
    }
    return found
  }
}
