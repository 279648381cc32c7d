public import PlaybackCore

/// Maps a touched place on the glass to a place on the screen.
///
/// Two steps: the panel's rotation, and the size of the picture. The glass is fixed to the panel, so it turns with it.
/// A device's own calibration is applied before, by libinput.
public struct TouchMapping: Hashable, Sendable {
  public var rotation: ScreenRotation
  /// The size of the picture that viewers see, after rotation.
  public var view: PixelSize

  public init(view: PixelSize, rotation: ScreenRotation = .none) {
    self.rotation = rotation
    self.view = view
  }

  /// - Parameter glass: shares of the glass's width and height, 0...1 from its top left; may lie slightly outside.
  /// - Returns: a point inside the screen.
  public func screenPoint(_ glass: (x: Double, y: Double)) -> ScreenPoint {
    let point = rotation.viewPoint(ofPanel: glass)
    return ScreenPoint(x: Self.place(point.x, in: view.width), y: Self.place(point.y, in: view.height))
  }

  /// - Parameter glassWidth: in millimetres, as the device reports it, before rotation.
  /// - Returns: pixels of the screen in a millimetre; nil for an impossible width.
  public func pixelsPerMillimetre(glassWidth: Double) -> Double? {
    let panel = rotation.turned(view)
    guard glassWidth > 10, glassWidth.isFinite, panel.width > 0 else { return nil }
    return Double(panel.width) / glassWidth
  }

  private static func place(_ share: Double, in length: Int) -> Double {
    guard share.isFinite else { return 0 }
    return min(max(share * Double(length), 0), Double(max(0, length - 1)))
  }
}
