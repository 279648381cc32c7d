internal import PlaybackCore

extension VisitorTexts {
  /// Part of the program, so that a language's file that is missing or damaged takes no message from a screen.
  /// config/languages/en.toml says the same, for translators to begin with; a test compares the two.
  public static let english: VisitorTexts = {
    var texts = VisitorTexts(language: .english, name: "English")
    _ = texts.plurals.set(.one, to: "n = 1")
    for sentence in VisitorSentence.allCases { texts.sentences[sentence] = forms(of: sentence) }
    for number in VisitorErrors.numbers { texts.errors[number] = text(ofError: number) }
    return texts
  }()

  private static func forms(of sentence: VisitorSentence) -> [PluralCategory: String] {
    switch sentence {
    case .noItemPlayable:
      [
        .one: "The only item of the playlist could not be played.",
        .other: "None of the {count} items of the playlist could be played.",
      ]
    case .nextTry: [.one: "The next try is in {seconds} s.", .other: "The next try is in {seconds} s."]
    case .andMore: [.one: "and {count} more", .other: "and {count} more"]
    case .stickTooManyFiles:
      [.one: "it has more than {count} file", .other: "it has more than {count} files"]
    default: [.other: text(of: sentence)]
    }
  }

  private static func text(of sentence: VisitorSentence) -> String {
    switch sentence.table {
    case .bar: barText(sentence)
    case .messages: messageText(sentence)
    case .choices: choiceText(sentence)
    case .cards: cardText(sentence)
    case .status: statusText(sentence)
    }
  }

  private static func barText(_ sentence: VisitorSentence) -> String {
    switch sentence {
    case .paused: "Paused"
    case .live: "LIVE"
    case .offline: "Offline"
    // No-break spaces: the number and its sign are one.
    case .percent: "{percent}\u{A0}%"
    default: ""
    }
  }

  private static func messageText(_ sentence: VisitorSentence) -> String {
    switch sentence {
    case .muted: "Muted"
    case .volume: "Volume {percent} %"
    case .locked: "Locked"
    case .unlocked: "Unlocked"
    case .cannotMove: "This can't be moved"
    case .noSound: "There is no sound"
    case .noClip: "This clip isn't there"
    case .noItem: "The playlist has no such item"
    case .noFilm: "This film can't be shown now"
    case .captionsOn: "Captions: {track}"
    case .captionsOff: "Captions off"
    case .noCaptions: "There are no captions here"
    case .spokenLanguage: "Language: {track}"
    case .noLanguage: "There is no other language here"
    case .descriptionOn: "Audio description: {track}"
    case .descriptionOff: "Audio description off"
    case .noDescription: "There is no audio description here"
    case .signedOn: "Sign language on"
    case .signedOff: "Sign language off"
    case .noSigned: "There is no sign language here"
    case .noChoices: "There is nothing to choose here"
    case .lastConfigurationPlays: "The configuration can't be used; the last good one plays."
    case .configurationRefused: "The new configuration has errors; the old one stays in use."
    case .configurationRolledBack: "The new configuration was rolled back: {reason}"
    case .stickCopying: "Copying from the USB stick. Please leave it plugged in."
    case .stickCopied: "The USB stick is copied and can be taken out."
    case .stickUnusable: "The USB stick can't be used: {reason}"
    case .stickNotCopied: "The USB stick wasn't copied: {reason}"
    case .stickTooDeep: "{path}: folders are nested more than {count} deep"
    case .stickChanged: "{path}: it changed while it was copied"
    case .stickFull: "it needs {needed} MB and {free} MB are free"
    case .alertTest: "This is a test"
    case .stillThere: "Still there?"
    case .touchToStay: "Touch the screen or a button to stay."
    default: ""
    }
  }

  private static func choiceText(_ sentence: VisitorSentence) -> String {
    switch sentence {
    case .sound: "Sound"
    case .captions: "Captions"
    case .captionLook: "How captions look"
    case .description: "Audio description"
    case .picture: "Picture"
    case .signLanguage: "Sign language"
    case .off: "Off"
    case .sizeNormal: "Normal"
    case .sizeLarge: "Large"
    case .sizeLarger: "Larger"
    case .outline: "Outline"
    case .box: "Box"
    case .highContrast: "High contrast"
    default: ""
    }
  }

  private static func cardText(_ sentence: VisitorSentence) -> String {
    switch sentence {
    case .waitingForNetwork: "Waiting for the network"
    case .itemFailed: "{item}: {error}."
    case .triedAgain: "It is tried again."
    case .nothingPlayable: "Nothing can be played"
    case .playerStopped: "The player has stopped"
    case .playerEnded: "It ended by itself again and again, in safe mode too."
    case .lastEnd: "The last time: {details}."
    case .triedLater: "It is tried again in some minutes."
    case .configurationUnusable: "The configuration can't be used"
    case .fault: "{subject}: {error}"
    case .onDrive: "{file} on the drive {drive}"
    case .onDriveAt: "{file} on the drive {drive}, line {line}, column {column}"
    default: ""
    }
  }

  private static func statusText(_ sentence: VisitorSentence) -> String {
    switch sentence {
    case .healthy: "healthy"
    case .attention: "attention"
    case .trouble: "trouble"
    case .playing: "Playing"
    case .screen: "Screen"
    case .frames: "Frames"
    case .configuration: "Configuration"
    case .store: "Store"
    case .address: "Address"
    case .version: "Version"
    case .mode: "Mode"
    case .lastCrash: "Last crash"
    case .leftOut: "Left out"
    case .nothing: "nothing"
    case .none: "none"
    case .place: "{number} of {count}"
    case .framesShown: "{shown} shown, {dropped} dropped"
    case .stored: "{stored} of {wanted} stored"
    case .megabytes: "{megabytes} MB"
    case .fetching: "fetching {item}"
    case .errorNumber: "error {number}"
    case .runningFor: "{version}, up {hours} h {minutes} min"
    case .safeMode: "safe mode: it died again and again"
    case .stateNone: "none"
    case .stateCandidate: "candidate"
    case .stateConfirmed: "confirmed"
    case .stateRefused: "refused"
    case .stateRolledBack: "rolled back"
    case .stateUnconfirmed: "unconfirmed"
    default: ""
    }
  }

  private static func text(ofError number: Int) -> String {
    switch number {
    case 1002: "no such file or directory"
    case 1003: "it lists nothing to play"
    case 1005: "it was rolled back"
    case 2001: "the server is not answering"
    case 2002: "the stream broke off"
    case 2003: "no data comes any more"
    case 2004: "it was replaced on the server while it played"
    case 2400: "the server refused (HTTP {status})"
    case 2401: "the server doesn't let us have it (HTTP {status})"
    case 2404: "the server doesn't have it (HTTP {status})"
    case 2500: "the server is in trouble (HTTP {status})"
    case 2601: "the server's certificate isn't trusted"
    case 2603: "the server sends from one address to the next without end"
    case 2604: "the server sends to an address that isn't safe"
    case 2611: "the board's clock isn't set, so the server's certificate can't be checked"
    case 3001: "this is not a video, sound or picture file"
    case 3002: "the file is damaged or incomplete"
    case 3003: "it can't be played"
    case 3005: "the server's list names nothing that may be played"
    case 4001: "no decoder for its format is installed"
    case 4101: "no picture and no sound came within the time allowed"
    default: "it can't be opened"
    }
  }
}
