import ControlProtocol
import JSONText
import KioskCore
import PlaybackCore

/// A client's bytes, in pieces whose lengths come from the bytes, with answers, events and reads in between.
func readControl(_ bytes: [UInt8]) {
  if let value = try? JSONValue(parsing: bytes) {
    // 1e3 and 1000 are the same number.
    let again = try? JSONValue(parsing: value.compact.utf8)
    precondition(again?.compact == value.compact, "what is written isn't what was read")
  }
  var connection = ControlConnection()
  let event = ControlEvent(.problem, [.init("text", .string(String(repeating: "x", count: 300)))])
  var rest = bytes[...]
  var got: [UInt8] = []
  func feed(_ event: ControlConnection.Event) {
    var events = [event]
    while !events.isEmpty {
      for action in connection.handle(events.removeFirst()) {
        if case .ask(let request) = action {
          precondition(request.verb.isOfScreen || request.screen == nil, "a screen of what has none")
          events.append(.answered(.done))
        }
        if case .wantsTurn = action { events.append(.turn) }
      }
    }
    precondition(connection.invariants.violations.isEmpty, "\(connection.invariants.violations)")
    precondition(connection.keptBytes <= ControlLimits.total / ControlLimits.clients, "more is kept than may be")
  }
  while let length = rest.first, !connection.isClosed {
    if connection.wantsToRead { feed(.received(Array(rest.prefix(Int(length) + 1)))) }
    rest = rest.dropFirst(Int(length) + 1)
    if length % 3 == 0 { feed(.happened(event)) }
    let taken = connection.output.prefix(length % 2 == 0 ? 100_000 : Int(length))
    got += taken
    feed(.wrote(taken.count))
  }
  if !connection.isClosed {
    feed(.inputEnded)
    got += connection.output
    feed(.wrote(connection.output.count))
  }
  for line in got.split(separator: 0x0A) where got.last == 0x0A {
    let isWords = line.last == 0x0D && ["ok", "error ", "event "].contains { line.starts(with: $0.utf8) }
    precondition(isWords || (try? JSONValue(parsing: line)) != nil, "an answer that is neither JSON nor words")
  }
}

/// A datagram: lines or OSC.
func readDatagram(_ bytes: [UInt8]) {
  let datagram = ControlDatagram(Array(bytes.prefix(ControlDatagram.bytes)))
  precondition(datagram.requests.count <= ControlDatagram.most, "more requests than are allowed")
  for request in datagram.requests {
    switch request {
    case .success(let request):
      switch request.action {
      case .command, .status, .hello: break
      case .screenshot, .subscribe: preconditionFailure("a request whose answer comes later")
      }
      precondition(request.verb.isOfScreen || request.screen == nil, "a screen of what has none")
      precondition(ControlDatagram.answer(.done, to: request).last == 0x0A, "an answer without an end")
    case .failure(let refusal):
      precondition(ControlDatagram.answer(refusal).count < ControlLimits.lineBytes, "a long refusal")
    }
  }
}
