internal import MainLoop
public import PictureFiles
public import PlaybackCore

/// The frames of one picture, wherever it is decoded. Used by one thread at a time.
public protocol PictureSource: AnyObject {
  /// Decodes a frame, upright and on the background. Blocks.
  ///
  /// - Parameters:
  ///   - index: within the animation. Frames are meant to be asked for in order, over and over; any other order costs
  ///   time.
  ///   - shown: how long the frames before this one are shown, together: decoding may have used that much more time.
  func frame(_ index: Int, after shown: Duration) throws(PictureProblem) -> Bitmap
}

/// Decodes pictures: in separate processes, where `useProcesses` has set a program for them, else in this process.
///
/// A decoder can't be cancelled, and a file that crashes or hangs its decoder does so to the whole process. A program
/// that shows files of unknown origin sets a program before the first picture: `vitrine` sets itself, as can any other
/// program where `vitrine` is installed. The program `vitrine-pictures` beside it does the work.
/// `vitrine-pictures` beside it does the work.
public enum PictureDecoding {
  private static let helpers = Locked<PictureHelpers?>(nil)

  /// From now on pictures are decoded by processes of that program. Any thread.
  ///
  /// - Parameter program: path of `vitrine`.
  public static func useProcesses(of program: String) {
    helpers.withLock { $0 = PictureHelpers(beside: program) }
  }

  /// Starts a process for a picture that is expected soon. Doesn't wait for it.
  ///
  /// - Parameter format: of the expected picture, where it is known.
  public static func warmUp(_ format: PictureFormat? = nil) { helpers.withLock { $0 }?.warmUp(format) }

  /// Opens a picture and decodes its first frame. Blocks.
  ///
  /// - Parameters:
  ///   - bytes: the whole file.
  ///   - header: the header of the same file.
  ///   - background: 0xRRGGBB: the colour behind transparent pixels.
  public static func open(
    _ bytes: [UInt8], _ header: PictureHeader, background: UInt32, _ request: PictureRequest
  ) throws(PictureProblem) -> any PictureSource {
    if let helpers = helpers.withLock({ $0 }) {
      return try helpers.open(bytes, header, background: background, request)
    }
    return try PictureFrames(bytes, header, background: background, request)
  }
}
