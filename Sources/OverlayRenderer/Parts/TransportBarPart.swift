import CPangoCairo
import InteractionCore
import PlaybackCore

/// The strip at the bottom: title, button, position, track, duration. Its scrim is `Scrim`.
///
/// A right-to-left title mirrors the whole row, and the track then runs from right to left. The play triangle keeps its
/// direction, which is a sign and not a direction of reading. While it is dragged the track and the thumb grow, and a
/// bubble above the thumb has the time that the finger is at; the title goes where the bubble would cover it.
struct TransportBarPart {
  /// All that it draws lies in here, in pixels of the screen.
  let bounds: Box
  /// Where fingers meet it.
  var targets: OverlayTargets {
    let places = places
    let track = mirrored(places.track)
    return OverlayTargets(
      track: places.track.width > 0 ? .init(track) : nil, isMirrored: isMirrored,
      buttons: places.buttons.mapValues { .init(mirrored($0)) })
  }

  var isDragged: Bool { bar.isDragged }

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
  private var places = Places()

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
    // Once for all that is drawn; needs all of the above.
    places = fittingPlaces()
  }

  /// What `drawStill` depends on: where this is the same, so are its pixels.
  struct Still: Hashable {
    fileprivate var bar: TransportBar
    fileprivate var positionWidth: Double
    fileprivate var showsTitle: Bool
  }

  var still: Still {
    var bar = bar
    bar.position = nil
    bar.bufferedUntil = nil
    return Still(bar: bar, positionWidth: positionWidth, showsTitle: showsTitle)
  }

  /// What stays while the position runs or is dragged. Below all that `drawMoving` draws.
  func drawStill(on canvas: borrowing Canvas) {
    if showsTitle {
      title.draw(
        on: canvas, x: metrics.pixels(OverlayMetrics.sideMargin),
        centreY: metrics.height - metrics.pixels(OverlayMetrics.titleCentre), .white)
    }
    for (button, box) in places.buttons.sorted(by: { $0.value.x < $1.value.x }) {
      BarButton(button, bar, metrics).draw(on: canvas, mirrored(box), isMirrored: isMirrored)
    }
    drawDuration(on: canvas, mirrored(places.duration), rowY: places.duration.y)
  }

  func drawMoving(on canvas: borrowing Canvas) {
    let positionPlace = mirrored(places.position)
    let positionX = isMirrored ? positionPlace.right - position.width : positionPlace.x
    position.draw(
      on: canvas, x: positionX, centreY: places.position.y, bar.isDragged ? theme.accent : .white)
    if places.track.width > 0 { drawTrack(on: canvas, places.track) }
    if let bubble = bubbleBox(over: places.track) { drawBubble(on: canvas, mirrored(bubble)) }
  }

  /// Unless the bubble would cover it.
  private var showsTitle: Bool {
    if bar.hidesTitle { return false }
    guard let bubble = bubbleBox(over: places.track) else { return true }
    return bubble.x > metrics.pixels(OverlayMetrics.sideMargin + OverlayMetrics.bubbleClearance) + titleWidth
  }

  private struct Places {
    var buttons: [OverlayButton: Box] = [:]
    /// Places of text have no height; their y is that of its middle.
    var position = Box.none
    var duration = Box.none
    var track = Box.none
  }

  /// The row from left to right, as it is when it isn't mirrored. Where it would leave too short a track, buttons go: first
  /// mute, which a remote control has too, then previous and next, which a flick does.
  private func fittingPlaces() -> Places {
    var wanted = OverlayButton.allCases.filter(bar.buttons.contains)
    var places = places(wanted)
    let leaving: [Set<OverlayButton>] = [[.mute], [.previous, .next]]
    for buttons in leaving where places.track.width < metrics.pixels(OverlayMetrics.shortestTrack) {
      guard wanted.contains(where: buttons.contains) else { continue }
      wanted.removeAll(where: buttons.contains)
      places = self.places(wanted)
    }
    return places
  }

  private func places(_ buttons: [OverlayButton]) -> Places {
    let margin = metrics.pixels(OverlayMetrics.sideMargin)
    let rowY = (metrics.height - metrics.pixels(OverlayMetrics.rowCentre)).rounded()
    let (radius, side) = (
      metrics.pixels(OverlayMetrics.buttonRadius), metrics.pixels(OverlayMetrics.sideButtonWidth)
    )
    let glyphMargin = (side - metrics.pixels(OverlayMetrics.skipWidth + OverlayMetrics.skipBarWidth)) / 2
    func box(_ button: OverlayButton, at x: Double) -> Box {
      button == .playPause
        ? Box(x: x, y: rowY - radius, width: 2 * radius, height: 2 * radius)
        : Box(x: x, y: rowY - side / 2, width: side, height: side)
    }
    var found: [OverlayButton: Box] = [:]
    // What has no disc is aligned by its glyph.
    var x = margin - (buttons.first.map { $0 != .playPause && $0 != .mute } ?? false ? glyphMargin : 0)
    for button in buttons where button != .mute {
      let box = box(button, at: x)
      found[button] = box
      x = box.right + metrics.pixels(OverlayMetrics.sideButtonGap)
    }
    if !found.isEmpty { x += metrics.pixels(OverlayMetrics.buttonGap - OverlayMetrics.sideButtonGap) }
    var end = metrics.width - margin
    if buttons.contains(.mute) {
      let box = box(.mute, at: end - side + glyphMargin)
      found[.mute] = box
      end = box.x - metrics.pixels(OverlayMetrics.sideButtonGap)
    }
    let position = Box(x: x, y: rowY, width: positionWidth, height: 0)
    let duration = Box(x: end - durationWidth, y: rowY, width: durationWidth, height: 0)
    let gap = metrics.pixels(OverlayMetrics.trackGap)
    let height = metrics.crisp(bar.isDragged ? metrics.draggedTrackHeight : metrics.trackHeight)
    let start = (position.right + gap).rounded()
    let track = Box(
      x: start, y: (rowY - height / 2).rounded(), width: (duration.x - gap).rounded() - start, height: height)
    return Places(buttons: found, position: position, duration: duration, track: track)
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
    // On a solid black scrim a dark bubble isn't seen.
    let (ground, ink): (RGBColor, RGBColor) = metrics.hasHighContrast ? (.white, .black) : (metrics.ground, .white)
    canvas.fillRounded(
      box, corner: metrics.pixels(OverlayMetrics.bubbleCorner), ground, opacity: metrics.bubbleOpacity)
    position.draw(on: canvas, x: box.centreX - position.width / 2, centreY: box.centreY, ink)
  }

  private func mirrored(_ box: Box) -> Box { isMirrored ? box.mirrored(in: metrics.width) : box }

  private func drawDuration(on canvas: borrowing Canvas, _ box: Box, rowY: Double) {
    guard bar.isLive else {
      let x = isMirrored ? box.x : box.right - duration.width
      duration.draw(on: canvas, x: x, centreY: rowY, .white, opacity: metrics.secondaryOpacity)
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
    cairo_restore(canvas.pointer)
  }

  /// The pieces of the track between the cuts. Chapters that are too short to be told apart aren't cut off.
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
