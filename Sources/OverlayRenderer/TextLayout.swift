import CPangoCairo
import InteractionCore
import PlaybackCore

/// The style of a text.
struct TextStyle: Hashable {
  /// Size of the em in pixels.
  var size: Double
  var weight: PangoWeight = PANGO_WEIGHT_NORMAL
  /// All figures have one width, so that running times don't jitter.
  var hasTabularFigures = false
  /// Line spacing as a multiple of the font's own.
  var lineSpacing = 1.0
}

/// Fonts, and the layout of text. It has a font map of its own, because Pango's default map belongs to a thread. Used
/// on one thread at a time.
final class TextContext {
  fileprivate let context: OpaquePointer
  private let fontMap: UnsafeMutablePointer<PangoFontMap>
  private let families: String
  /// Whether text in the overlay's language begins at the right.
  let isRightToLeft: Bool
  private let texts: VisitorTexts
  /// Lines that were set before. While a finger drags, all but one of the bar's are the same in each picture, and setting them
  /// took half of the time that drawing the bar takes.
  private var lines: [Line: TextLayout] = [:]
  /// A few times as many as one picture has.
  private static let mostLines = 32

  private struct Line: Hashable {
    var text: String
    var style: TextStyle
    var width: Double?
  }

  /// - Returns: nil for want of memory.
  convenience init?(_ theme: Theme) {
    self.init(
      families: theme.fontFamilies, language: theme.language, isRightToLeft: theme.isRightToLeft, texts: theme.texts)
  }

  /// - Parameters:
  ///   - language: decides between shapes of letters that languages share, such as those of Han.
  ///   - texts: what visitors read.
  /// - Returns: nil for want of memory.
  init?(
    families: [String], language: LanguageTag = .english, isRightToLeft: Bool = false, texts: VisitorTexts = .english
  ) {
    guard let fontMap = pango_cairo_font_map_new() else { return nil }
    guard let context = pango_font_map_create_context(fontMap) else {
      g_object_unref(fontMap)
      return nil
    }
    self.fontMap = fontMap
    self.context = context
    self.isRightToLeft = isRightToLeft
    self.texts = texts
    pango_context_set_language(context, pango_language_from_string(language.description))
    self.families = (families + ["sans-serif"]).joined(separator: ",")
    // Fixed instead of the desktop's settings: the same model gives the same pixels on every board. Unhinted widths
    // make lines break at the same word on every size of screen.
    let options = cairo_font_options_create()
    cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY)
    cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_SLIGHT)
    cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF)
    pango_cairo_context_set_font_options(context, options)
    cairo_font_options_destroy(options)
    pango_context_set_round_glyph_positions(context, 0)
  }

  deinit {
    g_object_unref(UnsafeMutableRawPointer(context))
    g_object_unref(fontMap)
  }

  /// A sentence for visitors, in their language.
  func string(_ text: VisitorText) -> String { texts.text(text) }

  /// One line, with an ellipsis where it is longer than `width` pixels.
  func line(_ text: String, _ style: TextStyle, width: Double? = nil) -> TextLayout {
    let line = Line(text: text, style: style, width: width)
    if let layout = lines[line] { return layout }
    let layout = TextLayout(self, text: Self.printable(text, newlines: false, limit: Self.longestLine), style) {
      pango_layout_set_single_paragraph_mode($0, 1)
      guard let width else { return }
      pango_layout_set_width($0, Self.units(max(width, 0)))
      pango_layout_set_ellipsize($0, PANGO_ELLIPSIZE_END)
    }
    // Lines that are still needed are laid out again in the next picture.
    if lines.count >= Self.mostLines { lines.removeAll(keepingCapacity: true) }
    lines[line] = layout
    return layout
  }

  /// Lays out a paragraph. Words longer than a line, such as addresses, are broken.
  ///
  /// - Parameters:
  ///   - spans: ranges with other styles, by offsets in the text's UTF-8.
  ///   - mostLines: the last of these lines ends with an ellipsis where there would be more; nil for no limit.
  func paragraph(
    _ text: String, _ style: TextStyle, width: Double, alignment: CuePlacement.Alignment = .start,
    spans: [StyleSpan] = [], mostLines: Int? = nil
  ) -> TextLayout {
    TextLayout(
      self, text: Self.printable(text, newlines: true, limit: .max), style, columnWidth: max(width, 0), spans: spans
    ) { layout in
      pango_layout_set_width(layout, Self.units(max(width, 0)))
      pango_layout_set_wrap(layout, PANGO_WRAP_WORD_CHAR)
      pango_layout_set_line_spacing(layout, Float(style.lineSpacing))
      pango_layout_set_alignment(layout, Self.pangoAlignment(alignment, of: layout))
      guard let mostLines else { return }
      // For Pango a negative height is a number of lines.
      pango_layout_set_height(layout, -Int32(clamping: mostLines))
      pango_layout_set_ellipsize(layout, PANGO_ELLIPSIZE_END)
    }
  }

  /// Pango's "left" is the side where reading begins.
  private static func pangoAlignment(_ alignment: CuePlacement.Alignment, of layout: OpaquePointer) -> PangoAlignment {
    let isRightToLeft = pango_layout_get_direction(layout, 0) == PANGO_DIRECTION_RTL
    return switch alignment {
    case .start: PANGO_ALIGN_LEFT
    case .center: PANGO_ALIGN_CENTER
    case .end: PANGO_ALIGN_RIGHT
    case .left: isRightToLeft ? PANGO_ALIGN_RIGHT : PANGO_ALIGN_LEFT
    case .right: isRightToLeft ? PANGO_ALIGN_LEFT : PANGO_ALIGN_RIGHT
    }
  }

  fileprivate func fontDescription(_ style: TextStyle) -> OpaquePointer? {
    let description = pango_font_description_new()
    pango_font_description_set_family(description, families)
    pango_font_description_set_weight(description, style.weight)
    pango_font_description_set_absolute_size(description, style.size * Double(PANGO_SCALE))
    return description
  }

  private static func units(_ pixels: Double) -> Int32 { Int32(min(pixels, 1e5) * Double(PANGO_SCALE)) }

  /// More letters than fit in a line on any screen; more would only cost time.
  private static let longestLine = 400

  /// Replaces control characters, which titles from files may contain, by blanks; in paragraphs by as many as the
  /// character has bytes, so that spans still fit.
  private static func printable(_ text: String, newlines: Bool, limit: Int) -> String {
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars.prefix(limit) {
      let isNewline = newlines && scalar == "\n"
      let isControl =
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: true
        default: false
        }
      if isControl, !isNewline {
        result.append(contentsOf: repeatElement(" ", count: newlines ? UTF8.width(scalar) : 1))
      } else {
        result.append(scalar)
      }
    }
    return String(result)
  }
}

/// A text that has been laid out and measured. Frees itself; used on its context's thread.
final class TextLayout {
  private let layout: OpaquePointer?
  /// Advance width of the longest line, and height of all lines, in pixels.
  let width: Double
  let height: Double
  /// From the top to the first baseline, in pixels.
  let baseline: Double
  /// Whether the first line reads from right to left, by its first letter with a direction.
  let isRightToLeft: Bool
  /// Distance of the longest line from the left edge of its column, in pixels.
  let left: Double
  /// Width of a paragraph's column; of a line the width of its text.
  let columnWidth: Double
  let lineCount: Int
  private let capitals: Double

  fileprivate init(
    _ context: TextContext, text: String, _ style: TextStyle, columnWidth: Double? = nil, spans: [StyleSpan] = [],
    configure: (OpaquePointer) -> Void
  ) {
    capitals = style.size * OverlayMetrics.capitalHeight
    // GLib aborts when memory runs out, so this branch is a formality; a missing layout draws nothing.
    guard let layout = pango_layout_new(context.context) else {
      (self.layout, width, height, baseline, isRightToLeft) = (nil, 0, 0, 0, false)
      (left, self.columnWidth, lineCount) = (0, columnWidth ?? 0, 0)
      return
    }
    let description = context.fontDescription(style)
    pango_layout_set_font_description(layout, description)
    pango_font_description_free(description)
    if style.hasTabularFigures || !spans.isEmpty {
      let attributes = pango_attr_list_new()
      // The list takes ownership of the attributes.
      if style.hasTabularFigures { pango_attr_list_insert(attributes, pango_attr_font_features_new("tnum=1")) }
      for span in spans {
        guard let attribute = Self.attribute(span) else { continue }
        pango_attr_list_insert(attributes, attribute)
      }
      pango_layout_set_attributes(layout, attributes)
      pango_attr_list_unref(attributes)
    }
    pango_layout_set_text(layout, text, -1)
    configure(layout)
    var logical = PangoRectangle()
    pango_layout_get_extents(layout, nil, &logical)
    let scale = Double(PANGO_SCALE)
    width = Double(logical.width) / scale
    height = Double(logical.height) / scale
    left = Double(logical.x) / scale
    self.columnWidth = columnWidth ?? width
    lineCount = Int(pango_layout_get_line_count(layout))
    baseline = Double(pango_layout_get_baseline(layout)) / scale
    let firstLine = pango_layout_get_line_readonly(layout, 0)
    isRightToLeft = firstLine.map { pango_layout_line_get_resolved_direction($0) == PANGO_DIRECTION_RTL } ?? false
    self.layout = layout
  }

  deinit {
    if let layout { g_object_unref(UnsafeMutableRawPointer(layout)) }
  }

  private static func attribute(_ span: StyleSpan) -> UnsafeMutablePointer<PangoAttribute>? {
    let attribute: UnsafeMutablePointer<PangoAttribute>? =
      switch span.style {
      case .italic: pango_attr_style_new(PANGO_STYLE_ITALIC)
      case .bold: pango_attr_weight_new(PANGO_WEIGHT_BOLD)
      case .underline: pango_attr_underline_new(PANGO_UNDERLINE_SINGLE)
      case .color(let color): channels(color, pango_attr_foreground_new)
      case .background(let color): channels(color, pango_attr_background_new)
      }
    attribute?.pointee.start_index = UInt32(clamping: span.bytes.lowerBound)
    attribute?.pointee.end_index = UInt32(clamping: span.bytes.upperBound)
    return attribute
  }

  /// Pango has 16 bits a channel.
  private static func channels<Attribute>(
    _ color: RGBColor, _ make: (UInt16, UInt16, UInt16) -> Attribute
  ) -> Attribute {
    make(UInt16(color.red) * 257, UInt16(color.green) * 257, UInt16(color.blue) * 257)
  }

  /// Whether a part of the text was replaced by an ellipsis.
  var isEllipsized: Bool { layout.map { pango_layout_is_ellipsized($0) != 0 } ?? false }

  /// Whether the text has letters that no font has.
  var hasUnknownLetters: Bool { layout.map { pango_layout_get_unknown_glyphs_count($0) > 0 } ?? false }

  /// Draws the text with its top left at a point.
  func draw(on canvas: borrowing Canvas, x: Double, y: Double, _ color: RGBColor, opacity: Double = 1) {
    guard let layout else { return }
    canvas.setColor(color, opacity: opacity)
    cairo_move_to(canvas.pointer, x, y)
    pango_cairo_show_layout(canvas.pointer, layout)
  }

  /// Draws the text with a black edge around each letter.
  func drawOutlined(
    on canvas: borrowing Canvas, x: Double, y: Double, _ color: RGBColor, outline: Double, opacity: Double
  ) {
    guard let layout else { return }
    canvas.setColor(.black, opacity: opacity)
    cairo_move_to(canvas.pointer, x, y)
    pango_cairo_layout_path(canvas.pointer, layout)
    // Half of the stroke's width lies inside the letters, which are drawn over it.
    cairo_set_line_width(canvas.pointer, 2 * outline)
    cairo_set_line_join(canvas.pointer, CAIRO_LINE_JOIN_ROUND)
    cairo_stroke(canvas.pointer)
    draw(on: canvas, x: x, y: y, color)
  }

  /// Draws a single line with its capitals centred on `centreY`.
  func draw(on canvas: borrowing Canvas, x: Double, centreY: Double, _ color: RGBColor, opacity: Double = 1) {
    // A baseline on a whole pixel keeps the feet of the letters sharp.
    let line = (centreY + capitals / 2).rounded()
    draw(on: canvas, x: x, y: line - baseline, color, opacity: opacity)
  }
}
