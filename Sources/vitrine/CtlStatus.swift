import ArgumentParser
import ControlProtocol
import JSONText
import KioskRuntime
import PlaybackCore

struct CtlStatus: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "status", abstract: "Print the status of the player and its screens.")
  @OptionGroup var options: CtlOptions

  func run() throws {
    try options.run { client in
      let status = try client.ask(ControlQuery.status.rawValue)
      StandardStreams.print(options.json ? status.pretty : CtlText.lines(of: status).joined(separator: "\n"))
    }
  }
}

struct CtlWatch: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "watch", abstract: "Print what the player does, one line for each event, until it ends or Ctrl-C.",
    discussion: "With --json, the events as the player tells them.")

  @Option(
    help: ArgumentHelp(
      "Which events, with commas: \(ControlEventKind.allCases.map(\.rawValue).joined(separator: ", ")).",
      discussion: "Without it, all but position, which comes each second.", valueName: "kinds"),
    transform: CtlWatch.kinds)
  var events: [ControlEventKind]?
  @OptionGroup var options: CtlOptions

  private static func kinds(_ text: String) throws -> [ControlEventKind] {
    try text.split(separator: ",").map { word in
      guard let kind = ControlEventKind(rawValue: String(word)) else {
        throw ValidationError("there are no events '\(word)'")
      }
      return kind
    }
  }

  func run() throws {
    try options.run { client in
      let kinds = events.map { [JSONValue.Member("events", .array($0.map { .string($0.rawValue) }))] } ?? []
      let status = try client.ask(ControlQuery.subscribe.rawValue, kinds)
      if !options.json { StandardStreams.printLines(CtlText.lines(of: status)) }
      while true {
        let event = try client.nextEvent()
        StandardStreams.printLines([options.json ? event.compact : CtlText.line(of: event)])
      }
    }
  }
}

/// The status and the events of the player, as text for people.
enum CtlText {
  /// The lines of a status. Control characters are made visible: some texts come from strangers.
  static func lines(of status: JSONValue) -> [String] { allLines(of: status).map(PlainText.shown) }

  static func line(of event: JSONValue) -> String { PlainText.shown(wholeLine(of: event)) }

  private static func allLines(of status: JSONValue) -> [String] {
    var lines = [
      "\(status["name"]?.text ?? "?"): \(status["health"]?.text ?? "?"), version \(status["version"]?.text ?? "?"), "
        + "up \(time(status["uptime_seconds"]?.realNumber ?? 0))"
    ]
    for screen in status["screens"]?.elements ?? [] { lines += self.lines(ofScreen: screen) }
    if let configuration = status["configuration"], let state = configuration["state"]?.text {
      let reason = configuration["reason"]?.text.map { ": \($0)" } ?? ""
      lines.append("configuration: \(state)\(reason)")
    }
    if let store = status["store"], let stored = store["stored"]?.wholeNumber {
      lines.append("store: \(stored) of \(store["wanted"]?.wholeNumber ?? 0)")
    }
    return lines
  }

  private static func lines(ofScreen screen: JSONValue) -> [String] {
    let name = screen["name"]?.text.map { "screen \($0)" } ?? "screen"
    var lines = ["\(name): \(screen["presence"]?.text ?? "?"), \(screen["summary"]?.text ?? "no output")"]
    let playback = screen["playback"] ?? .null
    if let item = playback["item"], item != .null {
      let count = playback["item_count"]?.wholeNumber.map { " of \($0)" } ?? ""
      lines.append("  \(state(playback)): \(self.item(item, count: count))")
    } else {
      lines.append("  nothing plays")
    }
    if let sound = screen["sound"], let volume = sound["volume_percent"]?.wholeNumber {
      lines.append("  volume \(volume) %\(sound["is_muted"]?.truth == true ? ", muted" : "")")
    }
    if let projector = screen["projector"], let address = projector["address"]?.text {
      let problem = projector["problem"]?.wholeNumber.map { ": \(projector["reason"]?.text ?? "?") (error \($0))" }
      lines.append("  projector \(address): \(projector["power"]?.text ?? "unknown")\(problem ?? "")")
    }
    return lines
  }

  private static func wholeLine(of event: JSONValue) -> String {
    let screen = event["screen"]?.text.map { " (\($0))" } ?? ""
    let kind = (event["event"]?.text ?? "?") + screen
    switch event["event"]?.text {
    case ControlEventKind.itemStarted.rawValue, ControlEventKind.itemEnded.rawValue, ControlEventKind.position.rawValue:
      return "\(kind): \(item(event["item"] ?? .null, count: ""))"
    case ControlEventKind.state.rawValue:
      let sound = event["sound"]?["volume_percent"]?.wholeNumber.map { volume in
        ", volume \(volume) %\(event["sound"]?["is_muted"]?.truth == true ? ", muted" : "")"
      }
      return "\(kind): \(state(event))\(sound ?? "")"
    case ControlEventKind.screen.rawValue:
      return "\(kind): \(event["presence"]?.text ?? "?"), \(event["summary"]?.text ?? "no output")"
    case ControlEventKind.configuration.rawValue:
      return "\(kind): \(event["state"]?.text ?? "?")\(event["reason"]?.text.map { ", \($0)" } ?? "")"
    default:
      // An event that has no error, or that only a newer player knows, is told by its name.
      guard let error = event["error"] else { return kind }
      let number = error["number"]?.wholeNumber.map { " (error \($0))" } ?? ""
      return "\(kind): \(error["subject"]?.text ?? "?"): \(error["message"]?.text ?? "?")\(number)"
    }
  }

  private static func state(_ playback: JSONValue) -> String {
    guard playback["is_wanted"]?.truth == true else { return "paused" }
    return playback["waiting_reason"]?.text.map { "waits (\($0))" } ?? "plays"
  }

  private static func item(_ item: JSONValue, count: String) -> String {
    let number = item["number"]?.wholeNumber.map { "\($0)\(count), " } ?? ""
    let title = item["title"]?.text ?? ""
    let name = title.isEmpty ? item["uri"]?.text ?? "?" : title
    let position = item["position_seconds"]?.realNumber.map { ", \(time($0))" } ?? ""
    let length = item["duration_seconds"]?.realNumber.map { " of \(time($0))" } ?? ""
    return number + name + position + (position.isEmpty ? "" : length)
  }

  /// A time such as `1:02:03`.
  private static func time(_ seconds: Double) -> String {
    let all = seconds.isFinite ? Int(max(0, min(seconds, 1e9))) : 0
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let (hours, rest) = (all / 3600, all % 3600)
    return hours > 0 ? "\(hours):\(two(rest / 60)):\(two(rest % 60))" : "\(rest / 60):\(two(rest % 60))"
  }
}
