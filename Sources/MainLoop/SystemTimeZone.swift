internal import CGLib
internal import CGLibShims
internal import Glibc

/// A time zone of the system's database.
///
/// `@unchecked Sendable` holds because a GTimeZone doesn't change once it is made, and counts references atomically.
public final class SystemTimeZone: @unchecked Sendable {
  private let pointer: OpaquePointer

  /// - Parameter identifier: an IANA name; nil is the system's zone. The result is nil where the database has no such
  ///   zone.
  public init?(identifier: String?) {
    guard let identifier else {
      guard let local = g_time_zone_new_local() else { return nil }
      pointer = local
      return
    }
    guard let zone = g_time_zone_new_identifier(identifier) else { return nil }
    pointer = zone
  }

  deinit { g_time_zone_unref(pointer) }

  public var identifier: String { String(cString: g_time_zone_get_identifier(pointer)) }

  /// Seconds by which the local clock is ahead of UTC.
  ///
  /// - Parameter utc: seconds since 1970-01-01 00:00 UTC.
  public func offset(at utc: Int64) -> Int {
    Int(g_time_zone_get_offset(pointer, g_time_zone_find_interval(pointer, G_TIME_TYPE_UNIVERSAL, gint64(utc))))
  }
}

/// The clock of date and time.
public enum SystemClock {
  /// Seconds since 1970-01-01 00:00 UTC.
  public static var utcSeconds: Int64 {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Int64(time.tv_sec)
  }

  /// Milliseconds since 1970-01-01 00:00 UTC.
  public static var utcMilliseconds: Int64 {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
  }

  /// Whether the kernel reports that something, such as NTP, keeps its clock right.
  public static var isSynchronised: Bool { vit_is_clock_synchronised() != 0 }
}
