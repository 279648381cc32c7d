internal import PlaybackCore

extension StoreFailure {
  /// Whether another file of the same server would fare no better.
  var isOfServer: Bool {
    switch self {
    case .connection, .certificate, .clockNotSet, .silent, .page: true
    case .status(let status, _): status >= 500 || status == 429 || status == 408 || status == 407
    default: false
    }
  }

  /// Whether the clock may have to do with it, set or not: the kernel may think that a wrong one is kept right.
  var isOfCertificate: Bool {
    switch self {
    case .certificate, .clockNotSet: true
    default: false
    }
  }

  /// Whether what has come is of no use.
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
