public import PlaybackCore

/// The numbers of this module's errors. They are stable across releases; docs/errors.md explains them.
public enum ErrorNumber: Int, Hashable, Sendable, CaseIterable {
  /// The configuration has faults; the diagnostics list them.
  case configurationInvalid = 1001
  /// The configuration that was asked for doesn't exist.
  case configurationMissing = 1002
  /// The configuration lists nothing to play.
  case nothingListed = 1003
  /// The system doesn't know the time zone of the schedule.
  case timeZoneUnknown = 1004
  /// The files hold a configuration that has been rolled back.
  case configurationRejected = 1005
  /// A language's file has faults, and English is shown in its place.
  case languageInvalid = 1006
  /// No such file or directory.
  case mediaMissing = 1101
  /// A directory in which nothing can be played.
  case directoryWithoutMedia = 1102
  /// A playlist in which nothing is listed.
  case playlistEmpty = 1103
  /// A URI that is malformed or of a scheme that isn't played.
  case uriInvalid = 1104
  /// The file exists, but reading it fails: a device, a disk fault.
  case unreadable = 1105
  /// Playlists that include each other, are nested too deeply, or list too much.
  case playlistTooLarge = 1106
  /// The file exists, but the player has no permission to read it.
  case noPermission = 1107
  /// A USB stick names a file outside itself, or one that may: a link, another folder, a manifest that lists other
  /// addresses.
  case outsideStick = 1108

  /// The exit status in the convention of sysexits when this error ends the program.
  public var exitStatus: Int32 {
    switch self {
    case .configurationInvalid, .configurationMissing, .nothingListed, .timeZoneUnknown,
      .configurationRejected, .languageInvalid:
      78
    case .noPermission: 77
    case .mediaMissing, .directoryWithoutMedia, .playlistEmpty, .uriInvalid, .unreadable, .playlistTooLarge,
      .outsideStick:
      66
    }
  }
}

extension VitrineError {
  init(_ number: ErrorNumber, subject: String, message: String, remedy: String, detail: String = "") {
    self.init(number.rawValue, subject: subject, message: message, remedy: remedy, detail: detail)
  }

  /// Nil for errors of other modules.
  public var configurationNumber: ErrorNumber? { ErrorNumber(rawValue: number) }
}
