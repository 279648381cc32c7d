import ArgumentParser
import ControlProtocol
import JSONText
import KioskRuntime
import PlaybackCore

// One type for each verb: what it takes, and what it sends.

struct CtlPlay: ParsableCommand {
  static let configuration = CommandConfiguration(commandName: "play", abstract: "Playback goes on.")
  @OptionGroup var one: CtlScreenOption
  @OptionGroup var options: CtlOptions
  func run() throws { try options.perform(.play, on: one.screen) }
}

struct CtlPause: ParsableCommand {
  static let configuration = CommandConfiguration(commandName: "pause", abstract: "Playback is held.")
  @OptionGroup var one: CtlScreenOption
  @OptionGroup var options: CtlOptions
  func run() throws { try options.perform(.pause, on: one.screen) }
}

struct CtlToggle: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "toggle", abstract: "Playback goes on if it is held, and is held if it goes on.")
  @OptionGroup var one: CtlScreenOption
  @OptionGroup var options: CtlOptions
  func run() throws { try options.perform(.toggle, on: one.screen) }
}

struct CtlNext: ParsableCommand {
  static let configuration = CommandConfiguration(commandName: "next", abstract: "The next item of the playlist.")
  @OptionGroup var one: CtlScreenOption
  @OptionGroup var options: CtlOptions
  func run() throws { try options.perform(.next, on: one.screen) }
}

struct CtlPrevious: ParsableCommand {
  static let configuration = CommandConfiguration(commandName: "previous", abstract: "The item before.")
  @OptionGroup var one: CtlScreenOption
  @OptionGroup var options: CtlOptions
  func run() throws { try options.perform(.previous, on: one.screen) }
}

struct CtlSeek: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "seek", abstract: "To a place in the item, or from the one where it is.",
    discussion: """
      90, 1:30 and 0:01:30 are places; +10 leads forward, and -10 back.
      """)

  @Argument(help: "Where to.", transform: CtlPlace.init)
  var place: CtlPlace
  @Flag(help: "The key frame that is nearest to the place will do: it is there sooner than the very frame.")
  var keyframe = false
  @OptionGroup var one: CtlScreenOption
  @OptionGroup var options: CtlOptions

  func validate() throws {
    if keyframe, place.isStep { throw ValidationError("--keyframe goes with a place such as 1:30, not with a step.") }
  }

  func run() throws {
    var arguments = [JSONValue.Member(place.isStep ? "by" : "to", .number(place.amount))]
    if keyframe { arguments.append(.init("keyframe", .boolean(true))) }
    try options.perform(.seek, arguments, on: one.screen)
  }
}

/// A time, or a step with its sign; a volume too.
struct CtlPlace {
  var amount: Double
  var isStep: Bool

  /// As people write it who don't type: a word that begins so is no option.
  static let minus: Character = "\u{2212}"

  init(_ text: String) throws {
    let sign = text.first == "+" ? 1.0 : text.first == "-" || text.first == Self.minus ? -1.0 : nil
    let parts = (sign == nil ? text[...] : text.dropFirst()).split(separator: ":", omittingEmptySubsequences: false)
    let numbers = parts.compactMap { part in part.first?.isNumber == true ? Double(part) : nil }
    guard (1...3).contains(parts.count), numbers.count == parts.count, numbers.allSatisfy(\.isFinite),
      numbers.dropFirst().allSatisfy({ $0 < 60 })
    else { throw ValidationError("'\(text)' is neither a time (90, 1:30) nor a step (+10, -10)") }
    isStep = sign != nil
    amount = (sign ?? 1) * numbers.reduce(0) { $0 * 60 + $1 }
  }
}

struct CtlSelect: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "select", abstract: "An item by its number in the playlist.")
  @Argument(help: "From 1.") var number: Int
  @OptionGroup var one: CtlScreenOption
  @OptionGroup var options: CtlOptions

  func validate() throws { guard number >= 1 else { throw ValidationError("items are counted from 1") } }

  func run() throws { try options.perform(.select, [.init("number", .integer(Int64(number)))], on: one.screen) }
}

struct CtlVolume: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "volume", abstract: "Louder or quieter, in percent of full volume.",
    discussion: "40 is a value, +5 is louder, and -5 quieter.")
  @Argument(help: "0 to 100, or a step.", transform: CtlPlace.init) var percent: CtlPlace
  @OptionGroup var one: CtlScreenOption
  @OptionGroup var options: CtlOptions

  func validate() throws {
    guard abs(percent.amount) <= 100 else { throw ValidationError("100 percent is all there is") }
  }

  func run() throws {
    try options.perform(
      .volume, [.init(percent.isStep ? "by" : "percent", .integer(Int64(percent.amount)))], on: one.screen)
  }
}

/// A word for yes or no.
enum CtlSwitch: String, ExpressibleByArgument, CaseIterable {
  case on, off
}

struct CtlMute: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "mute", abstract: "Nothing is heard, or it is again; without a word, the other of the two.")
  @Argument(help: "on or off.") var state: CtlSwitch?
  @OptionGroup var one: CtlScreenOption
  @OptionGroup var options: CtlOptions

  func run() throws {
    try options.perform(.mute, state.map { [.init("on", .boolean($0 == .on))] } ?? [], on: one.screen)
  }
}

struct CtlRetry: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "retry", abstract: "What was left out, because the player died of it, is tried again.")
  @Argument(help: "Its address, as the playlist or status has it; without it, all of them.") var uri: String?
  @OptionGroup var options: CtlOptions
  func run() throws { try options.perform(.retry, uri.map { [.init("uri", .string($0))] } ?? []) }
}

struct CtlScreen: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "screen", abstract: "The screen sleeps, with playback held, or wakes.")
  @Argument(help: "on or off.") var state: CtlSwitch
  @OptionGroup var one: CtlScreenOption
  @OptionGroup var options: CtlOptions
  func run() throws { try options.perform(.screen, [.init("on", .boolean(state == .on))], on: one.screen) }
}

struct CtlOSD: ParsableCommand {
  /// What shows.
  enum Part: String, ExpressibleByArgument, CaseIterable {
    case controls, status, nothing
  }

  static let configuration = CommandConfiguration(
    commandName: "osd", abstract: "Show the bar with the times, the status card, or neither.")
  @Argument(help: "controls, status or nothing.") var part: Part
  @OptionGroup var one: CtlScreenOption
  @OptionGroup var options: CtlOptions
  func run() throws { try options.perform(.osd, [.init("show", .string(part.rawValue))], on: one.screen) }
}

struct CtlMessage: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "message", abstract: "Show a line to whoever stands before the screen; an empty one takes it away.")
  @Argument(help: "The line.") var text: String
  @Option(name: .customLong("for"), help: ArgumentHelp("For how many seconds.", valueName: "seconds"))
  var stay: Double = 10
  @OptionGroup var one: CtlScreenOption
  @OptionGroup var options: CtlOptions

  func run() throws {
    try options.perform(.message, [.init("text", .string(text)), .init("seconds", .number(stay))], on: one.screen)
  }
}

struct CtlReload: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "reload", abstract: "Have the configuration read again; `vitrine reload` waits for what becomes of it."
  )
  @OptionGroup var options: CtlOptions
  func run() throws { try options.perform(.reload) }
}

struct CtlQuit: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "quit",
    abstract: "End the player. As a service it is started again: `systemctl stop vitrine` stops it.")
  @OptionGroup var options: CtlOptions
  func run() throws { try options.perform(.quit) }
}

struct CtlScreenshot: ParsableCommand {
  /// Who makes it.
  enum Source: String, ExpressibleByArgument, CaseIterable {
    case composed, writeback
  }

  static let configuration = CommandConfiguration(
    commandName: "screenshot",
    abstract: "Write a picture of the screen, as PNG, or as JPEG where the file is named so (.jpg, .jpeg).")
  @Argument(help: ArgumentHelp("Where to; - is standard output.", valueName: "file"), completion: .file())
  var file: String
  @Option(help: ArgumentHelp("So many pixels wide; without it, as the screen.", valueName: "pixels"))
  var width: Int?
  @Option(
    help: ArgumentHelp(
      "composed, by the player, or writeback, by the card: what is really shown.",
      discussion: "Without it, by the player, nearly always. Some screens go dark for a moment for writeback.",
      valueName: "composed|writeback"))
  var source: Source?
  @OptionGroup var one: CtlScreenOption
  @OptionGroup var options: CtlOptions

  func run() throws {
    try options.run { client in
      var arguments: [JSONValue.Member] = width.map { [.init("width", .integer(Int64($0)))] } ?? []
      let isJPEG = [".jpg", ".jpeg"].contains { file.lowercased().hasSuffix($0) }
      if isJPEG { arguments.append(.init("format", .string(ControlPictureWish.Format.jpeg.rawValue))) }
      if let source { arguments.append(.init("source", .string(source.rawValue))) }
      if let screen = one.screen { arguments.append(.init("screen", .string(screen))) }
      let answer = try client.ask(ControlVerb.screenshot.rawValue, arguments)
      try ScreenshotFile.write(base64: answer["base64"]?.text ?? "", to: file)
      if options.json, file != "-" {
        let told = ["type", "source", "width", "height"].compactMap { name in
          answer[name].map { JSONValue.Member(name, $0) }
        }
        StandardStreams.print(JSONValue.object(told).compact)
      }
    }
  }
}

struct CtlSchema: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "schema", abstract: "What the socket takes, as JSON Schema.")
  @Flag(help: "As the tables of docs/control.md.") var markdown = false
  func run() { StandardStreams.print(markdown ? ControlDocuments.markdown : ControlDocuments.schema.pretty) }
}
