import CPangoCairo
import PlaybackCore

/// Subtitles: white with a dark outline, so that they can be read over any film without darkening it; centred at the
/// bottom unless the cue says otherwise, and above the bar where that is shown.
///
/// Several cues stand one above the other, the first one at the bottom. A cue for which there is no room is left out.
struct SubtitlePart: OverlayPart {
  private struct Block {
    var text: TextLayout
    /// The whole column of the text; its lines may be shorter.
    var box: Box
  }

  let bounds: Box
  private let metrics: OverlayMetrics
  private let blocks: [Block]

  /// - Parameters:
  ///   - isBarShown: the subtitles then stay clear of the bar.
  ///   - Returns: nil where no cue can be drawn.
  init?(_ cues: [SubtitleCue], isBarShown: Bool, metrics: OverlayMetrics, text: TextContext) {
    self.metrics = metrics
    let margin = metrics.pixels(OverlayMetrics.sideMargin)
    let bottom =
      metrics.height
      - metrics.pixels(isBarShown ? metrics.subtitleAboveBar : OverlayMetrics.subtitleMargin)
    let room = Room(
      x: margin, top: metrics.top + metrics.pixels(OverlayMetrics.subtitleMargin), width: metrics.width - 2 * margin,
      bottom: bottom)
    var blocks: [Block] = []
    for cue in cues {
      let setting = Self.setting(of: cue, in: room, metrics: metrics, text: text)
      if let box = Self.place(cue.placement, setting, in: room, metrics: metrics, beside: blocks.map(\.box)) {
        blocks.append(Block(text: setting, box: box))
      }
    }
    guard !blocks.isEmpty else { return nil }
    self.blocks = blocks
    // Slanted letters lean out of their line, by less than half an em.
    let spill = metrics.pixels(metrics.subtitleOutline + OverlayMetrics.subtitleType / 2)
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
      block.text.drawOutlined(
        on: canvas, x: block.box.x, y: block.box.y, .white,
        outline: metrics.pixels(metrics.subtitleOutline), opacity: metrics.subtitleOutlineOpacity)
    }
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
  private static func setting(of cue: SubtitleCue, in room: Room, metrics: OverlayMetrics, text: TextContext)
    -> TextLayout
  {
    let widest = min(room.width, metrics.pixels(OverlayMetrics.subtitleWidth))
    var width = cue.placement?.size.map { min(room.width, max(room.width * $0 / 100, widest / 4)) } ?? widest
    // A column that is centred on a point may only reach to the nearer edge.
    if let position = cue.placement?.position, cue.placement?.alignment ?? .center == .center {
      width = max(min(width, room.width * min(position, 100 - position) / 50), widest / 4)
    }
    var type = OverlayMetrics.subtitleType
    while true {
      let layout = text.paragraph(
        cue.text, TextStyle(size: metrics.pixels(type), weight: PANGO_WEIGHT_MEDIUM), width: width,
        alignment: cue.placement?.alignment ?? .center, spans: cue.spans)
      let smaller = max(type * OverlayMetrics.cardShrink, OverlayMetrics.smallestType)
      guard layout.height > room.height, smaller < type else { return layout }
      type = smaller
    }
  }

  /// The place of a text; nil where the other texts leave no room.
  private static func place(
    _ placement: CuePlacement?, _ text: TextLayout, in room: Room, metrics: OverlayMetrics, beside others: [Box]
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
    let isFromTop: Bool
    switch placement?.line {
    case .percent(let percent):
      box.y = metrics.height * percent / 100
      isFromTop = percent < 50
    case .row(let row) where row >= 0:
      box.y = room.top + Double(row) * line
      isFromTop = true
    case .row(let row):
      box.y = room.bottom - Double(-row - 1) * line - box.height
      isFromTop = false
    case nil:
      box.y = room.bottom - box.height
      isFromTop = false
    }
    box.y = max(room.top, min(box.y, room.bottom - box.height)).rounded()
    let gap = metrics.pixels(OverlayMetrics.subtitleGap)
    // Each step moves clear of one other text for good, because all steps go in one direction.
    while let other = others.first(where: { $0.y < box.bottom && box.y < $0.bottom }) {
      box.y = isFromTop ? (other.bottom + gap).rounded() : (other.y - gap - box.height).rounded()
      guard box.y >= room.top, box.bottom <= room.bottom else { return nil }
    }
    return box
  }
}
