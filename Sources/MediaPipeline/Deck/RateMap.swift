internal import CGStreamer
internal import PlaybackCore

/// How the running time of a stream is stretched from a moment on, so that what was read and decoded for one speed is played
/// at another.
///
/// A value. Times are running times in nanoseconds: `up` as they come, `down` as they go on. What comes from a medium is never
/// trusted to fit: all of it is clamped.
struct RateMap: Hashable, Sendable {
  /// From this running time on.
  var up: Int64 = 0
  /// Which goes on as this one.
  var down: Int64 = 0
  /// Running time that comes in a second of running time that goes on.
  var factor = 1.0

  var isPlain: Bool { factor == 1 && up == down }

  func down(_ running: Int64) -> Int64 { down.clampedAdding(Self.scaled(running.clampedSubtracting(up), 1 / factor)) }

  func up(_ running: Int64) -> Int64 { up.clampedAdding(Self.scaled(running.clampedSubtracting(down), factor)) }

  /// The same up to a moment, and another speed from there.
  func changed(to factor: Double, at moment: Int64) -> RateMap {
    RateMap(up: moment, down: down(moment), factor: factor)
  }

  private static func scaled(_ time: Int64, _ factor: Double) -> Int64 {
    guard factor != 1 else { return time }
    let product = (Double(time) * factor).rounded()
    return Int64(exactly: product) ?? (product < 0 ? .min : .max)
  }
}

/// What a SEGMENT event says, as far as it matters here. In nanoseconds; `stop` is nil where there is none.
struct StreamSegment: Hashable, Sendable {
  var rate = 1.0
  var appliedRate = 1.0
  var start: Int64 = 0
  var stop: Int64?
  var time: Int64 = 0
  var base: Int64 = 0

  /// Running time of a time of the stream; nil before the segment, and backwards.
  func running(_ time: Int64) -> Int64? {
    guard rate > 0, time >= start else { return nil }
    return RateMap(up: start, down: base, factor: rate).down(time)
  }

  /// As it goes on under a map: where it has begun before that counts, it begins there.
  ///
  /// - Parameter first: the time of what comes next, which isn't to lie outside: rounding may put the moment some nanoseconds
  ///   behind it.
  func mapped(_ map: RateMap, holding first: Int64? = nil) -> StreamSegment {
    var mapped = self
    mapped.rate = rate * map.factor
    if base >= map.up {
      mapped.base = map.down(base)
    } else {
      let moment = RateMap(up: start, down: base, factor: rate).up(map.up)
      mapped.start = first.map { min(moment, max(start, $0)) } ?? moment
      mapped.time = time.clampedAdding(RateMap(factor: appliedRate).up(mapped.start.clampedSubtracting(start)))
      mapped.base = map.down
    }
    return mapped
  }
}

extension StreamSegment {
  /// Nil for what isn't measured in time.
  init?(_ event: UnsafeMutablePointer<GstEvent>) {
    var segment = GstSegment()
    gst_event_copy_segment(event, &segment)
    guard segment.format == GST_FORMAT_TIME else { return nil }
    self.init(
      rate: segment.rate, appliedRate: segment.applied_rate, start: Int64(clamping: segment.start),
      stop: segment.stop == UInt64.max ? nil : Int64(clamping: segment.stop), time: Int64(clamping: segment.time),
      base: Int64(clamping: segment.base))
  }

  /// The event that says it; nil where it can't be said.
  func event() -> UnsafeMutablePointer<GstEvent>? {
    guard rate != 0, start >= 0, time >= 0, base >= 0 else { return nil }
    var segment = GstSegment()
    gst_segment_init(&segment, GST_FORMAT_TIME)
    segment.rate = rate
    segment.applied_rate = appliedRate
    segment.start = guint64(start)
    segment.stop = stop.map { guint64(clamping: max(start, $0)) } ?? guint64(UInt64.max)
    segment.time = guint64(time)
    segment.base = guint64(base)
    segment.position = segment.start
    return gst_event_new_segment(&segment)
  }
}
