import CPangoCairo
import InteractionCore
import PlaybackCore

/// The transport bar: title, buttons, position, track, duration. Its background is `Scrim`.
///
/// The row runs from left to right in every language, as tapes did: transport controls are signs and not words. Only
/// the title's line follows the direction of the overlay's language. During a drag the track and the thumb grow, and a
/// bubble above the thumb shows the time at the finger; the title is hidden where the bubble would cover it.
struct TransportBarPart {
  /// Encloses everything that the bar draws, in pixels of the screen.
  let bounds: Box
  /// The touchable parts of the bar.
  var targets: OverlayTargets {
    OverlayTargets(
      track: row.track.width > 0 ? .init(row.track) : nil, buttons: row.buttons.mapValues { .init($0) })
  }

  var isDragged: Bool { bar.isDragged }

  private let bar: TransportBar
  private let metrics: OverlayMetrics
  private let theme: Theme
  private let times: BarTimes
  private let row: BarRow
  private let heading: BarHeading

  init(_ bar: TransportBar, metrics: OverlayMetrics, theme: Theme, text: TextContext) {
    self.bar = bar
    self.metrics = metrics
    self.theme = theme
    bounds = Scrim.box(metrics)
    var times = BarTimes(bar, size: metrics.pixels(metrics.timeType), metrics: metrics, theme: theme, text: text)
    row = BarRow(bar, times, metrics)
    let room =
      metrics.width - 2 * metrics.pixels(OverlayMetrics.sideMargin) - BarHeading.roomForSign(of: bar, metrics)
    if row.timesAreAbove, times.lineWidth > room {
      // Large type on a narrow screen.
      let size = metrics.pixels(metrics.timeType) * room / times.lineWidth
      times = BarTimes(bar, size: size, metrics: metrics, theme: theme, text: text)
    }
    self.times = times
    heading = BarHeading(
      bar, timesWidth: row.timesAreAbove ? times.lineWidth : nil, metrics: metrics, theme: theme, text: text)
  }

  /// The inputs of `drawStill`: the same values give the same pixels.
  struct Still: Hashable {
    fileprivate var bar: TransportBar
    fileprivate var positionWidth: Double
    fileprivate var showsHeading: Bool
  }

  var still: Still {
    var bar = bar
    bar.position = nil
    bar.bufferedUntil = nil
    return Still(bar: bar, positionWidth: times.positionWidth, showsHeading: showsHeading)
  }

  /// Draws the part that stays the same while the position runs or is dragged. `drawMoving` draws over it.
  func drawStill(on canvas: borrowing Canvas) {
    if showsHeading { heading.draw(on: canvas) }
    for (button, box) in row.buttons.sorted(by: { $0.value.x < $1.value.x }) {
      BarButton(button, bar, metrics).draw(on: canvas, box)
    }
    if !row.timesAreAbove { times.drawDuration(on: canvas, right: row.duration.right, y: row.duration.y) }
  }

  func drawMoving(on canvas: borrowing Canvas) {
    if !row.timesAreAbove {
      times.drawPosition(on: canvas, x: row.position.x, y: row.position.y)
    } else if showsHeading {
      times.drawLine(on: canvas, right: heading.timesRight, y: heading.y)
    }
    if row.track.width > 0 { drawTrack(on: canvas, row.track) }
    if let bubble = bubbleBox(over: row.track) { drawBubble(on: canvas, bubble) }
  }

  /// The heading is hidden where the bubble would cover some of it.
  private var showsHeading: Bool {
    guard let bubble = bubbleBox(over: row.track) else { return true }
    let clearance = metrics.pixels(OverlayMetrics.bubbleClearance)
    return heading.spans.allSatisfy { $0.right + clearance < bubble.x || bubble.right + clearance < $0.x }
  }

  /// The bubble's place above the thumb, inside the margins.
  private func bubbleBox(over track: Box) -> Box? {
    guard bar.isDragged, track.width > 0, let thumb = playedEnd(of: track) else { return nil }
    let (scale, margin) = (metrics.typeScale, metrics.pixels(OverlayMetrics.sideMargin))
    let width = (times.positionWidth + 2 * metrics.pixels(OverlayMetrics.bubblePadding * scale)).rounded()
    let height = metrics.crisp(OverlayMetrics.bubbleHeight * scale)
    let x = min(max(thumb - width / 2, margin), metrics.width - margin - width)
    let bottom = track.centreY - metrics.pixels(OverlayMetrics.bubbleGap * metrics.trackScale)
    return Box(x: x.rounded(), y: (bottom - height).rounded(), width: width, height: height)
  }

  private func drawBubble(on canvas: borrowing Canvas, _ box: Box) {
    // On a solid black scrim a dark bubble would be invisible.
    let (ground, ink): (RGBColor, RGBColor) = metrics.hasHighContrast ? (.white, .black) : (metrics.ground, .white)
    canvas.fillRounded(
      box, corner: metrics.pixels(OverlayMetrics.bubbleCorner), ground, opacity: metrics.bubbleOpacity)
    times.position.draw(on: canvas, x: box.centreX - times.position.width / 2, centreY: box.centreY, ink)
  }

  private func drawTrack(on canvas: borrowing Canvas, _ track: Box) {
    let corner = track.height / 2
    // A live item has no position but the newest: its track is full, and there is no thumb to drag.
    let played = bar.isLive ? track.right : playedEnd(of: track) ?? track.x
    let buffered = max(end(at: bar.bufferedUntil, of: track) ?? track.x, played)
    canvas.clipped(to: chapters(of: track)) {
      canvas.clipped(to: track, corner: corner) {
        var piece = track
        piece.x = played
        piece.width = track.right - played
        canvas.fill(piece, .white, opacity: metrics.trackRestOpacity)
        piece.width = buffered - played
        canvas.fill(piece, .white, opacity: metrics.trackBufferedOpacity)
        piece.x = track.x
        piece.width = played - track.x
        canvas.fill(piece, theme.accent)
      }
    }
    if !bar.isLive, bar.isSeekable, let thumb = playedEnd(of: track) {
      drawThumb(on: canvas, x: thumb, y: track.centreY)
    }
  }

  /// The pieces of the track between chapters. A chapter too short to be seen gets no gap.
  private func chapters(of track: Box) -> [Box] {
    let cut = metrics.crisp(OverlayMetrics.chapterCut)
    var pieces: [Box] = []
    var rest = track
    for chapter in bar.chapters.sorted() {
      guard chapter > .zero, let place = end(at: chapter, of: track)?.rounded(), place - rest.x > 2 * cut,
        track.right - place > 2 * cut
      else { continue }
      pieces.append(Box(x: rest.x, y: track.y, width: place - rest.x, height: track.height))
      rest.x = place + cut
    }
    rest.width = track.right - rest.x
    return pieces + [rest]
  }

  private func drawThumb(on canvas: borrowing Canvas, x: Double, y: Double) {
    let scale = metrics.trackScale
    guard bar.isDragged else {
      return canvas.fillCircle(x: x, y: y, radius: metrics.pixels(OverlayMetrics.thumbRadius * scale), .white)
    }
    let radius = metrics.pixels(OverlayMetrics.draggedThumbRadius * scale)
    canvas.fillCircle(
      x: x, y: y, radius: radius + metrics.pixels(OverlayMetrics.haloWidth * scale), theme.accent,
      opacity: OverlayMetrics.haloOpacity)
    canvas.fillCircle(x: x, y: y, radius: radius, theme.accent)
  }

  private func playedEnd(of track: Box) -> Double? { end(at: bar.position, of: track) }

  /// The place of a time on the track; nil where there is no time or duration.
  private func end(at time: Duration?, of track: Box) -> Double? {
    guard let time, let duration = bar.duration, duration > .zero else { return nil }
    let share = time.inSeconds / duration.inSeconds
    return track.x + track.width * min(max(share, 0), 1)
  }
}

extension OverlayTargets.Area {
  init(_ box: Box) { self.init(x: box.x, y: box.y, width: box.width, height: box.height) }
}
