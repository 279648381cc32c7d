/// Every number that the configuration is held to, with its reason.
public enum ConfigurationLimits {
  // MARK: How much is read

  /// Bytes of one text: 100,000 items of 160 bytes each. Anything longer is another kind of file by mistake.
  public static let textBytes = 16 << 20
  /// Values in one text: 100,000 items with nine keys each. A value of two bytes takes some 400 bytes in memory, so
  /// this limit, and not that of the text's length, protects a small board's memory.
  static let values = 1_000_000
  /// Parts that a dotted key may have. The configuration needs four; the rest is room.
  static let keyParts = 16
  /// Characters of a title, a name, a language.
  static let nameCharacters = 1024
  /// Characters of a path or URI: the limit of Linux for paths, and twice the limit of browsers for addresses.
  static let addressCharacters = 4096
  /// Elements of a list of words, such as languages.
  static let words = 32
  /// Items of one configuration, list or directory: a year of pictures, one every five minutes.
  public static let items = 100_000
  /// Items whose files a running player reads before it starts: at 8 us each (more on a slow card) a hundredth of a
  /// second. Later items are judged by their names until their turn comes.
  public static let lookedUpItems = 1000
  /// Lists that one entry may lead to by way of others: a list for each week of many years.
  static let lists = 1000
  /// Bytes of all those lists: twice the limit of one.
  static let listBytes = 2 * textBytes
  /// Entries of one list, or files of one folder, that `check` reports one by one if they can't be opened; more than
  /// these have one common cause. The player logs one of them and the number of the others: its log has to stay
  /// readable.
  public static let problemsOfList = 100
  /// Lines that the player writes to its log about one reading of a configuration.
  public static let toldLines = 40
  /// Rules of a schedule, and times at which the screen is off: one a day for a year and a half.
  static let rules = 500
  /// Alerts: more sentences aren't read, and don't fit on a screen.
  public static let alerts = 5
  /// Cues: a show of an hour with one every four seconds.
  static let cues = 1000
  /// Characters of a cue's text: a line for a device, or a small document for a web server.
  static let cueCharacters = 1000
  /// Seconds of a pulse: a relay needs some hundredths; a longer one than three seconds holds up those behind it.
  static let pulseSeconds = 0.01...3.0
  /// Screens of one board: twice what its cards drive, as a rule.
  static let screens = 8
  /// Files that are read together.
  static let files = 100
  /// Problems that are reported; a file with more has one mistake many times.
  static let diagnostics = 1000

  /// Problems that are shown with their line of the file.
  static let excerpts = 200
  /// Problems that a reason of one line lists: more isn't read on a card or in a reply.
  static let listedFaults = 5

  // MARK: What values may be

  /// Seconds for which a picture may stay: a frame or so to a day.
  static let pictureSeconds = 0.1...86_400.0
  /// Seconds for a transition: from a few frames to a noticeable pause.
  static let transitionSeconds = 0.1...5.0
  /// Seconds for which a refresh rate has to be needed: with 0 it changes for every item, with a day almost never.
  static let holdSeconds = 0.0...86_400.0
  /// Seconds within an item: a day is longer than any film.
  static let mediumSeconds = 0.0...86_400.0
  /// 0 is silent, 1 as recorded. More would clip.
  static let volume = 0.0...1.0
  /// Seconds by which sound may be moved; see `SoundSettings.offsetRange`.
  static let soundOffsetSeconds = -1.0...1.0
  /// Seconds of a fade: longer than that is a programme of its own.
  static let fadeSeconds = 0.0...60.0
  /// Times that an item plays in a row.
  static let repeats: ClosedRange<Int64> = 1...1000
  /// Times that a moving picture plays: a second of it for a day.
  static let loops: ClosedRange<Int64> = 1...100_000
  /// Of rules, with room on both sides of 0, the default.
  static let priority: ClosedRange<Int64> = -1000...1000
  /// Seconds of nothing after which the attract loop comes back: long enough to look for a button, up to a day.
  static let idleSeconds = 5.0...86_400.0
  /// Seconds for which the end of a visit is announced: beyond a minute the card would be in the way.
  static let countdownSeconds = 0.0...60.0
  /// Seconds for which the bar stays.
  static let staySeconds = 1.0...3600.0
  /// Seconds of debounce: with less than 5 ms a loose contact could give hundreds of presses a second; with more than a
  /// second a press has no effect.
  static let debounceSeconds = 0.005...1.0
  /// Seconds of a long press: a shorter one is a usual press, and people let go before a longer one.
  static let longPressSeconds = 0.3...30.0
  /// Below 0.75 texts can't be read; at three times the usual size the bar still has room for a title and times.
  static let overlayScale = 0.75...3.0
  /// Millimetres of the bar above the lower edge: the tallest screens, of 98 inches and upright, measure 2.2 m.
  static let overlayHeight = 0.0...2200.0
  /// Seconds without a byte after which a server counts as gone: with less than one, every slow link fails.
  static let networkSeconds = 1.0...300.0
  /// Seconds of media in memory: at 20 Mbit/s two minutes are 300 MB.
  static let bufferSeconds = 1.0...120.0
  /// Seconds by which a stream is held back.
  static let latencySeconds = 0.0...10.0
  /// Bytes: from 64 kB, which is one read, to more than any board has.
  static let storeBytes: ClosedRange<Int64> = 64_000...1_000_000_000_000_000
  /// Seconds between two reports to a server: below ten they burden it; with more than an hour, a failed board goes
  /// unnoticed.
  static let postSeconds = 10.0...3600.0
  /// Seconds between two pictures that go with them.
  static let postPictureSeconds = 0.0...86_400.0
  /// Seconds between two requests for the same file: less than ten burdens the server; a month is as good as never.
  static let checkSeconds = 10.0...2_592_000.0
}
