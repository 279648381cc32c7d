public import InteractionCore
internal import PlaybackCore

// The configuration's tables about visitors: `[input]`, `[attract]` and `[overlay]`.

/// `[input]`
public struct InputTable: Hashable, Sendable {
  /// Whether touchscreens and mice are used.
  public var hasTouch = true
  public var lock = LockMode.none
  /// Uses only devices whose name contains one of these; empty for all.
  public var onlyDevices: [String] = []
  public var ignoredDevices: [String] = []
  /// Whether full keyboards are used.
  public var hearsKeyboards = true
  public var calibration: CalibrationMatrix?
  /// Actions of gestures that differ from the standard.
  public var gestureActions: [GestureName: BoundAction] = [:]
  /// Actions of keys in addition to the standard.
  public var keyActions: [String: BoundAction] = [:]
  public var lines: [LineTable] = []
  public var serial: [SerialTable] = []

  public init() {}

  /// The lock that takes effect: without touch, an unlocked player still takes buttons only.
  public var heard: LockMode { lock == .none && !hasTouch ? .buttonsOnly : lock }
}

/// `[[input.gpio]]`
public struct LineTable: Hashable, Sendable {
  public var line = InputLine()
  public var press: BoundAction?
  public var release: BoundAction?
  public var longPress: BoundAction?
  public var longAfter = LineBindings.standardLongAfter
  public var position = TOMLPosition(line: 0, column: 0)

  public init() {}
}

/// An action with its position in the file: a clip's path in it is relative to that file's folder.
public struct BoundAction: Hashable, Sendable {
  public var action: Binding
  public var position: TOMLPosition

  public init(_ action: Binding, at position: TOMLPosition = TOMLPosition(line: 0, column: 0)) {
    self.action = action
    self.position = position
  }
}

/// `[attract]`
public struct AttractTable: Hashable, Sendable {
  /// The playlist without visitors; nil for the schedule's.
  public var playlist: String?
  public var playlistPosition: TOMLPosition?
  /// The playlist that the first touch starts; nil for the schedule's if `playlist` is set, else for none.
  public var visitors: String?
  public var visitorsPosition: TOMLPosition?
  public var idleTimeout = Duration.seconds(60)
  public var returns = AttractSettings.Return.itemBoundary
  public var countdown = AttractSettings().countdown
  public var layout = AttractSettings.Layout.list

  public init() {}

  /// The settings of the attract machine; `Configuration.visitorsPlaylist` says whether visitors have a list.
  public var settings: AttractSettings {
    AttractSettings(idleAfter: idleTimeout, returns: returns, countdown: countdown, layout: layout)
  }
}

/// `[overlay]`
public struct OverlayTable: Hashable, Sendable {
  public var osd = OverlayMode.auto
  /// How long the bar stays after the last touch.
  public var stay = Duration.seconds(3)
  public var look = OverlayLook()

  public init() {}
}

extension Configuration {
  /// The name of the playlist without visitors, where `scheduled` is the schedule's.
  public func loopPlaylist(scheduled: String) -> String { attract.playlist ?? scheduled }

  /// The playlist that a visitor's first touch starts; nil if visitors have no list beside the loop.
  public func visitorsPlaylist(scheduled: String) -> String? {
    let name = attract.visitors ?? (attract.playlist == nil ? nil : scheduled)
    return name == loopPlaylist(scheduled: scheduled) ? nil : name
  }

  /// Whether a visitor's first touch may start the playlist.
  func isForVisitors(_ playlist: String) -> Bool {
    attract.visitors.map { $0 == playlist } ?? (attract.playlist.map { $0 != playlist } ?? false)
  }

  /// All settings of input, except whether visitors have a list. Clips that keys and gestures name are resolved to
  /// paths that work from any folder.
  public var interaction: InteractionSettings {
    var settings = InteractionSettings()
    settings.devices = InputSettings(
      onlyDevices: input.onlyDevices, ignoredDevices: input.ignoredDevices, hearsKeyboards: input.hearsKeyboards,
      calibration: input.calibration)
    settings.devices.lines = input.lines.map(\.line)
    settings.devices.serial = serialInputs
    settings.actions.lock = input.heard
    func resolved(_ bound: BoundAction?) -> Binding {
      guard let bound else { return .nothing }
      if case .command(.playClip(let address)) = bound.action {
        return .command(.playClip(path(address, writtenAt: bound.position)))
      }
      return bound.action
    }
    for (gesture, bound) in input.gestureActions { settings.actions.gestures[gesture] = resolved(bound) }
    for (key, bound) in input.keyActions { settings.actions.keys[key] = resolved(bound) }
    for table in input.lines {
      settings.actions.lines[table.line.key] = LineBindings(
        press: resolved(table.press), release: resolved(table.release), longPress: resolved(table.longPress),
        longAfter: table.longAfter)
    }
    for table in input.serial {
      for (word, bound) in table.match {
        settings.actions.lines[table.input.key(of: word)] = LineBindings(press: resolved(bound))
      }
    }
    settings.attract = attract.settings
    settings.barStay = overlay.stay
    return settings
  }
}
