import ArgumentParser
import Displays
import InteractionCore
import KioskRuntime
import Logging
import PlaybackCore

struct Inputs: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "inputs",
    abstract: "List input devices, and print what they do with the gestures that are recognised.",
    discussion: """
      Touch the screen, press keys, and see what Vitrine makes of it and what each would do. Devices that come and go \
      are told too. In a compositor a black window opens, and what is done in it is told; elsewhere the devices of the \
      seat are listened to, beside everybody else who does. Ctrl-C ends it.
      """)

  @Flag(help: "List the devices and end.")
  var list = false

  @Option(
    name: .customLong("for"), help: ArgumentHelp("Stop after this long.", valueName: "seconds"),
    transform: RecordOptions.seconds)
  var limit: Duration?

  @Option(
    help: ArgumentHelp("Size of the screen that touches are told for, without a compositor.", valueName: "WxH"),
    transform: OutputOptions.size)
  var size = PixelSize(width: 1280, height: 720)

  @Option(
    help: ArgumentHelp("By how much the picture is turned on its panel, clockwise.", valueName: "degrees"),
    transform: ScreenOptions.rotation)
  var rotation = ScreenRotation.none

  @Flag(help: "Listen to the devices themselves though a compositor runs; it hears them too.")
  var devices = false

  @OptionGroup var input: InputOptions

  func run() async throws {
    var options = KioskOptions(queue: [], processStart: ProcessClock.start())
    input.apply(to: &options)
    do throws(VitrineError) {
      let monitor = try InputMonitor(
        settings: options.interaction, view: size, rotation: rotation, tell: { StandardStreams.tell([$0]) })
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
