internal import JSONText
public import PlaybackCore

/// One client's connection: bytes in, effects out. It has no socket and no clock.
///
/// Transitions: open -> closing (the client is over a limit, or has ended its side and got its answers) -> closed (its last line is
/// taken, the time for that is over, or it is gone). Requests are answered one after the other, in their order; while an answer is
/// awaited, or too much is unread, nothing more is read, so that a client holds up itself alone.
public struct ControlConnection: Sendable {
  public enum Event: Hashable, Sendable {
    case received([UInt8])
    /// The client sends nothing more; it may still read.
    case inputEnded
    /// The next turn of the loop, where that was asked for.
    case turn
    /// To the request that was asked last.
    case answered(ControlReply)
    case happened(ControlEvent)
    /// So many bytes of `output` have been taken.
    case wrote(Int)
    /// There is no room for this client.
    case refused(VitrineError)
    /// It has taken nothing for `ControlLimits.stallSeconds`, or for `lingerSeconds` while closing.
    case stalled
    case failed
  }

  public enum Effect: Hashable, Sendable {
    /// Answer it by `answered`.
    case ask(ControlRequest)
    /// Tell `turn` in the next turn.
    case wantsTurn
    /// For the log: why it is closed.
    case tell(VitrineError)
    /// The socket is to be closed.
    case close
  }

  private enum State: Hashable {
    case open
    case closing
    case closed
  }

  private var state = State.open
  private var input: [UInt8] = []
  private var hasInputEnded = false
  /// The id of the request whose answer is awaited.
  private var asked: JSONValue?
  /// What of the turn is left.
  private var quota = ControlLimits.requestsPerTurn
  private var awaitsTurn = false
  private var buffer: [UInt8] = []
  private var sent = 0
  /// Where the last picture ends that is still to be sent: pictures don't count as unread events.
  private var pictureEnd = 0
  public private(set) var subscriptions: Set<ControlEventKind> = []

  public init() {}

  // MARK: What is asked of it

  /// What is to be sent next.
  public var output: ArraySlice<UInt8> { buffer[sent...] }
  public var wantsToWrite: Bool { state != .closed && sent < buffer.count }
  public var wantsToRead: Bool {
    state == .open && !hasInputEnded && asked == nil && !awaitsTurn && hasRoom && input.count <= ControlLimits.lineBytes
  }
  public var isClosing: Bool { state == .closing }
  public var isClosed: Bool { state == .closed }
  /// Bytes that are kept for it, pictures apart.
  public var keptBytes: Int { input.count + max(0, buffer.count - max(sent, pictureEnd)) }
  public var hasPicture: Bool { pictureEnd > sent }
  /// Whether nothing is awaited of it or by it.
  public var isIdle: Bool { asked == nil && subscriptions.isEmpty && !wantsToWrite && input.isEmpty }

  /// Another answer fits, however long: those are of `outputBytes` / 2 at most.
  private var hasRoom: Bool { unread < ControlLimits.outputBytes / 2 }
  private var unread: Int { max(0, buffer.count - max(sent, pictureEnd)) }

  // MARK: Facts in, effects out

  public mutating func handle(_ event: Event) -> [Effect] {
    guard state != .closed else { return [] }
    var effects: [Effect] = []
    switch event {
    case .received(let bytes):
      guard state == .open else { break }
      input += bytes
    case .inputEnded: hasInputEnded = true
    case .turn:
      awaitsTurn = false
      quota = ControlLimits.requestsPerTurn
    case .answered(let reply): takeAnswer(reply)
    case .happened(let event): effects += takeEvent(event)
    case .wrote(let count): takeBytes(count)
    case .refused(let error):
      effects += end(error)
    case .stalled:
      if state == .open { effects.append(.tell(ControlErrors.doesNotRead)) }
      return effects + close()
    case .failed: return effects + close()
    }
    effects += advance()
    #if DEBUG
      invariants.enforce(after: event)
    #endif
    return effects
  }

  /// Takes lines until one is a request, or no more may be taken now.
  private mutating func advance() -> [Effect] {
    while state == .open, asked == nil, hasRoom, !awaitsTurn {
      guard let line = nextLine() else {
        // Whole lines wait for the next turn: together they may be longer than one may be.
        if awaitsTurn { return [.wantsTurn] }
        if input.count > ControlLimits.lineBytes { return end(ControlErrors.lineTooLong) + finish() }
        // Who listens may have said all that there is to say.
        if hasInputEnded, subscriptions.isEmpty { state = .closing }
        break
      }
      guard line.count <= ControlLimits.lineBytes else { return end(ControlErrors.lineTooLong) + finish() }
      defer { quota -= 1 }
      do throws(ControlRequest.Refusal) {
        let request = try ControlRequest(line: line)
        asked = request.id
        if case .subscribe(let kinds) = request.action { subscriptions = kinds }
        return [.ask(request)]
      } catch {
        append(ControlReply.failed(error.error).line(id: error.id))
      }
    }
    return finish()
  }

  /// A line without its end; nil where none is whole, or this turn has had its share.
  private mutating func nextLine() -> [UInt8]? {
    // Blank lines keep a connection alive, and say nothing.
    let start = input.firstIndex { $0 != 0x0A && $0 != 0x0D } ?? input.count
    if start > 0 { input.removeFirst(start) }
    var end = input.firstIndex(of: 0x0A)
    // The last line needs no end when nothing follows.
    if end == nil, hasInputEnded, !input.isEmpty { end = input.count }
    guard let end else { return nil }
    guard quota > 0 else {
      awaitsTurn = true
      return nil
    }
    let line = Array(input[..<end])
    input.removeFirst(min(end + 1, input.count))
    return line
  }

  private mutating func takeAnswer(_ reply: ControlReply) {
    guard let id = asked else { return }
    asked = nil
    append(reply.line(id: id))
    // Only pictures are so large.
    if unread > ControlLimits.outputBytes { pictureEnd = buffer.count }
  }

  private mutating func takeEvent(_ event: ControlEvent) -> [Effect] {
    guard state == .open, subscriptions.contains(event.kind) else { return [] }
    let line = Array(event.json.compact.utf8)
    guard unread + line.count < ControlLimits.outputBytes else { return end(ControlErrors.doesNotRead) }
    append(line)
    return []
  }

  private mutating func takeBytes(_ count: Int) {
    sent += min(max(0, count), buffer.count - sent)
    // Not each time: what is left of a picture would be moved as often as a part of it is taken.
    if sent == buffer.count || sent > max(ControlLimits.outputBytes, buffer.count / 2) {
      buffer.removeFirst(sent)
      pictureEnd = max(0, pictureEnd - sent)
      sent = 0
    }
    if buffer.isEmpty { buffer = [] }
  }

  // MARK: The end

  /// Tells why, in place of what hasn't begun to be sent, and closes when that has been taken.
  private mutating func end(_ error: VitrineError) -> [Effect] {
    if sent > 0, buffer[sent - 1] != 0x0A, let lineEnd = buffer[sent...].firstIndex(of: 0x0A) {
      buffer.removeSubrange((lineEnd + 1)...)
    } else {
      buffer.removeSubrange(sent...)
    }
    pictureEnd = min(pictureEnd, buffer.count)
    subscriptions = []
    asked = nil
    state = .closing
    append(ControlReply.failed(error).line(id: .null))
    return [.tell(error)]
  }

  private mutating func finish() -> [Effect] {
    guard state == .closing, !wantsToWrite else { return [] }
    return close()
  }

  private mutating func close() -> [Effect] {
    state = .closed
    (input, buffer, sent, pictureEnd, asked, subscriptions) = ([], [], 0, 0, nil, [])
    return [.close]
  }

  private mutating func append(_ line: [UInt8]) {
    buffer += line
    buffer.append(0x0A)
  }

  /// What holds between two events. Debug builds check it after each.
  package var invariants: Invariants {
    var all = Invariants()
    all.check("What is sent is part of what there is", sent <= buffer.count && pictureEnd <= buffer.count)
    all.check("A closed one keeps nothing", state != .closed || (input.isEmpty && buffer.isEmpty))
    all.check(
      "What is kept of a client is bounded",
      keptBytes <= ControlLimits.lineBytes + ControlLimits.readBytes + ControlLimits.outputBytes)
    all.check("Who is closing hears no events", state == .open || subscriptions.isEmpty)
    return all
  }
}
