internal import InteractionCore
internal import JSONText
internal import PlaybackCore

// Requests, answers and events as plain lines of words, for machines that can't read JSON: control systems of halls,
// push-button panels, a shell. `seek 1:30` asks the same as {"verb":"seek","to":90}.

/// The spelling of a request, and so of its answer.
public enum ControlForm: Hashable, Sendable {
  case json
  case words

  /// Takes a line for words where it begins with a letter or `@`: no JSON object does.
  init(of line: some Collection<UInt8>) {
    let first = line.first { $0 != 0x20 && $0 != 0x09 } ?? 0
    self = (0x61...0x7A).contains(first) || (0x40...0x5A).contains(first) ? .words : .json
  }

  /// Programs read the line break alone; most control systems of halls want both characters.
  var lineEnd: [UInt8] { self == .json ? [0x0A] : [0x0D, 0x0A] }
}

extension ControlRequest {
  /// Reads a line in the spelling that its first letter tells.
  init(anyForm line: some Collection<UInt8>) throws(Refusal) {
    switch ControlForm(of: line) {
    case .json: try self.init(line: line)
    case .words: try self.init(words: line)
    }
  }

  /// Reads a line of words: `@` and the name of a screen where the request is for one of several, a verb, its arguments
  /// as `vitrine ctl` takes them.
  ///
  /// - Throws: 7602 for bytes that aren't text, 7603 for an unknown verb, 7604 for arguments that don't fit it.
  public init(words line: some Collection<UInt8>) throws(Refusal) {
    do throws(VitrineError) {
      guard let text = String(validating: line, as: UTF8.self) else {
        throw ControlErrors.malformed("it isn't text in UTF-8")
      }
      var (word, rest) = Command.split(text.replacing("\t", with: " "))
      var name: String?
      if word.hasPrefix("@") {
        name = String(word.dropFirst())
        (word, rest) = Command.split(rest)
      }
      // Panels shout: NEXT.
      guard let verb = ControlVerb(word.lowercased()) else { throw ControlErrors.unknownVerb(word) }
      let screen = try name.map { name throws(VitrineError) in try Self.screen(name, of: verb) }
      let arguments: CommandArguments
      do throws(CommandMisuse) {
        arguments = try CommandArguments(line: rest, of: verb.parameters)
      } catch {
        throw ControlErrors.badArgument(verb, error.text)
      }
      let action = try Self.action(verb, arguments)
      // A picture is no line of words.
      if case .screenshot = action { throw ControlErrors.needsJSON(verb) }
      self.init(id: .null, form: .words, verb: verb, screen: screen, action: action)
    } catch {
      throw Refusal(id: .null, form: .words, error: error)
    }
  }
}

extension ControlReply {
  /// The reply as a line of words without its end: `ok`, `ok playing 3 12 60 The hall`, or
  /// `error 7609 the playlist has no such item`.
  ///
  /// - Parameter verb: the request's; it decides what of the result is told.
  func words(to verb: ControlVerb?) -> [UInt8] {
    let text: String =
      switch self {
      case .done(let result):
        switch verb {
        case .query(.hello): "ok vitrine \(result["player"]?.text ?? "")"
        case .query(.status): "ok \(StatusWords.line(result))"
        default: "ok"
        }
      case .failed(let error, _): "error \(error.number) \(PlainText.clipped(error.message))"
      case .picture: "ok"
      }
    return Array(text.utf8)
  }
}

extension ControlEvent {
  /// The event as a line of words without its end: `event`, its kind, the screen (`-` where it has no name), and what
  /// matters of it. `event item-started - 3 0 60 The hall`
  var words: [UInt8] {
    let all = JSONValue.object(members)
    let rest: String =
      switch kind {
      case .itemStarted, .itemEnded, .position: all["item"].map(StatusWords.item) ?? ""
      case .itemFailed, .problem:
        "\(all["error"]?["number"]?.wholeNumber ?? 0) \(all["error"]?["message"]?.text ?? "")"
      case .state: StatusWords.state(isWanted: all["is_wanted"], waiting: all["waiting_reason"])
      case .screen: all["presence"]?.text ?? ""
      case .configuration: all["state"]?.text ?? ""
      case .visitStarted, .visitEnded: ""
      case .alertShown, .alertEnded: "\(all["alert"]?["id"]?.text ?? "-") \(all["alert"]?["text"]?.text ?? "")"
      }
    return Array("event \(kind.rawValue) \(screen ?? "-")\(rest.isEmpty ? "" : " ")\(rest)".utf8)
  }
}

/// The status in words, made of the same value that programs get as JSON.
enum StatusWords {
  /// One screen: `playing 3 12 60 The hall`; several: `left: playing 3 ...; right: nothing`.
  static func line(_ status: JSONValue) -> String {
    let screens = status["screens"]?.elements ?? []
    let parts = screens.map { screen in
      (screen["name"]?.text.map { "\($0): " } ?? "") + Self.screen(screen)
    }
    return parts.isEmpty ? "nothing" : parts.joined(separator: "; ")
  }

  private static func screen(_ screen: JSONValue) -> String {
    guard let playback = screen["playback"], let item = playback["item"], item != .null else { return "nothing" }
    return state(isWanted: playback["is_wanted"], waiting: playback["waiting_reason"]) + " " + Self.item(item)
  }

  static func state(isWanted: JSONValue?, waiting: JSONValue?) -> String {
    if isWanted?.truth != true { return "paused" }
    return waiting == nil || waiting == .null ? "playing" : "waiting"
  }

  /// Number, position and length in seconds (`-` where unknown), title or address.
  static func item(_ item: JSONValue) -> String {
    func seconds(_ name: String) -> String {
      item[name]?.realNumber.map { JSONValue.number(($0 * 10).rounded() / 10).compact } ?? "-"
    }
    let number = item["number"]?.wholeNumber.map { "\($0)" } ?? "-"
    let name = item["title"]?.text ?? item["uri"]?.text ?? ""
    return "\(number) \(seconds("position_seconds")) \(seconds("duration_seconds")) \(name)"
  }
}
