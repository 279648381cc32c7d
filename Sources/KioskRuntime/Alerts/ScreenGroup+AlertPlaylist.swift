internal import InteractionCore
internal import KioskCore
internal import PlaybackCore
internal import PlaylistConfig
internal import VitrinePlayback

/// The list and the place that a screen goes back to after the playlist of an alert.
struct AlertTakeover {
  /// The place in a list.
  struct Place {
    var index: Int
    /// The item's address there: the list may have changed meanwhile.
    var address: String
    var position: Duration
  }

  /// Name of the alert's playlist.
  var playlist: String
  /// The screen's options without the alert.
  var usual: KioskOptions
  /// Nil goes back to the list's first item.
  var place: Place?
  /// Whether playback was intended to run.
  var isPlaying: Bool
}

extension ScreenGroup {
  /// Shows the alerts of a screen, and plays the playlist of the first of them that has one.
  func showAlerts(on screen: ScreenSession) {
    let alerts = alerts?.shown.filter { $0.screen == nil || $0.screen == screen.name } ?? []
    screen.show(alerts.map { ShownAlert($0.text, id: $0.id, isInstead: $0.isInstead, isTest: $0.isTest) })
    let usual = screen.content.takeover?.usual ?? screen.options
    let playlist = alerts.lazy.compactMap(\.playlist).first { usual.playing(only: $0) != nil }
    guard playlist != screen.content.takeover?.playlist else { return }
    screen.turn {
      if let playlist { play(playlist, on: screen, usual) } else { giveBack(screen) }
    }
  }

  /// Applies new options. The playlist of an alert goes on, if they still have it.
  func apply(_ options: KioskOptions, on screen: ScreenSession) {
    screen.content.takeover?.usual = options
    if let takeover = screen.content.takeover, let only = options.playing(only: takeover.playlist) {
      screen.apply(only)
    } else if screen.content.takeover != nil {
      giveBack(screen)
    } else {
      screen.apply(options)
    }
  }

  private func play(_ playlist: String, on screen: ScreenSession, _ usual: KioskOptions) {
    guard let only = usual.playing(only: playlist) else { return }
    // A clip, or a picture that is held, would go on in the alert's list.
    screen.feedInteraction(.commanded(.release))
    screen.content.takeover =
      screen.content.takeover
      ?? AlertTakeover(
        playlist: playlist, usual: usual, place: .init(of: screen), isPlaying: screen.machine.wantsToPlay)
    screen.content.takeover?.playlist = playlist
    screen.apply(only)
    screen.engine.feed(.playRequested)
  }

  private func giveBack(_ screen: ScreenSession) {
    guard let before = screen.content.takeover else { return }
    screen.feedInteraction(.commanded(.release))
    screen.content.takeover = nil
    screen.apply(before.usual)
    let entries = screen.machine.queue.entries
    if let place = before.place, entries.indices.contains(place.index),
      entries[place.index].item.uri == place.address
    {
      screen.engine.feed(.itemSelected(entries[place.index].id))
      if place.position > .zero { screen.engine.feed(.seekRequested(to: place.position, .exact)) }
    }
    screen.engine.feed(before.isPlaying ? .playRequested : .pauseRequested)
  }
}

extension AlertTakeover.Place {
  /// Nil in the visitors' list, which ends.
  fileprivate init?(of screen: ScreenSession) {
    let machine = screen.machine
    guard screen.content.attractLoop == nil, let place = machine.place, let index = machine.queue.index(of: place.item),
      let item = machine.queue.entry(place.item)?.item
    else { return nil }
    self.init(index: index, address: item.uri, position: place.position)
  }
}

extension KioskOptions {
  /// These options with one playlist of the configuration in place of all others, round and round; nil where it has no
  /// items.
  fileprivate func playing(only playlist: String) -> KioskOptions? {
    guard let items = clips[playlist], !items.isEmpty else { return nil }
    var only = self
    (only.queue, only.visitorsQueue, only.listName) = (items, [], playlist)
    (only.shufflesQueue, only.shufflesVisitors) = (false, false)
    only.settings.playback.loop = true
    return only
  }
}
