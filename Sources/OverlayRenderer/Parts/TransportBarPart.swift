import CPangoCairo
import InteractionCore
import PlaybackCore

/// The strip at the bottom: title, button, position, track, duration. Its scrim is `Scrim`.
///
/// A right-to-left title mirrors the whole row, and the track then runs from right to left. The play triangle keeps its
/// direction, which is a sign and not a direction of reading. While it is dragged the track and the thumb grow, and a
/// bubble above the thumb has the time that the finger is at; the title goes where the bubble would cover it.
struct TransportBarPart: OverlayPart {
  let bounds: Box
  /// Where fingers meet it.
  var targets: OverlayTargets {
    let places = places
    let button = mirrored(places.button)
    let track = mirrored(places.track)
    return OverlayTargets(
      track: places.track.width > 0 ? .init(track) : nil, isMirrored: isMirrored, buttons: [.playPause: .init(button)])
  }

  private let bar: TransportBar
  private let metrics: OverlayMetrics
  private let theme: Theme
  private let isMirrored: Bool
  private let title: TextLayout
  /// Of the words; the layout may be wider.
  private let titleWidth: Double
  private let position: TextLayout
  private let duration: TextLayout
  /// Room for a time: that of `00:00:00` at least, so that the track stays where it is when a time becomes known.
  private let positionWidth: Double
  private let durationWidth: Double

  init(_ bar: TransportBar, metrics: OverlayMetrics, theme: Theme, text: TextContext) {
    self.bar = bar
    self.metrics = metrics
    self.theme = theme
    bounds = Scrim.box(metrics)
    let titleStyle = TextStyle(size: metrics.pixels(OverlayMetrics.titleType), weight: PANGO_WEIGHT_SEMIBOLD)
    let titleRoom = metrics.width - 2 * metrics.pixels(OverlayMetrics.sideMargin)
    title = text.line(bar.title, titleStyle, width: titleRoom)
    titleWidth = bar.isDragged ? min(text.line(bar.title, titleStyle).width, titleRoom) : titleRoom
    isMirrored = title.isRightToLeft

    let style = TextStyle(
      size: metrics.pixels(OverlayMetrics.timeType), weight: PANGO_WEIGHT_MEDIUM, hasTabularFigures: true)
    let room = text.line(TimeText.text(.zero), style).width
    position = text.line(Self.trimmed(TimeText.text(bar.position)), style)
    positionWidth = max(position.width, room)
    duration = text.line(bar.isLive ? theme.liveWord : Self.trimmed(TimeText.text(bar.duration)), style)
    let dot = bar.isLive ? metrics.pixels(2 * OverlayMetrics.dotRadius + OverlayMetrics.dotGap) : 0
    durationWidth = bar.isLive ? duration.width + dot : max(duration.width, room)
  }

  func draw(on canvas: borrowing Canvas) {
    let places = places
    let bubble = bubbleBox(over: places.track)
    let titleEnd = metrics.pixels(OverlayMetrics.sideMargin + OverlayMetrics.bubbleClearance) + titleWidth
    if bubble.map({ $0.x > titleEnd }) ?? true {
      title.draw(
        on: canvas, x: metrics.pixels(OverlayMetrics.sideMargin),
        centreY: metrics.height - metrics.pixels(OverlayMetrics.titleCentre), .white)
    }
    drawButton(on: canvas, mirrored(places.button))
    let positionPlace = mirrored(places.position)
    let positionX = isMirrored ? positionPlace.right - position.width : positionPlace.x
    position.draw(
      on: canvas, x: positionX, centreY: places.position.y, bar.isDragged ? theme.accent : .white)
    drawDuration(on: canvas, mirrored(places.duration), rowY: places.duration.y)
    if places.track.width > 0 { drawTrack(on: canvas, places.track) }
    if let bubble { drawBubble(on: canvas, mirrored(bubble)) }
  }

  private struct Places {
    var button: Box
    /// Places of text have no height; their y is that of its middle.
    var position: Box
    var duration: Box
    var track: Box
  }

  /// The row from left to right, as it is when it isn't mirrored.
  private var places: Places {
    let margin = metrics.pixels(OverlayMetrics.sideMargin)
    let rowY = (metrics.height - metrics.pixels(OverlayMetrics.rowCentre)).rounded()
    let radius = metrics.pixels(OverlayMetrics.buttonRadius)
    let button = Box(x: margin, y: rowY - radius, width: 2 * radius, height: 2 * radius)
    let position = Box(
      x: button.right + metrics.pixels(OverlayMetrics.buttonGap), y: rowY, width: positionWidth, height: 0)
    let duration = Box(x: metrics.width - margin - durationWidth, y: rowY, width: durationWidth, height: 0)
    let gap = metrics.pixels(OverlayMetrics.trackGap)
    let height = metrics.crisp(bar.isDragged ? OverlayMetrics.draggedTrackHeight : OverlayMetrics.trackHeight)
    let start = (position.right + gap).rounded()
    let track = Box(
      x: start, y: (rowY - height / 2).rounded(), width: (duration.x - gap).rounded() - start, height: height)
    return Places(button: button, position: position, duration: duration, track: track)
  }

  /// Above the thumb, kept inside the margins.
  private func bubbleBox(over track: Box) -> Box? {
    guard bar.isDragged, track.width > 0, let thumb = playedEnd(of: track) else { return nil }
    let width = (positionWidth + 2 * metrics.pixels(OverlayMetrics.bubblePadding)).rounded()
    let height = metrics.crisp(OverlayMetrics.bubbleHeight)
    let margin = metrics.pixels(OverlayMetrics.sideMargin)
    let x = min(max(thumb - width / 2, margin), metrics.width - margin - width)
    let bottom = track.centreY - metrics.pixels(OverlayMetrics.bubbleGap)
    return Box(x: x.rounded(), y: (bottom - height).rounded(), width: width, height: height)
  }

  private func drawBubble(on canvas: borrowing Canvas, _ box: Box) {
    canvas.fillRounded(
      box, corner: metrics.pixels(OverlayMetrics.bubbleCorner), OverlayMetrics.ground,
      opacity: OverlayMetrics.bubbleOpacity)
    position.draw(on: canvas, x: box.centreX - position.width / 2, centreY: box.centreY, .white)
  }

  private func mirrored(_ box: Box) -> Box { isMirrored ? box.mirrored(in: metrics.width) : box }

  private func drawButton(on canvas: borrowing Canvas, _ box: Box) {
    canvas.fillCircle(
      x: box.centreX, y: box.centreY, radius: box.width / 2, .white, opacity: OverlayMetrics.buttonOpacity)
    let corner = metrics.pixels(OverlayMetrics.glyphCorner)
    if bar.isPlaying {
      let width = metrics.crisp(OverlayMetrics.pauseBarWidth)
      let height = metrics.crisp(OverlayMetrics.pauseBarHeight)
      let gap = metrics.crisp(OverlayMetrics.pauseBarGap)
      let left = (box.centreX - width - gap / 2).rounded()
      let top = (box.centreY - height / 2).rounded()
      for x in [left, left + width + gap] {
        canvas.fillRounded(Box(x: x, y: top, width: width, height: height), corner: corner, .white)
      }
    } else {
      let left = box.centreX - metrics.pixels(OverlayMetrics.playWidth / 2 - OverlayMetrics.playShift) + corner
      let right = left + metrics.pixels(OverlayMetrics.playWidth) - 2 * corner
      let half = metrics.pixels(OverlayMetrics.playHeight) / 2 - corner
      canvas.fillPolygon(
        [(left, box.centreY - half), (right, box.centreY), (left, box.centreY + half)], corner: corner, .white)
    }
  }

  private func drawDuration(on canvas: borrowing Canvas, _ box: Box, rowY: Double) {
    guard bar.isLive else {
      let x = isMirrored ? box.x : box.right - duration.width
      duration.draw(on: canvas, x: x, centreY: rowY, .white, opacity: OverlayMetrics.secondaryOpacity)
      return
    }
    let radius = metrics.pixels(OverlayMetrics.dotRadius)
    canvas.fillCircle(x: isMirrored ? box.right - radius : box.x + radius, y: rowY, radius: radius, theme.accent)
    duration.draw(on: canvas, x: isMirrored ? box.x : box.right - duration.width, centreY: rowY, .white)
  }

  /// Draws the track from left to right, with the canvas turned over when the row is mirrored.
  private func drawTrack(on canvas: borrowing Canvas, _ track: Box) {
    cairo_save(canvas.pointer)
    if isMirrored {
      cairo_translate(canvas.pointer, metrics.width, 0)
      cairo_scale(canvas.pointer, -1, 1)
    }
    let corner = track.height / 2
    // A live item has no place to be at but the newest: its track is full, and there is no thumb to drag.
    let played = bar.isLive ? track.right : playedEnd(of: track) ?? track.x
    let buffered = max(end(at: bar.bufferedUntil, of: track) ?? track.x, played)
    canvas.clipped(to: track, corner: corner) {
      var piece = track
      piece.x = played
      piece.width = track.right - played
      canvas.fill(piece, .white, opacity: OverlayMetrics.trackRestOpacity)
      piece.width = buffered - played
      canvas.fill(piece, .white, opacity: OverlayMetrics.trackBufferedOpacity)
      piece.x = track.x
      piece.width = played - track.x
      canvas.fill(piece, theme.accent)
    }
    if !bar.isLive, bar.isSeekable, let thumb = playedEnd(of: track) {
      drawThumb(on: canvas, x: thumb, y: track.centreY)
    }
    cairo_restore(canvas.pointer)
  }

  private func drawThumb(on canvas: borrowing Canvas, x: Double, y: Double) {
    guard bar.isDragged else {
      return canvas.fillCircle(x: x, y: y, radius: metrics.pixels(OverlayMetrics.thumbRadius), .white)
    }
    let radius = metrics.pixels(OverlayMetrics.draggedThumbRadius)
    canvas.fillCircle(
      x: x, y: y, radius: radius + metrics.pixels(OverlayMetrics.haloWidth), theme.accent,
      opacity: OverlayMetrics.haloOpacity)
    canvas.fillCircle(x: x, y: y, radius: radius, theme.accent)
  }

  private func playedEnd(of track: Box) -> Double? { end(at: bar.position, of: track) }

  /// Where a time lies on the track; nil where that means nothing.
  private func end(at time: Duration?, of track: Box) -> Double? {
    guard let time, let duration = bar.duration, duration > .zero else { return nil }
    let share = time.inSeconds / duration.inSeconds
    return track.x + track.width * min(max(share, 0), 1)
  }

  /// ` -- ` without its blanks: the row has its own gaps.
  private static func trimmed(_ text: String) -> String { String(text.filter { $0 != " " }) }
}

extension OverlayTargets.Area {
  init(_ box: Box) { self.init(x: box.x, y: box.y, width: box.width, height: box.height) }
}
