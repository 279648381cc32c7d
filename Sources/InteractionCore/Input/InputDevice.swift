/// Tells an input device from all others of this run. Numbers are never used again.
public struct InputDeviceID: Hashable, Comparable, Sendable {
  public let number: UInt32
  public init(_ number: UInt32) { self.number = number }
  public static func < (a: InputDeviceID, b: InputDeviceID) -> Bool { a.number < b.number }
}

/// A touchscreen, mouse, keyboard, remote control or set of buttons.
public struct InputDevice: Hashable, Sendable {
  public enum Ability: String, Hashable, Sendable, CaseIterable {
    case touch
    case pointer
    case keys
  }

  public var id: InputDeviceID
  /// As the kernel or the compositor tells it.
  public var name: String
  /// `/dev/input/event3`, or the seat's name under a compositor.
  public var path: String
  /// Where it is plugged in, by udev's name of the way there, such as `platform-fd500000.pcie-pci-0000:01:00.0-usb-0:1.2:1.0`: what
  /// tells two devices of one kind apart. Empty where nobody says.
  public var place: String
  public var abilities: Set<Ability>
  /// How many pixels of the screen a millimetre of the glass is; nil where the device doesn't tell its size.
  public var pixelsPerMillimetre: Double?

  public init(
    id: InputDeviceID, name: String, path: String = "", place: String = "", abilities: Set<Ability>,
    pixelsPerMillimetre: Double? = nil
  ) {
    self.id = id
    self.name = name
    self.path = path
    self.place = place
    self.abilities = abilities
    self.pixelsPerMillimetre = pixelsPerMillimetre
  }
}
