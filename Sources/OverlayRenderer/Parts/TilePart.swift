import CPangoCairo
import InteractionCore
import PlaybackCore

/// One film among the tiles: its picture with the length and the signs for captions, description and languages, and its
/// title below.
struct TilePart {
  private let tile: Tile
  private let metrics: OverlayMetrics
  private let theme: Theme
  private let text: TextContext
  private let picture: Box
  private let isFocused: Bool
  private let isPressed: Bool

  init(
    _ tile: Tile, at area: OverlayTargets.Area, isFocused: Bool, isPressed: Bool, metrics: OverlayMetrics,
    theme: Theme, text: TextContext
  ) {
    self.tile = tile
    self.metrics = metrics
    self.theme = theme
    self.text = text
    self.isFocused = isFocused
    self.isPressed = isPressed
    picture = Box(
      x: area.x.rounded(), y: area.y.rounded(), width: area.width,
      height: OverlayMetrics.tileHeight(area.width).rounded())
  }

  func draw(on canvas: borrowing Canvas) {
    if isFocused { drawFocus(on: canvas) }
    let corner = metrics.pixels(OverlayMetrics.tileCorner)
    canvas.fillRounded(picture, corner: corner, metrics.ground)
    if let poster = tile.facts.poster {
      canvas.clipped(to: picture, corner: corner) { drawPoster(poster, on: canvas) }
    } else {
      canvas.fillRounded(picture, corner: corner, .white, opacity: OverlayMetrics.tileEmptyOpacity)
      drawPlaySign(on: canvas)
    }
    if isPressed { canvas.fillRounded(picture, corner: corner, .white, opacity: OverlayMetrics.tilePressedOpacity) }
    drawBadges(on: canvas)
    drawTitle(on: canvas)
  }

  private func drawFocus(on canvas: borrowing Canvas) {
    let gap = metrics.crisp(OverlayMetrics.tileFocusGap)
    let edge = gap + metrics.crisp(OverlayMetrics.tileFocus)
    func grown(_ by: Double) -> Box {
      Box(x: picture.x - by, y: picture.y - by, width: picture.width + 2 * by, height: picture.height + 2 * by)
    }
    let corner = metrics.pixels(OverlayMetrics.tileCorner)
    canvas.fillRounded(grown(edge), corner: corner + edge, theme.accent)
    canvas.fillRounded(grown(gap), corner: corner + gap, .black)
  }

  /// Fills the box with the middle of the picture.
  private func drawPoster(_ poster: TilePoster, on canvas: borrowing Canvas) {
    let scale = max(picture.width / Double(poster.size.width), picture.height / Double(poster.size.height))
    let (width, height) = (Double(poster.size.width) * scale, Double(poster.size.height) * scale)
    let place = PixelRect(
      x: Int((picture.centreX - width / 2).rounded(.down)), y: Int((picture.centreY - height / 2).rounded(.down)),
      width: max(1, Int(width.rounded(.up))), height: max(1, Int(height.rounded(.up))))
    poster.pixels.withUnsafeBytes { bytes in
      // Cairo only reads from a source, though it takes a mutable pointer.
      guard let base = bytes.baseAddress,
        let source = ImageSurface(
          CAIRO_FORMAT_RGB24, pixels: UnsafeMutableRawPointer(mutating: base), size: poster.size,
          stride: 4 * poster.size.width)
      else { return }
      canvas.paint(source, size: poster.size, into: place)
    }
  }

  /// The triangle of the play button: there is something to play, though no picture of it.
  private func drawPlaySign(on canvas: borrowing Canvas) {
    let height = picture.height * 0.3
    let (left, half) = (picture.centreX - height * 0.36, height / 2)
    canvas.fillPolygon(
      [(left, picture.centreY - half), (left + height * 0.87, picture.centreY), (left, picture.centreY + half)],
      corner: metrics.pixels(OverlayMetrics.glyphCorner), .white)
  }

  private var signs: [OverlayButton] {
    let facts = tile.facts
    return (facts.hasCaptions ? [.captions] : []) + (facts.hasDescription ? [.description] : [])
      + (facts.hasLanguages ? [.language] : [])
  }

  /// The length where the line ends, and the signs where it begins.
  private func drawBadges(on canvas: borrowing Canvas) {
    let size = metrics.pixels(OverlayMetrics.tileBadgeType * metrics.typeScale)
    let padding = metrics.pixels(OverlayMetrics.tileBadgePadding)
    let margin = metrics.pixels(OverlayMetrics.tileBadgeMargin)
    let height = (size * OverlayMetrics.tileLine + padding).rounded()
    let y = picture.bottom - margin - height
    func badge(width: Double, isAtStart: Bool) -> Box? {
      guard width <= picture.width - 2 * margin else { return nil }
      let isLeft = isAtStart != theme.isRightToLeft
      let box = Box(
        x: isLeft ? picture.x + margin : picture.right - margin - width, y: y, width: width, height: height)
      canvas.fillRounded(box, corner: height / 4, metrics.ground, opacity: OverlayMetrics.tileBadgeOpacity)
      return box
    }
    if let length = tile.facts.length {
      let style = TextStyle(size: size, weight: PANGO_WEIGHT_MEDIUM, hasTabularFigures: true)
      let time = text.line(TimeText.short(length, beside: length), style)
      if let box = badge(width: time.width + 2 * padding, isAtStart: false) {
        time.draw(on: canvas, x: box.x + padding, centreY: box.centreY, .white)
      }
    }
    guard !signs.isEmpty else { return }
    var small = metrics
    small.touchScale = size / metrics.pixels(OverlayMetrics.speakerHeight)
    let width = metrics.pixels(OverlayMetrics.captionsWidth * small.touchScale)
    let step = width + padding
    guard let box = badge(width: Double(signs.count) * step + padding, isAtStart: true) else { return }
    for (place, sign) in signs.enumerated() {
      let x = box.x + padding + Double(place) * step
      BarButton(sign, TransportBar(title: ""), small).draw(
        on: canvas, Box(x: x, y: box.y, width: width, height: box.height))
    }
  }

  private func drawTitle(on canvas: borrowing Canvas) {
    let style = TextStyle(
      size: metrics.pixels(metrics.tileTitleType), weight: PANGO_WEIGHT_MEDIUM,
      lineSpacing: OverlayMetrics.tileLineSpacing)
    // Titles begin where the visitor's language does, whatever theirs.
    let title = text.paragraph(
      tile.title, style, width: picture.width, alignment: theme.isRightToLeft ? .right : .left,
      mostLines: OverlayMetrics.tileTitleLines)
    title.draw(
      on: canvas, x: picture.x, y: (picture.bottom + metrics.pixels(OverlayMetrics.tileTitleGap)).rounded(), .white)
  }
}

/// Tells which of the pages of tiles is shown: a dot for each, or its number among many.
struct PagesPart: OverlayPart {
  let bounds: Box
  private let page: Int
  private let grid: TileGrid
  private let metrics: OverlayMetrics
  private let theme: Theme
  private let number: TextLayout?

  /// - Returns: nil for a single page.
  init?(_ wall: TileWall, metrics: OverlayMetrics, theme: Theme, text: TextContext) {
    grid = wall.sheet.grid
    guard grid.pages > 1 else { return nil }
    self.metrics = metrics
    self.theme = theme
    page = min(max(0, Int(wall.position.rounded())), grid.pages - 1)
    let y = metrics.height - metrics.lower - metrics.pixels(OverlayMetrics.pagesHeight / 2)
    let height = metrics.pixels(OverlayMetrics.tileTitleType * metrics.typeScale * OverlayMetrics.tileLine)
    let width: Double
    if grid.pages > OverlayMetrics.mostPageDots {
      let style = TextStyle(
        size: metrics.pixels(metrics.tileTitleType), weight: PANGO_WEIGHT_MEDIUM, hasTabularFigures: true)
      let line = text.line("\(page + 1) / \(grid.pages)", style)
      number = line
      width = line.width
    } else {
      number = nil
      width = metrics.pixels(
        Double(grid.pages - 1) * OverlayMetrics.pageDotStep + 2 * OverlayMetrics.pageDot)
    }
    bounds = Box(x: (metrics.width - width) / 2, y: y - height / 2, width: width, height: height)
  }

  func draw(on canvas: borrowing Canvas) {
    if let number { return number.draw(on: canvas, x: bounds.x, centreY: bounds.centreY, .white) }
    let radius = metrics.pixels(OverlayMetrics.pageDot)
    for index in 0..<grid.pages {
      let place = grid.isRightToLeft ? grid.pages - 1 - index : index
      let x = bounds.x + radius + metrics.pixels(Double(place) * OverlayMetrics.pageDotStep)
      canvas.fillCircle(
        x: x, y: bounds.centreY, radius: radius, index == page ? theme.accent : .white,
        opacity: index == page || metrics.hasHighContrast ? 1 : OverlayMetrics.pageDotRest)
    }
  }
}
