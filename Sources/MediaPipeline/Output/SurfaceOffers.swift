internal import MainLoop
internal import PlaybackCore

/// Decides when a frame is given to a compositor's sink a second time.
///
/// GStreamer 1.22 only: `waylandsink` silently drops a frame that comes before the compositor has asked for one, which
/// it does once a refresh (decision 0174). While a film plays this isn't seen: the next frame comes soon. But the frame
/// of a seek stands alone, for as long as playback is paused, and so does a still picture. So the first frame of a seek
/// or of an item, and a frame that stays, is given again by the time that the compositor must have asked, if it came
/// soon after another frame and no newer one has come by then.
///
/// Later sinks keep the newest frame until the compositor asks. They also have no lock between the compositor's release of
/// a buffer and the next use of the same buffer, so a frame is best given once.
struct SurfaceOffers: Sendable {
  static var areNeeded: Bool { !GStreamerLibrary.isAtLeast("1.24") }
  /// A refresh of a screen of 50 Hz, and a compositor's time to send its answer.
  static let refresh: Duration = .milliseconds(21)
  /// By this time even a screen of 25 Hz has asked: a later frame isn't dropped, and a frame that stays for longer
  /// stands alone.
  static let longest: Duration = refresh * 2
  /// The first frame of an item comes this soon after another frame only where the item doesn't follow in time: films
  /// have up to 60 frames a second. At a seam all frames come at their times, and a repeated one could take the next
  /// one's turn.
  static let shortestFrame: Duration = .milliseconds(12)

  private var newest: FrameTag?
  /// When the frame before the newest was handed over; nil unless that was so recently that the newest may have been
  /// dropped.
  private var origin: Instant?
  private var handedOver: Instant?

  /// Records that a frame was handed over for the first time.
  ///
  /// - Parameter stays: for how long, where that is known.
  /// - Returns: when the frame is to be given again; nil where it needn't be.
  mutating func handedOver(_ tag: FrameTag, stays: Duration?, at now: Instant) -> Instant? {
    defer { (newest, handedOver) = (tag, now) }
    origin = nil
    guard let newest, let handedOver else { return nil }
    let isOther = tag.deck != newest.deck
    let limit: Duration =
      if Self.isAlone(stays) || !isOther && tag.epoch != newest.epoch {
        Self.longest
      } else {
        isOther ? Self.shortestFrame : .zero
      }
    guard now - handedOver < limit else { return nil }
    origin = handedOver
    return next(after: now)
  }

  /// Whether no other frame follows soon.
  static func isAlone(_ stays: Duration?) -> Bool { stays.map { $0 > longest } ?? false }

  /// Records that the frame was given again. Returns the next time, as `handedOver` does.
  mutating func gaveAgain(at now: Instant) -> Instant? { next(after: now) }

  private func next(after now: Instant) -> Instant? {
    guard let origin else { return nil }
    return [origin + Self.refresh, origin + Self.longest].first { $0 > now }
  }
}

/// Gives frames to a compositor's sink again. All of it runs on the sink's streaming thread, which waits here for the
/// time or for the next frame.
final class SurfaceFrames: Sendable {
  private let source: AppSource
  private let clock: MediaClock
  private let offers = Locked(SurfaceOffers())

  init(source: AppSource, clock: MediaClock) {
    self.source = source
    self.clock = clock
  }

  func handedOver(_ tag: FrameTag, stays: Duration?) {
    giveAgain(tag, at: offers.withLock { $0.handedOver(tag, stays: stays, at: clock.now) })
  }

  func gaveAgain(_ tag: FrameTag) { giveAgain(tag, at: offers.withLock { $0.gaveAgain(at: clock.now) }) }

  private func giveAgain(_ tag: FrameTag, at time: Instant?) {
    guard let time, let count = source.countIfKept(tag) else { return }
    // An alarm runs by the system's clock, not by the output's.
    let deadline = Instant.monotonicNow + (time - clock.now)
    guard !source.waitForMore(than: count, until: deadline) else { return }
    source.repeatLast(ifStillAt: count)
  }
}
