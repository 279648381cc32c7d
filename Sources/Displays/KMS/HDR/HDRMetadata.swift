import PlaybackCore

/// The metadata that a screen gets before HDR frames: the kernel's `hdr_output_metadata`, with static metadata of type
/// 1 (CTA-861-G, 6.9.1).
struct HDRMetadata: Hashable, Sendable {
  /// The kernel's structure, in the machine's byte order.
  let bytes: [UInt8]

  init(_ transfer: HDRTransfer, _ light: HDRLight) {
    var bytes = Self.bytes(of: UInt32(0))
    bytes += [transfer == .pq ? 2 : 3, 0]
    // Zero means unknown.
    let display = light.display
    let points = [display?.red, display?.green, display?.blue, display?.white]
    for point in points { bytes += Self.bytes(of: point?.x ?? 0) + Self.bytes(of: point?.y ?? 0) }
    // The greatest luminance is in cd/m², the least in ten-thousandths.
    let most = (display?.most ?? 0) / 10_000 + ((display?.most ?? 0) % 10_000 >= 5000 ? 1 : 0)
    for number in [
      UInt16(clamping: most), UInt16(clamping: display?.least ?? 0), light.brightestPixel, light.brightestFrame,
    ] { bytes += Self.bytes(of: number) }
    // The structure is aligned to its first field.
    while bytes.count % 4 != 0 { bytes.append(0) }
    self.bytes = bytes
  }

  private static func bytes(of value: some FixedWidthInteger) -> [UInt8] { withUnsafeBytes(of: value) { Array($0) } }
}
