/// Which of several screens a device belongs to, and where on that screen it is touched.
///
/// A screen that isn't lit now is listed all the same: what belongs to it is nobody else's meanwhile.
public struct TouchRouting: Hashable, Sendable {
  public struct Screen: Hashable, Sendable {
    /// As the configuration has it; empty where there is one only.
    public var name: String
    public var mapping: TouchMapping
    /// Parts of the names of its devices, or of where they are plugged in, whatever the case.
    public var devices: [String]

    public init(name: String, mapping: TouchMapping, devices: [String] = []) {
      self.name = name
      self.mapping = mapping
      self.devices = devices
    }

    fileprivate func names(_ device: InputDevice) -> Bool {
      let (name, place) = (device.name.lowercased(), device.place.lowercased())
      return devices.contains { word in
        let word = word.lowercased()
        return !word.isEmpty && (name.contains(word) || place.contains(word))
      }
    }
  }

  /// Has what no screen names.
  public var first: Screen
  public var others: [Screen]

  public init(first: Screen, others: [Screen] = []) {
    self.first = first
    self.others = others
  }

  /// One screen, which has everything.
  public init(_ mapping: TouchMapping) { self.init(first: Screen(name: "", mapping: mapping)) }

  /// Of several that name a device, the one that is listed first.
  public func screen(of device: InputDevice) -> Screen {
    first.names(device) ? first : others.first { $0.names(device) } ?? first
  }

  /// The screen of that name; the first where it is gone.
  public func screen(named name: String) -> Screen { others.first { $0.name == name } ?? first }
}

/// Hands what devices tell to the screens that they belong to.
public struct InputRouter: Sendable {
  public struct Routed: Hashable, Sendable {
    public var screen: String
    public var event: InputEvent

    public init(_ screen: String, _ event: InputEvent) {
      self.screen = screen
      self.event = event
    }
  }

  /// A device stays where it is until its source tells of it anew, which ends what its fingers were about to do.
  public var routing: TouchRouting
  private var owners: [InputDeviceID: String] = [:]

  public init(_ routing: TouchRouting) { self.routing = routing }

  /// Mostly one event. A device that has gone over to another screen is taken from the one before.
  public mutating func route(_ event: InputEvent) -> [Routed] {
    let owner = owners[event.device]
    switch event {
    case .deviceAdded(let device):
      let screen = routing.screen(of: device).name
      owners[device.id] = screen
      let added = Routed(screen, event)
      guard let owner, owner != screen else { return [added] }
      return [Routed(owner, .deviceRemoved(device.id)), added]
    case .deviceRemoved(let id):
      owners[id] = nil
      return [Routed(owner ?? routing.first.name, event)]
    case .touch, .key, .pointerMoved: return [Routed(owner ?? routing.first.name, event)]
    }
  }
}
