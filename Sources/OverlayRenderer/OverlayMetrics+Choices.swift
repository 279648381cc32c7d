import InteractionCore
import PlaybackCore

// Measures of the panel of choices. In u unless a name says otherwise.
extension OverlayMetrics {
  /// Width of the panel where type has its designed size: "Más grande" fits three times beside each other.
  static let choiceWidth = 26.0
  /// Of an upright screen, where the panel is a sheet at its lower edge.
  static let choiceSheetWidth = 40.0
  /// The largest share of the screen's width beside which captions keep enough room, and of an upright one's height.
  static let widestChoices = 0.45
  static let tallestChoices = 0.6
  static let choicePadding = 1.1
  static let choiceType = 1.45
  static let choiceHeadingType = 1.2
  /// The column of the marks before the options.
  static let choiceMarkColumn = 2.3
  static let choiceMark = 0.95
  static let choiceMarkStroke = 0.26
  static let choiceCorner = 0.55
  /// From a line's edges to the cells side by side in it, and to the ring.
  static let choiceInset = 0.3
  static let choiceSwitchWidth = 2.5
  static let choiceSwitchHeight = 1.4
  static let choiceSwitchRest = 0.35
  static let choiceBar = 0.28
  static let choiceBarOpacity = 0.55
  /// The line above a section.
  static let choiceRule = 0.08
  static let choiceRuleOpacity = 0.22

  /// As high as a finger needs, and no more: a row is wide, and more rows are in view.
  var choiceLine: Double { max(Self.sideButtonWidth, Self.leastTarget / scale * (unitsInMillimetre ?? 0)) }
  var choiceType: Double { Self.choiceType * typeScale }
  var choiceHeadingType: Double { Self.choiceHeadingType * typeScale }
  var isUpright: Bool { height > width }

  func choiceGrid(isRightToLeft: Bool) -> ChoiceGrid {
    let margin = pixels(Self.cardMargin)
    let padding = pixels(Self.choicePadding)
    let line = pixels(choiceLine)
    let room = height - lower - 2 * margin
    let highest = isUpright ? min(room, height * Self.tallestChoices) : room
    let area: OverlayTargets.Area
    let tall = max(line + 2 * padding, highest)
    let y = height - lower - margin - tall
    if isUpright {
      let width = min(width - 2 * margin, pixels(Self.choiceSheetWidth * typeScale))
      area = .init(
        x: ((self.width - width) / 2).rounded(), y: y.rounded(), width: width.rounded(), height: tall.rounded())
    } else {
      // At the right in every language: that is where the bar has its button.
      let width = min(pixels(Self.choiceWidth * typeScale), width * Self.widestChoices)
      area = .init(
        x: (self.width - margin - width).rounded(), y: y.rounded(), width: width.rounded(), height: tall.rounded())
    }
    return ChoiceGrid(
      screen: screen, area: area, lineHeight: line.rounded(), padding: padding.rounded(), isRightToLeft: isRightToLeft)
  }
}
