import PlaybackCore

/// The background of all cards: the dimmed film, and a dark rectangle in the middle of the screen.
enum CardGround {
  /// - Returns: the card's place.
  static func draw(on canvas: borrowing Canvas, width: Double, height: Double, metrics: OverlayMetrics) -> Box {
    canvas.fill(
      Box(x: 0, y: 0, width: metrics.width, height: metrics.height), .black, opacity: metrics.cardDim)
    let card = Box(
      x: ((metrics.width - width) / 2).rounded(), y: ((metrics.height - height) / 2).rounded(), width: width,
      height: height)
    canvas.fillRounded(
      card, corner: metrics.pixels(OverlayMetrics.cardCorner), metrics.ground,
      opacity: metrics.cardOpacity)
    return card
  }
}
