import PlaybackCore

// Measures that depend on the physical size of the screen, where it is known (`ScreenDensity`). As a mere share of the
// screen, a 7 inch panel would have buttons of 5.5 mm and figures of 1.7 mm: docs/decisions/0186-sizes-on-glass.md. All
// values are in u, as designed or larger, and grow with `overlay.scale`.
extension OverlayMetrics {
  // MARK: In millimetres

  /// Width of touch targets: at least a fingertip, and more where there is room; beyond `roomyTarget` they aren't hit
  /// any better.
  static let leastTarget = 9.0
  static let roomyTarget = 12.0
  private static let targetStep = 0.5
  /// The widest button, in u, whatever size a screen reports: a fifth of the short side.
  private static let widestTarget = 10.8
  /// Capitals and figures for people who touch the screen: 17 minutes of arc from 60 cm, an arm's length.
  static let nearCapitals = 3.0
  /// Capitals of a message: 10 minutes of arc from three metres, which half of normal sight resolves.
  static let farCapitals = 9.0
  /// The largest type of a message, in u: 30 letters on the two lines of a 7 inch panel.
  static let largestMessageType = 5.0

  /// How much larger than designed the type of times and badges is.
  var typeScale: Double {
    let wanted = (unitsInMillimetre ?? 0) * Self.nearCapitals / Self.capitalHeight
    return max(1, min(wanted, Self.largestMessageType) / Self.timeType)
  }

  var messageType: Double {
    let wanted = (unitsInMillimetre ?? 0) * Self.farCapitals / Self.capitalHeight
    return max(Self.messageType, min(wanted, Self.largestMessageType))
  }

  /// A message's type grows on small glass, an alert's too, so that it stays the larger one.
  var alertType: Double { max(Self.alertType, messageType) }

  // MARK: The bar

  var timeType: Double { Self.timeType * typeScale }
  /// A little larger than the times, but no smaller than designed.
  var titleType: Double { max(Self.titleType, timeType * 1.1) }
  private var titleScale: Double { titleType / Self.titleType }
  var sideButtonWidth: Double { Self.sideButtonWidth * touchScale }
  var buttonRadius: Double { max(Self.buttonRadius, sideButtonWidth / 2) }
  /// How much larger than designed the glyphs of play and pause are.
  var playScale: Double { buttonRadius / Self.buttonRadius }
  /// How much larger than designed the track and its thumb are: half the growth of buttons, because touches near them
  /// count too.
  var trackScale: Double { (1 + touchScale) / 2 }

  var rowCentre: Double { Self.rowCentre - Self.buttonRadius + buttonRadius }

  var titleCentre: Double {
    let asDesigned = Self.titleCentre - Self.rowCentre - Self.buttonRadius - Self.capitalHeight * Self.titleType / 2
    return rowCentre + buttonRadius + asDesigned + Self.capitalHeight * titleType / 2
  }

  /// How much higher than designed the bar is: the title keeps its place on the scrim, and thus its contrast.
  var barScale: Double {
    let designed = Self.titleCentre + 1
    let ratio = (titleCentre + titleScale) / designed
    // A ratio that differs from 1 by rounding errors only becomes 1.
    return (ratio * 4096).rounded() / 4096
  }
  var scrimHeight: Double { Self.scrimHeight * barScale }
  var subtitleAboveBar: Double { Self.subtitleAboveBar * barScale }

  /// The scale of touch targets: the largest for which there is room, but at least what a finger needs, whatever
  /// `scale` is.
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

  /// The largest height of the bar, as a share of the screen's.
  private static let tallestBar = 0.36
  /// Width of a time in ems: that of `00:00:00` in Inter.
  private static let timeWidth = 4.7

  /// Whether the row fits with all buttons and a track long enough to use.
  private func hasRoom(timesAreAbove: Bool) -> Bool {
    let buttons = 2 * buttonRadius + 3 * sideButtonWidth + 3 * Self.sideButtonGap + Self.buttonGap
    let times = timesAreAbove ? Self.trackGap : 2 * Self.timeWidth * timeType + 2 * Self.trackGap
    return 2 * Self.sideMargin + buttons + times + Self.shortestTrack <= width / unit
      && scrimHeight * unit <= height * Self.tallestBar
  }
}
