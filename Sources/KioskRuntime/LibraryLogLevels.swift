import Logging
import MainLoop
import MediaPipeline

extension LibraryLog {
  /// Writes GStreamer's warnings to the player's own log.
  convenience init?(on executor: GLibExecutor, to log: Logger) {
    self.init(on: executor, warnings: log.logLevel <= .info) { line in
      // An error that matters comes again, as an error of an item or an output. GStreamer warns about sound files, too.
      log.log(level: line.isError ? .warning : .info, "\(line.text)")
    }
  }
}
