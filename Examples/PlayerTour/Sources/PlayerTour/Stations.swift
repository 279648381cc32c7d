import VitrinePlayback

// The player's promises, one station each. The names are those of the player's list of requirements.

extension Tour {
  static let stations = [
    Station(name: "S16 queue") { try await $0.queue() },
    Station(name: "S17 item status") { try await $0.itemStatus() },
    Station(name: "S18 rates") { try await $0.rates() },
    Station(name: "S19 seeks") { try await $0.seeks() },
    Station(name: "S20 ranges and tracks") { try await $0.facts() },
    Station(name: "S21 tracks on and off, twice") { try await $0.tracks() },
    Station(name: "S22 kind found out") { try await $0.kinds() },
    Station(name: "S23 times") { try await $0.times() },
    Station(name: "S24 end") { try await $0.end() },
    Station(name: "S25 ready for display") { try await $0.display() },
  ]

  /// Player, item, queue: insert after, canInsert, remove, removeAll, advance.
  func queue() async throws {
    try await with([item]) { player in
      let events = player.events()
      await player.play()
      try await self.events(events, "a start") { if case .itemStarted = $0 { true } else { false } }
      guard let first = player.status.itemID else { throw Wrong("no entry is shown") }
      guard await player.canInsert(item, after: first), let second = await player.insert(item, after: first) else {
        throw Wrong("it can't be inserted")
      }
      let nowhere = await player.insert(item, after: ItemID(rawValue: 99))
      try require(nowhere == nil, "inserted behind what isn't listed")
      await player.next()
      let told = try await self.events(events, "the next one") { $0 == .itemStarted(second) }
      try require(told.contains(.itemEnded(first, .skipped)), "the end of the first: \(told)")
      let isRemoved = await player.remove(first)
      try require(isRemoved && player.status.itemIndex == 0, "the entry that is shown is the only one now")
      await player.removeAll()
      let status = player.status
      try require(status.itemID == nil && !status.canPlay && !status.canSeek, "nothing is left: \(status)")
    }
  }

  /// Unknown, ready, failed with an error.
  func itemStatus() async throws {
    let missing = MediaItem(path: "/nowhere/at/all.mp4")
    try await with([item, missing]) { player in
      try require(player.status.itemStatus == .unknown, "before anything was tried")
      try await ready(player)
      let entries = await player.queue.entries.map(\.id)
      let events = player.events()
      await player.next()
      try await self.events(events, "a failure") { if case .itemFailed(entries[1], _) = $0 { true } else { false } }
      guard case .failed(let error) = await player.itemStatus(of: entries[1]) else { throw Wrong("it hasn't failed") }
      try require(error.number == 7101 && !error.remedy.isEmpty, "\(error.line)")
    }
  }

  /// Half, double and backwards, where the player says that it can.
  func rates() async throws {
    try await with([item]) { player in
      let ready = try await ready(player)
      try require(ready.canPlayAtOtherRates, "no other rates")
      for rate in [0.5, 2] {
        _ = await player.seek(to: .milliseconds(500))
        let isTaken = await player.setRate(rate)
        try require(isTaken && player.status.rate == rate, "rate \(rate)")
        try await status(player, "playing at \(rate)") {
          $0.position > .milliseconds(1300) && $0.timeControlStatus == .playing
        }
      }
      _ = await player.seek(to: .seconds(3))
      let goesBack = await player.setRate(-1)
      try require(goesBack == ready.canPlayReverse, "backwards: \(goesBack), said \(ready.canPlayReverse)")
      if goesBack {
        try await status(player, "playing backwards") { $0.position < .milliseconds(2200) }
        try require(ready.canPlaySlowReverse && ready.canPlayFastReverse, "slow and fast are the same thing")
      }
    }
  }

  /// Fast, with tolerances, exact.
  func seeks() async throws {
    try await with([item]) { player in
      try await ready(player)
      guard case .finished = await player.seek(to: .seconds(2), tolerance: .nearestKeyframe) else {
        throw Wrong("the fast one")
      }
      let tolerance = SeekTolerance(before: .milliseconds(300), after: .zero)
      guard case .finished(let near) = await player.seek(to: .milliseconds(2600), tolerance: tolerance),
        near <= .milliseconds(2601), near >= .milliseconds(2299)
      else { throw Wrong("within a tolerance") }
      guard case .finished(let exact) = await player.seek(to: .milliseconds(1234)) else { throw Wrong("the exact one") }
      // At 25 frames a second the frame begins up to 40 ms before.
      try require(exact <= .milliseconds(1235) && exact > .milliseconds(1190), "exact: \(exact)")
      try require(player.status.position == .milliseconds(1234), "the position is what was asked for")
    }
  }

  /// Loaded and seekable ranges, the current item, tracks, the rate.
  func facts() async throws {
    try await with([item]) { player in
      try await ready(player)
      let status = try await status(player, "ranges") {
        $0.ranges.loaded.bounds != nil && $0.ranges.seekable.bounds != nil && !$0.tracks.isEmpty
      }
      let duration = status.duration ?? .zero
      try require(status.item == item && duration > .seconds(3) && status.rate == 1, "\(status)")
      try require(status.tracks.contains { $0.kind == .video && $0.isEnabled }, "\(status.tracks)")
      let end = status.ranges.seekable.bounds?.upperBound ?? .zero
      try require(end > duration - .milliseconds(500), "seekable up to \(end) of \(duration)")
      let statuses = player.statuses()
      await player.setRate(2)
      _ = try await inTime("the rate") {
        for await status in statuses where status.rate == 2 { return true }
        throw Wrong("the rate isn't told")
      }
    }
  }

  /// Tracks off and on; the same item in two players.
  func tracks() async throws {
    try await with([item]) { a in
      try await with([item]) { b in
        try await ready(a)
        try await ready(b)
        let both = try await status(a, "tracks") { !$0.tracks.isEmpty }
        guard let video = both.tracks.first(where: { $0.kind == .video }) else { throw Wrong("no picture") }
        for isEnabled in [false, true] {
          await a.setTrack(video.id, isEnabled: isEnabled)
          try await status(a, "the track \(isEnabled ? "on" : "off")") {
            $0.tracks.contains { $0.id == video.id && $0.isEnabled == isEnabled }
          }
        }
        try await status(b, "the other's tracks") { $0.tracks.contains { $0.id == video.id && $0.isEnabled } }
        await a.play()
        await b.play()
        try await status(a, "the first") { $0.position > .milliseconds(500) }
        try await status(b, "the second") { $0.position > .milliseconds(500) }
      }
    }
  }

  /// An item whose kind is given wrongly plays all the same.
  func kinds() async throws {
    var other = item
    if other.isRemote { other.kind = item.kind == .adaptive ? .progressive : .adaptive }
    try await with([other]) { player in
      let events = player.events()
      await player.play()
      let told = try await self.events(events, "a start") { if case .itemStarted = $0 { true } else { false } }
      try require(!told.contains { if case .itemFailed = $0 { true } else { false } }, "\(told)")
    }
  }

  /// Periodic and boundary times.
  func times() async throws {
    try await with([item]) { player in
      try await ready(player)
      let steps = player.periodicTimes(every: .milliseconds(500))
      let boundaries = player.boundaryTimes([.milliseconds(700), .milliseconds(1200)])
      await player.play()
      let passed = try await inTime("boundaries") {
        var passed: [Duration] = []
        for await time in boundaries {
          passed.append(time)
          if passed.count == 2 { break }
        }
        return passed
      }
      try require(passed == [.milliseconds(700), .milliseconds(1200)], "\(passed)")
      await player.pause()
      await player.stop()
      let told = try await inTime("the end of the times") {
        var told: [Duration] = []
        for await time in steps { told.append(time) }
        return told
      }
      try require(told.contains { $0 >= .milliseconds(499) && $0 < .milliseconds(700) }, "\(told)")
      try require(told.contains { $0 >= .milliseconds(999) && $0 < .milliseconds(1200) }, "\(told)")
      try require(zip(told, told.dropFirst()).allSatisfy { $0 <= $1 }, "\(told)")
    }
  }

  /// The end is reported once; play has no effect there; after a seek to the start the item plays again.
  func end() async throws {
    try await with([item]) { player in
      let ready = try await ready(player)
      guard let duration = ready.duration, let entry = ready.itemID else { throw Wrong("no length") }
      let events = player.events()
      await player.play()
      _ = await player.seek(to: duration - .milliseconds(600))
      let told = try await self.events(events, "the end") { $0 == .endOfQueue }
      try require(told.filter { $0 == .itemEnded(entry, .playedOut) }.count == 1, "\(told)")
      await player.play()
      let status = player.status
      try require(status.isAtEnd && status.timeControlStatus == .paused && !status.canPlay, "\(status)")
      _ = await player.seek(to: .zero)
      await player.play()
      try await self.status(player, "playing again") {
        $0.position > .milliseconds(200) && $0.timeControlStatus == .playing
      }
    }
  }

  /// Controls may be enabled, and there is a picture.
  func display() async throws {
    try await with([item]) { player in
      try require(!player.status.canPlay && !player.status.isReadyForDisplay, "before anything is there")
      let status = try await ready(player)
      try require(status.canPlay && status.canSeek, "\(status)")
      guard let size = status.presentationSize else { throw Wrong("no size") }
      let frame = await player.captureFrame()
      try require(frame != nil, "no frame")
      try require(size.pixels.width > 0 && size.pixels.height > 0, "\(size)")
    }
  }
}
