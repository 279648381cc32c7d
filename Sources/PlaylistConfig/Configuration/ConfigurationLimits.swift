/// Every number that the configuration is held to, with its reason.
public enum ConfigurationLimits {
  // MARK: How much is read

  /// Bytes of one text: 100,000 items of 160 bytes each. Anything longer is another kind of file by mistake.
  public static let textBytes = 16 << 20
  /// Values in one text: 100,000 items with nine keys each. A value of two bytes becomes some 400 bytes in memory, so this,
  /// and not the length of the text, is what keeps a hostile file from filling a small board.
  static let values = 1_000_000
  /// Parts that a dotted key may have. The configuration needs four; the rest is room.
  static let keyParts = 16
  /// Characters of a title, a name, a language.
  static let nameCharacters = 1024
  /// Characters of a path or URI: what Linux takes for a path, and twice what browsers take for an address.
  static let addressCharacters = 4096
  /// Elements of a list of words, such as languages.
  static let words = 32
  /// Items that one configuration, list or directory may become: a year of pictures, one every five minutes.
  public static let items = 100_000
  /// Items whose files a running player looks at before it plays: at 8 us each (more on a slow card) a hundredth of a second. Behind
  /// these a file that is called like a medium is taken for one until its turn comes.
  public static let lookedUpItems = 1000
  /// Lists that one entry may lead to, which name each other: a list for each week of many years.
  static let lists = 1000
  /// Bytes of all of them: twice what one may have.
  static let listBytes = 2 * textBytes
  /// Entries of one list, or files of one folder, that `check` tells one by one where they can't be had. Whoever has more has one
  /// problem many times. The player tells one, and counts the rest: its log is read by nobody until something is wrong.
  public static let problemsOfList = 100
  /// Lines that the player writes to its log about one reading of a configuration.
  public static let toldLines = 40
  /// Rules of a schedule, and times at which the screen is off: one a day for a year and a half.
  static let rules = 500
  /// Screens of one board: twice what its cards drive, as a rule.
  static let screens = 8
  /// Files that are read together.
  static let files = 100
  /// Problems that are told; whoever has more has one problem many times.
  static let diagnostics = 1000

  /// Problems whose lines are shown with them.
  static let excerpts = 200
  /// Problems that a reason of one line lists: more isn't read on a card or in a reply.
  static let listedFaults = 5

  // MARK: What values may be

  /// Seconds for which a picture may stay: a frame or so to a day.
  static let pictureSeconds = 0.1...86_400.0
  /// Seconds for a transition: a few frames to what already is a pause.
  static let transitionSeconds = 0.1...5.0
  /// Seconds for which a refresh rate has to hold: 0 changes for every item, a day for next to none.
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
  /// Of rules; room on both sides of 0, which is where a rule is that says nothing.
  static let priority: ClosedRange<Int64> = -1000...1000
  /// Seconds of nothing after which the attract loop comes back: long enough to look for a button, up to a day.
  static let idleSeconds = 5.0...86_400.0
  /// Seconds in gestures: from a frame of a touchscreen to what nobody waits for.
  static let gestureSeconds = 0.02...10.0
  /// Seconds of a finger that tells nothing.
  static let silenceSeconds = 5.0...3600.0
  /// Millimetres of a finger's way: from what a glass can tell to a hand.
  static let gestureMillimetres = 0.5...100.0
  /// Seconds for which the bar stays.
  static let staySeconds = 1.0...3600.0
  /// Smaller isn't read; at three times the size the bar is as large as what it shows, and still holds a title and times.
  static let overlayScale = 0.75...3.0
  /// Seconds without a byte after which a server counts as gone: below one, every slow link fails.
  static let networkSeconds = 1.0...300.0
  /// Seconds of media in memory: at 20 Mbit/s two minutes are 300 MB.
  static let bufferSeconds = 1.0...120.0
  /// Seconds of media that are waited for: more than a visitor waits helps nobody.
  static let markSeconds = 0.2...60.0
  /// Seconds by which a stream is held back.
  static let latencySeconds = 0.0...10.0
  /// Bytes: 64 kB, which is one read, to what no board has.
  static let storeBytes: ClosedRange<Int64> = 64_000...1_000_000_000_000_000
  /// Seconds between two reports to a server: below ten they are a load, after an hour nobody knows anything.
  static let postSeconds = 10.0...3600.0
  /// Seconds between two pictures that go with them.
  static let postPictureSeconds = 0.0...86_400.0
  /// Seconds between two questions about the same file: below ten, it is a load; a month is never.
  static let checkSeconds = 10.0...2_592_000.0
}
