public import InteractionCore
internal import JSONText
public import PlaybackCore

/// The door by a serial line: bytes in, requests and answers out. It has no device and no clock.
///
/// Without words of its own the line takes commands as the network's door takes them, and answers. With words each of
/// them is a button, and nothing is answered: such a device wouldn't understand it.
public struct SerialDoor: Sendable {
  public enum Event: Hashable, Sendable {
    /// The line was opened, for the first time or again.
    case opened
    case received([UInt8])
    case timePassed
    /// The answer to the last request that was asked.
    case answered(ControlReply, ControlRequest)
  }

  public enum Action: Hashable, Sendable {
    /// Carry out the request, and report `answered`.
    case ask(ControlRequest)
    /// The button of a word was pressed, and let go.
    case press(String)
    case send([UInt8])
    /// Log what came and isn't obeyed.
    case tell(VitrineError)
  }

  /// After so many refused lines in a row nothing is answered until a command comes. A device that sends back what it
  /// gets, or that answers each error with an error, would go on for ever.
  static let patience = 3

  /// Texts that wait while an answer is awaited: more than come in a turn of the loop.
  private static let mostWaiting = 256

  public let input: SerialInput
  private var reader: SerialReader
  private var waiting: [SerialReader.Found] = []
  private var isAsking = false
  private var allowance = RateAllowance(perSecond: ControlLimits.networkRate, burst: ControlLimits.networkBurst)
  /// Refused lines since the last command.
  private var refused = 0
  /// Numbers of errors that have been told since the last line that was obeyed.
  private var told: Set<Int> = []
  private var lines = LineLimit<Int>()

  public init(_ input: SerialInput) {
    self.input = input
    reader = SerialReader(words: input.words)
  }

  /// When `timePassed` is to be fed; nil where nothing is due.
  public var deadline: Instant? { reader.deadline }
  /// Bytes of a text that has no end yet.
  public var keptBytes: Int { reader.keptBytes }

  public mutating func handle(_ event: Event, at now: Instant) -> [Action] {
    var actions: [Action] = []
    switch event {
    case .opened:
      reader = SerialReader(words: input.words)
      (waiting, isAsking) = ([], false)
      (refused, told) = (0, [])
    case .received(let bytes): waiting += reader.received(bytes, at: now)
    case .timePassed: waiting += reader.timePassed(at: now)
    case .answered(let reply, let request):
      guard isAsking else { break }
      isAsking = false
      if case .failed(let error, _) = reply {
        refuse(error, request.form, request.id, &actions, at: now)
      } else {
        obeyed()
        actions.append(.send(ControlDatagram.answer(reply, to: request)))
      }
    }
    // One after the other: whether a line is answered depends on those before it.
    while !isAsking, !waiting.isEmpty { handle(waiting.removeFirst(), &actions, at: now) }
    if waiting.count > Self.mostWaiting {
      waiting.removeLast(waiting.count - Self.mostWaiting)
      tell(SerialErrors.tooFast(input), &actions, at: now)
    }
    return actions
  }

  private mutating func handle(_ found: SerialReader.Found, _ actions: inout [Action], at now: Instant) {
    switch found {
    case .noText: tell(SerialErrors.noText(input), &actions, at: now)
    case .tooLong: tell(SerialErrors.tooLong(input), &actions, at: now)
    case .text(let text):
      guard allowance.admit(at: now) else { return tell(SerialErrors.tooFast(input), &actions, at: now) }
      if input.takesCommands { return ask(text, &actions, at: now) }
      guard input.words.contains(text) else { return tell(SerialErrors.unknownWord(text, input), &actions, at: now) }
      obeyed()
      actions.append(.press(text))
    }
  }

  private mutating func ask(_ text: String, _ actions: inout [Action], at now: Instant) {
    do throws(ControlRequest.Refusal) {
      actions.append(.ask(try ControlDatagram.complete(try ControlRequest(anyForm: text.utf8))))
      isAsking = true
    } catch {
      refuse(error.error, error.form, error.id, &actions, at: now)
    }
  }

  private mutating func obeyed() { (refused, told) = (0, []) }

  private mutating func refuse(
    _ error: VitrineError, _ form: ControlForm, _ id: JSONValue, _ actions: inout [Action], at now: Instant
  ) {
    refused += 1
    tell(error, &actions, at: now)
    if refused <= Self.patience {
      actions.append(.send(ControlDatagram.answer(ControlRequest.Refusal(id: id, form: form, error: error))))
    } else if refused == Self.patience + 1 {
      tell(SerialErrors.answersStop(input), &actions, at: now)
    }
  }

  /// Tells a fault once: again after a line that was obeyed, and then once a minute.
  private mutating func tell(_ error: VitrineError, _ actions: inout [Action], at now: Instant) {
    guard !told.contains(error.number), lines.admitLine(error.number, at: now) != nil else { return }
    told.insert(error.number)
    actions.append(.tell(error))
  }
}

/// The errors of what comes by a serial line: 7664 to 7668. 7660 to 7663 are those of opening one.
enum SerialErrors {
  static func noText(_ input: SerialInput) -> VitrineError {
    VitrineError(
      7664, subject: input.path, message: "what comes by the serial line is no text",
      remedy: "set speed and frame (\(input.settings)) to what the device has, and check that its ground is connected")
  }

  static func tooLong(_ input: SerialInput) -> VitrineError {
    let limit = input.takesCommands ? ControlLimits.lineBytes : SerialInput.mostBytesOfWord
    return VitrineError(
      7665, subject: input.path, message: "a line has more than \(limit) bytes; it is ignored up to its end",
      remedy: "end each command with CR or LF")
  }

  static func tooFast(_ input: SerialInput) -> VitrineError {
    VitrineError(
      7666, subject: input.path,
      message: "more than \(Int(ControlLimits.networkRate)) lines a second come, and some are ignored",
      remedy: "have the device send what has changed, and nothing else")
  }

  static func answersStop(_ input: SerialInput) -> VitrineError {
    VitrineError(
      7667, subject: input.path,
      message: "\(SerialDoor.patience + 1) lines in a row are no commands; nothing is answered until one is",
      remedy: "switch the device's echo off; for a device with words of its own, list them in match")
  }

  static func unknownWord(_ text: String, _ input: SerialInput) -> VitrineError {
    VitrineError(
      7668, subject: input.path, message: "\"\(PlainText.clipped(text, to: 80))\" isn't in match, and does nothing",
      remedy: "list it there as it stands here, if it should do something")
  }
}
