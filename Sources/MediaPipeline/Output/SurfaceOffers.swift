internal import MainLoop
internal import PlaybackCore

/// When a frame is given to a compositor's sink once more.
///
/// `waylandsink` of GStreamer 1.22 leaves out a frame that comes before the compositor has asked for one, which it does
/// once a refresh, and tells nobody (decision 0174). While a film plays nobody sees that: the next frame is there soon. But
/// the frame of a seek stands alone, for good while playback is paused, and so does a picture. So the first frame of a seek or
/// of an item, and a frame that stays, is given again when the compositor must have asked, if it has come soon after another
/// one; unless another one has come by then.
struct SurfaceOffers: Sendable {
  /// A refresh of a screen of 50 Hz, and a compositor's time to send its answer.
  static let refresh: Duration = .milliseconds(21)
  /// After this long even a screen of 25 Hz has asked; who comes later isn't left out, and what stays longer stands alone.
  static let longest: Duration = refresh * 2
  /// The first frame of an item comes that soon after another only where it doesn't follow it in time: films have up to 60
  /// frames a second. In a seam all frames come at their time, and one that is given again could take the next one's turn.
  static let shortestFrame: Duration = .milliseconds(12)

  private var newest: FrameTag?
  /// When the frame before the newest was handed over, if that is so recent that the newest may have been left out.
  private var origin: Instant?
  private var handedOver: Instant?

  /// A frame was handed over for the first time.
  ///
  /// - Parameter stays: for how long, where that is known.
  /// - Returns: when it is to be given again; nil where it needn't.
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

  /// It was given again. Likewise.
  mutating func gaveAgain(at now: Instant) -> Instant? { next(after: now) }

  private func next(after now: Instant) -> Instant? {
    guard let origin else { return nil }
    return [origin + Self.refresh, origin + Self.longest].first { $0 > now }
  }
}

/// Gives frames again to a compositor's sink. All of it on the sink's streaming thread, which waits here for the time, or
/// for another frame.
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
    // The output's clock may be another one, which an alarm doesn't know.
    let deadline = Instant.monotonicNow + (time - clock.now)
    guard !source.waitForMore(than: count, until: deadline) else { return }
    source.repeatLast(ifStillAt: count)
  }
}
