import ArgumentParser
import ControlProtocol
import InteractionCore
import JSONText
import KioskRuntime
import PlaybackCore

/// The subcommand of a verb, given by its place in `Verb.allCases`. The parser of command lines needs a type for each
/// subcommand; this generic makes them from the table, so that a new verb gets its own, with help, completion and
/// manual page.
struct CtlVerb<let place: Int>: ParsableCommand {
  private static var verb: Verb { Verb.allCases[place] }

  static var configuration: CommandConfiguration {
    let arguments = verb.parameters.map { "  \($0.name): \($0.allowed). \($0.summary)" }
    let usage = "vitrine ctl \(verb.usage)\(verb.isOfScreen ? " [--screen <name>]" : "") [<options>]"
    return CommandConfiguration(
      commandName: verb.rawValue, abstract: verb.summary, usage: usage,
      discussion: arguments.isEmpty ? "" : (["It takes:"] + arguments).joined(separator: "\n"))
  }

  @Argument(parsing: .allUnrecognized, help: ArgumentHelp("The arguments, as in the usage above.", valueName: "words"))
  var words: [String] = []
  @OptionGroup var one: CtlScreenOption
  @OptionGroup var options: CtlOptions

  /// The arguments in the words; checked here, so that an error is found without a player.
  private func arguments() throws -> CommandArguments {
    do throws(CommandMisuse) {
      let arguments = try Self.verb.arguments(words)
      _ = try Self.verb.command(arguments)
      return arguments
    } catch {
      throw ValidationError("\(Self.verb.rawValue): \(error.text); write: vitrine ctl \(Self.verb.usage)")
    }
  }

  func validate() throws {
    _ = try arguments()
    if one.screen != nil, !Self.verb.isOfScreen {
      throw ValidationError("\(Self.verb.rawValue) is about the whole player and takes no --screen")
    }
  }

  func run() throws {
    let members = try arguments().members + (one.screen.map { [.init("screen", .string($0))] } ?? [])
    try options.run { client in
      let answer = try client.ask(Self.verb.rawValue, members)
      if options.json { StandardStreams.print(answer.compact) }
    }
  }
}

extension Verb {
  /// The subcommands of all verbs; the table has room for some more (`HelpTests.verbs`).
  static var subcommands: [any ParsableCommand.Type] {
    let places: [any ParsableCommand.Type] = [
      CtlVerb<0>.self, CtlVerb<1>.self, CtlVerb<2>.self, CtlVerb<3>.self, CtlVerb<4>.self, CtlVerb<5>.self,
      CtlVerb<6>.self, CtlVerb<7>.self, CtlVerb<8>.self, CtlVerb<9>.self, CtlVerb<10>.self, CtlVerb<11>.self,
      CtlVerb<12>.self, CtlVerb<13>.self, CtlVerb<14>.self, CtlVerb<15>.self, CtlVerb<16>.self, CtlVerb<17>.self,
      CtlVerb<18>.self, CtlVerb<19>.self, CtlVerb<20>.self, CtlVerb<21>.self, CtlVerb<22>.self, CtlVerb<23>.self,
      CtlVerb<24>.self, CtlVerb<25>.self, CtlVerb<26>.self, CtlVerb<27>.self, CtlVerb<28>.self, CtlVerb<29>.self,
      CtlVerb<30>.self, CtlVerb<31>.self,
    ]
    return Array(places.prefix(allCases.count))
  }
}

struct CtlScreenshot: ParsableCommand {
  /// The maker of the picture: the player or the graphics card.
  enum Source: String, ExpressibleByArgument, CaseIterable {
    case composed, writeback
  }

  static let configuration = CommandConfiguration(
    commandName: "screenshot",
    abstract: "Write a picture of the screen, as PNG, or as JPEG where the file is named so (.jpg, .jpeg).")
  @Argument(help: ArgumentHelp("The file to write; - is standard output.", valueName: "file"), completion: .file())
  var file: String
  @Option(help: ArgumentHelp("The picture's width in pixels. Without it, the screen's.", valueName: "pixels"))
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
      let answer = try client.ask(ControlQuery.screenshot.rawValue, arguments)
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
    commandName: "schema", abstract: "Print the requests that the socket takes, as JSON Schema.")
  @Flag(help: "Print the tables of docs/control.md instead.") var markdown = false
  func run() { StandardStreams.print(markdown ? ControlDocuments.markdown : ControlDocuments.schema.pretty) }
}
