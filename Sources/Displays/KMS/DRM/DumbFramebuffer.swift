import CDRM
import Glibc
import PlaybackCore

/// A framebuffer in memory that the CPU can write. The kernel object goes with this object; while it is on the screen,
/// letting it go switches its plane off.
final class DumbFramebuffer {
  let size: PixelSize
  private let buffer: DumbBuffer
  let id: UInt32

  /// - Parameter size: in pixels; must not be empty.
  init(_ card: Card, size: PixelSize, format: FourCC) throws(DRMFailure) {
    guard let layout = DumbLayout(size: size, format: format) else {
      throw DRMFailure(call: "format", code: EINVAL)
    }
    buffer = try DumbBuffer(card, layout: layout)
    var handles: [UInt32] = [0, 0, 0, 0]
    var pitches: [UInt32] = [0, 0, 0, 0]
    var offsets: [UInt32] = [0, 0, 0, 0]
    for (index, plane) in layout.planes(pitch: buffer.pitch).enumerated() {
      handles[index] = buffer.handle
      pitches[index] = plane.pitch
      offsets[index] = plane.offset
    }
    var id: UInt32 = 0
    try DRMFailure.check(
      "drmModeAddFB2",
      drmModeAddFB2(
        card.descriptor, UInt32(size.width), UInt32(size.height), format.rawValue, handles, pitches, offsets, &id, 0))
    self.id = id
    self.size = size
  }

  /// The handle of the memory object, for calls that don't take framebuffers.
  var handle: UInt32 { buffer.handle }

  deinit {
    if !isLeft { _ = drmModeRmFB(buffer.card.descriptor, id) }
  }

  private var isLeft = false

  /// Leaves the framebuffer to the kernel: it stays on the screen after the process has ended, until another one is
  /// shown.
  ///
  /// - Throws: with kernels older than 6.8.
  func leaveOnScreen() throws(DRMFailure) {
    // libdrm has a function for it only since 2.4.119, and Debian 12 has 2.4.114: struct drm_mode_closefb of drm_mode.h.
    var arguments: (framebuffer: UInt32, padding: UInt32) = (id, 0)
    let closeFramebuffer: UInt = 0xC008_64D0  // DRM_IOWR(0xD0, struct drm_mode_closefb)
    let result = withUnsafeMutableBytes(of: &arguments) {
      drmIoctl(buffer.card.descriptor, closeFramebuffer, $0.baseAddress)
    }
    try DRMFailure.check("DRM_IOCTL_MODE_CLOSEFB", result)
    isLeft = true
  }

  /// Fills every pixel of a 32-bit framebuffer.
  func fill(_ value: UInt32) throws(DRMFailure) {
    let mapping = try buffer.mapping()
    for y in 0..<size.height {
      (mapping + y * Int(buffer.pitch)).bindMemory(to: UInt32.self, capacity: size.width)
        .update(repeating: value, count: size.width)
    }
  }

  /// The pixels of a 32-bit framebuffer.
  func read() throws(DRMFailure) -> [UInt32] {
    let mapping = try buffer.mapping()
    var pixels: [UInt32] = []
    pixels.reserveCapacity(size.width * size.height)
    for y in 0..<size.height {
      let row = (mapping + y * Int(buffer.pitch)).bindMemory(to: UInt32.self, capacity: size.width)
      pixels += UnsafeBufferPointer(start: row, count: size.width)
    }
    return pixels
  }

  /// Writes the pixels of a 32-bit framebuffer.
  ///
  /// - Parameters:
  ///   - pixels: `size.width * size.height` values, row by row.
  ///   - old: the pixels that were written last; of each row, only the part between the first and the last difference
  ///     is written. Nil to write everything.
  /// - Returns: how many bytes were written.
  @discardableResult
  func write(_ pixels: [UInt32], over old: [UInt32]? = nil) throws(DRMFailure) -> Int {
    guard pixels.count == size.width * size.height, old.map({ $0.count == pixels.count }) ?? true else {
      throw DRMFailure(call: "pixels", code: EINVAL)
    }
    let mapping = try buffer.mapping()
    var written = 0
    pixels.withUnsafeBufferPointer { new in
      guard let start = new.baseAddress else { return }
      for y in 0..<size.height {
        let row = y * size.width..<(y + 1) * size.width
        guard let changed = old.map({ Self.difference($0, new, in: row) }) ?? row else { continue }
        let offset = y * Int(buffer.pitch) + (changed.lowerBound - row.lowerBound) * 4
        memcpy(mapping + offset, start + changed.lowerBound, changed.count * 4)
        written += changed.count * 4
      }
    }
    return written
  }

  /// The range from the first differing pixel to the last; nil without a difference. Compares with a copy in normal
  /// memory: reading a mapped framebuffer is slow on boards.
  private static func difference(_ old: [UInt32], _ new: UnsafeBufferPointer<UInt32>, in row: Range<Int>) -> Range<Int>?
  {
    old.withUnsafeBufferPointer { old in
      guard let a = old.baseAddress, let b = new.baseAddress,
        memcmp(a + row.lowerBound, b + row.lowerBound, row.count * 4) != 0,
        let first = row.first(where: { old[$0] != new[$0] }), let last = row.last(where: { old[$0] != new[$0] })
      else { return nil }
      return first..<(last + 1)
    }
  }

  /// Tells the driver that the shown framebuffer was written. Most drivers don't need this and have no such call.
  func flush() { _ = drmModeDirtyFB(buffer.card.descriptor, id, nil, 0) }
}

/// How the planes of a format lie in one dumb buffer.
private struct DumbLayout {
  let width: UInt32
  let rows: UInt32
  let bitsPerPixel: UInt32
  private let height: UInt32
  private let format: FourCC

  init?(size: PixelSize, format: FourCC) {
    guard !size.isEmpty, size.width <= 16384, size.height <= 16384 else { return nil }
    width = UInt32(size.width)
    height = UInt32(size.height)
    self.format = format
    switch format {
    case .xrgb8888, .argb8888: (bitsPerPixel, rows) = (32, height)
    case .yuyv, .uyvy: (bitsPerPixel, rows) = (16, height)
    case .nv12, .nv21, .yuv420, .yvu420: (bitsPerPixel, rows) = (8, height + (height + 1) / 2)
    default: return nil
    }
  }

  func planes(pitch: UInt32) -> [(pitch: UInt32, offset: UInt32)] {
    let chroma = pitch * height
    return switch format {
    case .nv12, .nv21: [(pitch, 0), (pitch, chroma)]
    case .yuv420, .yvu420: [(pitch, 0), (pitch / 2, chroma), (pitch / 2, chroma + pitch / 2 * ((height + 1) / 2))]
    default: [(pitch, 0)]
    }
  }
}

/// The memory of a dumb framebuffer, mapped when it is first written.
private final class DumbBuffer {
  let card: Card
  let handle: UInt32
  let pitch: UInt32
  private let bytes: Int
  private var mapped: UnsafeMutableRawPointer?

  init(_ card: Card, layout: DumbLayout) throws(DRMFailure) {
    var handle: UInt32 = 0
    var pitch: UInt32 = 0
    var size: UInt64 = 0
    try DRMFailure.check(
      "drmModeCreateDumbBuffer",
      drmModeCreateDumbBuffer(
        card.descriptor, layout.width, layout.rows, layout.bitsPerPixel, 0, &handle, &pitch, &size))
    self.card = card
    self.handle = handle
    self.pitch = pitch
    bytes = Int(size)
  }

  deinit {
    if let mapped { munmap(mapped, bytes) }
    _ = drmModeDestroyDumbBuffer(card.descriptor, handle)
  }

  func mapping() throws(DRMFailure) -> UnsafeMutableRawPointer {
    if let mapped { return mapped }
    var offset: UInt64 = 0
    try DRMFailure.check("drmModeMapDumbBuffer", drmModeMapDumbBuffer(card.descriptor, handle, &offset))
    let address = mmap(nil, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, card.descriptor, off_t(offset))
    guard let address, address != MAP_FAILED else { throw DRMFailure(call: "mmap", code: errno) }
    mapped = address
    return address
  }
}
