import InteractionCore
import PlaybackCore

extension OverlayImage {
  /// The image's pixels converted to that curve: its white becomes diffuse white, not the curve's peak. Nil leaves
  /// them.
  func signalled(in curve: HDRTransfer?) -> OverlayImage {
    guard let curve else { return self }
    let codes = (0...255).map { code in
      // Channel by channel, from the gamma of SDR screens. In BT.2020 primaries the overlay looks a little more
      // saturated.
      UInt32(curve.signal(ofGrey: ToneMap.luminance(ofSignal: Double(code) / 255)) * 255 + 0.5)
    }
    return OverlayImage(frame: frame, pixels: pixels.map { Self.signalled($0, codes) })
  }

  /// - Parameter pixel: premultiplied ARGB.
  private static func signalled(_ pixel: UInt32, _ codes: [UInt32]) -> UInt32 {
    let alpha = pixel >> 24
    guard alpha > 0 else { return pixel }
    return [16, 8, 0].reduce(alpha << 24) { result, shift in
      let plain = min(255, ((pixel >> UInt32(shift) & 0xFF) * 255 + alpha / 2) / alpha)
      return result | ((codes[Int(plain)] * alpha + 127) / 255) << UInt32(shift)
    }
  }
}
