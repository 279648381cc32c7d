internal import FileModel

extension FileError {
  /// The number of the media error that this file error causes.
  var mediaNumber: ErrorNumber {
    if reason == .confined { return .outsideStick }
    if case .tooMany = reason { return .playlistTooLarge }
    return isMissing ? .mediaMissing : isPermission ? .noPermission : .unreadable
  }

  /// The remedy of that media error.
  var mediaRemedy: String {
    switch reason {
    case .missing: "check the spelling"
    case .confined: "put the file itself on the stick"
    case .tooMany: "put fewer into one directory"
    case .notRegular, .denied, .full, .system: "make it a file that vitrine may read"
    }
  }
}
