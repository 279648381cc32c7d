public import KioskCore
internal import PlaybackCore

/// What Prometheus reads of a player. Names, units and labels stay as they are once they have been released: alerts and dashboards are
/// made of them.
public struct MetricsText: Sendable {
  /// What answers to `/metrics` are.
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
      "vitrine_health", .gauge, "How the player fares: 1 for the one that is so, of healthy, attention and trouble.")
    for one in KioskStatus.Health.allCases { health.add(status.health == one, [("state", one.rawValue)]) }
    var uptime = MetricFamily("vitrine_uptime_seconds", .gauge, "For how long the process has run.")
    uptime.add(status.uptimeSeconds)
    var starts = MetricFamily(
      "vitrine_process_starts_total", .counter,
      "Starts of the player since its service was started, by what became of the run before.")
    var mode = MetricFamily(
      "vitrine_safe_mode", .gauge, "Whether it runs in safe mode, or has stopped, because it died again and again.")
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

  private static func counter(
    _ name: String, _ help: String, _ path: KeyPath<PlaybackCounters, Int>, _ status: KioskStatus
  ) -> MetricFamily {
    var family = MetricFamily(name, .counter, help)
    for screen in status.screens { family.add(screen.counters[keyPath: path], [label(screen)]) }
    return family
  }

  private static func screens(_ status: KioskStatus) -> [MetricFamily] {
    counters(status) + picture(status) + playback(status)
  }

  private static func counters(_ status: KioskStatus) -> [MetricFamily] {
    [
      counter("vitrine_frames_rendered_total", "Frames that came to the screen.", \.framesRendered, status),
      counter("vitrine_frames_dropped_total", "Frames that never came to the screen.", \.framesDropped, status),
      counter("vitrine_stalls_total", "Pauses of more than 250 ms that nobody asked for.", \.stalls, status),
      counter("vitrine_transitions_total", "From one item to the next that followed by itself.", \.transitions, status),
      counter(
        "vitrine_long_gaps_total", "Transitions with a gap of more than a frame of the slower item.", \.longGaps, status
      ),
      counter("vitrine_items_started_total", "Plays of items.", \.itemsStarted, status),
      counter("vitrine_item_failures_total", "How often an item couldn't be played.", \.itemsFailed, status),
      counter("vitrine_reconnects_total", "How often a source broke off and was opened again.", \.reconnects, status),
      counter("vitrine_seeks_total", "Seeks.", \.seeks, status),
      counter(
        "vitrine_decks_abandoned_total", "Pipelines that didn't answer and were given up.", \.decksAbandoned, status),
      counter(
        "vitrine_output_faults_total", "How often the output showed nothing of what it got, and was made anew.",
        \.outputFaults, status),
      counter("vitrine_clock_losses_total", "How often a pipeline lost its clock.", \.clockLosses, status),
      counter(
        "vitrine_unexpected_events_total", "Faults of the player's own: it was told what can't be.", \.unexpectedEvents,
        status),
    ]
  }

  private static func picture(_ status: KioskStatus) -> [MetricFamily] {
    var presence = MetricFamily(
      "vitrine_screen_state", .gauge, "Whether there is a screen: 1 for the one that is so, of on, asleep and none.")
    var age = MetricFamily(
      "vitrine_last_frame_age_seconds", .gauge,
      "Since a frame came to the screen, or something was heard. Long for a picture that stays.")
    var overdue = MetricFamily(
      "vitrine_frame_overdue_seconds", .gauge, "For how long a frame has been due that doesn't come; 0 where none is.")
    var gaps = MetricFamily(
      "vitrine_gap_seconds", .gauge,
      "The time without a picture from one item to the next, of the newest 4096; max is of all.")
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
      "vitrine_playback_waiting", .gauge, "Whether it waits for something although playback is wanted.")
    var playing = MetricFamily("vitrine_playing", .gauge, "Whether an item plays or is held.")
    var count = MetricFamily("vitrine_playlist_items", .gauge, "Items of the list that plays.")
    var position = MetricFamily("vitrine_position_seconds", .gauge, "Where the item is.")
    var buffer = MetricFamily(
      "vitrine_buffer_ratio", .gauge,
      "Of what has to be there before an item of a network goes on; 1 while it does. Missing for other items.")
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

  // MARK: What it plays by

  private static func configuration(_ status: KioskStatus) -> [MetricFamily] {
    var info = MetricFamily(
      "vitrine_configuration_info", .gauge, "The configuration that plays, by the hash of its files; always 1.")
    var state = MetricFamily(
      "vitrine_configuration_state", .gauge, "Where the configuration stands: 1 for the state that is so.")
    var age = MetricFamily("vitrine_configuration_age_seconds", .gauge, "For how long it has been what plays.")
    if let configuration = status.configuration {
      info.add(1.0, [("hash", configuration.hash ?? "")])
      for one in ConfigurationState.allCases { state.add(configuration.state == one, [("state", one.rawValue)]) }
      age.add(configuration.sinceUptimeSeconds.map { max(0, status.uptimeSeconds - $0) })
    }
    var wanted = MetricFamily("vitrine_store_wanted_files", .gauge, "Copies of remote items that are wanted.")
    var stored = MetricFamily("vitrine_store_files", .gauge, "Those of them that are there.")
    var bytes = MetricFamily("vitrine_store_bytes", .gauge, "What all copies take.")
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
      "vitrine_board_temperature_celsius", .gauge, "Of the hottest part that tells.")
    temperature.add(board.temperatureCelsius)
    var throttled = MetricFamily("vitrine_board_throttled", .gauge, "Whether the processor is slowed down now.")
    throttled.add(board.isThrottled)
    var voltage = MetricFamily("vitrine_board_under_voltage", .gauge, "Whether the power supply is too weak now.")
    voltage.add(board.isUnderVoltage)
    var clock = MetricFamily("vitrine_clock_synchronised", .gauge, "Whether something keeps the clock right.")
    clock.add(board.isClockSynchronised)
    var resident = MetricFamily("vitrine_resident_memory_bytes", .gauge, "Memory of the player.")
    resident.add(board.residentBytes)
    var available = MetricFamily("vitrine_board_memory_available_bytes", .gauge, "Memory that the board has left.")
    available.add(board.availableBytes)
    var written = MetricFamily("vitrine_written_bytes_total", .counter, "What the player has had written to disks.")
    written.add(board.writtenBytes)
    var free = MetricFamily("vitrine_disk_free_bytes", .gauge, "What the disk of the player's state has left.")
    free.add(board.diskFreeBytes)
    var wear = MetricFamily(
      "vitrine_disk_wear_ratio", .gauge, "How much of its life the board's flash has behind it, in steps of 0.1.")
    wear.add(board.wearPercent.map { Double($0) / 100 })
    return [temperature, throttled, voltage, clock, resident, available, written, free, wear]
  }
}
