/// What fingers meant.
public enum Gesture: Hashable, Sendable {
  case tap(ScreenPoint)
  /// The second tap of two, and each one that follows at once, by the half of the screen.
  case doubleTap(Side)
  case longPress(ScreenPoint)
  case twoFingerTap
  /// One fast flick, or two fingers together.
  case swipe(Side, fingers: Int)
  /// A button of the overlay was pressed and released.
  case button(OverlayButton)

  public enum Side: String, Hashable, Sendable {
    case left
    case right
  }
}

/// A finger that pulls something along.
public struct Drag: Hashable, Sendable {
  public enum Kind: String, Hashable, Sendable {
    /// It came down on the bar: what it points at is meant.
    case bar
    /// Elsewhere, along the bar: how far it moves is meant.
    case horizontal
    case vertical
  }

  public var kind: Kind
  /// Where it became a drag.
  public var start: ScreenPoint
  /// Where the finger is now.
  public var point: ScreenPoint
  public var scale: TouchScale

  public init(kind: Kind, start: ScreenPoint, point: ScreenPoint, scale: TouchScale) {
    self.kind = kind
    self.start = start
    self.point = point
    self.scale = scale
  }
}

/// How a drag came to its end.
public enum DragEnd: String, Hashable, Sendable {
  case lifted
  /// The device went, or said nothing any more: what was reached counts.
  case lost
  /// It wasn't meant: nothing of it should remain.
  case cancelled
}

/// What the recogniser tells. For every `dragBegan` there is one `dragEnded`, and never two drags at a time.
public enum GestureAction: Hashable, Sendable {
  case recognised(Gesture)
  case dragBegan(Drag)
  case dragMoved(Drag)
  case dragEnded(Drag, DragEnd)
}

/// What of the overlay can be pressed.
public enum OverlayButton: String, Hashable, Sendable, CaseIterable {
  case previous
  case playPause = "play-pause"
  case next
  case mute
}

/// Where on the screen fingers meet what is drawn.
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

    /// Whether `point` lies in it or within `margin` of it.
    public func contains(_ point: ScreenPoint, margin: Double = 0) -> Bool {
      point.x >= x - margin && point.x <= x + width + margin && point.y >= y - margin && point.y <= y + height + margin
    }
  }

  /// The drawn track; nil while no bar shows. It is dragged where it shows, even if its item can't be sought in.
  public var track: Area?
  public var buttons: [OverlayButton: Area]

  public init(track: Area? = nil, buttons: [OverlayButton: Area] = [:]) {
    self.track = track
    self.buttons = buttons
  }

  public static let none = OverlayTargets()

  /// Where on the track a point is, 0...1 from the left; nil without a track.
  public func share(at point: ScreenPoint) -> Double? {
    guard let track, track.width > 0 else { return nil }
    return min(max((point.x - track.x) / track.width, 0), 1)
  }
}
