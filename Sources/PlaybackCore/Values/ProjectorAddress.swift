/// A projector on the network that takes commands by PJLink, and the input that it is to show.
public struct ProjectorAddress: Hashable, Sendable {
  /// The port of PJLink, which is registered for it.
  public static let usualPort = 4352
  /// The allowed forms, for messages. By examples: with a word in place of its number, a port is taken for a password and
  /// isn't shown.
  public static let allowed =
    "\"pjlink://10.0.0.7\", \"pjlink://10.0.0.7:4352\" or, with an input, \"pjlink://10.0.0.7/31\""

  public let machine: CueReceiver
  /// Two digits by PJLink: the kind (1 RGB, 2 video, 3 digital, 4 storage, 5 network) and the number of the socket, from
  /// 1 to 9. Nil leaves the projector the input that it has.
  public let input: String?

  /// Nil for any other text than those of `allowed`.
  public init?(_ text: String) {
    let scheme = "pjlink://"
    guard text.hasPrefix(scheme) else { return nil }
    let parts = text.dropFirst(scheme.count).split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    guard let host = parts.first else { return nil }
    // In brackets, colons belong to the address.
    let hasPort = host.hasPrefix("[") ? host.contains("]:") : host.contains(":")
    guard let machine = CueReceiver(hasPort ? host : host + ":\(Self.usualPort)") else { return nil }
    self.machine = machine
    guard parts.count > 1 else {
      input = nil
      return
    }
    guard Self.isInput(parts[1].utf8) else { return nil }
    input = String(parts[1])
  }

  private static func isInput(_ digits: Substring.UTF8View) -> Bool {
    guard digits.count == 2, let kind = digits.first, let number = digits.last else { return false }
    return (UInt8(ascii: "1")...UInt8(ascii: "5")).contains(kind)
      && (UInt8(ascii: "1")...UInt8(ascii: "9")).contains(number)
  }
}

extension ProjectorAddress: CustomStringConvertible {
  /// The form used in files.
  public var description: String { place + (input.map { "/\($0)" } ?? "") }

  /// The address without the input, for messages.
  public var place: String {
    let host = machine.host.contains(":") ? "[\(machine.host)]" : machine.host
    return "pjlink://\(host)" + (machine.port == Self.usualPort ? "" : ":\(machine.port)")
  }
}
