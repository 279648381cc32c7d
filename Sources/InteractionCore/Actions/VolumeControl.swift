public import PlaybackCore

/// How loud it is, as visitors change it by keys, the button and drags.
///
/// Whoever makes it louder wants to hear something, so that ends a mute.
public struct VolumeControl: Hashable, Sendable {
  /// The part of the screen's height that a finger draws for all of the volume: less would jump, and more is farther than
  /// an arm on a tall screen.
  public static let dragShare = 0.6
  /// A drag changes the volume in steps that can be told apart by ear; each is a message to be drawn.
  public static let dragStep = 0.02

  /// 0...1, a position of a knob.
  public private(set) var volume: Double
  public private(set) var isMuted: Bool
  /// The volume when the drag began that is under way.
  private var dragFrom: Double?

  public init(volume: Double = 1, isMuted: Bool = false) {
    self.volume = min(max(volume, 0), 1)
    self.isMuted = isMuted
  }

  /// - Parameter percent: of full volume; negative is quieter.
  public mutating func change(by percent: Int) {
    // Whole percents, so that as many steps down as up lead back.
    set((volume * 100).rounded() / 100 + Double(percent) / 100, isLouder: percent > 0)
  }

  /// - Parameter percent: of full volume. A mute stays.
  public mutating func set(percent: Int) { set(Double(percent) / 100, isLouder: false) }

  public mutating func toggleMute() { isMuted.toggle() }

  /// Takes a drag: up is louder.
  ///
  /// - Returns: whether anything is another.
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

  /// For people.
  public var text: String { isMuted ? "Muted" : "Volume \(Int((volume * 100).rounded())) %" }

  private mutating func move(_ drag: Drag, _ screen: PixelSize) {
    let way = (drag.start.y - drag.point.y) / (Double(max(1, screen.height)) * Self.dragShare)
    guard let dragFrom, way.isFinite else { return }
    let wanted = min(max(dragFrom + way, 0), 1)
    let stepped = (wanted / Self.dragStep).rounded() * Self.dragStep
    // Where it didn't leave its step it stays what it was, such as 0.33.
    guard abs(stepped - dragFrom) >= Self.dragStep / 2 || volume != dragFrom else { return }
    set(stepped, isLouder: stepped > volume)
  }

  private mutating func set(_ new: Double, isLouder: Bool) {
    volume = min(max(new, 0), 1)
    if isLouder { isMuted = false }
  }
}
