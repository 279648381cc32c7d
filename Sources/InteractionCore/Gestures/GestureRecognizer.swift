public import PlaybackCore

/// Recognises gestures in the movements of fingers.
///
/// The recogniser reads no clock: each call passes the time, and `deadline` says when the next call is due although
/// nothing has happened. Time that runs backwards a little counts as standing still. In whatever order events come,
/// each drag that began also ends: by its finger, its device, or silence.
///
/// There is one gesture at a time, for all devices together. Its states and their transitions:
///
///     idle      -> pressed (a finger), holding (a finger on a button), dragging (a finger on the bar)
///     pressed   -> idle (tap, swipe), dragging (it moves), paired (a second finger), spent (long press, cancelled)
///     paired    -> spent (tap, swipe, pinch, a third finger, one of them cancelled)
///     holding   -> idle (released, cancelled), spent (it slid off)
///     dragging  -> idle or spent (its finger ended)
///     spent     -> idle (the last finger is up)
///
/// Fingers that join a drag, a button or a spent gesture are counted but have no effect.
public struct GestureRecognizer: Sendable {
  public var settings: GestureSettings
  /// The touchable parts of the overlay, as it is drawn now. A finger that came down on a part stays with it.
  public var targets = OverlayTargets.none
  public var screen: PixelSize

  var scales: [InputDeviceID: Double] = [:]
  var fingers: [FingerKey: Finger] = [:]
  var state = State.idle
  /// A tap that may become a double tap.
  var lastTap: LastTap?
  private var now = Instant(nanoseconds: -Self.farthestTime)
  private var lastChange = Instant(nanoseconds: -Self.farthestTime)
  private var actions: [GestureAction] = []

  /// More fingers and devices than any screen has; any further ones are ignored.
  static let mostFingers = 20
  static let mostDevices = 64
  /// Device timestamps and the loop's clock differ by less than this; a larger step back means that the clock was set.
  static let mostJitter = Duration.seconds(1)
  private static let farthestTime = Int64.max / 4

  struct FingerKey: Hashable {
    var device: InputDeviceID
    var finger: Int32
  }

  struct Finger {
    var start: ScreenPoint
    var point: ScreenPoint
    var since: Instant
  }

  enum State {
    case idle
    case pressed(FingerKey)
    case paired(FingerKey, FingerKey, isWorn: Bool)
    case holding(FingerKey, OverlayButton)
    case dragging(FingerKey, Drag)
    case spent
  }

  struct LastTap {
    var point: ScreenPoint
    var at: Instant
    /// The tap was reported already, as part of a double tap: only the next one is reported.
    var isTold: Bool
  }

  public init(settings: GestureSettings = GestureSettings(), screen: PixelSize) {
    self.settings = settings
    self.screen = screen
  }

  /// Whether any finger is on the glass.
  public var isTouched: Bool { !fingers.isEmpty }

  /// Number of fingers and devices that are remembered, which is bounded.
  var weight: Int { fingers.count + scales.count }

  /// The drag in progress.
  public var drag: Drag? {
    if case .dragging(_, let drag) = state { return drag }
    return nil
  }

  /// When `timePassed` is due; nil while time alone changes nothing.
  public var deadline: Instant? {
    var due: [Instant] = []
    switch state {
    case .idle: if let lastTap { due.append(lastTap.at + settings.doubleTapInterval) }
    case .pressed(let key):
      guard let finger = fingers[key] else { break }
      due.append(finger.since + (isOverSlop(finger, key) ? settings.flickLimit : settings.longPress))
    case .paired, .holding, .dragging, .spent: break
    }
    if !fingers.isEmpty { due.append(lastChange + settings.silence) }
    return due.min()
  }

  // MARK: Facts

  /// Handles a device's event. Keys have no effect here, nor do mouse movements without a button.
  public mutating func handle(_ event: InputEvent, at time: Instant) -> [GestureAction] {
    begin(at: time)
    switch event {
    case .deviceAdded(let device):
      if scales.count < Self.mostDevices { scales[device.id] = device.pixelsPerMillimetre }
    case .deviceRemoved(let id):
      for key in keys(where: { $0.device == id }) { end(key, .lost) }
      scales[id] = nil
    case .touch(let frame):
      for change in frame.changes { handleChange(change, of: frame.device) }
    case .key, .pointerMoved: break
    }
    return finished(event)
  }

  /// Only time has passed; see `deadline`.
  public mutating func timePassed(at time: Instant) -> [GestureAction] {
    begin(at: time)
    return finished("time")
  }

  /// Releases all fingers, for example when the screen is off or the input is locked.
  public mutating func cancel(at time: Instant) -> [GestureAction] {
    begin(at: time)
    lastTap = nil
    for key in keys(where: { _ in true }) { end(key, .cancelled) }
    return finished("cancel")
  }

  private mutating func begin(at time: Instant) {
    actions = []
    // Clamped, so that sums can't overflow.
    let time = Instant(nanoseconds: min(max(time.nanoseconds, -Self.farthestTime), Self.farthestTime))
    if time < now - Self.mostJitter {
      // The clock was set: durations measured by the old time are void.
      emitPendingTap()
      for key in keys(where: { _ in true }) { end(key, .lost) }
      now = time
    }
    now = max(now, time)
    checkTime()
  }

  /// Finishes a call: checks the invariants and returns the actions.
  private func finished(_ event: @autoclosure () -> Any) -> [GestureAction] {
    #if DEBUG
      invariants.enforce(after: event())
    #endif
    return actions
  }

  private func keys(where isWanted: (FingerKey) -> Bool) -> [FingerKey] {
    fingers.keys.filter(isWanted).sorted { ($0.device, $0.finger) < ($1.device, $1.finger) }
  }

  private mutating func handleChange(_ change: FingerChange, of device: InputDeviceID) {
    lastChange = now
    let key = FingerKey(device: device, finger: change.finger)
    switch change.kind {
    case .down(let point):
      guard point.x.isFinite, point.y.isFinite else { return }
      // The event of this finger's release was lost.
      if fingers[key] != nil { end(key, .lost) }
      guard fingers.count < Self.mostFingers else { return }
      fingers[key] = Finger(start: point, point: point, since: now)
      fingerCame(key, at: point)
    case .moved(let point):
      guard point.x.isFinite, point.y.isFinite, fingers[key] != nil else { return }
      fingers[key]?.point = point
      fingerMoved(key)
    case .up: end(key, .lifted)
    case .cancelled: end(key, .cancelled)
    }
  }

  // MARK: Down

  private mutating func fingerCame(_ key: FingerKey, at point: ScreenPoint) {
    switch state {
    case .idle:
      if let button = button(at: point, key) {
        emitPendingTap()
        state = .holding(key, button)
      } else if isOnBar(point, key) {
        emitPendingTap()
        startDrag(.bar, key, from: point)
      } else {
        state = .pressed(key)
      }
    case .pressed(let first):
      emitPendingTap()
      if let finger = fingers[first], now - finger.since <= settings.pairInterval, first.device == key.device {
        state = .paired(first, key, isWorn: false)
      } else {
        state = .spent
      }
    case .paired: state = .spent
    case .holding, .dragging, .spent: break
    }
  }

  private func button(at point: ScreenPoint, _ key: FingerKey) -> OverlayButton? {
    let least = fingerSize(scale(key))
    // The nearest button, where enlarged buttons overlap.
    return targets.buttons
      .filter { _, area in
        area.contains(point, margin: max(0, (least - min(area.width, area.height)) / 2))
      }
      .min { a, b in
        (Self.distance(point, a.value), a.key.rawValue) < (Self.distance(point, b.value), b.key.rawValue)
      }?.key
  }

  private static func distance(_ point: ScreenPoint, _ area: OverlayTargets.Area) -> Double {
    point.distance(to: ScreenPoint(x: area.x + area.width / 2, y: area.y + area.height / 2))
  }

  private func isOnBar(_ point: ScreenPoint, _ key: FingerKey) -> Bool {
    guard let track = targets.track else { return false }
    let height = max(fingerSize(scale(key)), track.height)
    let middle = track.y + track.height / 2
    // The thumb extends beyond both ends of the track, and so may a finger that aims at it.
    return abs(point.y - middle) <= height / 2 && point.x >= track.x - height / 2
      && point.x <= track.x + track.width + height / 2
  }

  // MARK: Moved

  private mutating func fingerMoved(_ key: FingerKey) {
    guard let finger = fingers[key] else { return }
    switch state {
    case .pressed(let first) where first == key:
      if isOverSlop(finger, key) { considerDrag(key, finger) }
    case .paired(let a, let b, _) where a == key || b == key: considerPair(a, b)
    case .holding(let first, let button) where first == key:
      let margin = fingerSize(scale(key))
      if targets.buttons[button]?.contains(finger.point, margin: margin) != true { state = .spent }
    case .dragging(let first, var drag) where first == key:
      guard drag.point != finger.point else { return }
      drag.point = finger.point
      state = .dragging(key, drag)
      actions.append(.dragMoved(drag))
    case .idle, .pressed, .paired, .holding, .dragging, .spent: break
    }
  }

  private func isOverSlop(_ finger: Finger, _ key: FingerKey) -> Bool {
    finger.point.distance(to: finger.start) > settings.slop.pixels(scale(key))
  }

  /// Along the bar, a drag begins only once it can't be a flick any more.
  private mutating func considerDrag(_ key: FingerKey, _ finger: Finger) {
    let isHorizontal = abs(finger.point.x - finger.start.x) >= abs(finger.point.y - finger.start.y)
    if isHorizontal, now - finger.since < settings.flickLimit { return }
    emitPendingTap()
    startDrag(isHorizontal ? .horizontal : .vertical, key, from: finger.start)
  }

  private mutating func considerPair(_ a: FingerKey, _ b: FingerKey) {
    guard let one = fingers[a], let two = fingers[b] else { return }
    let scale = scale(a)
    let slop = settings.slop.pixels(scale)
    if one.point.distance(to: one.start) > slop || two.point.distance(to: two.start) > slop {
      state = .paired(a, b, isWorn: true)
    }
    let spread = abs(one.point.distance(to: two.point) - one.start.distance(to: two.start))
    guard spread < settings.pinchReach.pixels(scale) else {
      state = .spent
      return
    }
    let reach = settings.pairReach.pixels(scale)
    let ways = [one, two].map { $0.point.x - $0.start.x }
    let isLevel = [one, two].allSatisfy { abs($0.point.x - $0.start.x) >= abs($0.point.y - $0.start.y) }
    if isLevel, ways.allSatisfy({ $0 <= -reach }) || ways.allSatisfy({ $0 >= reach }) {
      state = .spent
      actions.append(.recognised(.swipe(ways[0] < 0 ? .left : .right, fingers: 2)))
    }
  }

  private mutating func startDrag(_ kind: Drag.Kind, _ key: FingerKey, from start: ScreenPoint) {
    guard let finger = fingers[key] else { return }
    let drag = Drag(kind: kind, start: start, point: finger.point, scale: scale(key))
    state = .dragging(key, drag)
    actions.append(.dragBegan(drag))
  }

  // MARK: Up, gone, cancelled

  private mutating func end(_ key: FingerKey, _ end: DragEnd) {
    guard let finger = fingers.removeValue(forKey: key) else { return }
    switch state {
    case .pressed(let first) where first == key:
      state = .idle
      if end == .lifted { pressEnded(key, finger) } else { emitPendingTap() }
    case .paired(let a, let b, let isWorn) where a == key || b == key:
      let other = fingers[a == key ? b : a]
      state = .spent
      // A two-finger tap is reported when the first finger is lifted: the other one's release may never come.
      if end == .lifted, !isWorn, let other, now - min(finger.since, other.since) <= settings.tapLimit {
        actions.append(.recognised(.twoFingerTap))
      }
    case .holding(let first, let button) where first == key:
      state = .spent
      if end == .lifted { actions.append(.recognised(.button(button))) }
    case .dragging(let first, let drag) where first == key:
      state = .spent
      actions.append(.dragEnded(drag, end))
    case .idle, .pressed, .paired, .holding, .dragging, .spent: break
    }
    if fingers.isEmpty { state = .idle }
  }

  private mutating func pressEnded(_ key: FingerKey, _ finger: Finger) {
    let lasted = now - finger.since
    if isOverSlop(finger, key) {
      emitPendingTap()
      let (dx, dy) = (finger.point.x - finger.start.x, finger.point.y - finger.start.y)
      guard abs(dx) >= abs(dy), abs(dx) >= settings.flickReach.pixels(scale(key)), lasted <= settings.flickLimit else {
        return
      }
      actions.append(.recognised(.swipe(dx < 0 ? .left : .right, fingers: 1)))
    } else if lasted <= settings.tapLimit {
      tapped(finger.start, key, since: finger.since)
    } else {
      emitPendingTap()
    }
  }

  // MARK: Taps

  private mutating func tapped(_ point: ScreenPoint, _ key: FingerKey, since: Instant) {
    guard settings.hasDoubleTap else { return actions.append(.recognised(.tap(point))) }
    if let last = lastTap, since - last.at <= settings.doubleTapInterval,
      last.point.distance(to: point) <= settings.doubleTapReach.pixels(scale(key))
    {
      actions.append(.recognised(.doubleTap(point.x < Double(screen.width) / 2 ? .left : .right)))
      lastTap = LastTap(point: point, at: now, isTold: true)
    } else {
      emitPendingTap()
      lastTap = LastTap(point: point, at: now, isTold: false)
    }
  }

  /// Reports the last tap as a single one.
  private mutating func emitPendingTap() {
    guard let tap = lastTap else { return }
    lastTap = nil
    if !tap.isTold { actions.append(.recognised(.tap(tap.point))) }
  }

  // MARK: Time

  private mutating func checkTime() {
    if !fingers.isEmpty, now >= lastChange + settings.silence {
      for key in keys(where: { _ in true }) { end(key, .lost) }
    }
    switch state {
    case .pressed(let key):
      guard let finger = fingers[key] else { break }
      if isOverSlop(finger, key) {
        considerDrag(key, finger)
      } else if now >= finger.since + settings.longPress {
        emitPendingTap()
        state = .spent
        actions.append(.recognised(.longPress(finger.start)))
      }
    case .idle:
      if let tap = lastTap, now >= tap.at + settings.doubleTapInterval { emitPendingTap() }
    case .paired, .holding, .dragging, .spent: break
    }
  }

  /// The least size of a touch target, in pixels.
  private func fingerSize(_ scale: TouchScale) -> Double {
    max(settings.barHeight.pixels(scale), settings.barHeight.units * scale.unit)
  }

  private func scale(_ key: FingerKey) -> TouchScale {
    TouchScale(screen: screen, pixelsPerMillimetre: scales[key.device])
  }
}
