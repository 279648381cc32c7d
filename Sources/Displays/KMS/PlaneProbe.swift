import PlaybackCore

/// Asks the driver what a plane can do, by commits that change nothing. A property or a table may be wrong for this
/// mode, format or memory bandwidth; the driver's answer isn't.
struct PlaneProbe {
  let card: Card
  let plan: DisplayPlan
  /// The change that lights the screen; nil once it is lit. After that no test may involve a change of modes, because
  /// the video sink's own plane calls can't either.
  var modeset: AtomicChange?

  /// Whether `plane` can show a picture of half the screen's size on the whole screen.
  func scales(_ plane: PlaneSnapshot) -> Bool {
    accepts(plane, picture: half, on: plan.screen)
  }

  /// Whether `plane` may be smaller than the screen.
  func canBeSmall(_ plane: PlaneSnapshot) -> Bool {
    let rect = PixelRect(x: half.width / 4 * 2, y: half.height / 4 * 2, width: half.width, height: half.height)
    return accepts(plane, picture: half, on: rect)
  }

  /// Whether `plane` turns a full-screen picture by a half. Quarter turns aren't tested: the video sink doesn't know of
  /// the turn, and would give such a picture the wrong shape.
  func turnsByHalf(_ plane: PlaneSnapshot) -> Bool {
    guard let rotation = plane.properties["rotation"]?.choices["rotate-180"] else { return false }
    return accepts(plane, picture: plan.mode.size, on: plan.screen, rotation: rotation)
  }

  /// Even numbers, for formats with halved chroma.
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
