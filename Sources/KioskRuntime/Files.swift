internal import FoundationEssentials
internal import InteractionCore
internal import JSONText
internal import Logging
internal import MainLoop
internal import MediaPipeline
internal import OverlayRenderer
public import PlaybackCore

/// Writes the report as one JSON object.
public enum ReportFile {
  /// Writes under a temporary name and renames, so that a reader finds the old file or the new one.
  ///
  /// - Throws: 7302 when the file can't be written.
  public static func write(_ report: PlaybackReport, to path: String) throws(VitrineError) {
    do {
      let text = try JSONValue(encoding: report).report + "\n"
      try Data(text.utf8).write(to: URL(filePath: path), options: .atomic)
    } catch {
      throw VitrineError(
        7302, subject: path, message: "the report can't be written", remedy: "check the folder and its permissions",
        detail: "\(error)")
    }
  }
}

extension ReportFile {
  /// Writes the report of a run, if one is asked for.
  ///
  /// - Returns: the exit code; it reports a failed write, unless it reports another failure already.
  static func write(_ report: PlaybackReport?, _ options: KioskOptions, exitCode: Int32, log: Logger) -> Int32 {
    guard let path = options.reportPath, let report else { return exitCode }
    do throws(VitrineError) {
      try write(report, to: path)
    } catch {
      log.error("\(error.line)")
      if exitCode == KioskExit.done { return KioskExit.cannotCreate }
    }
    return exitCode
  }

  /// Writes the report of a run that failed before it began.
  public static func writeFailure(
    _ options: KioskOptions, _ error: VitrineError, exitCode: Int32, to path: String
  ) throws(VitrineError) {
    let ledger = PlaybackStatistics(processStart: options.processStart, queue: PlayQueue(options.queue))
    var problems = ProblemLog()
    for problem in options.earlierProblems where problem != error { problems.append(problem) }
    problems.append(error)
    let report = ledger.report(
      version: Version.text, output: nil, screen: nil, problems: problems, exitCode: exitCode, at: .monotonicNow)
    try write(report, to: path)
  }
}

/// Composes a frame with the overlay and writes it as PNG.
enum SnapshotFile {
  /// Composes the picture and writes it. Blocks; not on the loop. Returns the problem, or nil.
  static func write(_ frame: CapturedFrame?, overlay: OverlayImage?, screen: PixelSize, to path: String)
    -> VitrineError?
  {
    do throws(VitrineError) {
      try PNGWriter.write(try compose(frame, overlay: overlay, screen: screen), to: path)
      return nil
    } catch {
      return error
    }
  }

  /// A frame's pixels as on a screen, without the overlay: XRGB. Blocks; not on the loop.
  static func pixels(_ frame: CapturedFrame, screen: PixelSize) -> [UInt32]? {
    (try? compose(frame, overlay: nil, screen: screen))?.pixels
  }

  /// Composes the picture of a screen and scales it. Blocks; not on the loop.
  ///
  /// - Parameter width: in pixels; nil, or more than the screen's width, keeps the screen's.
  static func picture(
    _ frame: CapturedFrame?, overlay: OverlayImage?, screen: PixelSize, width: Int?
  ) throws(VitrineError) -> Picture {
    try scaled(try compose(frame, overlay: overlay, screen: screen), width: width)
  }

  /// - Parameter width: in pixels; nil, or more than the picture's width, keeps the picture's.
  static func scaled(_ whole: Picture, width: Int?) throws(VitrineError) -> Picture {
    let screen = whole.size
    guard let width, width < screen.width else { return whole }
    let size = PixelSize(width: width, height: max(1, screen.height * width / screen.width))
    let layout = VideoFrameLayout(
      size: screen, stride: 4 * screen.width, destination: PixelRect(x: 0, y: 0, width: size.width, height: size.height)
    )
    let result = whole.pixels.withUnsafeBytes { bytes in
      Result { () throws(VitrineError) in
        try Composition.render(screen: size, background: .black, frame: layout, bytes: bytes, overlay: nil)
      }
    }
    return try result.get()
  }

  private static func compose(_ frame: CapturedFrame?, overlay: OverlayImage?, screen: PixelSize) throws(VitrineError)
    -> Picture
  {
    guard let frame else { return try Composition.render(screen: screen, overlay: overlay) }
    let layout = VideoFrameLayout(
      size: frame.size.pixels, stride: 4 * frame.size.pixels.width,
      destination: PictureFit.contain(frame.size, in: screen))
    // Typed errors don't pass through `withUnsafeBytes`, hence the Result.
    let result = frame.pixels.withUnsafeBytes { bytes in
      Result { () throws(VitrineError) in
        try Composition.render(screen: screen, background: .black, frame: layout, bytes: bytes, overlay: overlay)
      }
    }
    return try result.get()
  }
}
