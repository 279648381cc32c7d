import CPangoCairo
public import InteractionCore
public import PlaybackCore

/// Draws overlay models with Cairo and Pango.
///
/// Models and sizes may come in any sequence; drawing for the same screen again is cheaper. The same model, theme and
/// size give the same pixels wherever the same fonts are installed. Not Sendable: used on one thread at a time. The
/// first drawing of a process reads the font configuration, which takes tens of milliseconds.
public final class OverlayRenderer {
  public let theme: Theme
  private let text: TextContext?
  /// The unchanging part of the bar in the last picture; nil unless the bar is dragged.
  private var stillBar: StillBar?
  /// The pages of tiles; empty while there are none.
  private var tilePages = TilePages()

  public init(theme: Theme = Theme()) {
    self.theme = theme
    text = TextContext(theme)
  }

  /// Draws `model` for a screen of `screen` pixels.
  ///
  /// - Parameter density: pixels in a millimetre of the glass; nil where it isn't known.
  /// - Returns: the picture, only as large as what is drawn; nil when the model is empty, the screen is empty or has a
  ///   side of more than 32767 pixels, or memory is short.
  public func render(_ model: OverlayModel, screen: PixelSize, density: Double? = nil) -> OverlayImage? {
    var model = model
    // The screen has changed since they were laid out: they come again in its size.
    if let tiles = model.tiles, tiles.sheet.grid.screen != screen { model.tiles = nil }
    if let choices = model.choices, choices.grid.screen != screen { model.choices = nil }
    guard let text, !model.isEmpty, !screen.isEmpty, max(screen.width, screen.height) <= longestCairoSide else {
      stillBar = nil
      tilePages = TilePages()
      return nil
    }
    let metrics = theme.metrics(screen: screen, density: density)
    let bar = model.bar.map { TransportBarPart($0, metrics: metrics, theme: theme, text: text) }
    let above = partsAboveBar(of: model, metrics: metrics, text: text)
    var places = above.compactMap { $0.bounds.pixels(on: screen) }
    if let place = bar?.bounds.pixels(on: screen) { places.append(place) }
    if model.veil != nil || model.tiles != nil {
      places.append(PixelRect(x: 0, y: 0, width: screen.width, height: screen.height))
    }
    guard let first = places.first else { return nil }
    let frame = places.dropFirst().reduce(first) { $0.union($1) }
    let still = bar.flatMap { model.veil == nil ? stillBar($0, metrics: metrics, screen: screen) : nil }
    stillBar = still
    if model.tiles == nil { tilePages = TilePages() }
    let pixels = Self.draw(frame) { pixels in
      if let tiles = model.tiles {
        fill(pixels, with: tiles, metrics: metrics, text: text, density: density)
      } else if let still {
        let first = (still.y - frame.y) * frame.width
        let end = first + still.pixels.count
        pixels[..<first].initialize(repeating: 0)
        _ = pixels[first..<end].initialize(fromContentsOf: still.pixels)
        pixels[end...].initialize(repeating: 0)
      } else {
        pixels.initialize(repeating: model.veil?.pixel ?? 0)
        if bar != nil { Scrim.fill(pixels, frame: frame, metrics: metrics) }
      }
    } then: { canvas in
      if still == nil { bar?.drawStill(on: canvas) }
      bar?.drawMoving(on: canvas)
      for part in above { part.draw(on: canvas) }
    }
    return pixels.map { OverlayImage(frame: frame, pixels: $0) }
  }

  /// The touchable parts of the bar on a screen, whether or not it is drawn at the moment; none for an empty screen.
  ///
  /// - Parameter density: pixels in a millimetre of the glass; nil where it isn't known.
  public func targets(of bar: TransportBar, screen: PixelSize, density: Double? = nil) -> OverlayTargets {
    guard let text, !screen.isEmpty else { return .none }
    let metrics = theme.metrics(screen: screen, density: density)
    return TransportBarPart(bar, metrics: metrics, theme: theme, text: text).targets
  }

  /// The places of so many films on a screen, for visitors to choose from.
  ///
  /// - Parameters:
  ///   - screen: must not be empty.
  ///   - density: pixels in a millimetre of the glass; nil where it isn't known.
  public func tileGrid(count: Int, screen: PixelSize, density: Double? = nil) -> TileGrid {
    theme.metrics(screen: screen, density: density).tileGrid(count: count, isRightToLeft: theme.isRightToLeft)
  }

  /// The places of the panel of choices on a screen.
  ///
  /// - Parameters:
  ///   - screen: must not be empty.
  ///   - density: pixels in a millimetre of the glass; nil where it isn't known.
  public func choiceGrid(screen: PixelSize, density: Double? = nil) -> ChoiceGrid {
    theme.metrics(screen: screen, density: density).choiceGrid(isRightToLeft: theme.isRightToLeft)
  }

  /// Fills the screen with the pages of tiles at their place.
  private func fill(
    _ pixels: UnsafeMutableBufferPointer<UInt32>, with wall: TileWall, metrics: OverlayMetrics, text: TextContext,
    density: Double?
  ) {
    let ground = UInt32((metrics.tileGroundOpacity * 255).rounded()) << 24
    let screen = metrics.screen
    tilePages.fill(pixels, wall, density: density, ground: ground) { films in
      Self.draw(PixelRect(x: 0, y: 0, width: screen.width, height: screen.height)) {
        $0.initialize(repeating: ground)
      } then: { canvas in
        for film in films {
          TilePart(
            wall.sheet.tiles[film], at: wall.sheet.grid.area(of: film), isFocused: film == wall.focus,
            isPressed: film == wall.pressed, metrics: metrics, theme: theme, text: text
          ).draw(on: canvas)
        }
      }
    }
  }

  /// The unchanging part of a bar that is being dragged: rows of each picture, as wide as the screen.
  private struct StillBar {
    let key: TransportBarPart.Still
    let screen: PixelSize
    /// Units in a millimetre.
    let density: Double?
    /// The row of the screen at its top.
    let y: Int
    let pixels: [UInt32]
  }

  /// The cached part where it is still valid, else a new one; nil for a bar that isn't dragged, which changes seldom.
  private func stillBar(_ bar: TransportBarPart, metrics: OverlayMetrics, screen: PixelSize) -> StillBar? {
    guard bar.isDragged, let frame = bar.bounds.pixels(on: screen), frame.width == screen.width else { return nil }
    let key = bar.still
    let density = metrics.unitsInMillimetre
    if let stillBar, stillBar.key == key, stillBar.screen == screen, stillBar.density == density { return stillBar }
    let pixels = Self.draw(frame) { pixels in
      pixels.initialize(repeating: 0)
      Scrim.fill(pixels, frame: frame, metrics: metrics)
    } then: { canvas in
      bar.drawStill(on: canvas)
    }
    return pixels.map { StillBar(key: key, screen: screen, density: density, y: frame.y, pixels: $0) }
  }

  /// The model's parts above the bar, from the lowest to the highest.
  private func partsAboveBar(of model: OverlayModel, metrics: OverlayMetrics, text: TextContext) -> [any OverlayPart] {
    var parts: [any OverlayPart] = []
    let alerts = AlertPart(model.alerts, metrics: metrics, theme: theme, text: text)
    var metrics = metrics
    if let band = alerts?.bounds.height, band < metrics.height { metrics.top = band }
    if let pages = model.tiles.flatMap({ PagesPart($0, metrics: metrics, theme: theme, text: text) }) {
      parts.append(pages)
    }
    let choices = model.choices.map { ChoicesPart($0, metrics: metrics, theme: theme, text: text) }
    if let subtitles = SubtitlePart(
      model.subtitles, model.captionLook, isBarShown: model.bar != nil, beside: choices?.bounds, metrics: metrics,
      text: text)
    {
      parts.append(subtitles)
    }
    if let choices { parts.append(choices) }
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
    if let countdown = model.countdown {
      parts.append(CountdownPart(countdown, metrics: metrics, theme: theme, text: text))
    }
    // The error card dims all other parts, but for an alert.
    if let card = model.card { parts.append(ErrorCardPart(card, metrics: metrics, theme: theme, text: text)) }
    if let alerts { parts.append(alerts) }
    return parts
  }

  /// Draws straight into the image's memory: copying a strip of a 4K screen would cost as much as drawing it.
  ///
  /// - Parameter ground: initializes all pixels.
  /// - Returns: nil where Cairo failed.
  private static func draw(
    _ frame: PixelRect, ground: (UnsafeMutableBufferPointer<UInt32>) -> Void, then draw: (borrowing Canvas) -> Void
  ) -> [UInt32]? {
    var isDrawn = false
    let count = frame.width * frame.height
    let pixels = [UInt32](unsafeUninitializedCapacity: count) { buffer, initialized in
      let pixels = UnsafeMutableBufferPointer(rebasing: buffer[..<count])
      ground(pixels)
      initialized = count
      guard let base = pixels.baseAddress,
        let surface = ImageSurface(
          CAIRO_FORMAT_ARGB32, pixels: UnsafeMutableRawPointer(base), size: frame.size, stride: 4 * frame.width),
        let canvas = Canvas(on: surface, originX: frame.x, originY: frame.y)
      else { return }
      draw(canvas)
      isDrawn = canvas.isIntact
    }
    return isDrawn ? pixels : nil
  }
}
