public import InteractionCore
public import PlaybackCore

/// A screen that shows video in a sink's own surface or plane, and our overlay above it.
///
/// Confined to the loop's thread. The display owns the surface, plane or card that `target` names, and keeps it alive
/// until `close`; the video sink must be gone before that.
public protocol Display: AnyObject {
  var kind: OutputKind { get }
  /// One line for people: card or compositor, connector, size, refresh rate.
  var summary: String { get }
  /// What the video sink is given.
  var target: VideoTarget { get }
  /// Size of the picture as people look at it, as the screen tells it, true or not; nil where it doesn't.
  var millimetres: PixelSize? { get }
  /// Called on the loop when the screen goes or changes. Set by the display's owner; nil at first.
  var onEvent: ((DisplayEvent) -> Void)? { get set }

  /// Shows `image` above the video in place of what was shown before; nil shows nothing. Returns at once; when the
  /// screen is busy, the newest image wins.
  func showOverlay(_ image: OverlayImage?)

  /// What is above the video is all that there is to be seen, or isn't any more: a card says why nothing plays. The picture of a process
  /// that is gone doesn't stay behind it for long.
  func cardChanged(isShown: Bool)

  /// Shows a mouse's arrow in place of the one before, its tip at the top left of the image's frame; nil shows none. The frame
  /// may reach beyond the screen. Returns at once. Nothing happens where a screen can't show one beside the overlay.
  func showPointer(_ image: OverlayImage?)

  /// Since when a picture above the video is on its way to the screen; nil while none is. Returns at once, whatever hangs.
  var busySince: Instant? { get }

  /// Has the screen read the frames that come next as another colour; nil where the sink sees to that. Called on the
  /// sink's streaming thread, and blocks until it is so: a frame at most.
  var prepareColour: (@Sendable (VideoColour) -> Void)? { get }

  /// The refresh rates among which to choose for each film; nil where the rate stays or isn't ours to choose.
  var refresh: ScreenRefresh? { get }

  /// Goes over to another of `refresh.rates`. What is shown stays until the screen has followed, which takes some of them a
  /// second or two in the dark. Blocks for a change of mode.
  ///
  /// - Returns: why not, for people; nil when it is done.
  func setRefresh(_ millihertz: Int) -> String?

  /// The video sink has begun to show frames, after a start or a restart.
  func videoDidStart()

  /// Has a screen that may sleep wake, because there will be a picture. Returns at once.
  func wake()

  /// Switches the screen off, or on again, where it may still sleep (see `wake`). No sink may be showing frames meanwhile. Blocks for a change of mode.
  ///
  /// - Returns: false where this display can't.
  func setPower(_ isOn: Bool) -> Bool

  /// Has `picture` stay on the screen after `close`, until somebody else draws. It is shown at once, below whatever the
  /// sink still shows.
  ///
  /// - Parameter picture: XRGB pixels of the whole screen as people look at it, row by row.
  /// - Returns: why not, for people; nil when it stays.
  func keep(_ picture: [UInt32]) -> String?

  /// Gives what is really on the screen, as the hardware has composed it; nil where it can't. To be called off the loop: it blocks for
  /// some refreshes.
  var writeback: ScreenWriteback? { get }

  /// Takes everything of ours off the screen and gives the device back. Harmless when called twice.
  func close()
}

/// XRGB pixels of the whole screen as people look at it, row by row.
///
/// - Parameter mayBlink: whether the screen may go dark for a moment for it.
/// - Returns: why not, for people, where the driver refuses.
public typealias ScreenWriteback = @Sendable (_ mayBlink: Bool) -> Result<[UInt32], VitrineError>

public enum DisplayEvent: Sendable {
  /// Something that people may want to read in the log.
  case note(String)
  /// The screen is gone for good: the compositor closed, the card was revoked.
  case lost(VitrineError)
  /// Nobody sees the picture: the screen was unplugged, or another one was plugged in. The display is to be closed and
  /// opened again; the device stays ours meanwhile.
  case unplugged(VitrineError)
  /// `target` has changed, such as by another size.
  case changed
}

extension Display {
  public var millimetres: PixelSize? { nil }
  public var busySince: Instant? { nil }
  public func wake() {}
  public var writeback: ScreenWriteback? { nil }
  public func cardChanged(isShown: Bool) {}
  public var refresh: ScreenRefresh? { nil }
  public func setRefresh(_ millihertz: Int) -> String? { "this output doesn't choose its rate" }
  public func showPointer(_ image: OverlayImage?) {}
}
