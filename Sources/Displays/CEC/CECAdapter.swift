import CLinuxCEC
import FileSystem
import Glibc

/// A call to a CEC device that failed.
struct CECFailure: Error, Hashable {
  var call: String
  /// A positive errno.
  var code: Int32

  /// - Parameter result: 0 or more, else a negative errno.
  @discardableResult
  static func check(_ call: String, _ result: Int32) throws(CECFailure) -> Int32 {
    guard result < 0 else { return result }
    throw CECFailure(call: call, code: -result)
  }

  var description: String { "\(call): \(String(cString: strerror(code)))" }
}

/// An open CEC device of the kernel. Nothing blocks. Its address is given back with it, where it has it from us.
///
/// This file is the only one that talks to such devices.
final class CECAdapter {
  enum Incoming: Hashable {
    case message(CECMessage)
    /// What came of a message that was sent.
    case result(sequence: UInt32, wasHeard: Bool)
  }

  /// What an adapter says of itself.
  struct Facts: Hashable, Sendable {
    /// Whether it can send, and take an address.
    var canControl: Bool
    /// The number of the graphics card and the kernel's of its connector; nil where the driver doesn't say.
    var connector: ConnectorID?
  }

  struct ConnectorID: Hashable, Sendable {
    var card: UInt32
    var connector: UInt32
  }

  let path: String
  let descriptor: Int32
  private var isOurs = false

  init(path: String) throws(CECFailure) {
    let descriptor = Glibc.open(path, O_RDWR | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw CECFailure(call: "open \(path)", code: errno) }
    self.path = path
    self.descriptor = descriptor
  }

  deinit {
    if isOurs { _ = vit_cec_become_nobody(descriptor) }
    close(descriptor)
  }

  func facts() throws(CECFailure) -> Facts {
    var read = vit_cec_adapter()
    try CECFailure.check("CEC_ADAP_G_CAPS", vit_cec_describe(descriptor, &read))
    return Facts(
      canControl: read.can_control,
      connector: read.has_connector ? ConnectorID(card: read.card, connector: read.connector) : nil)
  }

  /// Takes the address of a playback device as soon as a screen is there; an address that it has already serves too.
  ///
  /// - Parameter name: what the screen shows for us, 14 characters at most.
  func becomePlaybackDevice(name: String) throws(CECFailure) {
    isOurs = try CECFailure.check("CEC_ADAP_S_LOG_ADDRS", vit_cec_become_playback(descriptor, name)) == 0
  }

  func address() throws(CECFailure) -> CECAddress? {
    var read = vit_cec_address()
    try CECFailure.check("CEC_ADAP_G_LOG_ADDRS", vit_cec_read_address(descriptor, &read))
    return CECAddress(physical: read.physical, logicalMask: read.logical_mask)
  }

  /// - Returns: the number by which the result comes.
  func send(_ message: CECMessage) throws(CECFailure) -> UInt32 {
    let bytes = message.bytes
    var sequence: UInt32 = 0
    try CECFailure.check("CEC_TRANSMIT", vit_cec_send(descriptor, bytes, UInt32(bytes.count), &sequence))
    return sequence
  }

  /// - Returns: nil when there is nothing more.
  func receiveMessage() throws(CECFailure) -> Incoming? {
    while true {
      var read = vit_cec_message()
      guard try CECFailure.check("CEC_RECEIVE", vit_cec_receive(descriptor, &read)) > 0 else { return nil }
      if read.sequence != 0 { return .result(sequence: read.sequence, wasHeard: read.was_heard) }
      let bytes = withUnsafeBytes(of: read.bytes) { Array($0.prefix(Int(read.length))) }
      if let message = CECMessage(bytes: bytes) { return .message(message) }
    }
  }

  /// Takes all events. Returns whether the address may have changed.
  func takeEvents() throws(CECFailure) -> Bool {
    var hasChanged = false
    var address = vit_cec_address()
    while true {
      let kind = try CECFailure.check("CEC_DQEVENT", vit_cec_next_event(descriptor, &address))
      if kind == 0 { return hasChanged }
      hasChanged = true
    }
  }
}

extension CECAdapter {
  /// Paths of the machine's adapters, in the order of their numbers.
  static func paths() -> [String] {
    SmallFile.names(in: "/dev").compactMap { $0.hasPrefix("cec") ? Int($0.dropFirst(3)) : nil }.sorted()
      .map { "/dev/cec\($0)" }
  }

  /// The adapter of a connector: the one that says so, else the only one that doesn't say where it belongs, such as one
  /// on USB in between.
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

  /// Asks every adapter that we may open.
  ///
  /// - Returns: what they say, and why others couldn't be asked.
  static func all() -> (adapters: [(path: String, facts: Facts)], failures: [CECFailure]) {
    var adapters: [(path: String, facts: Facts)] = []
    var failures: [CECFailure] = []
    for path in paths() {
      do throws(CECFailure) {
        adapters.append((path, try CECAdapter(path: path).facts()))
      } catch {
        failures.append(error)
      }
    }
    return (adapters, failures)
  }
}
