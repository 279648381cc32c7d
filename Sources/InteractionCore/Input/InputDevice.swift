/// Identifies an input device during this run. Numbers are never reused.
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
  /// The name that the kernel or the compositor reports.
  public var name: String
  /// `/dev/input/event3`, or the seat's name under a compositor.
  public var path: String
  /// The path of the socket that the device is plugged into, as udev names it, such as
  /// `platform-fd500000.pcie-pci-0000:01:00.0-usb-0:1.2:1.0`: it tells two devices of the same model apart. Empty where
  /// it isn't known.
  public var place: String
  public var abilities: Set<Ability>
  /// Pixels of the screen in a millimetre of the glass; nil where the device doesn't report its size.
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
