import PlaybackCore

/// A part of the overlay, laid out for one screen. Made, drawn and released on one thread.
protocol OverlayPart {
  /// Encloses everything that the part draws, in pixels of the screen.
  var bounds: Box { get }
  func draw(on canvas: borrowing Canvas)
}
