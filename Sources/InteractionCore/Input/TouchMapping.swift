public import PlaybackCore

/// From where the glass is touched to where that is on the screen.
///
/// Two steps: the panel's rotation, and the size of the picture. The glass is fixed to the panel, so it turns with it.
/// What a device needs to be corrected by itself, its calibration, comes before and is libinput's.
public struct TouchMapping: Hashable, Sendable {
  public var rotation: ScreenRotation
  /// Size of what people look at, after rotation.
  public var view: PixelSize

  public init(view: PixelSize, rotation: ScreenRotation = .none) {
    self.rotation = rotation
    self.view = view
  }

  /// - Parameter glass: shares of the glass's width and height, 0...1 from its top left; may lie outside a little.
  /// - Returns: a point of the screen, inside of it.
  public func screenPoint(_ glass: (x: Double, y: Double)) -> ScreenPoint {
    let point = rotation.viewPoint(ofPanel: glass)
    return ScreenPoint(x: Self.place(point.x, in: view.width), y: Self.place(point.y, in: view.height))
  }

  /// - Parameter glassWidth: in millimetres, as the device tells it, before rotation.
  /// - Returns: pixels of the screen in a millimetre; nil for a width that no glass has.
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
