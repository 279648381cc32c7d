import PlaybackCore

/// Asks the driver what a plane can do, by commits that change nothing. What a property or a table says may not hold for
/// this mode, this format or this much memory bandwidth; what the driver answers does.
struct PlaneProbe {
  let card: Card
  let plan: DisplayPlan
  /// What lights the screen, while it isn't lit yet; nil afterwards. Then no question may involve a change of modes,
  /// because the video sink's own way of setting its plane may not either.
  var modeset: AtomicChange?

  /// Whether `plane` shows a picture of half the screen's size on all of it.
  func scales(_ plane: PlaneSnapshot) -> Bool {
    accepts(plane, picture: half, on: plan.screen)
  }

  /// Whether `plane` may be smaller than the screen.
  func canBeSmall(_ plane: PlaneSnapshot) -> Bool {
    let rect = PixelRect(x: half.width / 4 * 2, y: half.height / 4 * 2, width: half.width, height: half.height)
    return accepts(plane, picture: half, on: rect)
  }

  /// Whether `plane` turns a picture on all of the screen. Only by a half: the video sink knows nothing of it, and would
  /// give one that is turned by a quarter the wrong shape.
  func turnsByHalf(_ plane: PlaneSnapshot) -> Bool {
    guard let rotation = plane.properties["rotation"]?.choices["rotate-180"] else { return false }
    return accepts(plane, picture: plan.mode.size, on: plan.screen, rotation: rotation)
  }

  /// Even, for formats with halved chroma.
  private var half: PixelSize {
    PixelSize(width: max(2, plan.mode.size.width / 4 * 2), height: max(2, plan.mode.size.height / 4 * 2))
  }

  private func accepts(_ plane: PlaneSnapshot, picture: PixelSize, on rect: PixelRect, rotation: UInt64? = nil) -> Bool
  {
    guard let format = (FourCC.yuvFormats + FourCC.rgbFormats).first(where: plane.takesLinear),
      let framebuffer = try? DumbFramebuffer(card, size: picture, format: format)
    else { return false }
    var change = modeset ?? AtomicChange()
    change.light(
      plane, crtc: plan.crtcID, framebuffer: framebuffer.id, source: picture, on: rect,
      zpos: plan.planes.stacking[plane.id])
    change.setIfPresent("rotation", of: plane.properties, to: rotation)
    return (try? card.commit(change, modeset == nil ? .test : .modesetTest)) != nil
  }
}
