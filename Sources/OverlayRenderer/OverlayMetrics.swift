import PlaybackCore

/// Every measure of the overlay, in u unless it says otherwise.
///
/// u = short side of the screen / 54: 20 px at 1080p, so that the overlay covers the same share of every screen,
/// upright ones too. "Sheet" below is the overlay's design sheet; the other numbers give their own reason. On screens
/// so small that fingers or eyes need more, some measures are larger: `OverlayMetrics+Glass.swift`.
struct OverlayMetrics {
  // MARK: Shared

  /// Units in the short side (sheet).
  static let unitsInShortSide = 54.0
  /// Distance of all parts from the sides of the screen (sheet).
  static let sideMargin = 3.0
  /// The smallest type (sheet): 10 px at 640x480, where Inter can still be read.
  static let smallestType = 1.15
  /// Height of Inter's capitals in ems (its OS/2 table). Lines are centred by it, as the eye takes it for their height,
  /// even where a fallback font has joined in.
  static let capitalHeight = 0.727
  /// Opacity of secondary type: duration, body of the card. Still 4.5:1 on the scrim (contrast tests).
  static let secondaryOpacity = 0.78
  /// Dark backgrounds: slightly lighter than black, so that they look like objects and not like holes in the film.
  static let ground = RGBColor(red: 0x12, green: 0x12, blue: 0x15)

  // MARK: Scrim

  /// Height above the bottom edge (sheet).
  static let scrimHeight = 11.0
  /// Opacity at the bottom edge (sheet).
  static let scrimOpacity = 0.82
  /// Share of the height in which the curve does most of its rise. A straight line from 0 to 82 % leaves the title at
  /// 2.3:1 over a white film; with this knee its accents stand on 0.55, which is 4.8:1, and the row on 0.72 and more,
  /// where the accent has 5.8:1. More would be a darker band than the text needs.
  static let scrimKnee = 0.41
  /// Share of the opacity that is reached at the knee; the rest rises straight to the bottom.
  static let scrimKneeShare = 0.68

  /// Opacity of the scrim at a height above the bottom edge, 0...`scrimOpacity`.
  static func scrimOpacity(above bottom: Double) -> Double {
    let depth = min(max((scrimHeight - bottom) / scrimHeight, 0), 1)
    let rise = min(depth / scrimKnee, 1)
    let smooth = rise * rise * (3 - 2 * rise)
    return scrimOpacity * (scrimKneeShare * smooth + (1 - scrimKneeShare) * depth)
  }

  // MARK: Bar

  /// Height of the row's centre above the bottom edge (sheet).
  static let rowCentre = 3.4
  /// Title (sheet: type; height from the mock pictures, clear of the button by 0.7).
  static let titleType = 1.7
  static let titleCentre = 6.6
  /// Play/pause (sheet): 3.8 across, more than the 3.2 that a finger needs.
  static let buttonRadius = 1.9
  static let buttonOpacity = 0.14
  /// Glyphs, from the mock pictures: two bars, and a triangle of the same weight.
  static let pauseBarWidth = 0.36
  static let pauseBarHeight = 1.4
  static let pauseBarGap = 0.46
  static let playWidth = 1.3
  static let playHeight = 1.5
  /// The triangle's centre of mass is left of the middle of its box by a sixth of its width.
  static let playShift = 1.3 / 6
  /// Radius of the glyphs' corners, like those of the type.
  static let glyphCorner = 0.1
  static let buttonGap = 1.3
  /// Times (sheet).
  static let timeType = 1.35
  static let trackGap = 1.6
  /// Track (sheet).
  static let trackHeight = 0.36
  /// The unplayed part belongs to a control: 3:1 against the scrim, over a black film and a white one (contrast tests).
  static let trackRestOpacity = 0.44
  /// Over `trackRestOpacity`, so that the two can be told apart from afar: together 73 %.
  static let trackBufferedOpacity = 0.52
  /// The resting thumb, from the mock pictures.
  static let thumbRadius = 0.62
  /// While it is dragged (sheet). The halo is from the mock pictures.
  static let draggedTrackHeight = 0.62
  static let draggedThumbRadius = 1.05
  static let haloWidth = 0.5
  static let haloOpacity = 0.3
  /// The bubble with the time above the thumb (sheet: height; the rest from the mock pictures).
  static let bubbleHeight = 2.7
  static let bubblePadding = 0.95
  static let bubbleCorner = 0.5
  static let bubbleOpacity = 0.95
  /// From the middle of the track to the bubble: clear of the halo, and of the fingertip as far as the title's height
  /// allows.
  static let bubbleGap = 2.5
  /// The least distance of the title from the bubble.
  static let bubbleClearance = 0.8
  /// The dot before the word for live items, as in messages.
  static let dotRadius = 0.4
  static let dotGap = 0.7

  /// Previous and next: as wide as a finger needs, without a disc, so that play remains the most visible button.
  static let sideButtonWidth = 3.2
  static let sideButtonGap = 0.35
  /// Their glyphs have the weight of the play triangle, a little smaller.
  static let skipWidth = 0.95
  static let skipHeight = 1.25
  static let skipBarWidth = 0.28
  /// The screen with captions.
  static let captionsWidth = 1.7
  /// The loudspeaker.
  static let speakerHeight = 1.45
  static let speakerStroke = 0.2
  /// The shortest track that a finger can use: buttons beside play are left out before it gets shorter.
  static let shortestTrack = 14.0
  /// Width of the gap in the track at each chapter; at 640x480 it is one pixel, and still visible.
  static let chapterCut = 0.16

  /// The sign for a paused film: two bars as high as capitals, and a word.
  static let pausedType = 1.35
  static let pausedBarWidth = 0.3
  static let pausedBarGap = 0.24
  static let pausedGap = 0.55
  /// Between the title, the sign and times that stand in the title's line.
  static let headingGap = 1.6

  // MARK: Message and badge

  /// Least type of a message: 18 mm on a 43 inch screen, which can be read from three metres. On a small screen whose
  /// size is known the type is larger (`OverlayMetrics+Glass.swift`).
  static let messageType = 1.8
  /// Type of badges (sheet); the rest from the mock pictures, with the same space on both sides of the text. A message
  /// has the same proportions.
  static let badgeType = 1.3
  static let messageHeight = 3.0
  static let messagePadding = 1.1
  static let messageCorner = 0.75
  static let messageOpacity = 0.9
  /// The most lines of a message that are read in passing: a longer one gets smaller type, and in the end an ellipsis.
  static let messageLines = 3

  /// The struck-out ring of the offline badge, larger than a message's dot so that the two can be told apart.
  static let offlineRadius = 0.62

  // MARK: Buffering ring

  /// Radius to the middle of the stroke (sheet).
  static let ringRadius = 3.0
  static let ringStroke = 0.42
  static let ringRestOpacity = 0.24
  static let ringType = 1.35
  /// The disc, from the mock pictures; dark enough for the accent over a white film (contrast tests).
  static let discRadius = 4.6
  static let discOpacity = 0.74

  // MARK: Countdown

  static let countdownPadding = 1.6
  /// From the ring to the texts.
  static let countdownGap = 1.5
  /// From the question to the answer.
  static let countdownLineGap = 0.4
  /// The widest column of texts that is taken in at a glance: some 35 letters.
  static let countdownColumn = 26.0

  // MARK: Subtitles

  /// Type: 5 % of the short side, as in broadcasts; 37 letters across an upright screen.
  static let subtitleType = 2.5
  /// The dark edge around the letters: at this width white can be read over a white film (contrast tests); a wider one
  /// would fill the letters at 640x480.
  static let subtitleOutline = 0.16
  static let subtitleOutlineOpacity = 0.9
  /// Least distance from the top and the bottom edge.
  static let subtitleMargin = 2.5
  /// Distance from the bottom edge while the bar is there: above its title, on the clear end of the scrim.
  static let subtitleAboveBar = 8.6
  /// The longest line: some 45 letters. A longer one draws the eye away from the picture.
  static let subtitleWidth = 62.0
  static let subtitleGap = 0.5
  /// The box behind captions, for visitors who want one: around the text, and how dark. White has 12:1 on it over a
  /// white film.
  static let subtitleBoxAcross = 0.7
  static let subtitleBoxAbove = 0.22
  static let subtitleBoxCorner = 0.3
  static let subtitleBoxOpacity = 0.8
  /// The least contrast of an author's colour to its ground: WCAG 2.2, 1.4.3, and with high contrast 1.4.6.
  static let captionContrast = 4.5
  static let captionHighContrast = 7.0
  /// The edge around letters for visitors who want high contrast: a sixth of the height of capitals.
  static let contrastOutline = 0.3
  /// Lines of captions that are to fit below a bar that stands higher than the screen's edge: else they are above it.
  static let subtitleLinesBelow = 3.0
  /// Height of a line of captions in ems.
  static let subtitleLine = 1.3

  // MARK: Error card

  /// How much the film is dimmed behind the card (mock pictures).
  static let cardDim = 0.5
  static let cardWidth = 46.0
  /// The card grows to this width before its type shrinks: longer lines are hard to follow.
  static let widestCard = 72.0
  /// Least distance of the card from the edges of the screen.
  static let cardMargin = 2.0
  static let cardPadding = 3.0
  static let cardCorner = 0.9
  static let cardOpacity = 0.95
  static let numberType = 1.3
  /// Headline (sheet).
  static let headlineType = 2.3
  static let bodyType = 1.45
  static let footerType = smallestType
  static let footerOpacity = 0.62
  static let numberGap = 0.9
  static let headlineGap = 1.3
  static let footerGap = 2.1
  /// Distance of lines as a multiple of the font's own.
  static let bodyLineSpacing = 1.2
  /// The factor by which type shrinks with each attempt at a card that is too tall for its screen.
  static let cardShrink = 0.9
  /// The most attempts. The first few stop at `smallestType`; the others are for texts of thousands of letters, where
  /// small type is still better than a truncated text.
  static let cardTries = 30

  // MARK: Status card

  /// Type, the second column and the distance of rows, from the mock picture.
  static let statusType = 1.35
  static let statusColumn = 11.0
  static let statusPitch = 2.2
  /// Between a value of several lines and the next row.
  static let statusRowGap = 0.55
  static let statusTitleGap = 1.5
  /// Words of the state; both more than 4.5:1 on the card (contrast tests).
  static let healthy = RGBColor(red: 0x6F, green: 0xDC, blue: 0x8C)
  static let trouble = RGBColor(red: 0xFF, green: 0x8A, blue: 0x7A)

  // MARK: Alerts

  /// Type of a band's sentence where there is room: more than twice a message's, which is read from twice as far.
  static let alertType = 4.2
  /// On the whole screen: some eighteen letters on a line of a wide one.
  static let wholeAlertType = 9.0
  /// Type of a sentence that is too long for larger type: that of a message, which is read from three metres.
  static let smallestAlertType = messageType
  /// Height of the tallest band, as a share of the screen's: the picture goes on below it, and the bar stays clear.
  static let tallestBand = 0.5
  /// Above and below all sentences.
  static let alertMargin = 1.4
  /// Type of the words that it is a test, relative to the sentence's.
  static let alertLabelShare = 0.5
  /// Half of the distance between two sentences, relative to their type, with a faint line between them.
  static let alertGapShare = 0.4
  static let alertLine = 0.1
  static let alertLineOpacity = 0.4
  /// The dark edge below the band.
  static let alertEdge = 0.25

  // MARK: On one screen

  /// The largest distance from the screen's lower edge to that of bar, tiles and choices, as a share of the screen's
  /// height: the bar, a row of tiles and some lines of choices fit in the other half at every scale.
  static let highestLower = 0.5
  /// The shade under a bar that stands higher than the screen's edge ends softly within this.
  static let scrimFade = 2.5

  let screen: PixelSize
  /// Pixels in a unit.
  let unit: Double
  let hasHighContrast: Bool
  let scale: Double
  /// Units in a millimetre of the glass at a `scale` of 1; nil where the screen's size isn't known.
  let unitsInMillimetre: Double?
  /// From the screen's lower edge to that of bar, tiles and choices, in pixels.
  let lower: Double
  /// How much larger than designed touch targets are; at least 1.
  var touchScale: Double
  /// Height of the band of alerts, in pixels: all other parts begin below it.
  var top = 0.0

  /// - Parameters:
  ///   - screen: must not be empty.
  ///   - scale: the size of everything, 1 as designed.
  ///   - density: pixels in a millimetre; nil where it isn't known.
  ///   - heightMillimetres: `OverlayLook.heightMillimetres`.
  init(
    screen: PixelSize, scale: Double = 1, hasHighContrast: Bool = false, density: Double? = nil,
    heightMillimetres: Double = 0
  ) {
    self.screen = screen
    self.hasHighContrast = hasHighContrast
    self.scale = scale
    let designed = Double(min(screen.width, screen.height)) / Self.unitsInShortSide
    unit = designed * scale
    lower = min(max(0, heightMillimetres * (density ?? 0)), Double(screen.height) * Self.highestLower).rounded()
    unitsInMillimetre = density.map { $0 / designed }
    touchScale = 1
    touchScale = fittingTouchScale
  }

  var width: Double { Double(screen.width) }
  var height: Double { Double(screen.height) }
  func pixels(_ units: Double) -> Double { units * unit }
  /// In whole pixels, at least one: for edges that must be sharp.
  func crisp(_ units: Double) -> Double { max(1, (units * unit).rounded()) }
}
