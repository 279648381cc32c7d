/// A message on the CEC line (HDMI 1.4, supplement 1).
struct CECMessage: Hashable, Sendable {
  /// Logical addresses: 0 is the television; 15 is every device as a receiver, and a device without an address as a
  /// sender.
  static let television: UInt8 = 0
  static let everybody: UInt8 = 15
  static let unregistered: UInt8 = 15

  enum Opcode {
    static let featureAbort: UInt8 = 0x00
    static let imageViewOn: UInt8 = 0x04
    static let standby: UInt8 = 0x36
    static let routingChange: UInt8 = 0x80
    static let activeSource: UInt8 = 0x82
    static let requestActiveSource: UInt8 = 0x85
    static let setStreamPath: UInt8 = 0x86
    static let givePowerStatus: UInt8 = 0x8F
    static let reportPowerStatus: UInt8 = 0x90
  }

  var from: UInt8
  var to: UInt8
  /// Nil in a poll, which only asks whether a device has the address.
  var opcode: UInt8?
  var parameters: [UInt8] = []

  init(from: UInt8, to: UInt8, _ opcode: UInt8, _ parameters: [UInt8] = []) {
    self.from = from
    self.to = to
    self.opcode = opcode
    self.parameters = parameters
  }

  /// - Returns: nil for no bytes.
  init?(bytes: [UInt8]) {
    guard let header = bytes.first else { return nil }
    from = header >> 4
    to = header & 0x0F
    opcode = bytes.count > 1 ? bytes[1] : nil
    parameters = Array(bytes.dropFirst(2))
  }

  var bytes: [UInt8] { [from << 4 | to] + (opcode.map { [$0] } ?? []) + parameters }

  /// A parameter of 16 bits, the high byte first; nil if the message is too short.
  func address(at index: Int) -> UInt16? {
    guard parameters.count >= index + 2 else { return nil }
    return UInt16(parameters[index]) << 8 | UInt16(parameters[index + 1])
  }
}

/// The player's address on the CEC line.
struct CECAddress: Hashable, Sendable {
  /// The sockets on the way from the television, four bits each: 0x1000 is its first socket.
  var physical: UInt16
  var logical: UInt8

  /// - Returns: nil while nothing is plugged in, or without a logical address.
  init?(physical: UInt16, logicalMask: UInt16) {
    guard physical != 0xFFFF, logicalMask != 0 else { return nil }
    self.physical = physical
    logical = UInt8(logicalMask.trailingZeroBitCount)
    // A device without an address can send, but no device can answer it.
    guard logical != CECMessage.unregistered else { return nil }
  }

  var physicalBytes: [UInt8] { [UInt8(physical >> 8), UInt8(physical & 0xFF)] }
}
