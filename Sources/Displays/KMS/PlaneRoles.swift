import PlaybackCore

/// The use of each plane of the chosen CRTC.
struct PlaneRoles: Hashable, Sendable {
  /// How the picture is put together; docs/decisions/0020-plane-layouts.md has the reasons for the order.
  enum Layout: String, Hashable, Sendable {
    /// Background, video and overlay have a plane each.
    case separate
    /// The video is on the primary plane, in place of the background; the overlay has a plane above.
    case videoOnPrimary = "video-on-primary"
    /// One plane shows frames that cover the screen, borders included; the overlay is drawn into them.
    case composed
  }

  /// Covers the screen with the background colour or the splash picture, in every layout until the first frame.
  var primary: UInt32
  /// The primary plane if there is no other.
  var video: UInt32
  /// The plane above the video, for the overlay; nil if the overlay is drawn into the frames.
  var overlay: UInt32?
  var videoTakesYUV: Bool
  /// Values of `zpos` to set, by plane; empty if the driver's order is fixed.
  var stacking: [UInt32: UInt64] = [:]

  var layout: Layout { overlay == nil ? .composed : video == primary ? .videoOnPrimary : .separate }

  /// The less work for the CPU, the higher: no work, then a conversion of every frame, then borders and overlay drawn
  /// into every frame.
  var rank: Int {
    switch (layout, videoTakesYUV) {
    case (.separate, true): 7
    case (.videoOnPrimary, true): 6
    case (.separate, false): 5
    case (.videoOnPrimary, false): 4
    case (.composed, true): 3
    case (.composed, false): 2
    }
  }

  /// The best use of a card's planes on one CRTC, lowest planes first between equals.
  ///
  /// - Parameters:
  ///   - planes: the planes in the card's order.
  ///   - index: the CRTC's place in the card's list.
  /// - Returns: nil if no primary plane can show a background.
  static func choose(from planes: [PlaneSnapshot], crtc: UInt32, index: Int) -> PlaneRoles? {
    // A plane that is lit on another CRTC belongs to another screen. One that is lit on this CRTC is a leftover.
    let free = planes.filter { $0.possibleCRTCs.hasBit(index) && ($0.crtcID == 0 || $0.crtcID == crtc) }
    let primaries = free.filter { $0.kind == .primary && $0.formats.contains(.xrgb8888) }
    guard let primary = primaries.first(where: { $0.crtcID == crtc }) ?? primaries.first else { return nil }
    // Rockchip's own kernel calls the only plane above the primary one a cursor plane; it takes the decoders' formats,
    // and is a plane like any other. Real overlay planes are tried first.
    let overlays = free.filter { $0.kind == .overlay } + free.filter { $0.kind == .cursor && $0.takesDecodedFrames }
    var best: PlaneRoles?
    for video in overlays + [primary] {
      // YUYV needs a conversion of each frame as RGB does; a plane that takes only tiled formats is of no use.
      let takesYUV = video.takesDecodedFrames
      guard takesYUV || (FourCC.yuvFormats + FourCC.rgbFormats).contains(where: video.takesLinear) else { continue }
      let above: [PlaneSnapshot?] = overlays.filter { $0.id != video.id && $0.formats.contains(.argb8888) } + [nil]
      for overlay in above {
        let stack = [primary] + (video.id == primary.id ? [] : [video]) + (overlay.map { [$0] } ?? [])
        guard let stacking = Self.stack(stack, order: planes.map(\.id)) else { continue }
        let roles = PlaneRoles(
          primary: primary.id, video: video.id, overlay: overlay?.id, videoTakesYUV: takesYUV, stacking: stacking)
        if roles.rank > (best?.rank ?? -1) { best = roles }
      }
    }
    return best
  }

  /// Finds the `zpos` values with which `planes` lie above one another, the first lowest.
  ///
  /// If all planes have the kernel's `zpos`, it decides. A driver either fixes it or allows a choice; an earlier
  /// program may have changed it, so it is always set. Without `zpos`, later planes lie above earlier ones, and the
  /// primary one lies below all.
  ///
  /// - Returns: the values to set; nil if this order isn't possible.
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
