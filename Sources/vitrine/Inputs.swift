import ArgumentParser
import Displays
import FileSystem
import InteractionCore
import KioskRuntime
import Logging
import PlaybackCore
import PlaylistConfig

struct Inputs: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "inputs",
    abstract: "List input devices, and print what they do with the gestures that are recognised.",
    discussion: """
      Touch the screen or press keys: each gesture and key is printed with the action that it would have. Devices that \
      are plugged in or out are printed too. In a compositor a black window opens, and the gestures in it are printed; \
      elsewhere the devices of the seat are read, and other programs that read them still get the same events. Buttons \
      on GPIO lines and serial lines are those of the configuration; a player that runs holds them. Ctrl-C ends it.
      """)

  @Flag(help: "List the devices and end.")
  var list = false

  @Option(
    name: .customLong("for"), help: ArgumentHelp("Stop after this long.", valueName: "seconds"),
    transform: RecordOptions.seconds)
  var limit: Duration?

  @Option(
    help: ArgumentHelp(
      "Without a compositor: the size of the screen that the printed positions refer to.", valueName: "WxH"),
    transform: OutputOptions.size)
  var size = PixelSize(width: 1280, height: 720)

  @Option(
    help: ArgumentHelp("By how much the picture is turned on its panel, clockwise.", valueName: "degrees"),
    transform: ScreenOptions.rotation)
  var rotation = ScreenRotation.none

  @Flag(help: "Read the devices themselves even if a compositor runs; it gets the same events.")
  var devices = false

  @OptionGroup var input: InputOptions

  @OptionGroup var source: ConfigurationOptions

  func run() async throws {
    var options = KioskOptions(queue: [], processStart: ProcessClock.start())
    let loaded = source.load()
    if let configuration = loaded.configuration {
      options.interaction = configuration.interaction
    } else if let error = loaded.error, FileTree.isThere(source.files.main) {
      RecordOptions.errorLog.error("\(error.line)")
    }
    input.apply(to: &options)
    do throws(VitrineError) {
      let monitor = try InputMonitor(
        settings: options.interaction, view: size, rotation: rotation, tell: { StandardStreams.printLines([$0]) })
      let named = !options.interaction.devices.devicePaths.isEmpty
      try await monitor.run(
        isInCompositor: !devices && !list && !named && WaylandDisplay.answers(socket: nil),
        limit: list ? .zero : limit)
    } catch {
      RecordOptions.errorLog.error("\(error.line)")
      throw ExitCode(KioskExit.noOutput)
    }
  }
}
