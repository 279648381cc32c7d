import Logging
import MainLoop
import MediaPipeline

extension LibraryLog {
  /// What GStreamer complains of, in the player's own log.
  convenience init?(on executor: GLibExecutor, to log: Logger) {
    self.init(on: executor, warnings: log.logLevel <= .info) { line in
      // What matters of it comes again, as an error of an item or an output; GStreamer warns in sound files too.
      log.log(level: line.isError ? .warning : .info, "\(line.text)")
    }
  }
}
