/// A piece of text and the time during which it is shown.
public struct SubtitleCue: Hashable, Sendable {
  /// Position in the item from which it is shown; not negative.
  public var start: Duration
  /// Position at which it is gone; after `start`.
  public var end: Duration
  /// Plain text without tags, never empty; lines are separated by LF.
  public var text: String
  /// Styled parts of the text, in the order of their starts.
  public var spans: [StyleSpan]
  /// The speaker, where the file names one (WebVTT `<v Name>`); the first of several.
  public var speaker: String?
  /// The cue's place on the picture; nil leaves it to the view, which is the middle of the bottom.
  public var placement: CuePlacement?

  public init(
    start: Duration, end: Duration, text: String, spans: [StyleSpan] = [], speaker: String? = nil,
    placement: CuePlacement? = nil
  ) {
    self.start = start
    self.end = end
    self.text = text
    self.spans = spans
    self.speaker = speaker
    self.placement = placement
  }
}

/// A stretch of a cue's text in one style.
public struct StyleSpan: Hashable, Sendable {
  public enum Style: Hashable, Sendable {
    case italic, bold, underline
    /// Of the letters, as the author wants it.
    case color(RGBColor)
    /// Behind the letters.
    case background(RGBColor)
  }
  public var style: Style
  /// Offsets in the UTF-8 of the text, as Pango counts; never empty, always within the text and between characters.
  public var bytes: Range<Int>

  public init(_ style: Style, bytes: Range<Int>) {
    self.style = style
    self.bytes = bytes
  }
}

/// The cue's place that its author chose. A part is nil where the author left it open.
public struct CuePlacement: Hashable, Sendable {
  public enum Line: Hashable, Sendable {
    /// 0...100 from the top of the picture.
    case percent(Double)
    /// Counted in lines of text: 0 is the first from the top, -1 the first from the bottom.
    case row(Int)
  }
  public enum Alignment: String, Hashable, Sendable {
    case start, center, end, left, right
  }
  public var line: Line?
  /// 0...100 from the left of the picture.
  public var position: Double?
  /// Width of the text's box: 0...100 of the picture's.
  public var size: Double?
  public var alignment: Alignment?
  /// The part of the picture in which it stands, instead of a line; `position` is then of that part.
  public var region: CueRegion?

  public init(
    line: Line? = nil, position: Double? = nil, size: Double? = nil, alignment: Alignment? = nil,
    region: CueRegion? = nil
  ) {
    self.line = line
    self.position = position
    self.size = size
    self.alignment = alignment
    self.region = region
  }

  /// Whether no part is set.
  public var isEmpty: Bool { self == CuePlacement() }
}
