import JSONText
import PlaybackCore
import TelemetryCore

/// A log of plays from a damaged card: its entries don't depend on the pieces in which it is read, and the part kept of
/// its end consists of whole lines.
func readPlays(_ bytes: [UInt8]) {
  var whole = PlayReader()
  let entries = whole.read(bytes)
  whole.end()
  var pieces = PlayReader()
  var again: [PlayEntry] = []
  for start in stride(from: 0, to: bytes.count, by: 7) {
    again += pieces.read(bytes[start..<min(start + 7, bytes.count)])
  }
  pieces.end()
  precondition(entries == again && whole.unreadable == pieces.unreadable, "it hangs on the pieces")
  if case .whole(let size) = PlayTail(bytes, size: Int64(bytes.count)) {
    precondition(size >= 0 && size <= bytes.count, "more than there is")
    precondition(size == 0 || bytes[Int(size) - 1] == 0x0A, "the end of no line")
  }
  var (sums, visits) = (PlaySums(), VisitSums())
  for entry in entries {
    sums.add(entry)
    visits.add(entry)
    precondition(!PlayTable.row(entry).isEmpty, "no row")
  }
  _ = PlayTable.text(sums)
  _ = VisitTable.text(visits.visits)
  _ = VisitTable.json(visits.visits, withVisits: true).compact
  _ = PlayTable.json(sums, withPlays: true).compact
}

/// A broker's message becomes a request, or is refused in JSON.
func readBrokerCommand(_ bytes: [UInt8]) {
  var commands = BrokerCommands()
  switch commands.handlePayload(bytes, isRetained: false, at: Instant(nanoseconds: 0)) {
  case .perform(let request):
    switch request.action {
    case .command, .status: break
    case .hello, .screenshot, .subscribe: preconditionFailure("what needs a connection of its own")
    }
  case .refuse(let id, let error):
    precondition((try? JSONValue(parsing: id.compact.utf8)) != nil && error.number > 0, "an answer that is no JSON")
  case .ignore: break
  }
}
