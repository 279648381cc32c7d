import ControlProtocol
import JSONText
import KioskCore
import PlaybackCore

/// Bytes of a client, in pieces whose lengths are the bytes themselves, with answers, events and a reader that takes what it likes.
func readControl(_ bytes: [UInt8]) {
  if let value = try? JSONValue(parsing: bytes) {
    // 1e3 and 1000 are one number in two spellings.
    let again = try? JSONValue(parsing: value.compact.utf8)
    precondition(again?.compact == value.compact, "what is written isn't what was read")
  }
  var connection = ControlConnection()
  let event = ControlEvent(.problem, [.init("text", .string(String(repeating: "x", count: 300)))])
  var rest = bytes[...]
  var got: [UInt8] = []
  func tell(_ event: ControlConnection.Event) {
    var events = [event]
    while !events.isEmpty {
      for effect in connection.handle(events.removeFirst()) {
        if case .ask(let request) = effect {
          precondition(request.verb.isOfScreen || request.screen == nil, "a screen of what has none")
          events.append(.answered(.done))
        }
        if case .wantsTurn = effect { events.append(.turn) }
      }
    }
    precondition(connection.invariants.violations.isEmpty, "\(connection.invariants.violations)")
    precondition(connection.keptBytes <= ControlLimits.total / ControlLimits.clients, "more is kept than may be")
  }
  while let length = rest.first, !connection.isClosed {
    if connection.wantsToRead { tell(.received(Array(rest.prefix(Int(length) + 1)))) }
    rest = rest.dropFirst(Int(length) + 1)
    if length % 3 == 0 { tell(.happened(event)) }
    let taken = connection.output.prefix(length % 2 == 0 ? 100_000 : Int(length))
    got += taken
    tell(.wrote(taken.count))
  }
  if !connection.isClosed {
    tell(.inputEnded)
    got += connection.output
    tell(.wrote(connection.output.count))
  }
  for line in got.split(separator: 0x0A) where got.last == 0x0A {
    precondition((try? JSONValue(parsing: line)) != nil, "an answer that is no JSON")
  }
}
