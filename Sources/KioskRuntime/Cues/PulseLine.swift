internal import Displays
internal import InteractionCore
internal import PlaybackCore
internal import VitrinePlayback

/// Pulses on a GPIO line. The line is taken when the configuration is read, so that a relay is at rest from then on.
/// Confined to the loop's thread.
final class PulseLine: CueLine {
  private let wanted: InputLine
  private let clock: any EngineClock
  private var line: OutputLine?
  private var end: (any EngineTimer)?

  init(_ wanted: InputLine, clock: any EngineClock) {
    self.wanted = wanted
    self.clock = clock
    // The reason why not is told with the first cue, which tries again.
    line = try? OutputLine(wanted)
  }

  func deliver(_ cue: Cue, then done: @escaping (String?) -> Void) {
    do throws(VitrineError) {
      if line == nil { line = try OutputLine(wanted) }
      try line?.set(isActive: true)
      end = clock.after(cue.pulse) { [weak self] in done(self?.rest()) }
    } catch {
      line = nil
      done(error.message)
    }
  }

  func giveUp() { _ = rest() }

  /// - Returns: the reason why the line can't be set.
  private func rest() -> String? {
    end = nil
    do throws(VitrineError) {
      try line?.set(isActive: false)
      return nil
    } catch {
      line = nil
      return error.message
    }
  }
}
