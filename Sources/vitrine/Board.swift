import ConfigurationFiles
import Displays
import Glibc
import KioskRuntime
import Logging
import MediaPipeline
import PlaybackCore
import PlaylistConfig

/// The profile of this board.
enum Board {
  /// Loads the profile. `VITRINE_BOARD` names another one than this board's, optionally with a kernel and a GStreamer
  /// (`raspberry-pi-4,6.12.47+rpt-rpi-v8,1.26.2`); `VITRINE_BOARD_DIR` names another folder.
  ///
  /// Without that variable, the folders are tried in this order: share/vitrine/board next to the program's folder,
  /// where it was installed; `board` beside the program, as in an unpacked archive; the folder of packages. The first
  /// existing one is used.
  static func load() -> LoadedBoardProfile {
    BoardProfile.load(
      from: variable("VITRINE_BOARD_DIR") ?? BoardProfile.folder(ofProgram: programPath), for: facts)
  }

  /// The facts that this board's system reports, or that `VITRINE_BOARD` gives.
  static var facts: BoardFacts {
    variable("VITRINE_BOARD").map { BoardFacts(named: $0) }
      ?? BoardFacts.read(release: kernelRelease, gstreamer: SoftwareVersion(GStreamerLibrary.version))
  }

  /// The running kernel's release, as in `uname -r`.
  static var kernelRelease: String {
    var name = utsname()
    guard uname(&name) == 0 else { return "" }
    return withUnsafeBytes(of: name.release) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
  }

  /// The system for the record of failed decoders: a failure counts only with the same one.
  static var system: DecoderRecord.System {
    let facts = BoardFacts.read()
    return DecoderRecord.System(
      board: facts.compatible.first ?? facts.processor, kernel: kernelRelease, gstreamer: GStreamerLibrary.version,
      version: Version.text)
  }

  private static func variable(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
  }

  /// The board that `check --probe` judges for: another one, if `VITRINE_BOARD` names its profile.
  static var asked: PlayabilityAdvice.Board {
    let loaded = load()
    return PlayabilityAdvice.Board(
      name: loaded.names.joined(separator: ", "), decoding: loaded.profile.decoding,
      isHere: getenv("VITRINE_BOARD") == nil)
  }

  /// The errors in the profiles, and in the name of the one that is asked for.
  static var problems: [Diagnostic] { load().diagnostics }

  /// The machine's memory in bytes; nil where the kernel doesn't say.
  static var memory: Int? {
    let (pages, size) = (sysconf(Int32(_SC_PHYS_PAGES)), sysconf(Int32(_SC_PAGESIZE)))
    return pages > 0 && size > 0 ? pages * size : nil
  }

  /// Applies the profile to options that nothing else has set.
  static func apply(to options: inout KioskOptions, log: Logger) {
    let loaded = load()
    for diagnostic in loaded.diagnostics { log.error("\(diagnostic)") }
    if !loaded.names.isEmpty { log.info("board: \(loaded.names.joined(separator: ", "))") }
    loaded.profile.apply(to: &options)
  }

  /// The decoder that would be used for each codec; empty where GStreamer can't be started.
  ///
  /// - Parameter givenUp: the decoders that gave no picture lately.
  static func outlooks(
    _ options: KioskOptions, video: DisplayInventory.VideoEntry?, givenUp: Set<DecoderUse> = []
  ) -> [DecoderOutlook] {
    guard (try? GStreamerLibrary.start()) != nil else { return [] }
    GStreamerLibrary.avoid(decoders: options.decoders.avoided)
    return VideoCodec.allCases.map { codec in
      let found = try? DecodeCheck.decoder(of: codec)
      return DecoderOutlook(
        codec, decoder: found?.name, isHardware: found?.isHardware ?? false, copies: options.decoders.copiesFrames,
        demand: video?.demand, isAccepted: video?.takesDecodedFrames ?? true,
        ways: found.flatMap {
          VideoAccelerators.facts(of: $0.name, screen: video?.layouts ?? [], node: video?.renderNode)
        }, givenUp: givenUp)
    }
  }

  /// The path of the program's own file, with links followed; nil where the system doesn't say.
  static var programPath: String? {
    guard let path = realpath("/proc/self/exe", nil) else { return nil }
    defer { free(path) }
    return String(cString: path)
  }
}

extension DisplayInventory.BoardEntry {
  /// Nil where no profile matches.
  init?(_ loaded: LoadedBoardProfile) {
    guard !loaded.names.isEmpty else { return nil }
    let profile = loaded.profile
    self.init(
      profiles: loaded.names, planeScales: profile.planeScales, decoderMemory: profile.decoderMemory?.rawValue,
      decodesOneStream: profile.decodesOneStream == true,
      forbiddenSeeks: (profile.forbiddenSeeks ?? []).map(\.rawValue),
      forbiddenSeekDecoders: profile.forbiddenSeekDecoders, avoidedDecoders: profile.avoidedDecoders ?? [],
      bootSettings: profile.bootSettings ?? [])
  }
}
