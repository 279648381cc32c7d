import CPangoCairo

/// How a text is set.
struct TextStyle {
  /// Size of the em in pixels.
  var size: Double
  var weight: PangoWeight = PANGO_WEIGHT_NORMAL
  /// All figures of one width, so that running times don't shake.
  var hasTabularFigures = false
  /// Distance of lines as a multiple of the font's own.
  var lineSpacing = 1.0
}

/// Fonts and the setting of text. It has a font map of its own, because Pango's default map belongs to a thread.
/// Confined to one thread at a time.
final class TextContext {
  fileprivate let context: OpaquePointer
  private let fontMap: UnsafeMutablePointer<PangoFontMap>
  private let families: String

  /// - Returns: nil for want of memory.
  init?(families: [String]) {
    guard let fontMap = pango_cairo_font_map_new() else { return nil }
    guard let context = pango_font_map_create_context(fontMap) else {
      g_object_unref(fontMap)
      return nil
    }
    self.fontMap = fontMap
    self.context = context
    self.families = (families + ["sans-serif"]).joined(separator: ",")
    // Fixed rather than the desktop's: the same model gives the same pixels on every board. Unhinted widths make a
    // line break at the same word at every size of screen.
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

  /// One line, with an ellipsis where it is longer than `width` pixels.
  func line(_ text: String, _ style: TextStyle, width: Double? = nil) -> TextLayout {
    TextLayout(self, text: Self.printable(text, newlines: false, limit: Self.longestLine), style) { layout in
      pango_layout_set_single_paragraph_mode(layout, 1)
      guard let width else { return }
      pango_layout_set_width(layout, Self.units(max(width, 0)))
      pango_layout_set_ellipsize(layout, PANGO_ELLIPSIZE_END)
    }
  }

  /// As many lines as it takes. Words longer than a line, such as addresses, are broken.
  func paragraph(_ text: String, _ style: TextStyle, width: Double) -> TextLayout {
    TextLayout(self, text: Self.printable(text, newlines: true, limit: .max), style) { layout in
      pango_layout_set_width(layout, Self.units(max(width, 0)))
      pango_layout_set_wrap(layout, PANGO_WRAP_WORD_CHAR)
      pango_layout_set_line_spacing(layout, Float(style.lineSpacing))
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

  /// More letters than fit in one line on any screen; what is behind them would only cost time.
  private static let longestLine = 400

  /// Titles come out of files: control characters become blanks.
  private static func printable(_ text: String, newlines: Bool, limit: Int) -> String {
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars.prefix(limit) {
      let isNewline = newlines && scalar == "\n"
      let isControl =
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: true
        default: false
        }
      result.append(isControl && !isNewline ? " " : scalar)
    }
    return String(result)
  }
}

/// A text that is set and measured. Counted, frees itself; used on the thread of its context.
final class TextLayout {
  private let layout: OpaquePointer?
  /// Advance width of the longest line, and height of all lines, in pixels.
  let width: Double
  let height: Double
  /// From the top to the first baseline, in pixels.
  let baseline: Double
  /// Whether the first line reads from right to left, by its first letter that has a direction.
  let isRightToLeft: Bool
  private let capitals: Double

  fileprivate init(
    _ context: TextContext, text: String, _ style: TextStyle, configure: (OpaquePointer) -> Void
  ) {
    capitals = style.size * OverlayMetrics.capitalHeight
    // GLib aborts when memory runs out, so this is a formality; a text that is not there draws nothing.
    guard let layout = pango_layout_new(context.context) else {
      (self.layout, width, height, baseline, isRightToLeft) = (nil, 0, 0, 0, false)
      return
    }
    let description = context.fontDescription(style)
    pango_layout_set_font_description(layout, description)
    pango_font_description_free(description)
    if style.hasTabularFigures {
      let attributes = pango_attr_list_new()
      // The list takes the attribute over.
      pango_attr_list_insert(attributes, pango_attr_font_features_new("tnum=1"))
      pango_layout_set_attributes(layout, attributes)
      pango_attr_list_unref(attributes)
    }
    configure(layout)
    pango_layout_set_text(layout, text, -1)
    var logical = PangoRectangle()
    pango_layout_get_extents(layout, nil, &logical)
    let scale = Double(PANGO_SCALE)
    width = Double(logical.width) / scale
    height = Double(logical.height) / scale
    baseline = Double(pango_layout_get_baseline(layout)) / scale
    let firstLine = pango_layout_get_line_readonly(layout, 0)
    isRightToLeft = firstLine.map { pango_layout_line_get_resolved_direction($0) == PANGO_DIRECTION_RTL } ?? false
    self.layout = layout
  }

  deinit {
    if let layout { g_object_unref(UnsafeMutableRawPointer(layout)) }
  }

  /// Whether some of the text is hidden behind an ellipsis.
  var isEllipsized: Bool { layout.map { pango_layout_is_ellipsized($0) != 0 } ?? false }

  /// Draws with the top left at a point.
  func draw(on canvas: borrowing Canvas, x: Double, y: Double, _ color: RGBColor, opacity: Double = 1) {
    guard let layout else { return }
    canvas.setColor(color, opacity: opacity)
    cairo_move_to(canvas.pointer, x, y)
    pango_cairo_show_layout(canvas.pointer, layout)
  }

  /// Draws a single line so that its capitals are centred on `centreY`.
  func draw(on canvas: borrowing Canvas, x: Double, centreY: Double, _ color: RGBColor, opacity: Double = 1) {
    // A whole baseline keeps the feet of the letters sharp.
    let line = (centreY + capitals / 2).rounded()
    draw(on: canvas, x: x, y: line - baseline, color, opacity: opacity)
  }
}
