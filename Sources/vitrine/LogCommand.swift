import ArgumentParser
import ConfigurationFiles
import FileModel
import InteractionCore
import JSONText
import KioskCore
import KioskRuntime
import MainLoop
import PlaybackCore
import PlaylistConfig
import TelemetryCore

struct LogCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "log",
    abstract: "Print what has played: each play, and how often and how long each item was to be seen.",
    discussion: """
      What [telemetry] play_log = true has written down. TIME is 2026-11-01 or 2026-11-01T08:00 in this machine's time \
      zone, or with a Z at its end in UTC; a play belongs to the time at which it began. Without options for machines, a \
      table of the items is printed. docs/proof-of-play.md explains each member.
      """)

  @Option(help: ArgumentHelp("Only plays that began at this time or later.", valueName: "time"))
  var since: String?
  @Option(help: ArgumentHelp("Only plays that began before this time.", valueName: "time"))
  var until: String?
  @Flag(help: "Print each play as a line of comma-separated values, with a line of names first.")
  var csv = false
  @Flag(help: "Print one JSON object: the plays, and the items with their sums.")
  var json = false
  @Flag(help: "Print the items with their sums alone. The default without --csv and --json.")
  var sums = false
  @Flag(help: "Print visits in place of plays: what visitors played, how far, with what they chose.")
  var visits = false
  @Option(
    help: ArgumentHelp("The folder that it was written to. Without it, that of the service.", valueName: "path"))
  var folder: String?

  func validate() throws {
    if csv, json { throw ValidationError("--csv and --json exclude each other.") }
  }

  func run() throws {
    let period = PlayPeriod(since: try since.map(Self.milliseconds), until: try until.map(Self.milliseconds))
    if visits { try printVisits(of: period) } else { try printPlays(of: period) }
  }

  private func printPlays(of period: PlayPeriod) throws {
    let wantsPlays = (csv || json) && !sums
    var found = PlaySums(period, keepsEntries: json && wantsPlays)
    if csv, wantsPlays { StandardStreams.print(PlayTable.head) }
    try read { entry in
      guard found.takes(entry) else { return }
      found.add(entry)
      if csv, wantsPlays { StandardStreams.print(PlayTable.row(entry)) }
    }
    if json {
      StandardStreams.print(PlayTable.json(found, withPlays: wantsPlays).pretty)
    } else if csv, sums {
      for line in PlayTable.sums(found) { StandardStreams.print(line) }
    } else if !csv {
      for line in PlayTable.text(found) { StandardStreams.print(line) }
    }
  }

  private func printVisits(of period: PlayPeriod) throws {
    var found = VisitSums(period)
    try read { found.add($0) }
    let visits = found.visits
    if json { return StandardStreams.print(VisitTable.json(visits, withVisits: !sums).pretty) }
    let lines =
      !csv ? VisitTable.text(visits) : sums ? VisitTable.sums(visits) : [VisitTable.head] + visits.map(VisitTable.row)
    for line in lines { StandardStreams.print(line) }
  }

  /// Reads all plays, the oldest first.
  private func read(_ take: (PlayEntry) -> Void) throws {
    let folder = PlayFolder(try self.folder ?? usualFolder())
    do throws(FileError) {
      let unreadable = try folder.read(take)
      if unreadable > 0 {
        StandardStreams.printErrors(["\(folder.path): \(unreadable) lines can't be read and are left out"])
      }
    } catch {
      let problem = VitrineError(
        7751, subject: folder.path, message: "proof of play can't be read: \(error)",
        remedy: "name its folder with --folder; it is written only with [telemetry] play_log = true")
      StandardStreams.printErrors([problem.line])
      throw ExitCode(error.isPermission ? KioskExit.noPermission : KioskExit.noSuchMedia)
    }
  }

  private func usualFolder() throws -> String {
    let directories = ConfigurationDirectories(environment: ProcessEnvironment.all, isOurs: true)
    return (directories.state?.directory ?? "/var/lib/vitrine") + "/plays"
  }

  /// Reads a time, as milliseconds since 1970 in UTC.
  private static func milliseconds(_ text: String) throws -> Int64 {
    let isUTC = text.hasSuffix("Z")
    let parts = text.prefix(isUTC ? text.count - 1 : text.count).split { $0 == " " || $0 == "T" }.map(String.init)
    guard (1...2).contains(parts.count), let date = CivilDate(parsing: parts[0]),
      let time = parts.count == 1 ? TimeOfDay.midnight : TimeOfDay(parsing: parts[1]),
      time.seconds < TimeOfDay.secondsOfDay
    else {
      throw ValidationError("'\(text)' is not a time; write 2026-11-01, or 2026-11-01T08:00, or with a Z for UTC.")
    }
    let civil = CivilTime(date, time)
    guard !isUTC, let zone = SystemTimeZone(identifier: nil) else { return civil.localSeconds * 1000 }
    let rules = TimeZoneRules(name: zone.identifier) { zone.offset(at: $0) }
    return rules.firstInstant(of: civil) * 1000
  }
}
