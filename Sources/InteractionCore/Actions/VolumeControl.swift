public import PlaybackCore

/// The volume as visitors change it by keys, the button and drags.
///
/// Making it louder ends a mute.
public struct VolumeControl: Hashable, Sendable {
  /// The share of the screen's height that a finger moves for the whole range: with less the volume would jump, and
  /// more is beyond an arm's reach on a tall screen.
  public static let dragShare = 0.6
  /// The smallest step of a drag, which can be told apart by ear; each step draws a message.
  public static let dragStep = 0.02

  /// 0...1, the position of a volume knob.
  public private(set) var volume: Double
  public private(set) var isMuted: Bool
  /// The volume at the start of the current drag.
  private var dragFrom: Double?

  public init(volume: Double = 1, isMuted: Bool = false) {
    self.volume = min(max(volume, 0), 1)
    self.isMuted = isMuted
  }

  /// - Parameter percent: of full volume; negative for quieter.
  public mutating func change(by percent: Int) {
    // Rounded to whole percents, so that as many steps down as up lead back to the start.
    set((volume * 100).rounded() / 100 + Double(percent) / 100, isLouder: percent > 0)
  }

  /// - Parameter percent: of full volume. A mute stays on.
  public mutating func set(percent: Int) { set(Double(percent) / 100, isLouder: false) }

  public mutating func toggleMute() { isMuted.toggle() }

  /// Applies a drag: up is louder.
  ///
  /// - Returns: whether volume or mute have changed.
  public mutating func handle(_ action: GestureAction, screen: PixelSize) -> Bool {
    let before = self
    switch action {
    case .recognised: return false
    case .dragBegan(let drag):
      dragFrom = volume
      move(drag, screen)
    case .dragMoved(let drag): move(drag, screen)
    case .dragEnded(let drag, let end):
      if end == .cancelled, let dragFrom { volume = dragFrom } else { move(drag, screen) }
      dragFrom = nil
    }
    return volume != before.volume || isMuted != before.isMuted
  }

  public var text: VisitorText {
    isMuted ? VisitorText(.muted) : VisitorText(.volume, ["percent": .number(Int((volume * 100).rounded()))])
  }

  private mutating func move(_ drag: Drag, _ screen: PixelSize) {
    let way = (drag.start.y - drag.point.y) / (Double(max(1, screen.height)) * Self.dragShare)
    guard let dragFrom, way.isFinite else { return }
    let wanted = min(max(dragFrom + way, 0), 1)
    let stepped = (wanted / Self.dragStep).rounded() * Self.dragStep
    // A drag that stays within its step leaves the old value, such as 0.33.
    guard abs(stepped - dragFrom) >= Self.dragStep / 2 || volume != dragFrom else { return }
    set(stepped, isLouder: stepped > volume)
  }

  private mutating func set(_ new: Double, isLouder: Bool) {
    volume = min(max(new, 0), 1)
    if isLouder { isMuted = false }
  }
}
