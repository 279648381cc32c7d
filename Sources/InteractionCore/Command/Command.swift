public import PlaybackCore

/// All commands that a running player accepts, from every source: a touch, a key, a signal, the control socket, HTTP,
/// MQTT, `vitrine ctl`. `Verb` defines how each is written.
///
/// Each source decides itself whether it is locked: `InteractionMachine` has the lock of touches and keys.
public enum Command: Hashable, Sendable {
  case play
  case pause
  case playPause
  case next
  case previous
  /// Goes to a time in the item, counted from where its play begins; to the exact frame unless told otherwise.
  case seek(to: Duration, SeekTolerance = .exact)
  /// Goes forward by this much; back where negative.
  case skip(by: Duration)
  /// Goes to an item of the playlist, counted from 1.
  case select(number: Int)
  /// Plays the clip at this path or address once, then goes back to the same place in the list. It has no verb: only
  /// the configuration names files, so that a client with the right to control playback can't make the player open any
  /// address.
  case playClip(String)
  /// Plays an item of one of the configuration's playlists once, then goes back to the list where it was.
  case playOnce(ClipRequest)
  /// Keeps the last picture of the item that plays when it ends, until `release` or until another item is chosen.
  case hold
  /// Ends `hold`; without it, ends a clip and goes back to the list where it was.
  case release
  /// Captions of the item that is shown, and of the items after it.
  case captions(TrackRequest)
  /// The language of the sound, and of captions that are on.
  case language(TrackRequest)
  /// Sound that describes the picture, for this item and those after it; nil toggles it.
  case description(Bool?)
  /// The version in sign language, of this item and those after it; nil toggles it.
  case signed(Bool?)
  /// In percent of full volume; negative for quieter.
  case changeVolume(byPercent: Int)
  case toggleMute
  /// In percent of full volume.
  case setVolume(percent: Int)
  case setMuted(Bool)
  case showControls
  /// Shows the tiles that visitors choose a film from, over the loop.
  case showTiles
  /// Opens the panel of sound and captions, or closes it.
  case showChoices
  /// Shows or hides the status card; nil toggles it.
  case showStatus(Bool?)
  /// Hides the bar and the status card.
  case hideOverlay
  /// Shows a line on the screen; an empty text removes it.
  case showMessage(String, for: Duration)
  /// Shows a sentence above all else until its end, also over a restart; on all screens, unless one is named.
  case alert(AlertRequest)
  /// Takes the alert of this id back.
  case endAlert(id: String)
  /// Puts the screens to sleep, with playback held, or wakes them.
  case switchScreen(isOn: Bool)
  /// Retries an item that was skipped because it had ended the process; nil retries all of them.
  case retry(String?)
  /// Reads the configuration again.
  case reload
  /// Ends the run.
  case quit
}

extension Command: CustomStringConvertible {
  /// Whether the command changes the sound. A player without sound refuses such commands.
  public var changesSound: Bool {
    switch self {
    case .changeVolume, .setVolume, .toggleMute, .setMuted: true
    default: false
    }
  }

  /// Whether each screen carries the command out, rather than the whole player. The verb's entry says the same, except
  /// that an alert, which the player keeps, may be for one screen.
  public var isOfScreen: Bool {
    switch self {
    case .reload, .retry, .quit, .alert, .endAlert: false
    default: true
    }
  }

  /// Whether the command may come again at any later time without another effect than at its first: an alert until a
  /// date and time.
  public var isGoodForever: Bool {
    if case .alert(let request) = self { request.until.isDate } else { false }
  }

  /// As bindings spell it; `init(words:)` reads it back.
  public var description: String {
    switch self {
    case .play: "play"
    case .pause: "pause"
    case .playPause: "toggle"
    case .next: "next"
    case .previous: "previous"
    case .seek(let target, let tolerance): "seek \(Self.number(target))\(tolerance == .exact ? "" : " --keyframe")"
    case .skip(let step): "seek \(step < .zero ? "" : "+")\(Self.number(step))"
    case .select(let number): "select \(number)"
    case .playClip(let clip): "play \(clip)"
    case .playOnce(let request): request.words
    case .hold: "hold"
    case .release: "release"
    case .captions(let request): request.words("captions", usual: .toggle)
    case .language(let request): request.words("language", usual: .next)
    case .description(nil): "description"
    case .description(let isOn?): "description \(isOn ? "on" : "off")"
    case .signed(nil): "signed"
    case .signed(let isOn?): "signed \(isOn ? "on" : "off")"
    case .changeVolume(let percent): "volume \(percent < 0 ? "" : "+")\(percent)"
    case .setVolume(let percent): "volume \(percent)"
    case .toggleMute: "mute"
    case .setMuted(let isMuted): "mute \(isMuted ? "on" : "off")"
    case .showControls: "osd controls"
    case .showTiles: "tiles"
    case .showChoices: "choices"
    case .showStatus(nil): "osd toggle-status"
    case .showStatus(true): "osd status"
    case .showStatus(false), .hideOverlay: "osd nothing"
    case .showMessage(let text, _): "message \(text)"
    case .alert(let request): request.words
    case .endAlert(let id): "alert-end\(id == AlertRequest.usualID ? "" : " \(id)")"
    case .switchScreen(let isOn): "screen \(isOn ? "on" : "off")"
    case .retry(let uri): ["retry", uri].compactMap(\.self).joined(separator: " ")
    case .reload: "reload"
    case .quit: "quit"
    }
  }

  /// In seconds; whole numbers without a fraction.
  static func number(_ time: Duration) -> String {
    let seconds = time.inSeconds
    return seconds == seconds.rounded() ? "\(Int64(seconds))" : "\(seconds)"
  }
}

/// The verb of a command, for all sources. A new command needs a case of `Command` with its description, a case of
/// `Verb` with its entry, both in this file, and the code that carries it out: `Command.facts` for playback,
/// `InteractionMachine` for the overlay, `ScreenSession` for a screen, `Kiosk` for the whole player. The control
/// socket, HTTP, MQTT, `vitrine ctl`, keys, gestures, the schema and the table in docs/control.md then have it too.
public enum Verb: String, Hashable, Sendable, CaseIterable {
  case play, pause, toggle, seek, next, previous, select, clip, hold, release, captions, language, description, signed,
    choices, tiles, volume, mute, reload, retry, osd, screen, message, alert
  case alertEnd = "alert-end"
  case quit

  /// A verb's description, arguments, scope and meaning.
  struct Entry {
    /// A sentence for people.
    var summary: String
    var parameters: [CommandParameter] = []
    /// Whether the command can be sent to one of several screens.
    var isOfScreen = true
    /// Makes the command of arguments that their parameters have admitted one by one.
    var command: (CommandArguments) throws(CommandMisuse) -> Command
  }

  var entry: Entry {
    switch self {
    case .play: Entry(summary: "Starts playback, or goes on with it.") { _ in .play }
    case .pause: Entry(summary: "Pauses playback.") { _ in .pause }
    case .toggle:
      Entry(summary: "Pauses playback while it plays, and goes on with it while it is paused.") { _ in .playPause }
    case .seek:
      Entry(summary: "Seeks to a time in the item, or by a step from the current one.", parameters: Self.seekParameters)
      {
        arguments throws(CommandMisuse) in
        switch (arguments.number("to"), arguments.number("by"), arguments.truth("keyframe") ?? false) {
        case (let to?, nil, let isLoose): return .seek(to: .seconds(to), isLoose ? .nearestKeyframe : .exact)
        case (nil, let by?, false): return .skip(by: .seconds(by))
        // The key frame nearest to a step may be the current one.
        case (nil, _?, true): throw CommandMisuse("keyframe goes with to")
        default: throw CommandMisuse("it takes one of to and by")
        }
      }
    case .next: Entry(summary: "Goes to the next item of the playlist.") { _ in .next }
    case .previous: Entry(summary: "Goes to the previous item of the playlist.") { _ in .previous }
    case .select:
      Entry(
        summary: "Goes to an item by its number in the playlist, from 1.",
        parameters: [.init("number", .integer(1...1_000_000), "The item's number.", isRequired: true)]
      ) { .select(number: $0.whole("number") ?? 0) }
    case .clip:
      Entry(
        summary: "Plays an item of a playlist once, whatever plays, then goes back to where that was.",
        parameters: ClipRequest.parameters
      ) { .playOnce(ClipRequest($0)) }
    case .hold:
      Entry(
        summary: "Keeps the last picture of the item or clip that plays when it ends, until `release` or another item."
      ) { _ in .hold }
    case .release:
      Entry(summary: "Ends `hold`. Without it, ends a clip and goes back to where the list was.") { _ in .release }
    case .captions:
      Entry(
        summary:
          "Shows captions or hides them, for this item and those after it; without `show`, from one to the other.",
        parameters: [.init("show", .name, "on, off, next (language), or a language, such as de.")]
      ) { arguments throws(CommandMisuse) in
        guard let word = arguments.text("show") else { return .captions(.toggle) }
        return .captions(try TrackRequest(word, plain: ["on": .on, "off": .off, "next": .next]))
      }
    case .language:
      Entry(
        summary: "Changes the language that is heard, and that of captions that are on; without `to`, to the next one.",
        parameters: [.init("to", .name, "next, or a language, such as de.")]
      ) { arguments throws(CommandMisuse) in
        guard let word = arguments.text("to") else { return .language(.next) }
        return .language(try TrackRequest(word, plain: ["next": .next]))
      }
    case .description:
      Entry(
        summary:
          "Plays the sound that describes the picture, for this item and those after it, or the usual one; without `on`, "
          + "from one to the other.",
        parameters: [.init("on", .boolean, "Whether the audio description is heard.")]
      ) { .description($0.truth("on")) }
    case .signed:
      Entry(
        summary:
          "Shows items in their versions in sign language, this one and those after it, or in the usual ones; without "
          + "`on`, from one to the other.",
        parameters: [.init("on", .boolean, "Whether sign language is shown.")]
      ) { .signed($0.truth("on")) }
    case .choices:
      Entry(
        summary: "Opens the panel where visitors choose the sound, captions and how those look, or closes it."
      ) { _ in .showChoices }
    case .tiles:
      Entry(
        summary: "Shows the films of the visitors' list to choose from, where `[attract]` has `layout = \"tiles\"`."
      ) {
        _ in .showTiles
      }
    case .volume:
      Entry(
        summary: "Sets the volume, or changes it by a step. A step upwards ends a mute.",
        parameters: [
          .init("percent", .integer(0...100), "Of full volume.", place: .withoutSign),
          .init("by", .integer(-100...100), "By how many percent louder; negative is quieter.", place: .withSign),
        ]
      ) { arguments throws(CommandMisuse) in
        switch (arguments.whole("percent"), arguments.whole("by")) {
        case (let percent?, nil): return .setVolume(percent: percent)
        case (nil, let by?): return .changeVolume(byPercent: by)
        default: throw CommandMisuse("it takes one of percent and by")
        }
      }
    case .mute:
      Entry(
        summary: "Mutes the sound, or unmutes it; without `on`, it changes from one to the other.",
        parameters: [.init("on", .boolean, "Whether the sound is muted.")]
      ) { $0.truth("on").map { .setMuted($0) } ?? .toggleMute }
    case .reload:
      Entry(
        summary: "Reads the configuration again. The answer comes at once; `configuration` events tell the result.",
        isOfScreen: false
      ) { _ in .reload }
    case .retry:
      Entry(
        summary: "Tries items again that are left out because they ended the player: one item, or all of them.",
        parameters: [
          .init(
            "uri", .text(CommandLimits.addressCharacters),
            "The item's address as the playlist or `status` shows it. Without it, all of them.")
        ], isOfScreen: false
      ) { .retry($0.text("uri")) }
    case .osd:
      Entry(
        summary: "Shows the bar with the times or the status card, or hides both.",
        parameters: [.init("show", .words(OSDPart.allCases.map(\.rawValue)), "What is shown.", isRequired: true)]
      ) { arguments in
        switch arguments.text("show").flatMap(OSDPart.init) {
        case .controls: .showControls
        case .status: .showStatus(true)
        case .toggleStatus: .showStatus(nil)
        case .nothing, nil: .hideOverlay
        }
      }
    case .screen:
      Entry(
        summary: "Puts the screen to sleep, with playback held, or wakes it.",
        parameters: [.init("on", .boolean, "Whether the screen is awake.", isRequired: true)]
      ) { .switchScreen(isOn: $0.truth("on") ?? true) }
    case .message:
      Entry(
        summary: "Shows a line of text on the screen; an empty text removes it.",
        parameters: [
          .init("text", .text(CommandLimits.messageCharacters), "The line.", isRequired: true),
          .init(
            "seconds", .number(1...CommandLimits.messageSeconds), "For how many seconds it stays. Without it, 10.",
            place: .option("for")),
        ]
      ) { arguments in
        .showMessage(
          arguments.text("text") ?? "", for: arguments.number("seconds").map { .seconds($0) } ?? Self.messageStay)
      }
    case .alert:
      Entry(
        summary: "Shows a sentence above all else until its end, on screens that sleep too, and again after a restart.",
        parameters: AlertRequest.parameters
      ) { arguments throws(CommandMisuse) in .alert(try AlertRequest(arguments)) }
    case .alertEnd:
      Entry(
        summary: "Takes an alert back.",
        parameters: [.init(AlertRequest.idName, .name, "The alert's id. Without it, alert.")], isOfScreen: false
      ) { .endAlert(id: $0.text(AlertRequest.idName) ?? AlertRequest.usualID) }
    case .quit:
      Entry(summary: "Ends the player. A service manager may start it again.", isOfScreen: false) { _ in .quit }
    }
  }

  private static let seekParameters: [CommandParameter] = [
    .init(
      "to", .number(0...CommandLimits.seekSeconds), "Seconds from where the item begins.", place: .withoutSign,
      isTime: true),
    .init(
      "by", .number(-CommandLimits.seekSeconds...CommandLimits.seekSeconds),
      "Seconds from the current time; negative is back.", place: .withSign, isTime: true),
    .init(
      "keyframe", .boolean,
      "With `to`: seek to the nearest key frame, which is shown sooner. Without it, to the exact frame.",
      place: .option("keyframe")),
  ]

  /// How long a message stays by default: it can be read twice, by a person who has to come nearer first.
  public static let messageStay: Duration = .seconds(10)

  /// The parts of the overlay that `osd` shows.
  enum OSDPart: String, CaseIterable {
    case controls, status
    case toggleStatus = "toggle-status"
    case nothing
  }

  public var summary: String { entry.summary }
  public var parameters: [CommandParameter] { entry.parameters }
  public var isOfScreen: Bool { entry.isOfScreen }
}

extension Verb {
  /// The verb's command with these arguments.
  ///
  /// - Throws: what is wrong with the arguments, as the end of a sentence about the verb.
  public func command(_ arguments: CommandArguments) throws(CommandMisuse) -> Command {
    let entry = entry
    try CommandParameter.check(arguments, against: entry.parameters)
    return try entry.command(arguments)
  }
}

extension TrackRequest {
  /// - Parameter plain: the words that aren't languages.
  fileprivate init(_ word: String, plain: [String: TrackRequest]) throws(CommandMisuse) {
    if let request = plain[word] {
      self = request
    } else if let tag = LanguageTag(word), tag.language.utf8.count <= 3 {
      self = .language(tag)
    } else {
      throw CommandMisuse(
        "\(word) is neither a language, such as de, nor \(plain.keys.sorted().joined(separator: ", "))")
    }
  }

  /// - Parameter usual: the request without a word.
  fileprivate func words(_ verb: String, usual: TrackRequest) -> String {
    if self == usual { return verb }
    return switch self {
    case .toggle: verb
    case .on: "\(verb) on"
    case .off: "\(verb) off"
    case .next: "\(verb) next"
    case .language(let tag): "\(verb) \(tag)"
    }
  }
}
