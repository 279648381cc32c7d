import CPangoCairo
import InteractionCore
import PlaybackCore

/// The panel of choices: sections of lines. What is on has a check mark, a switch to the right, or a light ground, so
/// that nothing is told by colour alone.
struct ChoicesPart: OverlayPart {
  let bounds: Box
  private let wall: ChoiceWall
  private let metrics: OverlayMetrics
  private let theme: Theme
  private let text: TextContext
  private let lines: Box
  private var isMirrored: Bool { wall.grid.isRightToLeft }

  init(_ wall: ChoiceWall, metrics: OverlayMetrics, theme: Theme, text: TextContext) {
    self.wall = wall
    self.metrics = metrics
    self.theme = theme
    self.text = text
    let panel = Box(wall.grid.panel(of: wall.list.lines.count))
    bounds = panel
    let padding = wall.grid.padding
    lines = Box(x: panel.x, y: panel.y + padding, width: panel.width, height: panel.height - 2 * padding)
  }

  func draw(on canvas: borrowing Canvas) {
    canvas.fillRounded(
      bounds, corner: metrics.pixels(OverlayMetrics.cardCorner), metrics.ground, opacity: metrics.cardOpacity)
    // The ring around a cell at the edge stands in the padding.
    let spill = wall.grid.padding / 2
    canvas.clipped(to: [Box(x: lines.x, y: lines.y - spill, width: lines.width, height: lines.height + 2 * spill)]) {
      let first = max(0, Int(wall.position.rounded(.down)))
      let last = min(wall.list.lines.count, first + wall.grid.linesInView(of: wall.list.lines.count) + 1)
      for line in first..<max(first, last) { drawLine(line, on: canvas) }
    }
    drawScrollBar(on: canvas)
  }

  private func y(of line: Int) -> Double { lines.y + (Double(line) - wall.position) * wall.grid.lineHeight }

  private func drawLine(_ line: Int, on canvas: borrowing Canvas) {
    let content = wall.list.lines[line]
    if let heading = content.heading { drawHeading(heading, line, on: canvas) }
    // Cells side by side have one size of type: the largest that fits all of them.
    let isBeside = content.cells.count > 1
    let beside = isBeside ? style(ofCellsBeside: content.cells, line) : nil
    for (number, cell) in content.cells.enumerated() {
      let place = ChoiceList.Place(line: line, cell: number)
      let box = box(of: place)
      if place == wall.focus { drawFocus(box, on: canvas) }
      switch cell.kind {
      case .close: drawClose(box, isPressed: place == wall.pressed, on: canvas)
      case .option, .toggle:
        if let beside {
          drawSegment(cell, box, beside, isPressed: place == wall.pressed, on: canvas)
        } else {
          if place == wall.pressed { drawPressed(box, on: canvas) }
          drawRow(cell, box, on: canvas)
        }
      }
    }
  }

  private func box(of place: ChoiceList.Place) -> Box {
    let area = Box(wall.grid.area(of: place, in: wall.list, at: wall.position))
    let inset = metrics.crisp(OverlayMetrics.choiceInset)
    return Box(x: area.x, y: area.y.rounded() + inset, width: area.width, height: area.height - 2 * inset)
  }

  private var corner: Double { metrics.pixels(OverlayMetrics.choiceCorner) }

  private func string(_ cell: ChoiceCell) -> String { cell.label.map(text.string) ?? "" }

  // MARK: Kinds of cells

  private func drawHeading(_ heading: VisitorSentence, _ line: Int, on canvas: borrowing Canvas) {
    let (x, width) = (lines.x + wall.grid.padding, lines.width - 2 * wall.grid.padding)
    let isFirst = line == 0
    let room = width - 2 * inset - (isFirst ? wall.grid.lineHeight : 0)
    let words = text.string(VisitorText(heading))
    let style = style([words], metrics.choiceHeadingType, PANGO_WEIGHT_SEMIBOLD, room: room)
    let layout = text.line(words, style, width: room)
    // Nearer to its own lines than to those above.
    let height = wall.grid.lineHeight
    let centre = y(of: line) + height * (isFirst ? 0.5 : 0.6)
    layout.draw(
      on: canvas, x: (isMirrored ? x + width - inset - layout.width : x + inset) - layout.left, centreY: centre, .white,
      opacity: metrics.secondaryOpacity)
    guard !isFirst else { return }
    canvas.fill(
      Box(
        x: x, y: (y(of: line) + height * 0.1).rounded(), width: width, height: metrics.crisp(OverlayMetrics.choiceRule)),
      .white, opacity: metrics.hasHighContrast ? 1 : OverlayMetrics.choiceRuleOpacity)
  }

  private var inset: Double { metrics.pixels(OverlayMetrics.choiceInset * 2) }

  private func drawRow(_ cell: ChoiceCell, _ box: Box, on canvas: borrowing Canvas) {
    let column = metrics.pixels(OverlayMetrics.choiceMarkColumn * metrics.typeScale)
    let end = cell.kind == .toggle ? switchSize.width + 2 * inset : inset
    let room = box.width - column - inset - end
    let style = style([string(cell)], metrics.choiceType, PANGO_WEIGHT_NORMAL, room: room)
    let layout = text.line(string(cell), style, width: room)
    let x = isMirrored ? box.right - column - inset - layout.width : box.x + column + inset
    layout.draw(on: canvas, x: x - layout.left, centreY: box.centreY, .white)
    if cell.kind == .toggle {
      drawSwitch(isOn: cell.isOn, box, on: canvas)
    } else if cell.isOn {
      drawCheck(x: isMirrored ? box.right - inset - column / 2 : box.x + inset + column / 2, y: box.centreY, on: canvas)
    }
  }

  private func drawCheck(x: Double, y: Double, on canvas: borrowing Canvas) {
    let size = metrics.pixels(OverlayMetrics.choiceMark * metrics.typeScale)
    let stroke = max(1.5, metrics.pixels(OverlayMetrics.choiceMarkStroke * metrics.typeScale))
    let knee = (x: x - size * 0.15, y: y + size * 0.38)
    canvas.strokeLine((x - size * 0.5, y + size * 0.02), knee, width: stroke, theme.accent)
    canvas.strokeLine(knee, (x + size * 0.5, y - size * 0.38), width: stroke, theme.accent)
  }

  private var switchSize: (width: Double, height: Double) {
    let scale = metrics.typeScale
    return (
      metrics.pixels(OverlayMetrics.choiceSwitchWidth * scale).rounded(),
      metrics.pixels(OverlayMetrics.choiceSwitchHeight * scale).rounded()
    )
  }

  private func drawSwitch(isOn: Bool, _ row: Box, on canvas: borrowing Canvas) {
    let (width, height) = switchSize
    let x = isMirrored ? row.x + inset : row.right - inset - width
    let box = Box(x: x.rounded(), y: (row.centreY - height / 2).rounded(), width: width, height: height)
    canvas.fillRounded(
      box, corner: height / 2, isOn ? theme.accent : .white,
      opacity: isOn ? 1 : metrics.hasHighContrast ? 0.5 : OverlayMetrics.choiceSwitchRest)
    let isRight = isOn != isMirrored
    canvas.fillCircle(
      x: isRight ? box.right - height / 2 : box.x + height / 2, y: box.centreY, radius: height * 0.36,
      isOn ? metrics.ground : .white)
  }

  private func drawSegment(
    _ cell: ChoiceCell, _ box: Box, _ style: TextStyle, isPressed: Bool, on canvas: borrowing Canvas
  ) {
    let opacity = cell.isOn ? 1 : isPressed ? OverlayMetrics.tilePressedOpacity : metrics.buttonOpacity
    canvas.fillRounded(box, corner: corner, .white, opacity: opacity)
    let layout = text.line(string(cell), style, width: box.width - inset)
    layout.draw(
      on: canvas, x: box.centreX - layout.width / 2 - layout.left, centreY: box.centreY,
      cell.isOn ? metrics.ground : .white)
  }

  private func style(ofCellsBeside cells: [ChoiceCell], _ line: Int) -> TextStyle {
    let room = box(of: ChoiceList.Place(line: line, cell: 0)).width - inset
    return style(cells.map(string), metrics.choiceType, PANGO_WEIGHT_MEDIUM, room: room)
  }

  /// The largest type up to `type` in which each of these texts fits. Words that a large scale leaves no room for are
  /// better small than cut.
  private func style(_ words: [String], _ type: Double, _ weight: PangoWeight, room: Double) -> TextStyle {
    let smallest = OverlayMetrics.smallestType / max(1, metrics.scale)
    var style = TextStyle(size: metrics.pixels(type), weight: weight)
    while style.size > metrics.pixels(smallest), words.contains(where: { text.line($0, style).width > room }) {
      style.size *= OverlayMetrics.cardShrink
    }
    return style
  }

  private func drawClose(_ box: Box, isPressed: Bool, on canvas: borrowing Canvas) {
    if isPressed { drawPressed(box, on: canvas) }
    let half = metrics.pixels(OverlayMetrics.choiceMark * metrics.typeScale) / 2
    let stroke = max(1.5, metrics.pixels(OverlayMetrics.choiceMarkStroke * metrics.typeScale) * 0.8)
    let (x, y) = (box.centreX, box.centreY)
    canvas.strokeLine((x - half, y - half), (x + half, y + half), width: stroke, .white)
    canvas.strokeLine((x - half, y + half), (x + half, y - half), width: stroke, .white)
  }

  private func drawPressed(_ box: Box, on canvas: borrowing Canvas) {
    canvas.fillRounded(box, corner: corner, .white, opacity: OverlayMetrics.tilePressedOpacity)
  }

  /// The ring around the cell that keys have reached.
  private func drawFocus(_ box: Box, on canvas: borrowing Canvas) {
    let edge = metrics.crisp(OverlayMetrics.tileFocus * 0.75)
    let gap = metrics.crisp(OverlayMetrics.choiceInset * 0.5)
    func grown(_ by: Double) -> Box {
      Box(x: box.x - by, y: box.y - by, width: box.width + 2 * by, height: box.height + 2 * by)
    }
    canvas.fillRounded(grown(gap + edge), corner: corner + gap + edge, theme.accent)
    canvas.fillRounded(grown(gap), corner: corner + gap, metrics.ground)
  }

  /// How far down the lines in view are; nothing where all are in view.
  private func drawScrollBar(on canvas: borrowing Canvas) {
    let count = wall.list.lines.count
    let inView = wall.grid.linesInView(of: count)
    guard inView < count else { return }
    let width = metrics.crisp(OverlayMetrics.choiceBar * metrics.typeScale)
    let x = (wall.grid.padding - width) / 2
    let height = lines.height * Double(inView) / Double(count)
    let most = Double(count - inView)
    let share = min(max(wall.position / most, 0), 1)
    canvas.fillRounded(
      Box(
        x: (isMirrored ? bounds.x + x : bounds.right - x - width).rounded(),
        y: lines.y + (lines.height - height) * share, width: width, height: height), corner: width / 2, .white,
      opacity: metrics.hasHighContrast ? 1 : OverlayMetrics.choiceBarOpacity)
  }
}

extension Box {
  init(_ area: OverlayTargets.Area) { self.init(x: area.x, y: area.y, width: area.width, height: area.height) }
}
