import CPangoCairo
import InteractionCore
import PlaybackCore

/// Subtitles: white with a dark outline, so that they can be read over any film without darkening it; centred at the
/// bottom unless the cue says otherwise, and above the bar where that is shown. An author's colours are made lighter or
/// darker where they couldn't be read.
///
/// Several cues stand one above the other, the first one at the bottom; in a region the newest one is at the bottom. A
/// cue for which there is no room is left out.
struct SubtitlePart: OverlayPart {
  private struct Block {
    var text: TextLayout
    /// The whole column of the text; its lines may be shorter.
    var box: Box
  }

  let bounds: Box
  private let metrics: OverlayMetrics
  private let style: Style
  private let blocks: [Block]

  /// The look of all cues: the configured one with the visitor's wishes.
  private struct Style {
    /// How much larger than designed the type is.
    let factor: Double
    let hasBox: Bool
    /// Whether the visitor wants it; the configured one has a thicker edge alone.
    let isBold: Bool
    /// In u, around the letters; nothing in a box.
    let outline: Double
    let opacity: Double
    /// The least contrast of a colour to its ground.
    let contrast: Double
    /// Behind letters on which the author has set no other ground: the edge, or the box over a white film.
    let ground: RGBColor

    init(_ look: CaptionLook, _ metrics: OverlayMetrics) {
      let wished = look.hasHighContrast
      let isHigh = wished ?? metrics.hasHighContrast
      factor = look.size.factor
      contrast = isHigh ? OverlayMetrics.captionHighContrast : OverlayMetrics.captionContrast
      hasBox = look.ground == .box
      isBold = wished == true
      if hasBox {
        (outline, opacity) = (0, isHigh ? 1 : OverlayMetrics.subtitleBoxOpacity)
      } else if let wished {
        outline = wished ? OverlayMetrics.contrastOutline : OverlayMetrics.subtitleOutline
        opacity = wished ? 1 : OverlayMetrics.subtitleOutlineOpacity
      } else {
        (outline, opacity) = (metrics.subtitleOutline, metrics.subtitleOutlineOpacity)
      }
      ground = hasBox ? RGBColor.black.over(.white, opacity: opacity) : .black
    }

    /// Whether an author's ground is drawn: a visitor's box, and high contrast, go before it.
    private var showsGrounds: Bool { !hasBox && !isBold }

    /// The cue's styles with colours that can be read.
    func spans(of cue: SubtitleCue) -> [StyleSpan] {
      var grounds: [(color: RGBColor, bytes: Range<Int>)] = []
      if showsGrounds {
        for span in cue.spans { if case .background(let color) = span.style { grounds.append((color, span.bytes)) } }
      }
      return cue.spans.flatMap { span -> [StyleSpan] in
        switch span.style {
        case .italic, .bold, .underline: return [span]
        case .background(let ground):
          guard showsGrounds else { return [] }
          // The letters on it may have no colour of their own.
          let letters = RGBColor.white.legible(on: ground, contrast: contrast)
          return [span, StyleSpan(.color(letters), bytes: span.bytes)]
        case .color(let color):
          let ground = grounds.last { $0.bytes.overlaps(span.bytes) }?.color ?? self.ground
          return [StyleSpan(.color(color.legible(on: ground, contrast: contrast)), bytes: span.bytes)]
        }
      }
    }
  }

  /// - Parameters:
  ///   - isBarShown: the subtitles then stay clear of the bar.
  ///   - panel: the place of the panel of choices, which captions never cover; nil while it is closed.
  ///   - Returns: nil where no cue can be drawn.
  init?(
    _ cues: [SubtitleCue], _ look: CaptionLook, isBarShown: Bool, beside panel: Box?, metrics: OverlayMetrics,
    text: TextContext
  ) {
    let style = Style(look, metrics)
    (self.metrics, self.style) = (metrics, style)
    let rooms = Self.rooms(style, isBarShown: isBarShown, beside: panel, metrics: metrics)
    var blocks: [Block] = []
    let inRegions = cues.filter { $0.placement?.region != nil }
    for cue in cues.filter({ $0.placement?.region == nil }) + inRegions.reversed() {
      let room =
        if let region = cue.placement?.region {
          Self.room(
            of: region, style, in: region.viewportAnchor.y < 50 ? rooms.top : rooms.bottom, metrics: metrics)
        } else {
          cue.placement?.isFromTop == true ? rooms.top : rooms.bottom
        }
      let setting = Self.setting(of: cue, style, in: room, metrics: metrics, text: text)
      if let box = Self.place(cue.placement, setting, style, in: room, metrics: metrics, beside: blocks.map(\.box)) {
        blocks.append(Block(text: setting, box: box))
      }
    }
    guard !blocks.isEmpty else { return nil }
    self.blocks = blocks
    // Slanted letters lean out of their line, by less than half an em.
    let spill = metrics.pixels(style.outline + OverlayMetrics.subtitleType * style.factor / 2)
    let inked = blocks.map { block in
      Box(
        x: block.box.x + block.text.left - spill, y: block.box.y - spill, width: block.text.width + 2 * spill,
        height: block.box.height + 2 * spill)
    }
    let left = inked.map(\.x).min() ?? 0
    let top = inked.map(\.y).min() ?? 0
    bounds = Box(
      x: left, y: top, width: (inked.map(\.right).max() ?? 0) - left, height: (inked.map(\.bottom).max() ?? 0) - top)
  }

  func draw(on canvas: borrowing Canvas) {
    for block in blocks {
      guard style.hasBox else {
        block.text.drawOutlined(
          on: canvas, x: block.box.x, y: block.box.y, .white, outline: metrics.pixels(style.outline),
          opacity: style.opacity)
        continue
      }
      let across = metrics.pixels(OverlayMetrics.subtitleBoxAcross * style.factor)
      let above = metrics.pixels(OverlayMetrics.subtitleBoxAbove * style.factor)
      canvas.fillRounded(
        Box(
          x: block.box.x + block.text.left - across, y: block.box.y - above, width: block.text.width + 2 * across,
          height: block.box.height + 2 * above), corner: metrics.pixels(OverlayMetrics.subtitleBoxCorner), .black,
        opacity: style.opacity)
      block.text.draw(on: canvas, x: block.box.x, y: block.box.y, .white)
    }
  }

  // MARK: Rooms

  /// The parts of the screen for cues that stand at the top, and for all others. They differ where a bar stands higher
  /// than the screen's edge and leaves room below itself.
  private static func rooms(
    _ style: Style, isBarShown: Bool, beside panel: Box?, metrics: OverlayMetrics
  ) -> (top: Room, bottom: Room) {
    let (side, margin) = (metrics.pixels(OverlayMetrics.sideMargin), metrics.pixels(OverlayMetrics.subtitleMargin))
    var room = Room(
      x: side, top: metrics.top + margin, width: metrics.width - 2 * side, bottom: metrics.height - margin)
    if let panel {
      // A sheet at the lower edge, or a column at the right.
      if metrics.isUpright { room.bottom = panel.y - margin } else { room.width = panel.x - 2 * side }
    }
    guard isBarShown else { return (room, room) }
    var above = room
    above.bottom = metrics.height - metrics.lower - metrics.pixels(metrics.subtitleAboveBar)
    room.top = metrics.height - metrics.lower + metrics.pixels(OverlayMetrics.scrimFade)
    let needed =
      OverlayMetrics.subtitleType * style.factor * OverlayMetrics.subtitleLine * OverlayMetrics.subtitleLinesBelow
    return (above, room.height >= metrics.pixels(needed) ? room : above)
  }

  /// The part of a room that belongs to a region. It is as high as its lines need to stay above its lower edge: larger
  /// letters than the author's may need more lines.
  private static func room(of region: CueRegion, _ style: Style, in room: Room, metrics: OverlayMetrics) -> Room {
    let line = metrics.pixels(OverlayMetrics.subtitleType * style.factor * OverlayMetrics.subtitleLine)
    let height = Double(region.lines) * line
    let narrowest = metrics.pixels(OverlayMetrics.subtitleWidth * style.factor / 4)
    var own = room
    own.width = min(max(metrics.width * region.width / 100, narrowest), room.width)
    let x = (metrics.width * region.viewportAnchor.x - own.width * region.anchor.x) / 100
    let bottom = (metrics.height * region.viewportAnchor.y + height * (100 - region.anchor.y)) / 100
    own.x = min(max(x, room.x), room.x + room.width - own.width)
    own.bottom = min(max(bottom, room.top + line), room.bottom)
    return own
  }

  // MARK: Setting

  /// The part of the screen for subtitles.
  private struct Room {
    var x: Double
    var top: Double
    var width: Double
    var bottom: Double
    var height: Double { bottom - top }
  }

  /// Lays out a cue in its column, in the largest type that fits the room.
  private static func setting(
    of cue: SubtitleCue, _ style: Style, in room: Room, metrics: OverlayMetrics, text: TextContext
  ) -> TextLayout {
    // In a box the text keeps a margin within the room.
    let across = style.hasBox ? 2 * metrics.pixels(OverlayMetrics.subtitleBoxAcross * style.factor) : 0
    let widest = min(room.width - across, metrics.pixels(OverlayMetrics.subtitleWidth * style.factor))
    var width = cue.placement?.size.map { min(room.width, max(room.width * $0 / 100, widest / 4)) } ?? widest
    // A column that is centred on a point may only reach to the nearer edge.
    if let position = cue.placement?.position, cue.placement?.alignment ?? .center == .center {
      width = max(min(width, room.width * min(position, 100 - position) / 50), widest / 4)
    }
    var type = OverlayMetrics.subtitleType * style.factor
    let weight = style.isBold ? PANGO_WEIGHT_BOLD : PANGO_WEIGHT_MEDIUM
    let spans = style.spans(of: cue)
    while true {
      let layout = text.paragraph(
        cue.text, TextStyle(size: metrics.pixels(type), weight: weight), width: width,
        alignment: cue.placement?.alignment ?? .center, spans: spans)
      let smaller = max(type * OverlayMetrics.cardShrink, OverlayMetrics.smallestType)
      guard layout.height > room.height, smaller < type else { return layout }
      type = smaller
    }
  }

  /// The place of a text; nil where the other texts leave no room.
  private static func place(
    _ placement: CuePlacement?, _ text: TextLayout, _ style: Style, in room: Room, metrics: OverlayMetrics,
    beside others: [Box]
  ) -> Box? {
    let share: Double =
      switch placement?.alignment {
      case .start: text.isRightToLeft ? 1 : 0
      case .end: text.isRightToLeft ? 0 : 1
      case .left: 0
      case .right: 1
      case .center, nil: 0.5
      }
    let anchor = placement?.position.map { $0 / 100 } ?? share
    let x = room.x + anchor * room.width - share * text.columnWidth
    var box = Box(
      x: min(max(x, room.x), room.x + room.width - text.columnWidth).rounded(), y: 0, width: text.columnWidth,
      height: text.height)
    let line = text.height / Double(max(1, text.lineCount))
    switch placement?.line {
    case .percent(let percent): box.y = metrics.height * percent / 100
    case .row(let row) where row >= 0: box.y = room.top + Double(row) * line
    case .row(let row): box.y = room.bottom - Double(-row - 1) * line - box.height
    case nil: box.y = room.bottom - box.height
    }
    let isFromTop = placement?.isFromTop == true
    box.y = max(room.top, min(box.y, room.bottom - box.height)).rounded()
    let gap = metrics.pixels(OverlayMetrics.subtitleGap * style.factor)
    // Each step moves clear of one other text for good, because all steps go in one direction.
    while let other = others.first(where: { $0.y < box.bottom && box.y < $0.bottom }) {
      box.y = isFromTop ? (other.bottom + gap).rounded() : (other.y - gap - box.height).rounded()
      guard box.y >= room.top, box.bottom <= room.bottom else { return nil }
    }
    return box
  }
}

extension CuePlacement {
  /// Whether the cue stands in the upper half, and makes room for others downwards.
  fileprivate var isFromTop: Bool {
    switch line {
    case .percent(let percent): percent < 50
    case .row(let row): row >= 0
    case nil: false
    }
  }
}
