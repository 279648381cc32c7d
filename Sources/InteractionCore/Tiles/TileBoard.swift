public import PlaybackCore

/// The films of the visitors' list as the overlay shows them, for visitors to choose from.
public struct TileSheet: Hashable, Sendable {
  public var tiles: [Tile]
  public var grid: TileGrid

  /// - Parameter grid: for as many films as there are tiles.
  public init(tiles: [Tile], grid: TileGrid) {
    self.tiles = tiles
    self.grid = grid
    self.grid.count = tiles.count
  }
}

/// The tiles at one moment.
public struct TileWallContent: Hashable, Sendable {
  public var sheet: TileSheet
  /// In pages: 1.5 is half way between the second and the third.
  public var position: Double
  /// The film that keys have reached; nil before the first key, and after a touch.
  public var focus: Int?
  /// The film under a finger.
  public var pressed: Int?
}

/// Mostly there are no tiles.
public typealias TileWall = Boxed<TileWallContent>

extension TileWall {
  public init(_ sheet: TileSheet, position: Double = 0, focus: Int? = nil, pressed: Int? = nil) {
    self.init(TileWallContent(sheet: sheet, position: position, focus: focus, pressed: pressed))
  }
}

/// A visitor's choice among tiles, by finger, keys or a remote control.
///
///     hidden -> shown (a visitor has come, or asks for the tiles) -> hidden (a film is chosen, or the visit ends)
///
/// Its pages move by `TileScroll`. Reads no clock; `isSettling` says whether time alone changes it.
public struct TileBoard: Hashable, Sendable {
  public private(set) var isShown = false
  /// The places of the tiles as they were drawn last; nil before that.
  public var grid: TileGrid? {
    didSet {
      guard let grid, grid != oldValue else { return }
      scroll.setPages(grid.pages)
      if let focus, focus >= grid.count { self.focus = grid.count > 0 ? grid.count - 1 : nil }
      pressed = nil
    }
  }
  public private(set) var scroll = TileScroll()
  public private(set) var focus: Int?
  public private(set) var pressed: Int?
  /// The film that was chosen last: a visitor who comes back to the tiles finds it on the same page.
  private var last: Int?

  public init() {}

  /// Whether the tiles move by time alone.
  public var isSettling: Bool { isShown && scroll.isSettling }

  /// - Parameter isNewVisit: whether they begin with the first page, and without a focus.
  public mutating func show(isNewVisit: Bool) {
    isShown = true
    pressed = nil
    let page = isNewVisit ? 0 : last.flatMap { grid?.page(of: $0) } ?? 0
    scroll = TileScroll(page: page, pages: grid?.pages ?? max(1, page + 1))
    focus = isNewVisit ? nil : focus.flatMap { _ in last }
    if isNewVisit { last = nil }
  }

  public mutating func hide() {
    isShown = false
    pressed = nil
  }

  public mutating func timePassed(at now: Instant) { scroll.timePassed(at: now) }

  public func wall(_ sheet: TileSheet, at now: Instant) -> TileWall? {
    guard isShown else { return nil }
    return TileWall(sheet, position: scroll.position(at: now), focus: focus, pressed: pressed)
  }

  // MARK: Fingers

  /// A finger has come down: the film below it shows that it is meant.
  public mutating func touched(_ point: ScreenPoint, at now: Instant) {
    scroll.timePassed(at: now)
    focus = nil
    pressed = scroll.isMoving ? nil : grid?.tile(at: point, on: scroll.page)
  }

  /// No finger is down any more.
  public mutating func letGo() { pressed = nil }

  /// - Returns: the film that was chosen, from 0.
  public mutating func handle(_ action: GestureAction, at now: Instant) -> Int? {
    scroll.timePassed(at: now)
    switch action {
    case .recognised(.tap(let point)):
      pressed = nil
      // A tap on moving pages stops them: it wasn't meant for the film that happened to pass.
      guard !scroll.isMoving, let tile = grid?.tile(at: point, on: scroll.page) else { return nil }
      return chosen(tile)
    case .recognised(.swipe(let side, _)): turn(side == .left ? .right : .left, at: now)
    case .recognised: break
    case .dragBegan, .dragMoved, .dragEnded:
      if case .dragBegan = action { pressed = nil }
      scroll.follow(action, along: .horizontal, at: now) { [grid] in grid?.pages(of: $0) ?? 0 }
    }
    return nil
  }

  // MARK: Keys

  /// The keys that have a meaning of their own among tiles, whatever they do while a film plays.
  public static let steps: [String: TileStep] = [
    "KEY_LEFT": .left, "KEY_RIGHT": .right, "KEY_UP": .up, "KEY_DOWN": .down,
  ]

  /// The effect of a key.
  public enum KeyEffect: Hashable, Sendable {
    case moved
    /// A film was chosen, by its number in the list, from 0.
    case chosen(Int)
  }

  /// - Parameter key: its name; nil for a button on a GPIO line.
  /// - Returns: nil where the key means nothing among tiles, such as that of the volume.
  public mutating func press(_ key: String?, _ binding: Binding, at now: Instant) -> KeyEffect? {
    if let step = key.flatMap({ Self.steps[$0] }) {
      move(step, at: now)
      return .moved
    }
    switch binding.tileAim {
    case .along(let count): advance(by: count, at: now)
    case .step(let step): move(step, at: now)
    case .enter: if let tile = enter(at: now) { return .chosen(tile) }
    case .film(let number) where number >= 1 && number <= grid?.count ?? 0: return .chosen(chosen(number - 1))
    case .film, .loop: break
    case .player: return nil
    }
    return .moved
  }

  /// Moves the focus. The first key only shows where it is.
  public mutating func move(_ way: TileStep, at now: Instant) {
    guard let grid, grid.count > 0 else { return }
    scroll.timePassed(at: now)
    if let focus {
      self.focus = grid.neighbour(of: focus, way) ?? focus
    } else {
      focus = grid.tiles(on: scroll.page).first
    }
    if let focus { scroll.turn(to: grid.page(of: focus), at: now) }
  }

  /// Moves the focus along the list.
  public mutating func advance(by count: Int, at now: Instant) {
    guard let grid, grid.count > 0 else { return }
    scroll.timePassed(at: now)
    focus = focus.map { ($0 + count + grid.count) % grid.count } ?? grid.tiles(on: scroll.page).first
    if let focus { scroll.turn(to: grid.page(of: focus), at: now) }
  }

  /// Chooses the film in focus; without one, shows where the focus is.
  ///
  /// - Returns: the film that was chosen, from 0.
  public mutating func enter(at now: Instant) -> Int? {
    guard let focus else {
      advance(by: 0, at: now)
      return nil
    }
    return chosen(focus)
  }

  /// Turns a page.
  public mutating func turn(_ way: TileStep, at now: Instant) {
    guard let grid else { return }
    let isForward = (way == .right) != grid.isRightToLeft
    let page = scroll.page + (isForward ? 1 : -1)
    guard (0..<grid.pages).contains(page) else { return }
    scroll.turn(to: page, at: now)
    if focus != nil { focus = grid.tiles(on: page).first }
  }

  /// Notes a film that plays now, wherever it was asked for.
  public mutating func chosen(_ tile: Int) -> Int {
    last = tile
    return tile
  }
}
