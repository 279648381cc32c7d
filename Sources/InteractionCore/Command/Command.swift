public import PlaybackCore

/// Everything that can be asked of a running player, whichever door it comes through: a touch, a key, a signal, the control
/// socket, HTTP, MQTT, `vitrine ctl`. `Verb` says how each is written.
///
/// Whether a door is locked is that door's matter: `InteractionMachine` has the lock of glass and keys.
public enum Command: Hashable, Sendable {
  case play
  case pause
  case playPause
  case next
  case previous
  /// To a place in the item, from where its play begins; to the very frame where nothing else is said.
  case seek(to: Duration, SeekTolerance = .exact)
  /// Forward, or back where negative.
  case skip(by: Duration)
  /// An item of the playlist, from 1.
  case select(number: Int)
  /// Plays this once, then goes back to the list where it was: a path or an address. No verb has it: only the configuration names
  /// files, so that whoever may steer a player can't have it open what he likes.
  case playClip(String)
  /// In percent of full volume; negative is quieter.
  case changeVolume(byPercent: Int)
  case toggleMute
  /// In percent of full volume.
  case setVolume(percent: Int)
  case setMuted(Bool)
  case showControls
  /// Shows the status card, or takes it away; nil does the other of the two.
  case showStatus(Bool?)
  /// Takes bar and status card away.
  case hideOverlay
  /// A line on the screen; an empty one takes it away.
  case showMessage(String, for: Duration)
  /// Screens sleep, with playback held, or wake.
  case switchScreen(isOn: Bool)
  /// Tries an item again that was left out because it ended the process; nil means all of them.
  case retry(String?)
  /// Reads the configuration again.
  case reload
  /// Ends the run.
  case quit
}

extension Command: CustomStringConvertible {
  /// Whether it changes the sound, so that it is refused where there is none.
  public var changesSound: Bool {
    switch self {
    case .changeVolume, .setVolume, .toggleMute, .setMuted: true
    default: false
    }
  }

  /// Whether it is for the screens, and not for the player as a whole.
  public var isOfScreen: Bool {
    Verb(rawValue: String(description.prefix { $0 != " " }))?.isOfScreen ?? true
  }

  /// As bindings write it: `init(words:)` takes it back.
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
    case .changeVolume(let percent): "volume \(percent < 0 ? "" : "+")\(percent)"
    case .setVolume(let percent): "volume \(percent)"
    case .toggleMute: "mute"
    case .setMuted(let isMuted): "mute \(isMuted ? "on" : "off")"
    case .showControls: "osd controls"
    case .showStatus(nil): "osd toggle-status"
    case .showStatus(true): "osd status"
    case .showStatus(false), .hideOverlay: "osd nothing"
    case .showMessage(let text, _): "message \(text)"
    case .switchScreen(let isOn): "screen \(isOn ? "on" : "off")"
    case .retry(let uri): ["retry", uri].compactMap(\.self).joined(separator: " ")
    case .reload: "reload"
    case .quit: "quit"
    }
  }

  /// Seconds, without a fraction where there is none.
  private static func number(_ time: Duration) -> String {
    let seconds = time.inSeconds
    return seconds == seconds.rounded() ? "\(Int64(seconds))" : "\(seconds)"
  }
}

/// The word of a command, for all doors. A new command is a case of `Command` with its description, a case here with its entry, all in
/// this file, and one more place that carries it out: `Command.facts` for playback, `InteractionMachine` for what is above the picture,
/// `ScreenSession` for a screen, `Kiosk` for the player as a whole. The control socket, HTTP, MQTT, `vitrine ctl`, keys, gestures, the
/// schema and the table of docs/control.md follow.
public enum Verb: String, Hashable, Sendable, CaseIterable {
  case play, pause, toggle, seek, next, previous, select, volume, mute, reload, retry, osd, screen, message, quit

  /// What is known of a verb.
  struct Entry {
    /// For people: a sentence.
    var summary: String
    var parameters: [CommandParameter] = []
    /// Whether it can be meant for one screen of several.
    var isOfScreen = true
    /// What the arguments, each of which is admitted by its parameter, mean together.
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
        // The key frame that is nearest to a step may be the one where it is.
        case (nil, _?, true): throw CommandMisuse("keyframe goes with to")
        default: throw CommandMisuse("it takes one of to and by")
        }
      }
    case .next: Entry(summary: "Goes to the next item of the playlist.") { _ in .next }
    case .previous: Entry(summary: "Goes to the item before.") { _ in .previous }
    case .select:
      Entry(
        summary: "Goes to an item by its number in the playlist, from 1.",
        parameters: [.init("number", .integer(1...1_000_000), "From 1.", isRequired: true)]
      ) { .select(number: $0.whole("number") ?? 0) }
    case .volume:
      Entry(
        summary: "Sets the volume, or changes it by a step. A step upwards ends a mute.",
        parameters: [
          .init("percent", .integer(0...100), "Of full volume.", place: .unsigned),
          .init("by", .integer(-100...100), "Percent more; negative is quieter.", place: .signed),
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
        summary: "Mutes the sound, or ends that; without `on`, it does the opposite of what is.",
        parameters: [.init("on", .boolean, "Whether the sound is muted.")]
      ) { $0.truth("on").map { .setMuted($0) } ?? .toggleMute }
    case .reload:
      Entry(
        summary: "Reads the configuration again. The answer comes at once; `configuration` events tell the result.",
        isOfScreen: false
      ) { _ in .reload }
    case .retry:
      Entry(
        summary: "Tries again what was left out because the player died of it: one item, or all of them.",
        parameters: [
          .init(
            "uri", .text(CommandLimits.addressCharacters),
            "The item's address, as the playlist or `status` has it. Without it, all.")
        ], isOfScreen: false
      ) { .retry($0.text("uri")) }
    case .osd:
      Entry(
        summary: "Shows the bar with the times or the status card, or hides both.",
        parameters: [.init("show", .words(OSDPart.allCases.map(\.rawValue)), "What shows.", isRequired: true)]
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
        summary: "Shows a line on the screen; an empty text takes it away.",
        parameters: [
          .init("text", .text(CommandLimits.messageCharacters), "One line.", isRequired: true),
          .init(
            "seconds", .number(1...CommandLimits.messageSeconds), "How long it stays. Without it, 10.",
            place: .option("for")),
        ]
      ) { arguments in
        .showMessage(
          arguments.text("text") ?? "", for: arguments.number("seconds").map { .seconds($0) } ?? Self.messageStay)
      }
    case .quit:
      Entry(summary: "Ends the player. A service manager may start it again.", isOfScreen: false) { _ in .quit }
    }
  }

  private static let seekParameters: [CommandParameter] = [
    .init(
      "to", .number(0...CommandLimits.seekSeconds), "Seconds from where the item begins.", place: .unsigned,
      isTime: true),
    .init(
      "by", .number(-CommandLimits.seekSeconds...CommandLimits.seekSeconds),
      "Seconds from the current time; negative is back.", place: .signed, isTime: true),
    .init(
      "keyframe", .boolean,
      "With `to`: the nearest key frame will do, which shows sooner. Without it, the very frame.",
      place: .option("keyframe")),
  ]

  /// How long a message stays that doesn't say so: it is read twice, by somebody who has to come nearer first.
  public static let messageStay: Duration = .seconds(10)

  /// What `osd` shows.
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
  /// The command that the verb is with these arguments.
  ///
  /// - Throws: what is wrong with them, as the end of a sentence about the verb.
  public func command(_ arguments: CommandArguments) throws(CommandMisuse) -> Command {
    try CommandParameter.check(arguments, against: parameters)
    return try entry.command(arguments)
  }
}
