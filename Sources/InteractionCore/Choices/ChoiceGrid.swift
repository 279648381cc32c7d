public import PlaybackCore

/// The places of the panel's lines on a screen. All lines have one height; the panel is as high as they need, and
/// stands on the lower edge of its area.
public struct ChoiceGrid: Hashable, Sendable {
  public var screen: PixelSize
  /// The largest panel, in pixels of the screen.
  public var area: OverlayTargets.Area
  /// In pixels.
  public var lineHeight: Double
  /// Between the panel's edges and its lines, and between cells side by side, in pixels.
  public var padding: Double
  public var isRightToLeft: Bool

  /// - Parameters:
  ///   - lineHeight: above 0.
  ///   - area: at least one line high, with padding above and below.
  public init(
    screen: PixelSize, area: OverlayTargets.Area, lineHeight: Double, padding: Double, isRightToLeft: Bool = false
  ) {
    self.screen = screen
    self.area = area
    self.lineHeight = lineHeight
    self.padding = padding
    self.isRightToLeft = isRightToLeft
  }

  /// How many of so many lines are in view.
  public func linesInView(of count: Int) -> Int {
    min(count, max(1, Int((area.height - 2 * padding) / lineHeight)))
  }

  /// The panel for so many lines.
  public func panel(of count: Int) -> OverlayTargets.Area {
    var panel = area
    panel.height = Double(linesInView(of: count)) * lineHeight + 2 * padding
    panel.y = area.y + area.height - panel.height
    return panel
  }

  /// How far a finger has moved towards later lines, in lines.
  func lines(of drag: Drag) -> Double { lineHeight > 0 ? (drag.start.y - drag.point.y) / lineHeight : 0 }

  /// The cell's place.
  ///
  /// - Parameter position: the line at the top of the panel, from 0; with a fraction while lines move.
  public func area(of place: ChoiceList.Place, in list: ChoiceList, at position: Double) -> OverlayTargets.Area {
    let panel = panel(of: list.lines.count)
    let line = list.lines[place.line]
    var cell = OverlayTargets.Area(
      x: panel.x + padding, y: panel.y + padding + (Double(place.line) - position) * lineHeight,
      width: panel.width - 2 * padding, height: lineHeight)
    if line.heading != nil {
      // A square where the line ends.
      if !isRightToLeft { cell.x += cell.width - lineHeight }
      cell.width = lineHeight
    } else if line.cells.count > 1 {
      let count = line.cells.count
      let gap = padding / 2
      cell.width = (cell.width - gap * Double(count - 1)) / Double(count)
      cell.x += Double(isRightToLeft ? count - 1 - place.cell : place.cell) * (cell.width + gap)
    }
    return cell
  }

  /// The cell at a point; nil beside all of them.
  public func cell(at point: ScreenPoint, in list: ChoiceList, at position: Double) -> ChoiceList.Place? {
    guard panel(of: list.lines.count).contains(point) else { return nil }
    return list.places.first { area(of: $0, in: list, at: position).contains(point) }
  }
}

/// The panel at one moment.
public struct ChoiceWallContent: Hashable, Sendable {
  public var list: ChoiceList
  public var grid: ChoiceGrid
  /// The line at the top, from 0; with a fraction while lines move.
  public var position: Double
  /// The cell that keys have reached; nil before the first key, and after a touch.
  public var focus: ChoiceList.Place?
  /// The cell under a finger.
  public var pressed: ChoiceList.Place?
}

/// Mostly there is no panel.
public typealias ChoiceWall = Boxed<ChoiceWallContent>

extension ChoiceWall {
  public init(
    _ list: ChoiceList, _ grid: ChoiceGrid, position: Double = 0, focus: ChoiceList.Place? = nil,
    pressed: ChoiceList.Place? = nil
  ) {
    self.init(ChoiceWallContent(list: list, grid: grid, position: position, focus: focus, pressed: pressed))
  }
}
