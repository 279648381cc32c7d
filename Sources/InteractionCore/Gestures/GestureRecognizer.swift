public import PlaybackCore

/// Tells from what fingers do what they mean.
///
/// A value without a clock: each call carries its time, and `deadline` says when the next one is due although nothing has
/// happened. Time that goes backwards a little stands still. Whatever comes, in whatever order, a drag that began also ends: by its
/// finger, its device, or silence.
///
/// Only one gesture at a time, of all devices together. Its states and where they lead:
///
///     idle      -> pressed (a finger), holding (a finger on a button), dragging (a finger on the bar)
///     pressed   -> idle (tap, swipe), dragging (it moves), paired (a second finger), spent (long press, cancelled)
///     paired    -> spent (tap, swipe, pinch, a third finger, one of them cancelled)
///     holding   -> idle (released, cancelled), spent (it slid off)
///     dragging  -> idle or spent (its finger ended)
///     spent     -> idle (the last finger is up)
///
/// Fingers that join a drag, a button or a spent gesture are counted but mean nothing.
public struct GestureRecognizer: Sendable {
  public var settings: GestureSettings
  /// What of the overlay can be met, as drawn now. What a finger came down on stays what it is on.
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

  /// More fingers, and more devices, than any screen has: what comes beyond is nobody's finger.
  static let mostFingers = 20
  static let mostDevices = 64
  /// Devices' stamps and the loop's clock differ by less than this; what goes back farther is another clock.
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
    /// It has been told already, as a double tap: only the next one counts.
    var isTold: Bool
  }

  public init(settings: GestureSettings = GestureSettings(), screen: PixelSize) {
    self.settings = settings
    self.screen = screen
  }

  /// Whether any finger is on the glass.
  public var isTouched: Bool { !fingers.isEmpty }

  /// How much is remembered of fingers and devices: bounded, whatever comes.
  var weight: Int { fingers.count + scales.count }

  /// The drag that is under way.
  public var drag: Drag? {
    if case .dragging(_, let drag) = state { return drag }
    return nil
  }

  /// When `timePassed` is due; nil when time alone changes nothing.
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

  /// Takes what a device told; keys mean nothing here, and neither do mice without a button.
  public mutating func handle(_ event: InputEvent, at time: Instant) -> [GestureAction] {
    begin(at: time)
    switch event {
    case .deviceAdded(let device):
      if scales.count < Self.mostDevices { scales[device.id] = device.pixelsPerMillimetre }
    case .deviceRemoved(let id):
      for key in keys(where: { $0.device == id }) { end(key, .lost) }
      scales[id] = nil
    case .touch(let frame):
      for change in frame.changes { takeChange(change, of: frame.device) }
    case .key, .pointerMoved: break
    }
    return finished(event)
  }

  /// Time has passed and nothing else; see `deadline`.
  public mutating func timePassed(at time: Instant) -> [GestureAction] {
    begin(at: time)
    return finished("time")
  }

  /// All fingers are let go, such as when the screen is gone or the input locked.
  public mutating func cancel(at time: Instant) -> [GestureAction] {
    begin(at: time)
    lastTap = nil
    for key in keys(where: { _ in true }) { end(key, .cancelled) }
    return finished("cancel")
  }

  private mutating func begin(at time: Instant) {
    actions = []
    // Far from where sums could overflow.
    let time = Instant(nanoseconds: min(max(time.nanoseconds, -Self.farthestTime), Self.farthestTime))
    if time < now - Self.mostJitter {
      // A clock that was set: what was measured with the old one means nothing now.
      tellTap()
      for key in keys(where: { _ in true }) { end(key, .lost) }
      now = time
    }
    now = max(now, time)
    checkTime()
  }

  /// What follows from a fact.
  private func finished(_ event: @autoclosure () -> Any) -> [GestureAction] {
    #if DEBUG
      invariants.enforce(after: event())
    #endif
    return actions
  }

  private func keys(where isWanted: (FingerKey) -> Bool) -> [FingerKey] {
    fingers.keys.filter(isWanted).sorted { ($0.device, $0.finger) < ($1.device, $1.finger) }
  }

  private mutating func takeChange(_ change: FingerChange, of device: InputDeviceID) {
    lastChange = now
    let key = FingerKey(device: device, finger: change.finger)
    switch change.kind {
    case .down(let point):
      guard point.x.isFinite, point.y.isFinite else { return }
      // Its up got lost.
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
        tellTap()
        state = .holding(key, button)
      } else if isOnBar(point, key) {
        tellTap()
        startDrag(.bar, key, from: point)
      } else {
        state = .pressed(key)
      }
    case .pressed(let first):
      tellTap()
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
    // The nearest, where enlarged targets overlap.
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
    // The thumb stands out at both ends of the track, and so may a finger that aims at them.
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

  /// Along the bar a drag is claimed only once it can't be a flick any more.
  private mutating func considerDrag(_ key: FingerKey, _ finger: Finger) {
    let isHorizontal = abs(finger.point.x - finger.start.x) >= abs(finger.point.y - finger.start.y)
    if isHorizontal, now - finger.since < settings.flickLimit { return }
    tellTap()
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
      if end == .lifted { pressEnded(key, finger) } else { tellTap() }
    case .paired(let a, let b, let isWorn) where a == key || b == key:
      let other = fingers[a == key ? b : a]
      state = .spent
      // The tap is told with its first up: a second one may never come.
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
      tellTap()
      let (dx, dy) = (finger.point.x - finger.start.x, finger.point.y - finger.start.y)
      guard abs(dx) >= abs(dy), abs(dx) >= settings.flickReach.pixels(scale(key)), lasted <= settings.flickLimit else {
        return
      }
      actions.append(.recognised(.swipe(dx < 0 ? .left : .right, fingers: 1)))
    } else if lasted <= settings.tapLimit {
      tapped(finger.start, key, since: finger.since)
    } else {
      tellTap()
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
      tellTap()
      lastTap = LastTap(point: point, at: now, isTold: false)
    }
  }

  /// The tap before was one of its own.
  private mutating func tellTap() {
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
        tellTap()
        state = .spent
        actions.append(.recognised(.longPress(finger.start)))
      }
    case .idle:
      if let tap = lastTap, now >= tap.at + settings.doubleTapInterval { tellTap() }
    case .paired, .holding, .dragging, .spent: break
    }
  }

  /// What a target measures at least.
  private func fingerSize(_ scale: TouchScale) -> Double {
    max(settings.barHeight.pixels(scale), settings.barHeight.units * scale.unit)
  }

  private func scale(_ key: FingerKey) -> TouchScale {
    TouchScale(screen: screen, pixelsPerMillimetre: scales[key.device])
  }
}
