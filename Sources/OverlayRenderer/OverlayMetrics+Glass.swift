import PlaybackCore

// What depends on how large the glass is, where that is known (`ScreenDensity`). In a share of the screen alone a 7 inch panel would
// have buttons of 5.5 mm and figures of 1.7 mm: docs/decisions/0186-sizes-on-glass.md. All of it is in u, as designed or larger, and
// grows with `overlay.scale`.
extension OverlayMetrics {
  // MARK: In millimetres

  /// What is pressed: at least a fingertip, and more where there is room; beyond that nobody hits it any better.
  static let leastTarget = 9.0
  static let roomyTarget = 12.0
  private static let targetStep = 0.5
  /// Whatever a screen says of its size, no button is wider than this, in u: a fifth of the short side.
  private static let widestTarget = 10.8
  /// Capitals and figures that whoever touches the screen reads: 17 minutes of arc from 60 cm, an arm's length.
  static let nearCapitals = 3.0
  /// Capitals of a message: 10 minutes of arc from three metres, which half of normal sight resolves.
  static let farCapitals = 9.0
  /// More than this, in u, no message has: 30 letters on the two lines of a 7 inch panel.
  static let largestMessageType = 5.0

  /// Type of times and badges by its design, and how much larger it is here.
  var typeScale: Double {
    let wanted = (unitsInMillimetre ?? 0) * Self.nearCapitals / Self.capitalHeight
    return max(1, min(wanted, Self.largestMessageType) / Self.timeType)
  }

  var messageType: Double {
    let wanted = (unitsInMillimetre ?? 0) * Self.farCapitals / Self.capitalHeight
    return max(Self.messageType, min(wanted, Self.largestMessageType))
  }

  // MARK: The bar

  var timeType: Double { Self.timeType * typeScale }
  /// A little more than the times, as designed where that is more.
  var titleType: Double { max(Self.titleType, timeType * 1.1) }
  private var titleScale: Double { titleType / Self.titleType }
  var sideButtonWidth: Double { Self.sideButtonWidth * touchScale }
  var buttonRadius: Double { max(Self.buttonRadius, sideButtonWidth / 2) }
  /// Of the glyph of play and pause.
  var playScale: Double { buttonRadius / Self.buttonRadius }
  /// Of the track and its thumb: half as much as of buttons, as fingers needn't hit them; what is near them counts.
  var trackScale: Double { (1 + touchScale) / 2 }

  var rowCentre: Double { Self.rowCentre - Self.buttonRadius + buttonRadius }

  var titleCentre: Double {
    let asDesigned = Self.titleCentre - Self.rowCentre - Self.buttonRadius - Self.capitalHeight * Self.titleType / 2
    return rowCentre + buttonRadius + asDesigned + Self.capitalHeight * titleType / 2
  }

  /// How much higher than designed the bar is: the title keeps its place on the scrim, and with that its contrast.
  var barScale: Double {
    let designed = Self.titleCentre + 1
    let ratio = (titleCentre + titleScale) / designed
    // What differs in the last bits only is as designed.
    return (ratio * 4096).rounded() / 4096
  }
  var scrimHeight: Double { Self.scrimHeight * barScale }
  var subtitleAboveBar: Double { Self.subtitleAboveBar * barScale }

  /// The largest size of targets for which there is room, or the smallest that a finger needs, whatever the scale is.
  var fittingTouchScale: Double {
    guard let unitsInMillimetre else { return 1 }
    func touchScale(_ millimetres: Double) -> Double {
      max(1, min(millimetres * unitsInMillimetre, Self.widestTarget) / Self.sideButtonWidth)
    }
    let least = Self.leastTarget / scale
    for timesAreAbove in [false, true] {
      for target in stride(from: max(Self.roomyTarget, least), through: least, by: -Self.targetStep) {
        var candidate = self
        candidate.touchScale = touchScale(target)
        if candidate.hasRoom(timesAreAbove: timesAreAbove) { return candidate.touchScale }
      }
    }
    return touchScale(least)
  }

  /// The bar is at most so much of the screen's height.
  private static let tallestBar = 0.36
  /// Figures and colons of a time, in ems: what Inter needs for `00:00:00`.
  private static let timeWidth = 4.7

  /// Whether the whole row fits, with all buttons and a track of use.
  private func hasRoom(timesAreAbove: Bool) -> Bool {
    let buttons = 2 * buttonRadius + 3 * sideButtonWidth + 3 * Self.sideButtonGap + Self.buttonGap
    let times = timesAreAbove ? Self.trackGap : 2 * Self.timeWidth * timeType + 2 * Self.trackGap
    return 2 * Self.sideMargin + buttons + times + Self.shortestTrack <= width / unit
      && scrimHeight * unit <= height * Self.tallestBar
  }
}
