import CPangoCairo
public import InteractionCore
public import PlaybackCore

/// Draws overlay models by Cairo and Pango.
///
/// Any sequence of models and sizes is fine, though the same screen again is cheaper. The same model, theme and size give
/// the same pixels wherever the same fonts are installed. Not Sendable: confined to one thread at a
/// time. The first drawing of a process reads the font configuration, which takes tens of milliseconds.
public final class OverlayRenderer {
  public let theme: Theme
  private let text: TextContext?
  /// While the bar is dragged, of the picture before.
  private var stillBar: StillBar?

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
      stillBar = nil
      return nil
    }
    let metrics = theme.metrics(screen: screen)
    let bar = model.bar.map { TransportBarPart($0, metrics: metrics, theme: theme, text: text) }
    let above = parts(of: model, metrics: metrics, text: text)
    let parts = (bar.map { [$0] } ?? []) + above
    var places = parts.compactMap { $0.bounds.pixels(on: screen) }
    if model.veil != nil { places.append(PixelRect(x: 0, y: 0, width: screen.width, height: screen.height)) }
    guard let first = places.first else { return nil }
    let frame = places.dropFirst().reduce(first) { $0.union($1) }
    stillBar = bar.flatMap { model.veil == nil ? stillBar($0, metrics: metrics, screen: screen) : nil }
    let still = stillBar

    // Cairo draws straight into the image's memory: a copy of a strip of 4K would cost as much as drawing it.
    var isDrawn = false
    let count = frame.width * frame.height
    let pixels = [UInt32](unsafeUninitializedCapacity: count) { buffer, initialized in
      initialized = count
      let drawn = UnsafeMutableBufferPointer(rebasing: buffer[..<count])
      if let bar, let still {
        let end = drawn[(count - still.pixels.count)...].initialize(fromContentsOf: still.pixels)
        assert(end == count)
        drawn[..<(count - still.pixels.count)].initialize(repeating: 0)
        isDrawn = Self.draw(into: drawn, frame: frame) { canvas in
          bar.drawMoving(on: canvas)
          for part in above { part.draw(on: canvas) }
        }
      } else {
        drawn.initialize(repeating: model.veil?.pixel ?? 0)
        if bar != nil { Scrim.fill(drawn, frame: frame, metrics: metrics) }
        isDrawn = Self.draw(into: drawn, frame: frame) { canvas in for part in parts { part.draw(on: canvas) } }
      }
    }
    return isDrawn ? OverlayImage(frame: frame, pixels: pixels) : nil
  }

  /// Where on a screen fingers meet the bar, whether it is drawn at the moment or not; none for an empty screen.
  public func targets(of bar: TransportBar, screen: PixelSize) -> OverlayTargets {
    guard let text, !screen.isEmpty else { return .none }
    return TransportBarPart(bar, metrics: theme.metrics(screen: screen), theme: theme, text: text).targets
  }

  /// What stays of a bar while it is dragged: the last rows of each picture, as wide as the screen.
  private struct StillBar {
    let key: TransportBarPart.Still
    let screen: PixelSize
    let pixels: [UInt32]
  }

  /// The one before where it still holds; nil for a bar that isn't dragged, which changes seldom.
  private func stillBar(_ bar: TransportBarPart, metrics: OverlayMetrics, screen: PixelSize) -> StillBar? {
    guard bar.isDragged, let frame = bar.bounds.pixels(on: screen), frame.width == screen.width else { return nil }
    let key = bar.still
    if let stillBar, stillBar.key == key, stillBar.screen == screen { return stillBar }
    var isDrawn = false
    let count = frame.width * frame.height
    let pixels = [UInt32](unsafeUninitializedCapacity: count) { buffer, initialized in
      initialized = count
      let drawn = UnsafeMutableBufferPointer(rebasing: buffer[..<count])
      drawn.initialize(repeating: 0)
      Scrim.fill(drawn, frame: frame, metrics: metrics)
      isDrawn = Self.draw(into: drawn, frame: frame) { bar.drawStill(on: $0) }
    }
    return isDrawn ? StillBar(key: key, screen: screen, pixels: pixels) : nil
  }

  /// The model's parts above the bar, from the lowest to the highest.
  private func parts(of model: OverlayModel, metrics: OverlayMetrics, text: TextContext) -> [any OverlayPart] {
    var parts: [any OverlayPart] = []
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
    into pixels: UnsafeMutableBufferPointer<UInt32>, frame: PixelRect, _ draw: (borrowing Canvas) -> Void
  ) -> Bool {
    guard let base = pixels.baseAddress,
      let surface = ImageSurface(
        CAIRO_FORMAT_ARGB32, pixels: UnsafeMutableRawPointer(base), size: frame.size, stride: 4 * frame.width),
      let canvas = Canvas(on: surface, originX: frame.x, originY: frame.y)
    else { return false }
    draw(canvas)
    return canvas.isIntact
  }
}
