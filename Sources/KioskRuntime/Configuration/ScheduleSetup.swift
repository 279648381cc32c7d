internal import FileModel
internal import FileSystem
public import InteractionCore
internal import MainLoop
public import PlaybackCore
public import PlaylistConfig

/// The schedule on this machine: its zones and its clock.
public enum ScheduleSetup {
  /// An earlier time means that the clock hasn't been set: this program didn't exist then. Boards without a
  /// battery-backed clock start in 1970, or at the time of their last shutdown.
  static let earliestPlausible: Int64 = 1_767_225_600  // 2026-01-01

  /// - Throws: 1004 when the system doesn't know the time zone.
  public static func engine(_ configuration: Configuration) throws(VitrineError) -> ScheduleEngine {
    let name = configuration.schedule.timezone
    guard let zone = SystemTimeZone(identifier: name) else {
      throw VitrineError(
        ErrorNumber.timeZoneUnknown.rawValue, subject: name ?? "time zone",
        message: "the system has no time zone of that name", remedy: remedy(for: name ?? ""))
    }
    return ScheduleEngine(
      configuration, zone: TimeZoneRules(name: zone.identifier) { zone.offset(at: $0) })
  }

  /// - Parameter name: nil is the system's zone, which also stands for one that the system doesn't know.
  static func zone(_ name: String?) -> TimeZoneRules {
    guard let zone = SystemTimeZone(identifier: name) ?? SystemTimeZone(identifier: nil) else { return .utc }
    return TimeZoneRules(name: zone.identifier) { zone.offset(at: $0) }
  }

  private static func remedy(for name: String) -> String {
    let meant = TimeZoneNames.meant(by: name, among: systemNames).map { "did you mean \"\($0)\"?" }
    if TimeZoneNames.isOffset(name) { return "an offset knows no summer time: write a city, such as \"Europe/Berlin\"" }
    return meant ?? "write a city as in /usr/share/zoneinfo (package tzdata), such as \"Europe/Berlin\""
  }

  /// One name for each place, from the table that comes with the zones.
  private static var systemNames: [String] {
    let table = (try? SystemFileAccess().read(FilePath("/usr/share/zoneinfo/zone.tab"), limit: 100_000)) ?? []
    return String(decoding: table, as: UTF8.self).split(separator: "\n").compactMap { line in
      let columns = line.split(separator: "\t")
      return line.hasPrefix("#") || columns.count < 3 ? nil : String(columns[2])
    }
  }

  /// The time now, or `notSet` while the clock can't be trusted.
  public static func clock(_ settings: ScheduleSettings) -> ScheduleClock {
    let now = SystemClock.utcSeconds
    guard now >= earliestPlausible, !settings.waitsForNTP || SystemClock.isSynchronised else { return .notSet }
    return .utc(now)
  }
}
