import CLinux
import FileSystem
import Glibc

/// An open CEC device of the kernel. Nothing blocks. When it closes, it gives up a logical address that it claimed.
///
/// This file is the only one that talks to such devices.
final class CECAdapter {
  enum Incoming: Hashable {
    case message(CECMessage)
    /// The outcome of a message that was sent.
    case result(sequence: UInt32, wasHeard: Bool)
  }

  /// An adapter's abilities, and its connector.
  struct Facts: Hashable, Sendable {
    /// Whether the adapter can send messages and take an address.
    var canControl: Bool
    /// The number of the graphics card and the connector's number in the kernel; nil if the driver doesn't report them.
    var connector: ConnectorID?
  }

  struct ConnectorID: Hashable, Sendable {
    var card: UInt32
    var connector: UInt32
  }

  let path: String
  let descriptor: Int32
  private var isOurs = false

  init(path: String) throws(DeviceFailure) {
    let descriptor = Glibc.open(path, O_RDWR | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw DeviceFailure(call: "open \(path)", code: errno) }
    self.path = path
    self.descriptor = descriptor
  }

  deinit {
    if isOurs { _ = vit_cec_become_nobody(descriptor) }
    close(descriptor)
  }

  func facts() throws(DeviceFailure) -> Facts {
    var read = vit_cec_adapter()
    try DeviceFailure.check("CEC_ADAP_G_CAPS", vit_cec_describe(descriptor, &read))
    return Facts(
      canControl: read.can_control,
      connector: read.has_connector ? ConnectorID(card: read.card, connector: read.connector) : nil)
  }

  /// Claims the address of a playback device as soon as a screen is there; keeps an address that the adapter already
  /// has.
  ///
  /// - Parameter name: the player's name on the screen, 14 characters at most.
  func becomePlaybackDevice(name: String) throws(DeviceFailure) {
    isOurs = try DeviceFailure.check("CEC_ADAP_S_LOG_ADDRS", vit_cec_become_playback(descriptor, name)) == 0
  }

  func address() throws(DeviceFailure) -> CECAddress? {
    var read = vit_cec_address()
    try DeviceFailure.check("CEC_ADAP_G_LOG_ADDRS", vit_cec_read_address(descriptor, &read))
    return CECAddress(physical: read.physical, logicalMask: read.logical_mask)
  }

  /// - Returns: the number by which the result comes.
  func send(_ message: CECMessage) throws(DeviceFailure) -> UInt32 {
    let bytes = message.bytes
    var sequence: UInt32 = 0
    try DeviceFailure.check("CEC_TRANSMIT", vit_cec_send(descriptor, bytes, UInt32(bytes.count), &sequence))
    return sequence
  }

  /// - Returns: nil when there is nothing more.
  func receiveMessage() throws(DeviceFailure) -> Incoming? {
    while true {
      var read = vit_cec_message()
      guard try DeviceFailure.check("CEC_RECEIVE", vit_cec_receive(descriptor, &read)) > 0 else { return nil }
      if read.sequence != 0 { return .result(sequence: read.sequence, wasHeard: read.was_heard) }
      let bytes = withUnsafeBytes(of: read.bytes) { Array($0.prefix(Int(read.length))) }
      if let message = CECMessage(bytes: bytes) { return .message(message) }
    }
  }

  /// Takes all events. Returns whether the address may have changed.
  func readEvents() throws(DeviceFailure) -> Bool {
    var hasChanged = false
    var address = vit_cec_address()
    while true {
      let kind = try DeviceFailure.check("CEC_DQEVENT", vit_cec_next_event(descriptor, &address))
      if kind == 0 { return hasChanged }
      hasChanged = true
    }
  }
}

extension CECAdapter {
  /// Paths of the machine's adapters, in the order of their numbers.
  static func paths() -> [String] {
    SmallFile.numbered("/dev/cec")
  }

  /// The adapter of a connector: the one that names it, else the only adapter, if it names none, such as one on USB.
  ///
  /// - Parameters:
  ///   - card: path of the graphics card.
  ///   - adapters: all of them, in order.
  static func choose(card: String, connector: UInt32, among adapters: [(path: String, facts: Facts)]) -> String? {
    let number = UInt32(card.reversed().prefix { $0.isNumber }.reversed().map(String.init).joined())
    let able = adapters.filter(\.facts.canControl)
    if let number, let own = able.first(where: { $0.facts.connector == .init(card: number, connector: connector) }) {
      return own.path
    }
    let free = able.filter { $0.facts.connector == nil }
    return free.count == 1 && able.count == 1 ? free[0].path : nil
  }

  /// Queries every adapter that this process may open.
  ///
  /// - Returns: the adapters with their facts, and the failures of the others.
  static func all() -> (adapters: [(path: String, facts: Facts)], failures: [DeviceFailure]) {
    var adapters: [(path: String, facts: Facts)] = []
    var failures: [DeviceFailure] = []
    for path in paths() {
      do throws(DeviceFailure) {
        adapters.append((path, try CECAdapter(path: path).facts()))
      } catch {
        failures.append(error)
      }
    }
    return (adapters, failures)
  }
}
