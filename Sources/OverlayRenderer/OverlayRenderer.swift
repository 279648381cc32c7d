import CPangoCairo
public import InteractionCore
public import PlaybackCore

/// Draws overlay models by Cairo and Pango.
///
/// Holds fonts and nothing of one picture or screen, so any sequence of models and sizes is fine. The same model, theme
/// and size give the same pixels wherever the same fonts are installed. Not Sendable: confined to one thread at a
/// time. The first drawing of a process reads the font configuration, which takes tens of milliseconds.
public final class OverlayRenderer {
  public let theme: Theme
  private let text: TextContext?

  public init(theme: Theme = Theme()) {
    self.theme = theme
    text = TextContext(families: theme.fontFamilies)
  }

  /// Draws `model` for a screen of `screen` pixels.
  ///
  /// - Returns: the picture, only as large as what is drawn; nil when the model is empty, the screen is empty or has a
  ///   side of more than 32767 pixels, or memory is short.
  public func render(_ model: OverlayModel, screen: PixelSize) -> OverlayImage? {
    guard let text, !model.isEmpty, !screen.isEmpty, max(screen.width, screen.height) <= longestCairoSide else {
      return nil
    }
    let metrics = theme.metrics(screen: screen)
    let parts = parts(of: model, metrics: metrics, text: text)
    var places = parts.compactMap { $0.bounds.pixels(on: screen) }
    if model.veil != nil { places.append(PixelRect(x: 0, y: 0, width: screen.width, height: screen.height)) }
    guard let first = places.first else { return nil }
    let frame = places.dropFirst().reduce(first) { $0.union($1) }

    // Cairo draws straight into the image's memory: a copy of a strip of 4K would cost as much as drawing it.
    var isDrawn = false
    let count = frame.width * frame.height
    let pixels = [UInt32](unsafeUninitializedCapacity: count) { buffer, initialized in
      buffer.initialize(repeating: model.veil?.pixel ?? 0)
      initialized = count
      let drawn = UnsafeMutableBufferPointer(rebasing: buffer[..<count])
      if model.bar != nil { Scrim.fill(drawn, frame: frame, metrics: metrics) }
      isDrawn = Self.draw(parts, into: drawn, frame: frame)
    }
    return isDrawn ? OverlayImage(frame: frame, pixels: pixels) : nil
  }

  /// Where on a screen fingers meet the bar, whether it is drawn at the moment or not; none for an empty screen.
  public func targets(of bar: TransportBar, screen: PixelSize) -> OverlayTargets {
    guard let text, !screen.isEmpty else { return .none }
    return TransportBarPart(bar, metrics: theme.metrics(screen: screen), theme: theme, text: text).targets
  }

  /// The model's parts from the lowest to the highest.
  private func parts(of model: OverlayModel, metrics: OverlayMetrics, text: TextContext) -> [any OverlayPart] {
    var parts: [any OverlayPart] = []
    if let bar = model.bar { parts.append(TransportBarPart(bar, metrics: metrics, theme: theme, text: text)) }
    if let subtitles = SubtitlePart(model.subtitles, isBarShown: model.bar != nil, metrics: metrics, text: text) {
      parts.append(subtitles)
    }
    if let percent = model.bufferingPercent {
      parts.append(BufferingRingPart(percent, metrics: metrics, theme: theme, text: text))
    }
    let message = model.message.map { MessagePart($0, metrics: metrics, theme: theme, text: text) }
    if let message { parts.append(message) }
    if model.isOffline {
      parts.append(OfflineBadgePart(besideMessage: message?.bounds, metrics: metrics, theme: theme, text: text))
    }
    if let status = model.status, model.card == nil {
      parts.append(StatusCardPart(status, metrics: metrics, theme: theme, text: text))
    }
    // Last, because it dims all the others.
    if let card = model.card { parts.append(ErrorCardPart(card, metrics: metrics, theme: theme, text: text)) }
    return parts
  }

  /// - Returns: whether Cairo could draw all of it.
  private static func draw(
    _ parts: [any OverlayPart], into pixels: UnsafeMutableBufferPointer<UInt32>, frame: PixelRect
  ) -> Bool {
    guard let base = pixels.baseAddress,
      let surface = ImageSurface(
        CAIRO_FORMAT_ARGB32, pixels: UnsafeMutableRawPointer(base), size: frame.size, stride: 4 * frame.width),
      let canvas = Canvas(on: surface, originX: frame.x, originY: frame.y)
    else { return false }
    for part in parts { part.draw(on: canvas) }
    return canvas.isIntact
  }
}
