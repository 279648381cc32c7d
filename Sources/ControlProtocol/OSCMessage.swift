internal import InteractionCore
internal import JSONText
internal import PlaybackCore

/// A message of Open Sound Control 1.0 and 1.1 (https://opensoundcontrol.stanford.edu/spec-1_0.html), as QLab,
/// Companion and lighting desks send them: `/vitrine/VERB` or `/vitrine/SCREEN/VERB` with the verb's arguments.
///
/// A parser of its own and not liblo: that has a socket and a thread of its own, and callbacks; the format is texts and
/// numbers padded to four bytes. See decision 0205.
struct OSCMessage: Hashable {
  /// The address pattern, such as `/vitrine/seek`.
  var address: String
  /// The arguments as words of a line.
  var words: [String]

  static let bundleStart = Array("#bundle\0".utf8)
  /// Bundles in bundles, at most; senders use one level.
  private static let depth = 4

  /// The messages of a packet, those of bundles in their order. Their times aren't waited for: what is due later is
  /// sent later.
  ///
  /// - Throws: 7617 for bytes that aren't OSC, or more messages than `limit`.
  static func messages(in packet: [UInt8], atMost limit: Int) throws(VitrineError) -> [OSCMessage] {
    var found: [OSCMessage] = []
    try read(packet[...], depth: depth, into: &found, atMost: limit)
    return found
  }

  private static func read(
    _ packet: ArraySlice<UInt8>, depth: Int, into found: inout [OSCMessage], atMost limit: Int
  ) throws(VitrineError) {
    guard packet.starts(with: bundleStart) else {
      guard found.count < limit else { throw ControlErrors.notOSC("it has more than \(limit) messages") }
      var reader = OSCReader(packet)
      return found.append(try reader.message())
    }
    guard depth > 0 else { throw ControlErrors.notOSC("its bundles are nested too deep") }
    var reader = OSCReader(packet.dropFirst(bundleStart.count))
    // The time.
    _ = try reader.bytes(8)
    while !reader.isAtEnd {
      let length = Int(Int32(bitPattern: try reader.number32()))
      guard length > 0 else { throw ControlErrors.notOSC("an element has no length") }
      try read(try reader.bytes(length), depth: depth - 1, into: &found, atMost: limit)
    }
  }

  /// The arguments as the verb's parameters want them. Buttons of touch panels send 1 when they are pressed and 0 when
  /// they are released, switches the same for on and off, and faders parts of a percent.
  ///
  /// - Returns: nil for the release of a button.
  private func fitted(to parameters: [CommandParameter]) -> [String]? {
    guard let number = words.first.flatMap(Double.init), words.count == 1 else { return words }
    switch parameters.first?.kind {
    case nil: return number == 0 ? nil : []
    case .boolean: return [number == 0 ? "off" : "on"]
    case .integer where abs(number) < 1e15: return ["\(Int64(number.rounded()))"]
    default: return words
    }
  }

  /// The request that the message stands for; nil for the release of a button.
  var request: ControlRequest? {
    get throws(ControlRequest.Refusal) {
      do throws(VitrineError) {
        let parts = address.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        // The address begins with a slash: the first part is empty.
        guard (3...4).contains(parts.count), parts[1] == "vitrine" else { throw ControlErrors.notAnAddress(address) }
        guard let verb = ControlVerb(parts[parts.count - 1]) else {
          throw ControlErrors.unknownVerb(parts[parts.count - 1])
        }
        guard let words = fitted(to: verb.parameters) else { return nil }
        let arguments: CommandArguments
        do throws(CommandMisuse) {
          // A text is one argument: nothing in it is an option, unless other arguments follow.
          if case .text = verb.parameters.first?.kind, words.count == 1 {
            arguments = try CommandArguments(words: ["--"] + words, of: verb.parameters)
          } else {
            arguments = try CommandArguments(words: words, of: verb.parameters)
          }
        } catch {
          throw ControlErrors.badArgument(verb, error.text)
        }
        return ControlRequest(
          id: .null, form: .words, verb: verb,
          screen: parts.count == 4 ? try ControlRequest.screen(parts[2], of: verb) : nil,
          action: try ControlRequest.action(verb, arguments))
      } catch {
        throw ControlRequest.Refusal(id: .null, form: .words, error: error)
      }
    }
  }
}

/// Reads the parts of a packet one after the other.
private struct OSCReader {
  private var rest: ArraySlice<UInt8>

  init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

  var isAtEnd: Bool { rest.isEmpty }

  mutating func bytes(_ count: Int) throws(VitrineError) -> ArraySlice<UInt8> {
    guard count <= rest.count else { throw ControlErrors.notOSC("it ends too early") }
    defer { rest = rest.dropFirst(count) }
    return rest.prefix(count)
  }

  mutating func number32() throws(VitrineError) -> UInt32 {
    try bytes(4).reduce(0) { $0 << 8 | UInt32($1) }
  }

  mutating func number64() throws(VitrineError) -> UInt64 {
    try bytes(8).reduce(0) { $0 << 8 | UInt64($1) }
  }

  /// Bytes up to a zero, with zeros up to a multiple of four.
  mutating func text() throws(VitrineError) -> String {
    guard let end = rest.firstIndex(of: 0) else { throw ControlErrors.notOSC("a text has no end") }
    let length = end - rest.startIndex
    let whole = try bytes((length / 4 + 1) * 4)
    guard let text = String(validating: whole.prefix(length), as: UTF8.self) else {
      throw ControlErrors.notOSC("a text isn't UTF-8")
    }
    return text
  }

  mutating func message() throws(VitrineError) -> OSCMessage {
    let address = try text()
    guard address.hasPrefix("/") else { throw ControlErrors.notOSC("its address doesn't begin with a slash") }
    // Some old senders leave the types out where there are no arguments.
    guard !isAtEnd else { return OSCMessage(address: address, words: []) }
    let types = try text()
    guard types.hasPrefix(",") else { throw ControlErrors.notOSC("it has no types") }
    var words: [String] = []
    for type in types.dropFirst() {
      switch type {
      case "s", "S": words.append(try text())
      case "i": words.append("\(Int32(bitPattern: try number32()))")
      case "h": words.append("\(Int64(bitPattern: try number64()))")
      case "f": words.append(try Self.word(Double(Float(bitPattern: try number32()))))
      case "d": words.append(try Self.word(Double(bitPattern: try number64())))
      case "T": words.append("on")
      case "F": words.append("off")
      // Nothing, and a press: no argument.
      case "N", "I": break
      default: throw ControlErrors.notOSC("it has an argument of type \(CommandParameter.quoted(String(type)))")
      }
    }
    return OSCMessage(address: address, words: words)
  }

  private static func word(_ number: Double) throws(VitrineError) -> String {
    guard number.isFinite else { throw ControlErrors.notOSC("a number isn't finite") }
    // A fader's 40 is 40 and not 40.0, where a whole number is wanted.
    return JSONValue.number(number).compact
  }
}
