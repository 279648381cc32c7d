public import PlaybackCore

/// The reason for which a picture isn't shown.
public enum PictureProblem: Error, Hashable, Sendable {
  case notAPicture
  case tooManyPixels(PixelSize)
  case tooManyBytes
  case noDecoder(PictureFormat, detail: String)
  case damaged(PictureFormat, detail: String)
  /// Decoding would hold up the screen: the decoder was ended.
  case takesTooLong(PictureFormat)
  /// The picture has ended the process that decodes; how, in the past tense.
  case endedDecoder(PictureFormat, how: String)
  /// There is no process to decode the picture; the reason.
  case noProcess(String)
  /// Decoding was cancelled.
  case cancelled

  /// The problem as an error.
  ///
  /// - Parameter uri: the picture's address.
  public func error(_ uri: String) -> VitrineError {
    switch self {
    case .notAPicture:
      VitrineError(
        3001, subject: uri, message: "this is not a video, sound or picture file",
        remedy: "replace it with such a file; its name may mislead")
    case .tooManyPixels(let size):
      VitrineError(
        3101, subject: uri,
        message: "the picture has \(size.width)x\(size.height) pixels, more than "
          + "\((PictureLimits.allow(size) ? PictureLimits.pixelsOfJXL : PictureLimits.pixels) / 1_000_000) million",
        remedy: "make it smaller; the screen has far fewer")
    case .tooManyBytes:
      VitrineError(
        3102, subject: uri, message: "the picture's file has more than \(PictureLimits.bytes / 1_000_000) MB",
        remedy: "make it smaller, or save it as JPEG or PNG")
    case .noDecoder(let format, let detail):
      VitrineError(
        4201, subject: uri, message: "no decoder for \(format.name) pictures is installed",
        remedy: "install \(format.package), or convert it to JPEG or PNG", detail: detail)
    case .damaged(let format, let detail):
      VitrineError(
        3103, subject: uri, message: "the \(format.name) picture is damaged or incomplete", remedy: "copy it again",
        detail: detail)
    case .takesTooLong(let format):
      VitrineError(
        3104, subject: uri,
        message:
          "the \(format.name) picture takes more than \(PictureLimits.time.components.seconds) s of the processor",
        remedy: "make it smaller or simpler, or save it as JPEG or PNG")
    case .endedDecoder(let format, let how):
      VitrineError(
        3105, subject: uri, message: "the process that decodes pictures \(how) at this \(format.name) picture",
        remedy: "save it again, or as JPEG or PNG")
    case .noProcess(let reason):
      VitrineError(
        7518, subject: uri, message: "the process that decodes pictures doesn't work: \(reason)",
        remedy: "free memory, and see the limits of the service")
    case .cancelled:
      VitrineError(4101, subject: uri, message: "it was given up", remedy: "nothing")
    }
  }
}

extension PictureFormat {
  /// The Debian package whose decoder the player uses.
  public var package: String {
    switch self {
    case .png, .jpeg, .gif, .bmp, .tiff, .tga: "libgdk-pixbuf-2.0-0"
    case .webp: "webp-pixbuf-loader"
    case .svg: "librsvg2-common"
    case .heic: "heif-gdk-pixbuf"
    case .avif: "libavif-gdk-pixbuf"
    case .jxl: "libjxl0.7 (Debian 13: libjxl0.11)"
    }
  }
}
