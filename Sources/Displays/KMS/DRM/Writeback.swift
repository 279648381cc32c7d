import CDRM
import Glibc
import PlaybackCore

/// Has a card write what one of its screens shows into memory: all planes, as the hardware has laid them over each other. Few drivers can.
///
/// The connector for it belongs to the card as a whole: a lease has none. Blocks for some refreshes; any thread but the loop's.
struct Writeback {
  private let card: Card
  private let crtc: UInt32
  /// The screen's, and so the picture's.
  private let size: PixelSize
  private let connector: UInt32
  private let properties: [String: UInt32]

  /// A refresh takes 42 ms at 24 Hz; one that hasn't come by then comes no more.
  private static let patience: Int32 = 500
  /// A change of the planes between two refreshes has some drivers drop the job.
  private static let tries = 5

  /// - Returns: nil where the card has no such connector for that CRTC.
  init?(_ card: Card, crtc: UInt32, size: PixelSize) {
    // Who hasn't asked for them isn't told of such connectors. The file is the sink's too, which looks for none.
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
  /// - Parameter mayBlink: whether a change of modes is allowed for it, for which some screens go dark for a moment. The kernel wants one
  ///   to lead a CRTC to one more connector, so that without it there is a picture only where somebody has led it there before.
  func pixels(mayBlink: Bool) throws(DRMFailure) -> [UInt32] {
    // Asked before a picture's worth of memory is taken, of which small boards have little in one piece: the kernel
    // refuses where the connector isn't led to the CRTC already.
    if !mayBlink { try commit(["CRTC_ID": UInt64(crtc)], UInt32(DRM_MODE_ATOMIC_TEST_ONLY)) }
    let framebuffer = try DumbFramebuffer(card, size: size, format: .xrgb8888)
    defer { if mayBlink { try? commit(["CRTC_ID": 0], UInt32(DRM_MODE_ATOMIC_ALLOW_MODESET)) } }
    if mayBlink {
      // By itself: what comes with a change of modes some drivers take as shown before it is.
      try commit(["CRTC_ID": UInt64(crtc)], UInt32(DRM_MODE_ATOMIC_ALLOW_MODESET))
    }
    for attempt in 0..<Self.tries {
      let flags = attempt > 0 && mayBlink ? UInt32(DRM_MODE_ATOMIC_ALLOW_MODESET) : 0
      if try write(to: framebuffer.id, flags) { return try framebuffer.read() }
    }
    throw DRMFailure(call: "writeback", code: ETIMEDOUT)
  }

  /// - Returns: false where the card hasn't finished it.
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
