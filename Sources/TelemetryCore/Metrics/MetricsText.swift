public import KioskCore
internal import PlaybackCore

/// A player's metrics for Prometheus. Names, units and labels never change once they have been released: alerts and
/// dashboards depend on them.
public struct MetricsText: Sendable {
  /// The content type of answers to `/metrics`.
  public static let contentType = "text/plain; version=0.0.4; charset=utf-8"

  private typealias Label = (name: String, value: String)

  public let text: String

  public init(_ status: KioskStatus) {
    let families = Self.process(status) + Self.screens(status) + Self.configuration(status) + Self.board(status)
    text = families.map(\.text).joined()
  }

  // MARK: The process

  private static func process(_ status: KioskStatus) -> [MetricFamily] {
    var info = MetricFamily("vitrine_info", .gauge, "The version of the player and the name of its board; always 1.")
    info.add(1.0, [("version", status.version), ("board", status.name)])
    var health = MetricFamily(
      "vitrine_health", .gauge,
      "The player's health: 1 for the current one of healthy, attention and trouble, 0 for the others.")
    for one in KioskStatus.Health.allCases { health.add(status.health == one, [("state", one.rawValue)]) }
    var uptime = MetricFamily("vitrine_uptime_seconds", .gauge, "For how long the process has run.")
    uptime.add(status.uptimeSeconds)
    var starts = MetricFamily(
      "vitrine_process_starts_total", .counter,
      "Starts of the player since its service was started, by how the run before ended.")
    var mode = MetricFamily(
      "vitrine_safe_mode", .gauge,
      "Whether the player runs in safe mode, or has stopped, because it died again and again.")
    var held = MetricFamily(
      "vitrine_quarantined_items", .gauge, "Items that aren't played because they end the process.")
    if let survival = status.survival {
      for reason in StartCounts.Reason.allCases { starts.add(survival.starts[reason], [("reason", reason.rawValue)]) }
      mode.add(survival.mode != .normal)
      held.add(survival.quarantine.count)
    }
    return [info, health, uptime, starts, mode, held]
  }

  // MARK: Screens

  private static func label(_ screen: KioskStatus.Screen) -> Label { ("screen", screen.name ?? "") }

  private static func screens(_ status: KioskStatus) -> [MetricFamily] {
    counters(status) + picture(status) + playback(status)
  }

  private static func counters(_ status: KioskStatus) -> [MetricFamily] {
    PlaybackCounter.allCases.map { counter in
      // The first sentence; the others are for the page.
      let meaning =
        counter.meaning.firstRange(of: ". ").map { counter.meaning[..<$0.lowerBound] } ?? counter.meaning[...]
      var family = MetricFamily(name(of: counter), .counter, "Each is \(meaning).")
      for screen in status.screens { family.add(screen.counters[counter], [label(screen)]) }
      return family
    }
  }

  private static func name(of counter: PlaybackCounter) -> String {
    // Released by this name.
    counter == .itemsFailed ? "vitrine_item_failures_total" : "vitrine_\(counter.rawValue)_total"
  }

  private static func picture(_ status: KioskStatus) -> [MetricFamily] {
    var presence = MetricFamily(
      "vitrine_screen_state", .gauge,
      "The state of the screen: 1 for the current one of on, asleep and none, 0 for the others.")
    var age = MetricFamily(
      "vitrine_last_frame_age_seconds", .gauge,
      "Time since the last frame was shown or sound was heard. It grows while a still picture is shown.")
    var overdue = MetricFamily(
      "vitrine_frame_overdue_seconds", .gauge, "For how long a due frame has been missing; 0 if none is.")
    var gaps = MetricFamily(
      "vitrine_gap_seconds", .gauge,
      "The time without a picture between two items, over the newest 4096 transitions; max is over all.")
    for screen in status.screens {
      let label = label(screen)
      for state in KioskStatus.Screen.Presence.allCases {
        presence.add(screen.presence == state, [label, ("state", state.rawValue)])
      }
      age.add(screen.silentSeconds, [label])
      overdue.add(screen.overdueSeconds, [label])
      gaps.add(screen.gaps.medianSeconds, [label, ("quantile", "0.5")])
      gaps.add(screen.gaps.percentile99Seconds, [label, ("quantile", "0.99")])
      gaps.add(screen.gaps.longestSeconds, [label, ("quantile", "max")])
    }
    return [presence, age, overdue, gaps]
  }

  private static func playback(_ status: KioskStatus) -> [MetricFamily] {
    var wanted = MetricFamily("vitrine_playback_wanted", .gauge, "Whether playback is wanted, and not paused.")
    var waiting = MetricFamily(
      "vitrine_playback_waiting", .gauge, "Whether playback is wanted but waits, for data or a screen.")
    var playing = MetricFamily("vitrine_playing", .gauge, "Whether an item plays or is held.")
    var count = MetricFamily("vitrine_playlist_items", .gauge, "Items of the list that plays.")
    var position = MetricFamily("vitrine_position_seconds", .gauge, "The position in the item.")
    var buffer = MetricFamily(
      "vitrine_buffer_ratio", .gauge,
      "The share of the data that an item from the network needs to go on; 1 while it plays. Missing for other items.")
    var volume = MetricFamily("vitrine_volume_ratio", .gauge, "How loud it is; 0 where it is muted.")
    for screen in status.screens {
      let (label, playback) = (label(screen), screen.playback)
      wanted.add(playback.isWanted, [label])
      waiting.add(
        screen.presence != .asleep && playback.isWanted && playback.waitingReason != nil, [label])
      playing.add(playback.item != nil, [label])
      count.add(playback.itemCount, [label])
      position.add(playback.item?.positionSeconds, [label])
      buffer.add(playback.bufferPercent.map { Double($0) / 100 }, [label])
      volume.add(screen.sound.map { $0.isMuted ? 0 : Double($0.volumePercent) / 100 }, [label])
    }
    return [wanted, waiting, playing, count, position, buffer, volume]
  }

  // MARK: Configuration

  private static func configuration(_ status: KioskStatus) -> [MetricFamily] {
    var info = MetricFamily(
      "vitrine_configuration_info", .gauge, "The configuration that plays, by the hash of its files; always 1.")
    var state = MetricFamily(
      "vitrine_configuration_state", .gauge, "The state of the configuration: 1 for the current one, 0 for the others.")
    var age = MetricFamily(
      "vitrine_configuration_age_seconds", .gauge, "For how long this configuration has been in use.")
    if let configuration = status.configuration {
      info.add(1.0, [("hash", configuration.hash ?? "")])
      for one in ConfigurationState.allCases { state.add(configuration.state == one, [("state", one.rawValue)]) }
      age.add(configuration.sinceUptimeSeconds.map { max(0, status.uptimeSeconds - $0) })
    }
    var wanted = MetricFamily("vitrine_store_wanted_files", .gauge, "Copies of remote items that are wanted.")
    var stored = MetricFamily("vitrine_store_files", .gauge, "Copies of remote items that are complete.")
    var bytes = MetricFamily("vitrine_store_bytes", .gauge, "The size of all copies.")
    var problem = MetricFamily("vitrine_store_problem", .gauge, "The number of the store's last error; 0 without one.")
    if let store = status.store {
      wanted.add(store.wanted)
      stored.add(store.stored)
      bytes.add(store.bytes)
      problem.add(store.problem ?? 0)
    }
    return [info, state, age, wanted, stored, bytes, problem]
  }

  // MARK: The machine

  private static func board(_ status: KioskStatus) -> [MetricFamily] {
    let board = status.board
    var temperature = MetricFamily(
      "vitrine_board_temperature_celsius", .gauge, "The temperature of the hottest sensor.")
    temperature.add(board.temperatureCelsius)
    var throttled = MetricFamily("vitrine_board_throttled", .gauge, "Whether the processor is slowed down now.")
    throttled.add(board.isThrottled)
    var voltage = MetricFamily("vitrine_board_under_voltage", .gauge, "Whether the power supply is too weak now.")
    voltage.add(board.isUnderVoltage)
    var clock = MetricFamily("vitrine_clock_synchronised", .gauge, "Whether the clock is synchronised.")
    clock.add(board.isClockSynchronised)
    var resident = MetricFamily("vitrine_resident_memory_bytes", .gauge, "Memory of the player.")
    resident.add(board.residentBytes)
    var available = MetricFamily("vitrine_board_memory_available_bytes", .gauge, "Memory that the board has left.")
    available.add(board.availableBytes)
    var written = MetricFamily("vitrine_written_bytes_total", .counter, "What the player has written to disks.")
    written.add(board.writtenBytes)
    var free = MetricFamily("vitrine_disk_free_bytes", .gauge, "Free space on the disk of the player's state folder.")
    free.add(board.diskFreeBytes)
    var wear = MetricFamily(
      "vitrine_disk_wear_ratio", .gauge, "How much of the life of the board's flash is used up, in steps of 0.1.")
    wear.add(board.wearPercent.map { Double($0) / 100 })
    return [temperature, throttled, voltage, clock, resident, available, written, free, wear]
  }
}
