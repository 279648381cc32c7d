import ConfigurationFiles
import Displays
import FileModel
import FileSystem
import Glibc
import JSONText
import KioskCore
import KioskRuntime
import Logging
import MainLoop
import MediaPipeline
import PlaybackCore
import PlaylistConfig
import Supervision

/// Reads the facts for `doctor` from the kernel, GStreamer, the graphics card, servers and the player. Blocks for some
/// seconds. Changes nothing.
struct FactsReader {
  let root: SystemRoot
  let source: ConfigurationOptions
  let folder: CrashHistoryFolder

  func read() -> DoctorFacts {
    var facts = DoctorFacts()
    let (machine, service) = (MachineReader(root), ServiceReader(root))
    let loaded = source.load()
    let all = loaded.configuration
    let content = ContentReader(loaded, path: source.config)
    let screens = all?.eachScreen ?? [("", Configuration())]
    let configuration = screens.first?.configuration ?? Configuration()
    let profile = board(machine, into: &facts)
    let options = Self.options(configuration, profile)
    facts.boot = machine.boot(profile.profile.bootSettings ?? [])
    facts.memory = machine.memory()
    facts.power = machine.power()
    facts.disks = machine.disks()
    facts.folders = folders(machine, options, all)
    facts.service = service.service()
    let (user, mayOpen) = service.user()
    facts.user = user
    facts.devices = service.devices(mayOpen: mayOpen)

    facts.configuration = content.state
    facts.wishes = Self.wishes(of: configuration, all)
    let video = readScreens(screens, profile, into: &facts)
    readDecoding(options, content, onto: video, into: &facts)
    (facts.decoding.renderNodes, facts.decoding.graphicsDrivers) = (machine.renderNodes(), machine.graphicsDrivers())
    facts.inputs = Self.inputs
    facts.sounds = Self.sounds
    facts.network = NetworkReader(root).network(
      for: content.items, feed: configuration.warnings.feed, access: options.settings.network.access)
    facts.clock = NetworkReader.clock
    facts.control = control(configuration)
    return facts
  }

  // MARK: Board

  private func board(_ machine: MachineReader, into facts: inout DoctorFacts) -> LoadedBoardProfile {
    let isNamed = ProcessEnvironment.all["VITRINE_BOARD"].map { !$0.isEmpty } ?? false
    var loaded = Board.load()
    if !root.prefix.isEmpty, !isNamed {
      var own = machine.facts
      own.gstreamer = SoftwareVersion(GStreamerLibrary.version)
      loaded = BoardProfile.load(from: BoardProfile.folder(ofProgram: Board.programPath), for: own)
    }
    facts.board.name = machine.boardName
    facts.board.kernel = Board.kernelRelease
    facts.board.gstreamer = GStreamerLibrary.version
    facts.board.version = Version.text
    facts.board.profiles = loaded.names
    facts.board.profileErrors = loaded.diagnostics.map(\.description)
    return loaded
  }

  private func folders(
    _ machine: MachineReader, _ options: KioskOptions, _ configuration: Configuration?
  ) -> [DoctorFacts.Folder] {
    let copies = configuration.flatMap { StoreOptions($0, directory: nil)?.directory }
    return [(folder.state, "state"), (folder.runtime, "runtime"), (copies, "copies")].compactMap { path, purpose in
      path.map { machine.folder($0, purpose) }
    }
  }

  // MARK: The configuration's requests

  private static func wishes(of configuration: Configuration, _ all: Configuration?) -> DoctorFacts.Wishes {
    var wishes = DoctorFacts.Wishes()
    wishes.output = configuration.display.output.rawValue
    if case .size = configuration.display.mode { wishes.mode = "\(configuration.display.mode)" }
    wishes.hasSound = configuration.audio.isEnabled
    switch configuration.audio.device {
    case .alsa(pcm: .some), .pulse(sink: .some), .pipewire(node: .some):
      wishes.soundDevice = "\(configuration.audio.device)"
    default: break
    }
    let attract = configuration.attract
    wishes.hasVisitors = configuration.input.hasTouch && (attract.visitors != nil || attract.playlist != nil)
    wishes.inputDevices = configuration.input.onlyDevices + (all?.screens.flatMap(\.touch) ?? [])
    return wishes
  }

  // MARK: The screen

  private static func options(_ configuration: Configuration, _ profile: LoadedBoardProfile) -> KioskOptions {
    var options = KioskOptions(queue: [], processStart: ProcessClock.start())
    options.memory = Board.memory
    options.follow(configuration)
    profile.profile.apply(to: &options)
    return options
  }

  private func readScreens(
    _ screens: [(name: String, configuration: Configuration)], _ profile: LoadedBoardProfile,
    into facts: inout DoctorFacts
  ) -> DisplayInventory.VideoEntry? {
    var video: DisplayInventory.VideoEntry?
    facts.screen.hasCompositor = facts.wishes.output != "kms" && WaylandDisplay.answers(socket: nil)
    guard !facts.screen.hasCompositor, ["auto", "kms"].contains(facts.wishes.output) else { return nil }
    for (number, screen) in screens.enumerated() {
      let inventory = DisplayInventory.read(for: Self.options(screen.configuration, profile).kmsRequest)
      facts.screen.outlooks.append(
        Self.outlook(inventory, name: screen.name, connector: screen.configuration.display.connector))
      // The cards are the same for all screens; the planes are those that the first screen would use.
      if number == 0 { (facts.screen.cards, video) = (Self.cards(inventory), inventory.video) }
    }
    return video
  }

  private static func outlook(_ inventory: DisplayInventory, name: String, connector: String?)
    -> DoctorFacts.Screen.Outlook
  {
    var outlook = DoctorFacts.Screen.Outlook()
    (outlook.name, outlook.connector) = (name, connector)
    outlook.isPlaying = inventory.isPlaying
    outlook.choice = inventory.choice.map { "\($0.card) \($0.connector) \($0.mode)" }
    outlook.problem = inventory.problem.map { problem in
      // The text's form: `/dev/dri/card0: what is wrong; what to do (error 5002)`
      let text = problem.text.replacing(" (error \(problem.number))", with: "")
      let parts = text.split(separator: "; ", maxSplits: 1).map(String.init)
      return DoctorFacts.Screen.Problem(
        number: problem.number, message: parts.first ?? text, remedy: parts.count > 1 ? parts[1] : "")
    }
    return outlook
  }

  private static func cards(_ inventory: DisplayInventory) -> [DoctorFacts.Screen.Card] {
    inventory.cards.map { entry in
      var card = DoctorFacts.Screen.Card()
      (card.path, card.driver, card.state) = (entry.path, entry.driver, entry.state)
      (card.holders, card.problem) = (entry.holders, entry.problem)
      card.connectors = entry.connectors.map { connector in
        var own = DoctorFacts.Screen.Connector()
        own.name = connector.name
        own.isConnected = connector.status == "connected"
        own.modes = connector.modes.map(\.mode)
        return own
      }
      card.planes = entry.planes.map { plane in
        var own = DoctorFacts.Screen.Plane()
        (own.type, own.role, own.formats) = (plane.type, plane.role, plane.formats)
        return own
      }
      return card
    }
  }

  // MARK: Decoders

  /// The elements that the player itself needs for outputs and codecs; decoders are checked by codec.
  private static let elements = [
    "playbin3", "appsink", "appsrc", "videoconvert", "audioconvert", "audioresample", "videoflip", "videocrop",
    "deinterlace",
    "qtdemux", "matroskademux", "h264parse", "h265parse", "tsdemux",
  ]

  /// - Parameter video: the frames that the first screen's plane takes; nil where that isn't known.
  private func readDecoding(
    _ options: KioskOptions, _ content: ContentReader, onto video: DisplayInventory.VideoEntry?,
    into facts: inout DoctorFacts
  ) {
    do throws(VitrineError) {
      try GStreamerLibrary.start()
    } catch {
      facts.board.gstreamer = nil
      facts.decoding.problem = error.message + (error.detail.isEmpty ? "" : ": \(error.detail)")
      return
    }
    let screen = facts.screen.hasCompositor ? ["waylandsink"] : facts.screen.cards.isEmpty ? [] : ["kmssink"]
    facts.decoding.missingElements = GStreamerLibrary.missing(of: Self.elements + screen)
    let record = folder.state.map { DecoderRecordFile(path: "\($0)/decoders", system: Board.system) }
    facts.decoding.remembered = record?.avoided ?? []
    var counts: [VideoCodec: Int] = [:]
    let looked = content.probe(avoiding: MediaProber.Avoided(options))
    for codec in looked.codecs { counts[codec, default: 0] += 1 }
    facts.decoding.unplayable = looked.problems
    let givenUp = Set(facts.decoding.remembered.map { DecoderUse(text: $0) })
    facts.decoding.codecs = Board.outlooks(options, video: video, givenUp: givenUp).map { outlook in
      let isKnown = video != nil && outlook.path.isHardware
      return DoctorFacts.Decoding.Codec(
        name: outlook.codec.rawValue, title: outlook.codec.name, decoder: outlook.path.decoder,
        isHardware: outlook.path.isHardware, items: counts[outlook.codec] ?? 0,
        way: isKnown ? outlook.way : "", framePath: isKnown ? outlook.path.word : "")
    }
  }

  // MARK: Devices, by processes of their own: a server or a driver that hangs ends with them

  /// The input devices, from lines of `vitrine inputs --list`: `device 1: /dev/input/event0 'name' at place (touch, 3.8
  /// pixels ...)`.
  private static var inputs: [DoctorFacts.Input]? {
    let child = ChildProcess.run(["inputs", "--list", "--devices"], patience: SelfTestRun.Limit.asking)
    guard child.end == .exited(0) else { return nil }
    return child.output.split(separator: "\n").compactMap { line in
      guard line.hasPrefix("device "), let first = line.firstIndex(of: "'"), let last = line.lastIndex(of: "'"),
        first < last
      else { return nil }
      let abilities = line[last...].split(separator: "(").last ?? ""
      return DoctorFacts.Input(
        name: String(line[line.index(after: first)..<last]), isTouch: abilities.hasPrefix("touch"))
    }
  }

  /// The sound devices, from lines of `vitrine sounds`: `alsa:hw:0  its title`. A line that says that there is no
  /// device has no two blanks.
  private static var sounds: [String]? {
    let child = ChildProcess.run(["sounds"], patience: SelfTestRun.Limit.asking)
    guard child.end == .exited(0) else { return nil }
    return child.output.split(separator: "\n").compactMap { line in
      line.contains("  ") ? line.split(separator: " ").first.map(String.init) : nil
    }
  }

  // MARK: The player

  private func control(_ configuration: Configuration) -> DoctorFacts.Control {
    guard configuration.control.isEnabled,
      let path = configuration.control.socket ?? folder.runtime.map({ "\($0)/control" })
    else { return .notAsked }
    guard FileTree.isThere(path) else { return .none(path: path) }
    do {
      let client = try ControlClient(path: path, wait: .seconds(3))
      let status = try client.ask("status")
      let health = status["health"]?.text ?? "trouble"
      let screens = status["screens"]?.elements ?? []
      let isAsleep = !screens.isEmpty && screens.allSatisfy { $0["presence"]?.text == "asleep" }
      let isPaused = !screens.isEmpty && screens.allSatisfy { $0["playback"]?["is_wanted"]?.truth == false }
      guard health == "healthy" else { return .answers(path: path, state: health) }
      return .answers(path: path, state: isAsleep ? "asleep" : isPaused ? "paused" : health)
    } catch let error as VitrineError {
      return error.number == 7611 ? .closed(path: path, remedy: error.remedy) : .dead(path: path, error: error.message)
    } catch let failure as ControlFailure {
      return .dead(path: path, error: failure.error.message)
    } catch {
      return .dead(path: path, error: "\(error)")
    }
  }
}
