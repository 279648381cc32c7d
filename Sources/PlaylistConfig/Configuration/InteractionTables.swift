public import InteractionCore
internal import PlaybackCore

// What the configuration says about visitors: `[input]`, `[attract]` and `[overlay]`.

/// `[input]`
public struct InputTable: Hashable, Sendable {
  /// Whether fingers and mice are heeded.
  public var hasTouch = true
  public var lock = LockMode.none
  /// Only devices whose name contains one of these; empty takes all.
  public var onlyDevices: [String] = []
  public var ignoredDevices: [String] = []
  /// Whether full keyboards are heeded.
  public var hearsKeyboards = true
  public var calibration: CalibrationMatrix?
  /// Times and distances.
  public var gestures = GestureSettings()
  /// What gestures do, other than the standard.
  public var gestureActions: [GestureName: BoundAction] = [:]
  /// What keys do, beside the standard.
  public var keyActions: [String: BoundAction] = [:]

  public init() {}

  /// What is heard: the lock, and no glass where that is switched off.
  public var heard: LockMode { lock == .none && !hasTouch ? .buttonsOnly : lock }
}

/// An action and where it is written: the clip that it may name is looked for from there.
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
  /// What plays while nobody is there; nil is what the schedule says.
  public var playlist: String?
  public var playlistPosition: TOMLPosition?
  /// What the first touch starts; nil is what the schedule says where `playlist` is set, else nothing else.
  public var visitors: String?
  public var visitorsPosition: TOMLPosition?
  public var idleTimeout = Duration.seconds(60)
  public var returns = AttractSettings.Return.itemBoundary

  public init() {}

  /// As the attract machine takes it; whether there is a list for visitors depends on what it holds.
  public var settings: AttractSettings { AttractSettings(idleAfter: idleTimeout, returns: returns) }
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
  /// The list that plays while nobody is there, by name, when the schedule says `scheduled`.
  public func loopPlaylist(scheduled: String) -> String { attract.playlist ?? scheduled }

  /// The list that a visitor's first touch starts; nil where there is none but the loop.
  public func visitorsPlaylist(scheduled: String) -> String? {
    let name = attract.visitors ?? (attract.playlist == nil ? nil : scheduled)
    return name == loopPlaylist(scheduled: scheduled) ? nil : name
  }

  /// Everything about input but whether there is a list for visitors.
  ///
  /// - Parameter clip: makes of a clip's address, as written at a place, one that can be opened from anywhere.
  public func interaction(clip: (String, TOMLPosition) -> String) -> InteractionSettings {
    var settings = InteractionSettings()
    settings.devices = InputSettings(
      onlyDevices: input.onlyDevices, ignoredDevices: input.ignoredDevices, hearsKeyboards: input.hearsKeyboards,
      calibration: input.calibration)
    settings.gestures = input.gestures
    settings.actions.lock = input.heard
    func resolved(_ bound: BoundAction) -> Binding {
      if case .command(.playClip(let address)) = bound.action {
        return .command(.playClip(clip(address, bound.position)))
      }
      return bound.action
    }
    for (gesture, bound) in input.gestureActions { settings.actions.gestures[gesture] = resolved(bound) }
    for (key, bound) in input.keyActions { settings.actions.keys[key] = resolved(bound) }
    settings.attract = attract.settings
    settings.barStay = overlay.stay
    return settings
  }
}
