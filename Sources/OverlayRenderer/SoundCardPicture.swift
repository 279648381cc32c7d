import CPangoCairo
public import PlaybackCore

/// Draws the card of a sound without a picture: the cover, and beside it, or below it on an upright screen, title,
/// artist and album. The place of the transport bar stays free.
///
/// A language that is written from the right mirrors the whole card. Has no state; any thread. Takes some tens of
/// milliseconds, mostly for the fonts.
public enum SoundCardPicture {
  /// - Returns: nil when the screen is empty or too large for Cairo, or memory is short.
  public static func render(
    _ card: NowPlayingCard, cover: CoverPixels? = nil, screen: PixelSize, theme: Theme = Theme()
  ) -> Picture? {
    guard !screen.isEmpty, max(screen.width, screen.height) <= longestCairoSide,
      let text = TextContext(theme)
    else { return nil }
    let drawing = Drawing(card: card, cover: cover, theme: theme, metrics: theme.metrics(screen: screen), text: text)
    var isDrawn = false
    let count = screen.width * screen.height
    let pixels = [UInt32](unsafeUninitializedCapacity: count) { buffer, initialized in
      buffer.initialize(repeating: 0xFF00_0000)
      initialized = count
      guard let base = buffer.baseAddress,
        let surface = ImageSurface(
          CAIRO_FORMAT_RGB24, pixels: UnsafeMutableRawPointer(base), size: screen, stride: 4 * screen.width),
        let canvas = Canvas(on: surface)
      else { return }
      drawing.draw(on: canvas)
      isDrawn = canvas.isIntact
    }
    return isDrawn ? Picture(checked: screen, pixels: pixels) : nil
  }

  // In units of the overlay (a 54th of the short side), chosen by eye on all sizes.

  private static let widestCover = 27.0
  /// Share of a wide screen's width, so that the texts of a 4:3 screen have room too.
  private static let coverShare = 0.31
  /// Share of an upright screen's height, so that the texts have room below.
  private static let uprightCoverShare = 0.42
  private static let margin = 6.5
  private static let gap = 4.0
  private static let corner = 0.9
  private static let titleType = 3.1
  /// Type of long titles.
  private static let smallTitleType = 2.3
  private static let titleLines = 3
  private static let artistType = 1.9
  private static let albumType = 1.45
  private static let lineGap = 1.15
  private static let lineSpacing = 1.1
  private static let mostSecondaryLines = 2
  /// Opacity of the dark background over the blurred cover: white has more than 7:1 on it, whatever the cover is.
  private static let groundOverCover = 0.76
  /// Pixels to a side of the blurred cover: so few that nothing on it can be recognised.
  private static let groundSide = 12

  private struct Drawing {
    let card: NowPlayingCard
    let cover: CoverPixels?
    let theme: Theme
    let metrics: OverlayMetrics
    let text: TextContext

    private var isUpright: Bool { metrics.height > metrics.width }
    /// Pixels of a length that doesn't grow with the type: otherwise large covers would leave no room for large type.
    private func length(_ units: Double) -> Double {
      units * min(metrics.width, metrics.height) / OverlayMetrics.unitsInShortSide
    }

    func draw(on canvas: borrowing Canvas) {
      drawGround(on: canvas)
      // The bar's height below, and a little less at the top, so that the card looks centred.
      let bottom = metrics.height - metrics.pixels(metrics.scrimHeight) + length(1.5)
      let top = length(3)
      if isUpright {
        drawUpright(on: canvas, top: top, bottom: bottom)
      } else {
        drawWide(on: canvas, top: top, bottom: bottom)
      }
    }

    private func drawWide(on canvas: borrowing Canvas, top: Double, bottom: Double) {
      let margin = length(SoundCardPicture.margin)
      let side = min(
        length(widestCover), metrics.width * coverShare, bottom - top
      ).rounded()
      let room = metrics.width - 2 * margin - side - length(gap)
      let words = words(width: room, isCentred: false)
      // Cover and texts are centred as one group where the texts are short.
      let used = min(room, max(words.width, room * 0.6))
      let left = max(margin, (metrics.width - side - length(gap) - used) / 2)
      let centre = (top + bottom) / 2
      let tile = Box(x: left.rounded(), y: (centre - side / 2).rounded(), width: side, height: side)
      let isMirrored = words.isMirrored
      drawTile(on: canvas, isMirrored ? tile.mirrored(in: metrics.width) : tile)
      let column = Box(x: tile.right + length(gap), y: centre - words.height / 2, width: room, height: words.height)
      words.draw(on: canvas, in: isMirrored ? column.mirrored(in: metrics.width) : column)
    }

    private func drawUpright(on canvas: borrowing Canvas, top: Double, bottom: Double) {
      let margin = length(OverlayMetrics.sideMargin)
      let room = metrics.width - 2 * margin
      let side = min(room - 2 * margin, metrics.height * uprightCoverShare).rounded()
      let words = words(width: room, isCentred: true)
      let height = side + length(gap) + words.height
      let y = max(top, (top + bottom - height) / 2)
      drawTile(
        on: canvas,
        Box(x: ((metrics.width - side) / 2).rounded(), y: y.rounded(), width: side, height: side))
      words.draw(on: canvas, in: Box(x: margin, y: y + side + length(gap), width: room, height: words.height))
    }

    // MARK: Words

    private struct Words {
      var lines: [(layout: TextLayout, color: RGBColor, opacity: Double, gap: Double)]
      var isMirrored: Bool
      var width: Double { lines.map(\.layout.width).max() ?? 0 }
      var height: Double { lines.reduce(0) { $0 + $1.gap + $1.layout.height } }

      func draw(on canvas: borrowing Canvas, in box: Box) {
        var y = box.y
        for line in lines {
          y += line.gap
          line.layout.draw(on: canvas, x: box.x, y: y, line.color, opacity: line.opacity)
          y += line.layout.height
        }
      }
    }

    private func words(width: Double, isCentred: Bool) -> Words {
      func set(_ string: String, _ units: Double, _ weight: PangoWeight, lines: Int, mirrored: Bool?) -> TextLayout {
        let alignment: CuePlacement.Alignment =
          isCentred ? .center : mirrored.map { $0 ? .right : .left } ?? .start
        return text.paragraph(
          string, TextStyle(size: metrics.pixels(units), weight: weight, lineSpacing: lineSpacing), width: width,
          alignment: alignment, mostLines: lines)
      }
      let isMirrored = theme.isRightToLeft
      func title(_ units: Double) -> TextLayout {
        set(card.title, units, PANGO_WEIGHT_SEMIBOLD, lines: titleLines, mirrored: isMirrored)
      }
      var heading = title(titleType)
      if heading.lineCount > 2 || heading.isEllipsized { heading = title(smallTitleType) }
      var lines: [(layout: TextLayout, color: RGBColor, opacity: Double, gap: Double)] = [(heading, .white, 1, 0)]
      for (index, line) in card.lines.prefix(mostSecondaryLines).enumerated() {
        let isFirst = index == 0
        let layout = set(
          line, isFirst ? artistType : albumType, isFirst ? PANGO_WEIGHT_MEDIUM : PANGO_WEIGHT_NORMAL, lines: 2,
          mirrored: isMirrored)
        lines.append(
          (
            layout, isFirst ? theme.accent : .white, isFirst ? 1 : metrics.secondaryOpacity,
            metrics.pixels(isFirst ? lineGap : lineGap * 0.6)
          ))
      }
      return Words(lines: lines, isMirrored: isMirrored && !isCentred)
    }

    // MARK: Ground and cover

    private func drawGround(on canvas: borrowing Canvas) {
      let screen = Box(x: 0, y: 0, width: metrics.width, height: metrics.height)
      let ground = metrics.hasHighContrast ? RGBColor.black : OverlayMetrics.ground
      canvas.fill(screen, ground)
      guard let cover, !metrics.hasHighContrast else { return }
      let small = CoverGround.colours(of: cover, side: groundSide)
      small.withUnsafeBytes { bytes in
        let size = PixelSize(width: groundSide, height: groundSide)
        guard let base = bytes.baseAddress,
          let source = ImageSurface(
            CAIRO_FORMAT_RGB24, pixels: UnsafeMutableRawPointer(mutating: base), size: size, stride: 4 * groundSide)
        else { return }
        let all = PixelRect(x: 0, y: 0, width: metrics.screen.width, height: metrics.screen.height)
        canvas.paint(source, size: size, into: all)
      }
      canvas.fill(screen, ground, opacity: groundOverCover)
    }

    private func drawTile(on canvas: borrowing Canvas, _ tile: Box) {
      let corner = length(SoundCardPicture.corner)
      guard let cover else { return CoverStandIn.draw(on: canvas, tile, corner: corner, card, accent: theme.accent) }
      // The whole cover, in its own shape, inside the square.
      let scale = min(tile.width / Double(cover.size.width), tile.height / Double(cover.size.height))
      let (width, height) = (Double(cover.size.width) * scale, Double(cover.size.height) * scale)
      let place = Box(
        x: (tile.centreX - width / 2).rounded(), y: (tile.centreY - height / 2).rounded(),
        width: max(1, width.rounded()), height: max(1, height.rounded()))
      canvas.clipped(to: place, corner: corner) {
        cover.pixels.withUnsafeBytes { bytes in
          // Cairo only reads from a source, though it takes a mutable pointer.
          guard let base = bytes.baseAddress,
            let source = ImageSurface(
              CAIRO_FORMAT_RGB24, pixels: UnsafeMutableRawPointer(mutating: base), size: cover.size,
              stride: 4 * cover.size.width)
          else { return }
          let rect = PixelRect(x: Int(place.x), y: Int(place.y), width: Int(place.width), height: Int(place.height))
          canvas.paint(source, size: cover.size, into: rect)
        }
      }
    }
  }
}

/// The background colours behind a cover.
enum CoverGround {
  /// A picture of a few pixels, each the mean of its part of the cover, blended with its neighbours.
  static func colours(of cover: CoverPixels, side: Int) -> [UInt32] {
    let (width, height) = (cover.size.width, cover.size.height)
    var means = [SIMD3<Float>](repeating: .zero, count: side * side)
    for row in 0..<side {
      for column in 0..<side {
        let rows = (row * height / side)..<max(row * height / side + 1, (row + 1) * height / side)
        let columns = (column * width / side)..<max(column * width / side + 1, (column + 1) * width / side)
        // A sample of the pixels is enough.
        let (down, across) = (max(1, rows.count / 8), max(1, columns.count / 8))
        var sum = SIMD3<Float>.zero
        var count: Float = 0
        for y in stride(from: rows.lowerBound, to: min(rows.upperBound, height), by: down) {
          for x in stride(from: columns.lowerBound, to: min(columns.upperBound, width), by: across) {
            let pixel = cover.pixels[y * width + x]
            sum += SIMD3(Float(pixel >> 16 & 0xFF), Float(pixel >> 8 & 0xFF), Float(pixel & 0xFF))
            count += 1
          }
        }
        means[row * side + column] = count > 0 ? sum / count : .zero
      }
    }
    return (0..<(side * side)).map { index in
      let (row, column) = (index / side, index % side)
      var sum = SIMD3<Float>.zero
      for y in (row - 1)...(row + 1) {
        for x in (column - 1)...(column + 1) {
          sum += means[min(max(y, 0), side - 1) * side + min(max(x, 0), side - 1)]
        }
      }
      let mean = (sum / 9).rounded(.toNearestOrEven)
      return 0xFF00_0000 | UInt32(mean.x) << 16 | UInt32(mean.y) << 8 | UInt32(mean.z)
    }
  }
}

/// Draws a stand-in for a missing cover: a record, or the waves of a station.
enum CoverStandIn {
  // Shares of the tile's side.
  private static let tileColour = RGBColor(red: 0x22, green: 0x22, blue: 0x28)
  private static let recordColour = RGBColor(red: 0x0B, green: 0x0B, blue: 0x0D)
  private static let recordRadius = 0.39
  private static let labelRadius = 0.135
  private static let holeRadius = 0.018
  private static let grooves = [0.2, 0.235, 0.27, 0.305, 0.34]
  private static let grooveWidth = 0.004
  private static let grooveOpacity = 0.09
  private static let dotRadius = 0.052
  private static let waves = [0.14, 0.23, 0.32]
  private static let waveWidth = 0.042
  private static let waveHalf = 0.72
  private static let waveOpacities = [1.0, 0.62, 0.34]

  static func draw(on canvas: borrowing Canvas, _ tile: Box, corner: Double, _ card: NowPlayingCard, accent: RGBColor) {
    canvas.fillRounded(tile, corner: corner, tileColour)
    let (x, y, side) = (tile.centreX, tile.centreY, tile.width)
    guard card.isStation else {
      canvas.fillCircle(x: x, y: y, radius: side * recordRadius, recordColour)
      for radius in grooves {
        canvas.strokeArc(
          x: x, y: y, radius: side * radius, width: max(1, side * grooveWidth), share: 1, .white,
          opacity: grooveOpacity)
      }
      canvas.fillCircle(x: x, y: y, radius: side * labelRadius, accent)
      canvas.fillCircle(x: x, y: y, radius: side * holeRadius, recordColour)
      return
    }
    canvas.fillCircle(x: x, y: y, radius: side * dotRadius, accent)
    for (radius, opacity) in zip(waves, waveOpacities) {
      let colour = accent.over(tileColour, opacity: opacity)
      for isMirrored in [false, true] {
        canvas.turnedOver(isMirrored, around: x) {
          canvas.strokeWave(x: x, y: y, radius: side * radius, half: waveHalf, width: side * waveWidth, colour)
        }
      }
    }
  }
}
