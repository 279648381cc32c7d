/// A completed gesture of one or two fingers, or of a button.
public enum Gesture: Hashable, Sendable {
  case tap(ScreenPoint)
  /// The second of two taps, and each further tap that follows at once, by the half of the screen.
  case doubleTap(Side)
  case longPress(ScreenPoint)
  case twoFingerTap
  /// A fast flick of one finger, or of two fingers together.
  case swipe(Side, fingers: Int)
  /// A button of the overlay was pressed and released.
  case button(OverlayButton)

  public enum Side: String, Hashable, Sendable {
    case left
    case right
  }
}

/// A finger that drags.
public struct Drag: Hashable, Sendable {
  public enum Kind: String, Hashable, Sendable {
    /// The finger came down on the bar: its place on the bar counts.
    case bar
    /// The finger came down elsewhere and moves along the bar: the distance that it moves counts.
    case horizontal
    case vertical
  }

  public var kind: Kind
  /// The place where the drag began.
  public var start: ScreenPoint
  /// The finger's current place.
  public var point: ScreenPoint
  public var scale: TouchScale

  public init(kind: Kind, start: ScreenPoint, point: ScreenPoint, scale: TouchScale) {
    self.kind = kind
    self.start = start
    self.point = point
    self.scale = scale
  }
}

/// The end of a drag.
public enum DragEnd: String, Hashable, Sendable {
  case lifted
  /// The device was removed, or went silent: what the drag has reached stays.
  case lost
  /// The drag wasn't intended, and is to be undone.
  case cancelled
}

/// The recogniser's results. Each `dragBegan` is followed by one `dragEnded`, and there is only one drag at a time.
public enum GestureAction: Hashable, Sendable {
  case recognised(Gesture)
  case dragBegan(Drag)
  case dragMoved(Drag)
  case dragEnded(Drag, DragEnd)
}

/// The buttons of the overlay.
public enum OverlayButton: String, Hashable, Sendable, CaseIterable {
  case tiles
  case previous
  case playPause = "play-pause"
  case next
  case captions
  case language
  case description
  case signed
  case choices
  case mute
}

/// The touchable parts of the overlay, on the screen.
public struct OverlayTargets: Hashable, Sendable {
  public struct Area: Hashable, Sendable {
    public var x: Double
    public var y: Double
    public var width: Double
    public var height: Double
    public init(x: Double, y: Double, width: Double, height: Double) {
      self.x = x
      self.y = y
      self.width = width
      self.height = height
    }

    /// Whether `point` lies inside, or within `margin` of the edge.
    public func contains(_ point: ScreenPoint, margin: Double = 0) -> Bool {
      point.x >= x - margin && point.x <= x + width + margin && point.y >= y - margin && point.y <= y + height + margin
    }
  }

  /// The drawn track; nil while no bar is shown. It can be dragged whenever it is shown, even if its item can't be
  /// sought in.
  public var track: Area?
  public var buttons: [OverlayButton: Area]

  public init(track: Area? = nil, buttons: [OverlayButton: Area] = [:]) {
    self.track = track
    self.buttons = buttons
  }

  public static let none = OverlayTargets()

  /// A point's place on the track, 0...1 from the left; nil without a track.
  public func share(at point: ScreenPoint) -> Double? {
    guard let track, track.width > 0 else { return nil }
    return min(max((point.x - track.x) / track.width, 0), 1)
  }
}
