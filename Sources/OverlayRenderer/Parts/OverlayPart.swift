/// A part of the overlay, laid out for one screen. Made, drawn and thrown away on one thread.
protocol OverlayPart {
  /// All that it draws lies in here, in pixels of the screen.
  var bounds: Box { get }
  func draw(on canvas: borrowing Canvas)
}
