internal import CGStreamerShims
internal import PlaybackCore

// The numbers of the kinds of medium in the C code.

extension vit_medium {
  init(_ medium: ServedMedium?) {
    self =
      switch medium {
      case nil: VIT_MEDIUM_UNKNOWN
      case .hls: VIT_MEDIUM_HLS
      case .dash: VIT_MEDIUM_DASH
      case .picture: VIT_MEDIUM_PICTURE
      case .film: VIT_MEDIUM_FILM
      case .m3u: VIT_MEDIUM_M3U
      case .pls: VIT_MEDIUM_PLS
      case .xspf: VIT_MEDIUM_XSPF
      }
  }
}

extension ServedMedium {
  /// Fails for an unknown number.
  init?(number: guint) {
    guard let medium = Self.allCases.first(where: { vit_medium($0).rawValue == number }) else { return nil }
    self = medium
  }
}
