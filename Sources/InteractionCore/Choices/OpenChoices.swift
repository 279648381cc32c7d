internal import PlaybackCore

/// An open panel of choices: its lines, and where fingers and keys are on it.
struct OpenChoices: Hashable, Sendable {
  /// When somebody touched it last.
  var touchedAt: Instant
  /// As it was drawn last.
  private var list = ChoiceList()
  private var grid: ChoiceGrid?
  var scroll = TileScroll()
  private(set) var focus: ChoiceList.Place?
  var pressed: ChoiceList.Place?

  init(touchedAt: Instant) { self.touchedAt = touchedAt }

  mutating func wall(_ list: ChoiceList, _ grid: ChoiceGrid, at now: Instant) -> ChoiceWall {
    if list != self.list || grid != self.grid { adopt(list, grid) }
    scroll.timePassed(at: now)
    return ChoiceWall(list, grid, position: scroll.position(at: now), focus: focus, pressed: pressed)
  }

  /// The tracks may have changed: the focus stays with its choice, or else near its place.
  private mutating func adopt(_ list: ChoiceList, _ grid: ChoiceGrid) {
    let focused = focus.map { self.list[$0].choice }
    let number = focus.flatMap { self.list.places.firstIndex(of: $0) }
    let held = pressed.map { self.list[$0].choice }
    self.list = list
    self.grid = grid
    scroll.setPages(list.lines.count - grid.linesInView(of: list.lines.count) + 1)
    focus = focused.flatMap { list.place(of: $0) } ?? number.map { list.places[min($0, list.places.count - 1)] }
    pressed = held.flatMap { list.place(of: $0) }
  }

  // MARK: Fingers

  /// A finger has come down: the cell below it shows that it is meant.
  mutating func touched(_ point: ScreenPoint, at now: Instant) {
    touch(at: now)
    focus = nil
    pressed = cell(at: point)
  }

  private func cell(at point: ScreenPoint) -> ChoiceList.Place? {
    scroll.isMoving ? nil : grid?.cell(at: point, in: list, at: Double(scroll.page))
  }

  private mutating func touch(at now: Instant) {
    scroll.timePassed(at: now)
    touchedAt = now
  }

  mutating func handle(_ action: GestureAction, at now: Instant) -> ChoicePanel.Effect {
    touch(at: now)
    switch action {
    case .recognised(.tap(let point)), .recognised(.longPress(let point)):
      pressed = nil
      guard let panel = grid?.panel(of: list.lines.count) else { return .moved }
      guard panel.contains(point) else { return .closed }
      // A tap on moving lines stops them: it wasn't meant for the one that happened to pass.
      return cell(at: point).map(effect) ?? .moved
    case .recognised: pressed = nil
    case .dragBegan, .dragMoved, .dragEnded:
      if case .dragBegan = action { pressed = nil }
      scroll.follow(action, along: .vertical, at: now) { [grid] in grid?.lines(of: $0) ?? 0 }
    }
    return .moved
  }

  private func effect(_ place: ChoiceList.Place) -> ChoicePanel.Effect {
    let cell = list[place]
    return cell.choice == .close ? .closed : .chosen(cell)
  }

  // MARK: Keys

  /// The keys that close the panel, whatever they do elsewhere.
  private static let closing: Set<String> = ["KEY_BACK", "KEY_ESC", "KEY_MENU", "KEY_EXIT"]

  /// - Parameter key: its name; nil for a button on a GPIO line.
  /// - Returns: nil where the key means nothing on the panel, such as that of the volume.
  mutating func press(_ key: String?, _ binding: Binding, at now: Instant) -> ChoicePanel.Effect? {
    touch(at: now)
    if key.map(Self.closing.contains) == true || binding == .command(.showTiles) { return .closed }
    if let step = key.flatMap({ TileBoard.steps[$0] }) { return move(step, at: now) }
    switch binding.tileAim {
    case .along(let count): return advance(by: count, at: now)
    case .step(let step): return move(step, at: now)
    case .enter: return focus.map(effect) ?? advance(by: 0, at: now)
    case .film, .loop, .player: return nil
    }
  }

  /// Moves the focus. The first key only shows where it is.
  private mutating func move(_ way: TileStep, at now: Instant) -> ChoicePanel.Effect {
    guard let focus, let grid else { return advance(by: 0, at: now) }
    setFocus(list.neighbour(of: focus, way, isRightToLeft: grid.isRightToLeft) ?? focus, at: now)
    return .moved
  }

  /// Moves the focus along all cells, as a ring.
  private mutating func advance(by count: Int, at now: Instant) -> ChoicePanel.Effect {
    let places = list.places
    guard !places.isEmpty else { return .moved }
    if let focus, let number = places.firstIndex(of: focus) {
      setFocus(places[(number + count + places.count) % places.count], at: now)
    } else {
      // The first thing to choose that is in view, and not the sign that closes.
      let first = places.first { $0.line >= scroll.page && list[$0].choice != .close }
      setFocus(first ?? places[0], at: now)
    }
    return .moved
  }

  private mutating func setFocus(_ place: ChoiceList.Place, at now: Instant) {
    focus = place
    guard let grid else { return }
    let inView = grid.linesInView(of: list.lines.count)
    if place.line < scroll.page {
      // With its heading.
      let hasHeading = place.line > 0 && list.lines[place.line - 1].heading != nil
      scroll.turn(to: place.line - (hasHeading && inView > 1 ? 1 : 0), at: now)
    } else if place.line >= scroll.page + inView {
      scroll.turn(to: place.line - inView + 1, at: now)
    }
  }
}
