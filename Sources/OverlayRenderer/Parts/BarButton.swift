import InteractionCore
import PlaybackCore

/// A button of the transport bar.
struct BarButton {
  private let button: OverlayButton
  private let bar: TransportBar
  private let metrics: OverlayMetrics

  init(_ button: OverlayButton, _ bar: TransportBar, _ metrics: OverlayMetrics) {
    self.button = button
    self.bar = bar
    self.metrics = metrics
  }

  /// - Parameter box: the touch target; the glyph is in its middle.
  func draw(on canvas: borrowing Canvas, _ box: Box) {
    switch button {
    case .tiles: drawTiles(on: canvas, box)
    case .playPause: drawPlayPause(on: canvas, box)
    case .next: drawSkip(on: canvas, box, isTurned: false)
    case .previous: drawSkip(on: canvas, box, isTurned: true)
    case .captions: drawCaptions(on: canvas, box)
    case .language: drawGlobe(on: canvas, box)
    case .description: drawDescription(on: canvas, box)
    case .signed: drawHand(on: canvas, box)
    case .choices: drawSliders(on: canvas, box)
    case .mute: drawSpeaker(on: canvas, box)
    }
  }

  /// The pixels of a length in the glyphs beside play.
  private func pixels(_ units: Double) -> Double { metrics.pixels(units * metrics.touchScale) }

  private func drawPlayPause(on canvas: borrowing Canvas, _ box: Box) {
    canvas.fillCircle(x: box.centreX, y: box.centreY, radius: box.width / 2, .white, opacity: metrics.buttonOpacity)
    let scale = metrics.playScale
    let corner = metrics.pixels(OverlayMetrics.glyphCorner * scale)
    if bar.isPlaying {
      let width = metrics.crisp(OverlayMetrics.pauseBarWidth * scale)
      let height = metrics.crisp(OverlayMetrics.pauseBarHeight * scale)
      let gap = metrics.crisp(OverlayMetrics.pauseBarGap * scale)
      let left = (box.centreX - width - gap / 2).rounded()
      let top = (box.centreY - height / 2).rounded()
      for x in [left, left + width + gap] {
        canvas.fillRounded(Box(x: x, y: top, width: width, height: height), corner: corner, .white)
      }
    } else {
      let left =
        box.centreX - metrics.pixels((OverlayMetrics.playWidth / 2 - OverlayMetrics.playShift) * scale) + corner
      let right = left + metrics.pixels(OverlayMetrics.playWidth * scale) - 2 * corner
      let half = metrics.pixels(OverlayMetrics.playHeight * scale) / 2 - corner
      canvas.fillPolygon(
        [(left, box.centreY - half), (right, box.centreY), (left, box.centreY + half)], corner: corner, .white)
    }
  }

  /// Draws four tiles.
  private func drawTiles(on canvas: borrowing Canvas, _ box: Box) {
    let size = (pixels(OverlayMetrics.skipHeight) * 0.44).rounded()
    let gap = max(1, (size * 0.3).rounded())
    let (left, top) = ((box.centreX - size - gap / 2).rounded(), (box.centreY - size - gap / 2).rounded())
    for (column, row) in [(0.0, 0.0), (1, 0), (0, 1), (1, 1)] {
      canvas.fillRounded(
        Box(x: left + column * (size + gap), y: top + row * (size + gap), width: size, height: size),
        corner: pixels(OverlayMetrics.glyphCorner), .white)
    }
  }

  /// Draws a triangle against a bar: next or, mirrored, previous.
  private func drawSkip(on canvas: borrowing Canvas, _ box: Box, isTurned: Bool) {
    let corner = pixels(OverlayMetrics.glyphCorner)
    let (width, height) = (pixels(OverlayMetrics.skipWidth), pixels(OverlayMetrics.skipHeight))
    let bar = metrics.crisp(OverlayMetrics.skipBarWidth * metrics.touchScale)
    let left = box.centreX - (width + bar) / 2
    let half = height / 2 - corner
    canvas.turnedOver(isTurned, around: box.centreX) {
      canvas.fillPolygon(
        [
          (left + corner, box.centreY - half), (left + width - corner, box.centreY),
          (left + corner, box.centreY + half),
        ], corner: corner, .white)
      canvas.fillRounded(
        Box(x: (left + width).rounded(), y: box.centreY - height / 2, width: bar, height: height), corner: corner,
        .white)
    }
  }

  private var stroke: Double { max(1, pixels(OverlayMetrics.speakerStroke)) }

  /// Draws the frame of a sign that is on or off: filled while it is on, else an outline.
  ///
  /// - Returns: the frame, and the colour of what stands in it.
  private func drawFrame(on canvas: borrowing Canvas, _ box: Box, isOn: Bool) -> (frame: Box, ink: RGBColor) {
    let (width, height) = (pixels(OverlayMetrics.captionsWidth), pixels(OverlayMetrics.speakerHeight) * 0.86)
    let (left, right) = (box.centreX - width / 2, box.centreX + width / 2)
    let (top, bottom) = (box.centreY - height / 2, box.centreY + height / 2)
    if isOn {
      let half = stroke / 2
      canvas.fillRounded(
        Box(x: left - half, y: top - half, width: width + stroke, height: height + stroke), corner: stroke, .white)
    } else {
      for (from, to) in [
        ((left, top), (right, top)), ((right, top), (right, bottom)), ((right, bottom), (left, bottom)),
        ((left, bottom), (left, top)),
      ] {
        canvas.strokeLine(from, to, width: stroke, .white)
      }
    }
    return (Box(x: left, y: top, width: width, height: height), isOn ? .black : .white)
  }

  /// Draws a screen with two lines of text.
  private func drawCaptions(on canvas: borrowing Canvas, _ box: Box) {
    let (frame, ink) = drawFrame(on: canvas, box, isOn: bar.hasCaptions)
    let (inset, gap) = (frame.width * 0.2, frame.width * 0.16)
    // A long and a short word, then the reverse.
    for (line, share) in [(0.52, 0.34), (0.78, 0.62)] {
      let y = frame.y + frame.height * line
      let split = frame.x + inset + (frame.width - 2 * inset) * share
      canvas.strokeLine((frame.x + inset, y), (split - gap / 2, y), width: stroke, ink)
      canvas.strokeLine((split + gap / 2 + stroke / 2, y), (frame.right - inset, y), width: stroke, ink)
    }
  }

  /// Draws the letters AD in a frame, the usual sign for audio description.
  private func drawDescription(on canvas: borrowing Canvas, _ box: Box) {
    let (frame, ink) = drawFrame(on: canvas, box, isOn: bar.hasDescription)
    let height = frame.height * 0.5
    let stroke = stroke * 0.8
    let (top, bottom) = (frame.centreY - height / 2, frame.centreY + height / 2)
    // In shares of the height: A is 0.9 wide and D 0.7, of which 0.5 is its bow.
    let left = frame.centreX - height * 1.95 / 2
    let (apex, right) = (left + height * 0.45, left + height * 0.9)
    canvas.strokeLine((left, bottom), (apex, top), width: stroke, ink)
    canvas.strokeLine((apex, top), (right, bottom), width: stroke, ink)
    let bar = height * 0.66
    canvas.strokeLine(
      (apex - bar * 0.45, top + bar), (apex + bar * 0.45, top + bar), width: stroke, ink)
    let (stem, bow) = (right + height * 0.35, right + height * 0.55)
    canvas.strokeLine((stem, top), (stem, bottom), width: stroke, ink)
    for y in [top, bottom] { canvas.strokeLine((stem, y), (bow, y), width: stroke, ink) }
    canvas.strokeWave(x: bow, y: frame.centreY, radius: height / 2, half: .pi / 2, width: stroke, ink)
  }

  /// Draws a hand that signs: forefinger, little finger and thumb are stretched out. In a filled frame while it is on.
  private func drawHand(on canvas: borrowing Canvas, _ box: Box) {
    let full = pixels(OverlayMetrics.speakerHeight) * 1.1
    if bar.isSigned {
      let width = pixels(OverlayMetrics.captionsWidth) + stroke
      canvas.fillRounded(
        Box(x: box.centreX - width / 2, y: box.centreY - full * 0.56, width: width, height: full * 1.12),
        corner: stroke, .white)
    }
    let ink = bar.isSigned ? RGBColor.black : .white
    // In shares of the hand's height.
    let height = full * (bar.isSigned ? 0.86 : 1)
    let (palm, finger) = (height * 0.5, height * 0.14)
    let (left, bottom) = (box.centreX - palm * 0.38, box.centreY + height / 2)
    let knuckles = bottom - height * 0.5
    canvas.fillRounded(
      Box(x: left, y: knuckles, width: palm, height: bottom - knuckles), corner: palm * 0.3, ink)
    for (share, length) in [(0.0, 0.5), (1.0 / 3, 0.08), (2.0 / 3, 0.08), (1, 0.4)] {
      let x = left + finger / 2 + (palm - finger) * share
      canvas.strokeLine(
        (x, knuckles - height * length + finger / 2), (x, knuckles + finger), width: finger, ink)
    }
    canvas.strokeLine(
      (left + finger / 2, bottom - height * 0.16), (left - height * 0.2, knuckles + height * 0.04), width: finger, ink)
  }

  /// Draws a globe with its equator and two meridians.
  private func drawGlobe(on canvas: borrowing Canvas, _ box: Box) {
    let radius = pixels(OverlayMetrics.speakerHeight) / 2
    let stroke = max(1, pixels(OverlayMetrics.speakerStroke) * 0.8)
    let (x, y) = (box.centreX, box.centreY)
    canvas.strokeArc(x: x, y: y, radius: radius, width: stroke, share: 1, .white)
    canvas.strokeLine((x - radius, y), (x + radius, y), width: stroke, .white)
    for isLeft in [false, true] {
      canvas.turnedOver(isLeft, around: x) {
        // A part of a larger circle through both poles: its centre is three quarters of a radius to the left.
        canvas.strokeWave(
          x: x - radius * 0.75, y: y, radius: radius * 1.25, half: 0.9273, width: stroke, .white)
      }
    }
  }

  /// Draws three sliders at different places.
  private func drawSliders(on canvas: borrowing Canvas, _ box: Box) {
    let (width, height) = (pixels(OverlayMetrics.captionsWidth) * 0.92, pixels(OverlayMetrics.speakerHeight))
    let (left, step) = (box.centreX - width / 2, height * 0.38)
    let knob = height * 0.135
    for (row, share) in [(-1.0, 0.7), (0, 0.3), (1, 0.58)] {
      let (x, y) = (left + width * share, box.centreY + row * step)
      canvas.strokeLine((left, y), (x - knob - stroke, y), width: stroke, .white)
      canvas.strokeLine((x + knob + stroke, y), (left + width, y), width: stroke, .white)
      canvas.fillCircle(x: x, y: y, radius: knob + stroke / 2, .white)
    }
  }

  /// Draws a loudspeaker with two waves or, while muted, with a cross.
  private func drawSpeaker(on canvas: borrowing Canvas, _ box: Box) {
    let height = pixels(OverlayMetrics.speakerHeight)
    let corner = pixels(OverlayMetrics.glyphCorner) / 2
    // The magnet is a square of a third of the height; the cone opens to the whole height.
    let third = height / 3
    let left = box.centreX - height * 0.58
    let (y, mouth) = (box.centreY, left + third * 1.5)
    canvas.fillPolygon(
      [
        (left, y - third / 2), (left + third / 2, y - third / 2), (mouth, y - height / 2 + corner),
        (mouth, y + height / 2 - corner), (left + third / 2, y + third / 2), (left, y + third / 2),
      ], corner: corner, .white)
    let waves = mouth + third * 0.35
    if bar.isMuted {
      let (half, middle) = (third * 0.52, waves + third * 0.75)
      canvas.strokeLine((middle - half, y - half), (middle + half, y + half), width: stroke, .white)
      canvas.strokeLine((middle - half, y + half), (middle + half, y - half), width: stroke, .white)
    } else {
      for radius in [third * 0.7, third * 1.4] {
        canvas.strokeWave(x: waves - third * 0.3, y: y, radius: radius, half: 0.85, width: stroke, .white)
      }
    }
  }
}
