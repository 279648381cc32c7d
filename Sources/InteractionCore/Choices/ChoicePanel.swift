public import PlaybackCore

/// The panel on which a visitor chooses sound, captions and their look, by finger, keys or a remote control.
///
///     closed -> open (a button, a key, a command) -> closed (a touch beside it, Back, its cross, 20 s without a touch)
///
/// Choosing leaves it open. Its lines move by `TileScroll`, whose pages are the lines that can be at the top. Reads no
/// clock.
public struct ChoicePanel: Hashable, Sendable {
  /// How long it stays without a touch or a key: twice the time in which a list of ten lines is read aloud. It covers a
  /// part of the film that others may be watching.
  public static let stay = Duration.seconds(20)

  /// The effect of a touch or a key.
  public enum Effect: Hashable, Sendable {
    /// Nothing but where the focus or the lines are.
    case moved
    case chosen(ChoiceCell)
    case closed
  }

  /// Nil while the panel is closed: mostly. The interaction machine asks with each touch whether it is shown.
  private var box: Boxed<OpenChoices>?

  private var open: OpenChoices? {
    get { box?.value }
    set { box = newValue.map { Boxed($0) } }
  }

  public init() {}

  public var isShown: Bool { box != nil }
  /// When it closes by itself.
  public var deadline: Instant? { open.map { $0.touchedAt + Self.stay } }
  /// Whether its lines move by time alone.
  public var isSettling: Bool { open?.scroll.isSettling ?? false }
  /// The cell that keys have reached; nil before the first key, and after a touch.
  public var focus: ChoiceList.Place? { open?.focus }
  /// The cell under a finger.
  public var pressed: ChoiceList.Place? { open?.pressed }

  public mutating func open(at now: Instant) { open = OpenChoices(touchedAt: now) }

  public mutating func close() { box = nil }

  /// - Parameter isHeld: whether a finger is on the glass.
  /// - Returns: whether it has closed.
  public mutating func timePassed(at now: Instant, isHeld: Bool) -> Bool {
    open?.scroll.timePassed(at: now)
    guard let deadline, deadline <= now else { return false }
    if isHeld { open?.touchedAt = now } else { close() }
    return !isHeld
  }

  /// The panel with what there is to choose now; nil while it is closed. Closes where there is nothing.
  public mutating func wall(_ list: ChoiceList, _ grid: ChoiceGrid, at now: Instant) -> ChoiceWall? {
    if list.isEmpty { close() }
    return open?.wall(list, grid, at: now)
  }

  /// A finger has come down: the cell below it shows that it is meant.
  public mutating func touched(_ point: ScreenPoint, at now: Instant) { open?.touched(point, at: now) }

  /// No finger is down any more.
  public mutating func letGo() { open?.pressed = nil }

  public mutating func handle(_ action: GestureAction, at now: Instant) -> Effect {
    open?.handle(action, at: now) ?? .moved
  }

  /// - Parameter key: its name; nil for a button on a GPIO line.
  /// - Returns: nil where the key means nothing on the panel, such as that of the volume.
  public mutating func press(_ key: String?, _ binding: Binding, at now: Instant) -> Effect? {
    open?.press(key, binding, at: now) ?? nil
  }
}
