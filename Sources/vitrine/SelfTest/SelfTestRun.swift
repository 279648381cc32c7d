import Displays
import FileSystem
import FoundationEssentials
import Glibc
import KioskRuntime
import MainLoop
import MediaPipeline
import PlaybackCore
import PlaylistConfig
import Supervision

/// Runs the self-test; each part that may crash or hang has a process of its own. Blocks.
struct SelfTestRun {
  /// The folder of the clips and their checksums.
  var clips: URL
  /// The folder that the processes write to.
  var folder: URL

  /// The limits, each with its reason.
  enum Limit {
    /// By the slowest estimate, decoding a second of a film takes three seconds, and opening a decoder one.
    static let decoding: Duration = .seconds(20)
    /// The time until the process itself must have ended.
    static let decodingProcess: Duration = .seconds(30)
    /// In seconds: each clip is shown a few times, and the board warms up.
    static let playing = 10
    static let playingProcess: Duration = .seconds(60)
    static let asking: Duration = .seconds(15)
  }

  /// The folder of the clips: as with board profiles, clips installed with the program come first.
  static func clipsFolder(ofProgram program: String?) -> URL? {
    InstalledData.folder("self-test", ofProgram: program) { FileTree.isReadable("\($0)/checksums") }
      .map { URL(filePath: $0) }
  }

  func run(displays: DisplayInventory, screen arguments: [String]) throws -> SelfTestReport {
    let (facts, loaded) = (Board.facts, Board.load())
    var report = SelfTestReport(
      system: SelfTestReport.System(
        version: Version.text, compatible: facts.compatible, processor: facts.processor, kernel: Board.kernelRelease,
        gstreamer: GStreamerLibrary.version, memoryMegabytes: Board.memory.map { $0 / 1_048_576 },
        profiles: loaded.names),
      displays: displays)
    let expected = try expected()
    for name in expected.keys.sorted() { decode(name, expected[name] ?? [], into: &report) }
    if displays.problem == nil { play(expected.keys.sorted(), arguments, into: &report) }
    // A line that says that there is no device has no two blanks.
    report.soundDevices = Self.lines(["sounds"]).filter { $0.contains("  ") }.map(SelfTest.withoutAddresses)
    report.inputs = Self.lines(["inputs", "--list"]).map(SelfTest.withoutAddresses)
    report.cec = displays.cards.flatMap(\.connectors).first(where: \.isChosen)?.cec
    if let problem = displays.problem {
      report.problems.append(
        PlaybackReport.Problem(
          VitrineError(
            SelfTest.nothingPlayed, subject: "screen", message: "nothing could be shown: \(problem.text)",
            remedy: "free or connect a screen, and run it again")))
    }
    report.hasPassed = report.problems.isEmpty
    return report
  }

  /// The checksums of all frames, by clip.
  func expected() throws -> [String: [String]] {
    SelfTest.checksums(try String(contentsOf: clips.appending(path: "checksums"), encoding: .utf8))
  }

  private func decode(_ name: String, _ expected: [String], into report: inout SelfTestReport) {
    let test = decode(name, expected)
    let found = test.decoded
    report.clips.append(
      SelfTestReport.Clip(
        name: name, decoder: found.decoder, isHardware: found.isHardware, driver: found.driver, format: found.format,
        isShared: found.isShared, frames: found.checksums.count + found.unreadableFrames,
        expectedFrames: expected.count, verdict: test.judgement.verdict, text: test.judgement.text,
        seconds: test.child.seconds, processorSeconds: test.child.processorSeconds))
    if let error = test.judgement.error { report.problems.append(PlaybackReport.Problem(error)) }
  }

  /// Decodes one clip with the decoder that would be used, in another process. Blocks.
  func decode(
    _ name: String, _ expected: [String]
  ) -> (decoded: DecodedClip, judgement: SelfTest.Judgement, child: ChildProcess) {
    let child = ChildProcess.run(
      ["self-test-part", clips.appending(path: name).path], patience: Limit.decodingProcess)
    let decoded = try? JSONDecoder().decode(DecodedClip.self, from: Data(child.output.utf8))
    let end: ClipEnd =
      switch child.end {
      case .signalled(let signal): .crashed(signal)
      case .timedOut: decoded.map { .done($0) } ?? .hung
      case .exited, .notStarted: decoded.map { .done($0) } ?? .silent
      }
    return (decoded ?? DecodedClip(), SelfTest.judge(end, expected: expected, clip: name), child)
  }

  /// Plays the clips with the player itself, on the plane that it chooses, as in normal use.
  private func play(_ names: [String], _ arguments: [String], into report: inout SelfTestReport) {
    let file = folder.appending(path: "play.json")
    let items = (names + ["tone.wav"]).map { clips.appending(path: $0).path }
    let child = ChildProcess.run(
      ["play", "--output", "kms", "--osd", "never", "--loop", "--for", "\(Limit.playing)", "--report", file.path]
        + arguments + items, patience: Limit.playingProcess)
    guard let data = try? Data(contentsOf: file),
      let played = try? JSONDecoder().decode(PlaybackReport.self, from: data)
    else {
      report.problems.append(
        PlaybackReport.Problem(
          VitrineError(
            SelfTest.nothingPlayed, subject: "screen", message: "the player ended without a report (\(child.end))",
            remedy: "run: vitrine play --output kms -v \(items[0])")))
      return
    }
    let films = played.items.prefix(names.count)
    report.playback = SelfTestReport.Playback(
      screen: played.screen, framesRendered: played.framesRendered, framesDropped: played.framesDropped,
      seconds: played.seconds, processorShare: child.seconds > 0 ? child.processorSeconds / child.seconds : 0,
      longestGapMilliseconds: played.gapSummary.longestMilliseconds,
      items: zip(names, films).map { name, item in
        SelfTestReport.Playback.Item(
          clip: name, decoder: item.decoder, framePath: item.framePath, framesRendered: item.framesRendered)
      }, errors: played.errors.map(\.text) + played.items.flatMap { $0.errors.map(\.text) })
    if child.end != .exited(0) {
      report.problems.append(
        PlaybackReport.Problem(
          VitrineError(
            SelfTest.nothingPlayed, subject: "screen", message: "the player didn't end as it should (\(child.end))",
            remedy: "run: vitrine play --output kms -v \(items[0])")))
    }
    report.problems += SelfTest.problems(of: played, clips: names).map { PlaybackReport.Problem($0) }
    for (name, item) in zip(names, films) where item.framePath != nil && item.framePath != "untouched" {
      guard report.clips.first(where: { $0.name == name })?.isHardware == true else { continue }
      report.problems.append(
        PlaybackReport.Problem(
          VitrineError(
            SelfTest.framesCopied, subject: name,
            message: "frames of \(item.decoder ?? "its decoder") are \(item.framePath ?? "") on their way to the plane",
            remedy: "see what the video plane can do; -v says what is done to frames")))
    }
  }

  /// The output lines of another command of this program; empty where it hangs.
  static func lines(_ arguments: [String]) -> [String] {
    ChildProcess.run(arguments, patience: Limit.asking).output.split(whereSeparator: \.isNewline).map(String.init)
  }
}

extension ScreenOptions {
  /// These options as words for another process's command line.
  var words: [String] {
    var words: [String] = []
    if let card { words += ["--card", card] }
    if let connector { words += ["--connector", connector] }
    if let mode { words += ["--mode", "\(mode)"] }
    if let rotation { words += ["--rotation", "\(rotation.rawValue)"] }
    if let builtInPanels { words += ["--built-in-panels", builtInPanels.rawValue] }
    return words
  }
}
