/// A sentence or word that stands on a screen. Each language has a text for every one of them.
///
/// The raw value is its key in a language's file.
public enum VisitorSentence: String, Hashable, Sendable, CaseIterable {
  case paused, live, offline, percent

  case muted, volume, locked, unlocked
  case cannotMove = "cannot_move"
  case noSound = "no_sound"
  case noClip = "no_clip"
  case noItem = "no_item"
  case noFilm = "no_film"
  case captionsOn = "captions_on"
  case captionsOff = "captions_off"
  case noCaptions = "no_captions"
  case spokenLanguage = "spoken_language"
  case noLanguage = "no_language"
  case descriptionOn = "description_on"
  case descriptionOff = "description_off"
  case noDescription = "no_description"
  case signedOn = "signed_on"
  case signedOff = "signed_off"
  case noSigned = "no_signed"
  case noChoices = "no_choices"
  case lastConfigurationPlays = "last_configuration_plays"
  case configurationRefused = "configuration_refused"
  case configurationRolledBack = "configuration_rolled_back"
  case stickCopying = "stick_copying"
  case stickCopied = "stick_copied"
  case stickUnusable = "stick_unusable"
  case stickNotCopied = "stick_not_copied"
  case stickTooManyFiles = "stick_too_many_files"
  case stickTooDeep = "stick_too_deep"
  case stickChanged = "stick_changed"
  case stickFull = "stick_full"
  case alertTest = "alert_test"
  case stillThere = "still_there"
  case touchToStay = "touch_to_stay"

  case sound, captions
  case captionLook = "caption_look"
  case description, off, picture
  case signLanguage = "sign_language"
  case sizeNormal = "size_normal"
  case sizeLarge = "size_large"
  case sizeLarger = "size_larger"
  case outline, box
  case highContrast = "high_contrast"

  case waitingForNetwork = "waiting_for_network"
  case itemFailed = "item_failed"
  case nextTry = "next_try"
  case triedAgain = "tried_again"
  case nothingPlayable = "nothing_playable"
  case noItemPlayable = "no_item_playable"
  case playerStopped = "player_stopped"
  case playerEnded = "player_ended"
  case lastEnd = "last_end"
  case triedLater = "tried_later"
  case configurationUnusable = "configuration_unusable"
  case fault
  case onDrive = "on_drive"
  case onDriveAt = "on_drive_at"
  case andMore = "and_more"

  case healthy, attention, trouble
  case playing, screen, frames, configuration, store, address, version, mode
  case lastCrash = "last_crash"
  case leftOut = "left_out"
  case nothing, none, place
  case framesShown = "frames_shown"
  case stored, megabytes, fetching
  case errorNumber = "error_number"
  case runningFor = "running_for"
  case safeMode = "safe_mode"
  case stateNone = "state_none"
  case stateCandidate = "state_candidate"
  case stateConfirmed = "state_confirmed"
  case stateRefused = "state_refused"
  case stateRolledBack = "state_rolled_back"
  case stateUnconfirmed = "state_unconfirmed"

  /// The tables of a language's file, in its order.
  public enum Table: String, Hashable, Sendable, CaseIterable {
    /// On the bar, the badge and the ring.
    case bar
    /// In the pill at the top, and in a band above all.
    case messages
    /// On the panel of choices.
    case choices
    /// On the cards that say what went wrong.
    case cards
    /// On the status card.
    case status
  }

  public var table: Table {
    switch self {
    case .paused, .live, .offline, .percent: .bar
    case .muted, .volume, .locked, .unlocked, .cannotMove, .noSound, .noClip, .noItem, .noFilm, .captionsOn,
      .captionsOff, .noCaptions, .spokenLanguage, .noLanguage, .descriptionOn, .descriptionOff, .noDescription,
      .signedOn, .signedOff, .noSigned, .noChoices, .lastConfigurationPlays, .configurationRefused,
      .configurationRolledBack, .stickCopying, .stickCopied, .stickUnusable, .stickNotCopied, .stickTooManyFiles,
      .stickTooDeep, .stickChanged, .stickFull, .alertTest, .stillThere, .touchToStay:
      .messages
    case .sound, .captions, .captionLook, .description, .picture, .signLanguage, .off, .sizeNormal, .sizeLarge,
      .sizeLarger, .outline, .box, .highContrast:
      .choices
    case .waitingForNetwork, .itemFailed, .nextTry, .triedAgain, .nothingPlayable, .noItemPlayable, .playerStopped,
      .playerEnded, .lastEnd, .triedLater, .configurationUnusable, .fault, .onDrive, .onDriveAt, .andMore:
      .cards
    case .healthy, .attention, .trouble, .playing, .screen, .frames, .configuration, .store, .address, .version,
      .mode, .lastCrash, .leftOut, .nothing, .none, .place, .framesShown, .stored, .megabytes, .fetching,
      .errorNumber, .runningFor, .safeMode, .stateNone, .stateCandidate, .stateConfirmed, .stateRefused,
      .stateRolledBack, .stateUnconfirmed:
      .status
    }
  }

  /// The placeholders of its text.
  public var placeholders: [String] {
    switch self {
    case .percent, .volume: ["percent"]
    case .captionsOn, .spokenLanguage, .descriptionOn: ["track"]
    case .configurationRolledBack, .stickUnusable, .stickNotCopied: ["reason"]
    case .stickTooManyFiles, .noItemPlayable, .andMore: ["count"]
    case .stickTooDeep: ["count", "path"]
    case .stickChanged: ["path"]
    case .stickFull: ["needed", "free"]
    case .itemFailed: ["item", "error"]
    case .nextTry: ["seconds"]
    case .lastEnd: ["details"]
    case .fault: ["subject", "error"]
    case .onDrive: ["file", "drive"]
    case .onDriveAt: ["file", "drive", "line", "column"]
    case .place: ["number", "count"]
    case .framesShown: ["shown", "dropped"]
    case .stored: ["stored", "wanted"]
    case .megabytes: ["megabytes"]
    case .fetching: ["item"]
    case .errorNumber: ["number"]
    case .runningFor: ["version", "hours", "minutes"]
    default: []
    }
  }

  /// The placeholder by whose number the language chooses between forms; nil for a sentence with one form.
  public var counted: String? {
    switch self {
    case .noItemPlayable, .andMore, .stickTooManyFiles: "count"
    case .nextTry: "seconds"
    default: nil
    }
  }
}
