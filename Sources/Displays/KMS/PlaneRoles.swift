/// What each plane of the chosen CRTC is for.
struct PlaneRoles: Hashable, Sendable {
  /// Covers the screen with the background colour.
  var primary: UInt32
  var video: UInt32
  /// Above the video, for our overlay; nil when the board has none to spare.
  var overlay: UInt32?
  var videoTakesYUV: Bool
  /// Values of `zpos` to set, by plane; empty where the driver's order is fixed.
  var stacking: [UInt32: UInt64] = [:]

  /// An overlay is worth more than video without conversion, because without it the player can't be operated.
  var rank: Int { (overlay == nil ? 0 : 2) + (videoTakesYUV ? 1 : 0) }

  /// The best use of a card's planes on one CRTC, lowest planes first between equals.
  ///
  /// - Parameters:
  ///   - planes: in the card's order.
  ///   - index: the CRTC's place in the card's list.
  /// - Returns: nil when there is no primary plane, or no overlay plane that can show video.
  static func choose(from planes: [PlaneSnapshot], crtc: UInt32, index: Int) -> PlaneRoles? {
    // A plane that is lit on another CRTC belongs to another screen. One that is lit on ours is a leftover.
    let free = planes.filter { $0.possibleCRTCs.hasBit(index) && ($0.crtcID == 0 || $0.crtcID == crtc) }
    let primaries = free.filter { $0.kind == .primary && $0.formats.contains(.xrgb8888) }
    guard let primary = primaries.first(where: { $0.crtcID == crtc }) ?? primaries.first else { return nil }
    let overlays = free.filter { $0.kind == .overlay }
    var best: PlaneRoles?
    for video in overlays {
      let takesYUV = FourCC.yuvFormats.contains { video.formats.contains($0) }
      guard takesYUV || FourCC.rgbFormats.contains(where: { video.formats.contains($0) }) else { continue }
      let above: [PlaneSnapshot?] = overlays.filter { $0.id != video.id && $0.formats.contains(.argb8888) } + [nil]
      for overlay in above {
        guard let stacking = stack([primary, video] + (overlay.map { [$0] } ?? []), order: planes.map(\.id)) else {
          continue
        }
        let roles = PlaneRoles(
          primary: primary.id, video: video.id, overlay: overlay?.id, videoTakesYUV: takesYUV, stacking: stacking)
        if roles.rank > (best?.rank ?? -1) { best = roles }
      }
    }
    return best
  }

  /// How to have `planes` lie above one another, the first lowest.
  ///
  /// The kernel's `zpos` decides where all of them have it; a driver either fixes it or lets us choose, and then an
  /// earlier program may have changed it, so it is always set. Without `zpos`, later planes lie above earlier ones,
  /// and the primary one lies below all.
  ///
  /// - Returns: the values to set; nil when they can't be stacked like this.
  static func stack(_ planes: [PlaneSnapshot], order: [UInt32]) -> [UInt32: UInt64]? {
    let positions = planes.map { $0.properties["zpos"] }
    var values: [UInt32: UInt64] = [:]
    if positions.allSatisfy({ $0 != nil }) {
      var next: UInt64 = 0
      for (plane, position) in zip(planes, positions) {
        guard let position else { continue }
        var value = position.value
        if !position.isImmutable {
          let range = position.range ?? 0...255
          value = max(next, range.lowerBound)
          guard value <= range.upperBound else { return nil }
          values[plane.id] = value
        }
        guard value >= next, value < .max else { return nil }
        next = value + 1
      }
      return values
    }
    let places = planes.filter { $0.kind != .primary }.map { order.firstIndex(of: $0.id) ?? 0 }
    return zip(places, places.dropFirst()).allSatisfy { $0 < $1 } ? [:] : nil
  }
}
