internal import JSONText
public import PlaybackCore

/// One client's connection: events in, actions out. It has no socket and no clock.
///
/// Transitions: open -> closing (the client is over a limit, or has ended its side and got its answers) -> closed (the
/// client has read its last line, was too slow to read it, or is gone). Requests are answered one after the other, in
/// their order; while an answer is awaited, or too much is unread, no more is read, so that a client holds up only
/// itself.
public struct ControlConnection: Sendable {
  public enum Event: Hashable, Sendable {
    case received([UInt8])
    /// The client sends nothing more; it may still read.
    case inputEnded
    /// The next turn of the loop has begun, where `wantsTurn` asked for it.
    case turn
    /// The answer to the last request that was asked.
    case answered(ControlReply)
    case happened(ControlEvent)
    /// This many bytes of `output` have been written.
    case wrote(Int)
    /// There is no room for this client.
    case refused(VitrineError)
    /// The client has read nothing for `ControlLimits.stallSeconds`, or for `lingerSeconds` while closing.
    case stalled
    case failed
  }

  public enum Action: Hashable, Sendable {
    /// Carry out the request, and report `answered`.
    case ask(ControlRequest)
    /// Report `turn` in the next turn of the loop.
    case wantsTurn
    /// Log why the connection is closed.
    case tell(VitrineError)
    /// Close the socket.
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
  /// The request whose answer is awaited.
  private var asked: ControlRequest?
  /// The spelling of the client's last request, and of the events that it subscribed to.
  private var form = ControlForm.json
  /// How many requests may still be answered in this turn.
  private var quota = ControlLimits.requestsPerTurn
  private var awaitsTurn = false
  private var buffer: [UInt8] = []
  private var sent = 0
  /// The end of the last unsent picture in the buffer: pictures don't count as unread output.
  private var pictureEnd = 0
  public private(set) var subscriptions: Set<ControlEventKind> = []

  public init() {}

  // MARK: State, for the socket's owner

  /// The bytes to send next.
  public var output: ArraySlice<UInt8> { buffer[sent...] }
  public var wantsToWrite: Bool { state != .closed && sent < buffer.count }
  public var wantsToRead: Bool {
    state == .open && !hasInputEnded && asked == nil && !awaitsTurn && hasRoom && input.count <= ControlLimits.lineBytes
  }
  public var isClosing: Bool { state == .closing }
  public var isClosed: Bool { state == .closed }
  /// Bytes that are kept for the client, pictures apart.
  public var keptBytes: Int { input.count + max(0, buffer.count - max(sent, pictureEnd)) }
  public var hasPicture: Bool { pictureEnd > sent }
  /// Whether no request, event or byte is pending.
  public var isIdle: Bool { asked == nil && subscriptions.isEmpty && !wantsToWrite && input.isEmpty }

  /// Whether another answer fits, however long: answers have at most half of `outputBytes`.
  private var hasRoom: Bool { unread < ControlLimits.outputBytes / 2 }
  private var unread: Int { max(0, buffer.count - max(sent, pictureEnd)) }

  // MARK: Events in, actions out

  public mutating func handle(_ event: Event) -> [Action] {
    guard state != .closed else { return [] }
    var actions: [Action] = []
    switch event {
    case .received(let bytes):
      guard state == .open else { break }
      input += bytes
    case .inputEnded: hasInputEnded = true
    case .turn:
      awaitsTurn = false
      quota = ControlLimits.requestsPerTurn
    case .answered(let reply): enqueueAnswer(reply)
    case .happened(let event): actions += enqueueEvent(event)
    case .wrote(let count): dropSentBytes(count)
    case .refused(let error):
      actions += end(error)
    case .stalled:
      if state == .open { actions.append(.tell(ControlErrors.doesNotRead)) }
      return actions + close()
    case .failed: return actions + close()
    }
    actions += advance()
    #if DEBUG
      invariants.enforce(after: event)
    #endif
    return actions
  }

  /// Reads lines until one is a request, or no more may be read now.
  private mutating func advance() -> [Action] {
    while state == .open, asked == nil, hasRoom, !awaitsTurn {
      guard let line = nextLine() else {
        // Complete lines wait for the next turn: together they may be longer than one line may be.
        if awaitsTurn { return [.wantsTurn] }
        if input.count > ControlLimits.lineBytes { return end(ControlErrors.lineTooLong) + finish() }
        // A client that listens may have sent all its requests.
        if hasInputEnded, subscriptions.isEmpty { state = .closing }
        break
      }
      guard line.count <= ControlLimits.lineBytes else { return end(ControlErrors.lineTooLong) + finish() }
      defer { quota -= 1 }
      // A web page of another origin can make a browser send a request here, and write commands into its body.
      if Self.isWebRequest(line) { return end(ControlErrors.isWebRequest) + finish() }
      form = ControlForm(of: line)
      do throws(ControlRequest.Refusal) {
        let request = try ControlRequest(anyForm: line)
        asked = request
        if case .subscribe(let kinds) = request.action { subscriptions = kinds }
        return [.ask(request)]
      } catch {
        append(ControlReply.failed(error.error).line(id: error.id, form: error.form))
      }
    }
    return finish()
  }

  /// The next line without its end; nil where none is complete, or this turn's requests are used up.
  private mutating func nextLine() -> [UInt8]? {
    // Blank lines keep a connection alive, and have no meaning.
    let start = input.firstIndex { $0 != 0x0A && $0 != 0x0D } ?? input.count
    if start > 0 { input.removeFirst(start) }
    var end = input.firstIndex { $0 == 0x0A || $0 == 0x0D }
    // The last line needs no line break when nothing follows.
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

  private mutating func enqueueAnswer(_ reply: ControlReply) {
    guard let request = asked else { return }
    asked = nil
    append(reply.line(to: request))
    // Only pictures are this large.
    if unread > ControlLimits.outputBytes { pictureEnd = buffer.count }
  }

  private mutating func enqueueEvent(_ event: ControlEvent) -> [Action] {
    guard state == .open, subscriptions.contains(event.kind) else { return [] }
    let line = form == .words ? event.words : Array(event.json.compact.utf8)
    guard unread + line.count < ControlLimits.outputBytes else { return end(ControlErrors.doesNotRead) }
    append(line)
    return []
  }

  private mutating func dropSentBytes(_ count: Int) {
    sent += min(max(0, count), buffer.count - sent)
    // Not on each write: the rest of a picture would be moved each time.
    if sent == buffer.count || sent > max(ControlLimits.outputBytes, buffer.count / 2) {
      buffer.removeFirst(sent)
      pictureEnd = max(0, pictureEnd - sent)
      sent = 0
    }
    if buffer.isEmpty { buffer = [] }
  }

  // MARK: The end

  /// Drops output that hasn't begun to be sent, sends the reason instead, and closes once that has been read.
  private mutating func end(_ error: VitrineError) -> [Action] {
    if sent > 0, buffer[sent - 1] != 0x0A, let lineEnd = buffer[sent...].firstIndex(of: 0x0A) {
      buffer.removeSubrange((lineEnd + 1)...)
    } else {
      buffer.removeSubrange(sent...)
    }
    pictureEnd = min(pictureEnd, buffer.count)
    subscriptions = []
    asked = nil
    state = .closing
    append(ControlReply.failed(error).line(id: .null, form: form))
    return [.tell(error)]
  }

  private mutating func finish() -> [Action] {
    guard state == .closing, !wantsToWrite else { return [] }
    return close()
  }

  private mutating func close() -> [Action] {
    state = .closed
    (input, buffer, sent, pictureEnd, asked, subscriptions) = ([], [], 0, 0, nil, [])
    return [.close]
  }

  private mutating func append(_ line: [UInt8]) {
    buffer += line
    buffer += form.lineEnd
  }

  /// Whether the line is the first of a request of HTTP: its only use of that word.
  private static func isWebRequest(_ line: [UInt8]) -> Bool {
    let mark = Array(" HTTP/1.".utf8)
    return line.count > mark.count && line.dropLast().suffix(mark.count).elementsEqual(mark)
  }

  /// The connection's invariants. Debug builds check them after each event.
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
