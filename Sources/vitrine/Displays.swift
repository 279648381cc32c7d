import ArgumentParser
import Displays
import FoundationEssentials
import KioskRuntime
import Logging
import PlaybackCore

struct DisplaysCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "displays",
    abstract: "List graphics cards, screens, modes and planes, and what would be used and why.",
    discussion: """
      A * marks what `play` would use with the same options. Nothing that is shown changes. The exit code is 0 when a \
      screen could be lit now, else 69.
      """)

  @OptionGroup(title: "Screen") var screen: ScreenOptions

  @Flag(help: "Everything, as one JSON object; see docs/displays.md.")
  var json = false

  func run() throws {
    var options = KioskOptions(queue: [], processStart: ProcessClock.start())
    screen.apply(to: &options)
    Board.apply(to: &options, log: Logger(label: "vitrine") { _ in StandardErrorLog(level: .error) })
    var inventory = DisplayInventory.read(for: options.kmsRequest)
    inventory.board = DisplayInventory.BoardEntry(Board.load())
    inventory.decoders = Board.outlooks(options, video: inventory.video).map { DisplayInventory.DecoderEntry($0) }
    if json {
      let encoder = JSONEncoder()
      encoder.keyEncodingStrategy = .convertToSnakeCase
      encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
      print(String(decoding: try encoder.encode(inventory), as: UTF8.self))
    } else {
      print(inventory.text, terminator: "")
    }
    if inventory.problem != nil { throw ExitCode(KioskExit.noOutput) }
  }
}
