internal import CGStreamer
internal import PlaybackCore

/// Stretches the running time of a stream from a moment on, so that data that was read and decoded for one speed is
/// played at another.
///
/// Times are running times in nanoseconds: `up` as they arrive, `down` as they are passed on. A medium may hold any
/// number, so all arithmetic is clamped.
struct RateMap: Hashable, Sendable {
  /// The incoming running time from which the map counts.
  var up: Int64 = 0
  /// The outgoing running time that `up` becomes.
  var down: Int64 = 0
  /// Seconds of incoming running time in a second of outgoing running time.
  var factor = 1.0

  var isPlain: Bool { factor == 1 && up == down }

  func down(_ running: Int64) -> Int64 { down.clampedAdding(Self.scaled(running.clampedSubtracting(up), 1 / factor)) }

  func up(_ running: Int64) -> Int64 { up.clampedAdding(Self.scaled(running.clampedSubtracting(down), factor)) }

  /// The map that continues this one with another factor from a moment on.
  func changed(to factor: Double, at moment: Int64) -> RateMap {
    RateMap(up: moment, down: down(moment), factor: factor)
  }

  private static func scaled(_ time: Int64, _ factor: Double) -> Int64 {
    guard factor != 1 else { return time }
    let product = (Double(time) * factor).rounded()
    return Int64(exactly: product) ?? (product < 0 ? .min : .max)
  }
}

/// The fields of a SEGMENT event that retiming needs, in nanoseconds; `stop` is nil for an open end.
struct StreamSegment: Hashable, Sendable {
  var rate = 1.0
  var appliedRate = 1.0
  var start: Int64 = 0
  var stop: Int64?
  var time: Int64 = 0
  var base: Int64 = 0

  /// Running time of a stream time; nil before the segment, and for one that runs backwards.
  func running(_ time: Int64) -> Int64? {
    guard rate > 0, time >= start else { return nil }
    return RateMap(up: start, down: base, factor: rate).down(time)
  }

  /// The segment as it is passed on under a map. Where it begins before the map counts, the passed-on segment begins at
  /// that moment.
  ///
  /// - Parameter first: the time of the next buffer, which must lie inside: rounding may put the moment some
  ///   nanoseconds behind it.
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
  /// Fails for a segment that isn't in the time format.
  init?(_ event: UnsafeMutablePointer<GstEvent>) {
    var segment = GstSegment()
    gst_event_copy_segment(event, &segment)
    guard segment.format == GST_FORMAT_TIME else { return nil }
    self.init(
      rate: segment.rate, appliedRate: segment.applied_rate, start: Int64(clamping: segment.start),
      stop: segment.stop == UInt64.max ? nil : Int64(clamping: segment.stop), time: Int64(clamping: segment.time),
      base: Int64(clamping: segment.base))
  }

  /// The segment as an event; nil where GStreamer can't express it.
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
