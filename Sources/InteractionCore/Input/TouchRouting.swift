/// Assigns each device to one of several screens, and its positions to places on that screen.
///
/// A screen that is off is listed too, so that its devices aren't assigned to another screen meanwhile.
public struct TouchRouting: Hashable, Sendable {
  public struct Screen: Hashable, Sendable {
    /// The screen's name in the configuration; empty where there is only one screen.
    public var name: String
    public var mapping: TouchMapping
    /// Parts of the names of its devices, or of the paths where they are plugged in, in any case.
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

  /// The screen that gets all devices that no screen names.
  public var first: Screen
  public var others: [Screen]

  public init(first: Screen, others: [Screen] = []) {
    self.first = first
    self.others = others
  }

  /// Makes the routing of a single screen, which gets all devices.
  public init(_ mapping: TouchMapping) { self.init(first: Screen(name: "", mapping: mapping)) }

  /// The screen of a device; the first of them where several name it.
  public func screen(of device: InputDevice) -> Screen {
    first.names(device) ? first : others.first { $0.names(device) } ?? first
  }

  /// The screen with that name; the first screen if that one is gone.
  public func screen(named name: String) -> Screen { others.first { $0.name == name } ?? first }
}

/// Passes devices' events to the screens that the devices belong to.
public struct InputRouter: Sendable {
  public struct Routed: Hashable, Sendable {
    public var screen: String
    public var event: InputEvent

    public init(_ screen: String, _ event: InputEvent) {
      self.screen = screen
      self.event = event
    }
  }

  /// A new routing applies to a device once its source reports it again, which ends its fingers' gestures.
  public var routing: TouchRouting
  private var owners: [InputDeviceID: String] = [:]

  public init(_ routing: TouchRouting) { self.routing = routing }

  /// The routed events, mostly one. A device that has moved to another screen is also removed from the old one.
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
