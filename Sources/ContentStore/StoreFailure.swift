internal import PlaybackCore

extension StoreFailure {
  /// Whether the server is at fault, so that its other files would fail too.
  var isOfServer: Bool {
    switch self {
    case .connection, .certificate, .clockNotSet, .silent, .page: true
    case .status(let status, _): status >= 500 || status == 429 || status == 408 || status == 407
    default: false
    }
  }

  /// Whether a wrong clock may be the cause, even one that the kernel counts as set.
  var isOfCertificate: Bool {
    switch self {
    case .certificate, .clockNotSet: true
    default: false
    }
  }

  /// Whether the bytes that came are useless and the partial file must go.
  var spoilsPart: Bool {
    switch self {
    case .page, .list, .noList, .wrongLength, .wrongChecksum, .empty: true
    default: false
    }
  }

  var retryAfter: Duration? {
    guard case .status(_, let retryAfter) = self else { return nil }
    return retryAfter
  }
}
