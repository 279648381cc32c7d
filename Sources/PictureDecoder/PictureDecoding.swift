internal import MainLoop
public import PictureFiles
internal import PlaybackCore

/// The frames of one picture, from wherever it is decoded. Belongs to one thread at a time.
public protocol PictureSource: AnyObject {
  /// A frame as people are to see it: upright, on the background. Blocks while it is decoded.
  ///
  /// - Parameters:
  ///   - index: within the animation. Frames are asked for in order, over and over; another order costs.
  ///   - shown: how long the frames before this one are shown, together: so much more time may have been used.
  func frame(_ index: Int, after shown: Duration) throws(PictureProblem) -> Bitmap
}

/// Who decodes pictures: processes of their own, where a program is named that does so, else this process.
///
/// A decoder can't be called off, and what a file does to it it does to its process. A program that shows pictures of strangers names
/// one, before it shows the first: `vitrine` names itself, and so can any other program, wherever `vitrine` is installed.
public enum PictureDecoding {
  private static let helpers = Locked<PictureHelpers?>(nil)

  /// From now on pictures are decoded by processes of that program. Any thread.
  ///
  /// - Parameter program: path of `vitrine`.
  public static func useProcesses(of program: String) {
    helpers.withLock { $0 = PictureHelpers(program: program) }
  }

  /// A picture is about to come: a process for it starts meanwhile. Doesn't wait for it.
  public static func warmUp() { helpers.withLock { $0 }?.warmUp() }

  /// Opens a picture, and decodes what is needed for its first frame. Blocks.
  ///
  /// - Parameters:
  ///   - bytes: the whole file.
  ///   - header: of the same file.
  ///   - background: 0xRRGGBB; where a picture lets something shine through.
  public static func open(
    _ bytes: [UInt8], _ header: PictureHeader, background: UInt32, _ request: PictureRequest
  ) throws(PictureProblem) -> any PictureSource {
    if let helpers = helpers.withLock({ $0 }) {
      return try helpers.open(bytes, header, background: background, request)
    }
    return try PictureFrames(bytes, header, background: background, request)
  }
}
