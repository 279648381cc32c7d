internal import InteractionCore
internal import KioskCore
internal import PlaybackCore
internal import PlaylistConfig
internal import VitrinePlayback

/// The list and the place that a screen goes back to after the playlist of an alert.
struct AlertTakeover {
  /// Name of the alert's playlist.
  var playlist: String
  /// The screen's options without the alert.
  var usual: KioskOptions
  /// Nil goes back to the list's first item.
  var place: ResumePoint?
  /// Whether playback was intended to run.
  var isPlaying: Bool
}

extension ScreenGroup {
  /// Shows the alerts of a screen, and plays the playlist of the first of them that has one.
  func showAlerts(on screen: ScreenSession) {
    let alerts = alerts?.shown.filter { $0.screen == nil || $0.screen == screen.name } ?? []
    screen.show(alerts.map { ShownAlert($0.text, id: $0.id, isInstead: $0.isInstead, isTest: $0.isTest) })
    let usual = screen.content.takeover?.usual ?? screen.options
    let playlist = alerts.lazy.compactMap(\.playlist).first(where: usual.hasItems)
    guard playlist != screen.content.takeover?.playlist else { return }
    screen.turn {
      if let playlist { play(playlist, on: screen, over: usual) } else { giveBack(screen) }
    }
  }

  /// Applies new options. The playlist of an alert goes on, if they still have it.
  func apply(_ options: KioskOptions, on screen: ScreenSession) {
    guard let playlist = screen.content.takeover?.playlist else { return screen.apply(options) }
    screen.content.takeover?.usual = options
    if options.hasItems(in: playlist) { screen.apply(options.playing(only: playlist)) } else { giveBack(screen) }
  }

  private func play(_ playlist: String, on screen: ScreenSession, over usual: KioskOptions) {
    // A clip, or a picture that is held, would go on in the alert's list.
    screen.feedInteraction(.commanded(.release))
    screen.content.takeover =
      screen.content.takeover
      ?? AlertTakeover(
        playlist: playlist, usual: usual, place: ResumePoint(of: screen), isPlaying: screen.machine.wantsToPlay)
    screen.content.takeover?.playlist = playlist
    screen.apply(usual.playing(only: playlist))
    screen.engine.feed(.playRequested)
  }

  private func giveBack(_ screen: ScreenSession) {
    guard let before = screen.content.takeover else { return }
    screen.feedInteraction(.commanded(.release))
    screen.content.takeover = nil
    screen.apply(before.usual)
    let entries = screen.machine.queue.entries
    if let place = before.place, let index = place.index(in: entries.map(\.item), of: before.usual.listName) {
      screen.engine.feed(.itemSelected(entries[index].id))
      if place.position > .zero { screen.engine.feed(.seekRequested(to: place.position, .exact)) }
    }
    screen.engine.feed(before.isPlaying ? .playRequested : .pauseRequested)
  }
}

extension KioskOptions {
  /// Whether a playlist of the configuration has anything to play.
  func hasItems(in playlist: String) -> Bool { clips[playlist]?.isEmpty == false }

  /// These options with one playlist of the configuration in place of all others, round and round.
  fileprivate func playing(only playlist: String) -> KioskOptions {
    var only = self
    (only.queue, only.visitorsQueue, only.listName) = (clips[playlist] ?? [], [], playlist)
    (only.shufflesQueue, only.shufflesVisitors) = (false, false)
    only.settings.playback.loop = true
    return only
  }
}
