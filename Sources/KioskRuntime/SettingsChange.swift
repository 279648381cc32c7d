internal import InteractionCore
internal import PlaybackCore

/// What is another thing in one set of options than in another: what has to be done to go over from the one to the other.
///
/// The names say when each takes effect. `vitrine config reference` says it of every key.
struct SettingsChange: OptionSet, Hashable {
  let rawValue: Int

  /// With another output: after the item that plays, or at once where nothing does.
  static let output = SettingsChange(rawValue: 1 << 0)
  /// At the next item: what plays, and how decks are built.
  static let lists = SettingsChange(rawValue: 1 << 1)
  /// From the next deck on: deadlines, buffers, reconnecting.
  static let policy = SettingsChange(rawValue: 1 << 2)
  /// From the next deck on: how servers are reached.
  static let access = SettingsChange(rawValue: 1 << 3)
  /// At once.
  static let volume = SettingsChange(rawValue: 1 << 4)
  /// With the next item, on the same screen.
  static let soundDevice = SettingsChange(rawValue: 1 << 5)
  /// At once.
  static let look = SettingsChange(rawValue: 1 << 6)
  /// At once; what fingers were about to do is let go.
  static let interaction = SettingsChange(rawValue: 1 << 7)
  /// At once: when the bar shows, what HDR films look like at seams, what stays at the end, and the like, which are looked
  /// at when they are needed.
  static let whenNeeded = SettingsChange(rawValue: 1 << 8)
  /// At once: the store is another one, or has other bounds.
  static let store = SettingsChange(rawValue: 1 << 9)
  /// At the next start of the player: the splash is read once.
  static let nextStart = SettingsChange(rawValue: 1 << 10)

  /// At once: the socket is at another path, or there is none any more.
  static let control = SettingsChange(rawValue: 1 << 11)
  /// At once: servers, brokers and what is written down.
  static let telemetry = SettingsChange(rawValue: 1 << 12)

  init(rawValue: Int) { self.rawValue = rawValue }

  init(from old: KioskOptions, to new: KioskOptions) {
    self = []
    if !old.hasSameOutput(as: new) { insert(.output) }
    if old.queue != new.queue || old.visitorsQueue != new.visitorsQueue || old.loops != new.loops
      || old.tracks != new.tracks || old.shufflesQueue != new.shufflesQueue
      || old.shufflesVisitors != new.shufflesVisitors
    {
      insert(.lists)
    }
    if old.policy != new.policy { insert(.policy) }
    if old.access != new.access { insert(.access) }
    if old.sound.volume != new.sound.volume || old.sound.isMuted != new.sound.isMuted { insert(.volume) }
    if old.sound.device != new.sound.device { insert(.soundDevice) }
    if old.look != new.look { insert(.look) }
    if old.interactionNow != new.interactionNow { insert(.interaction) }
    if old.overlay != new.overlay || old.dip != new.dip || old.matchHold != new.matchHold
      || old.keepsLastFrame != new.keepsLastFrame || old.goesOnUnplugged != new.goesOnUnplugged
      || old.sound.fade != new.sound.fade || old.resume != new.resume
    {
      insert(.whenNeeded)
    }
    if old.store != new.store { insert(.store) }
    if old.control != new.control { insert(.control) }
    if old.telemetry != new.telemetry { insert(.telemetry) }
    if old.splashPath != new.splashPath { insert(.nextStart) }
  }
}

extension KioskOptions {
  /// What is heeded, with the lists that there are now.
  var interactionNow: InteractionSettings {
    var settings = interaction
    settings.attract.hasInteractiveList = !visitorsQueue.isEmpty
    return settings
  }
}
