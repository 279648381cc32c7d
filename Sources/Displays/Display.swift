public import InteractionCore
public import PlaybackCore

/// A screen that shows video in the sink's own surface or plane, and the player's overlay above it.
///
/// Confined to the loop's thread. The display owns the surface, plane or card that `target` names, and keeps it alive
/// until `close`; the video sink must be gone before that.
public protocol Display: AnyObject {
  var kind: OutputKind { get }
  /// One line for people: card or compositor, connector, size, refresh rate.
  var summary: String { get }
  /// The surface, plane or memory that the video sink draws to.
  var target: VideoTarget { get }
  /// The picture's size after rotation, as the screen reports it, true or not; nil if it doesn't.
  var millimetres: PixelSize? { get }
  /// Called on the loop when the screen goes or changes. Set by the display's owner; nil at first.
  var onEvent: ((DisplayEvent) -> Void)? { get set }

  /// Shows `image` above the video in place of what was shown before; nil shows nothing. Returns at once; when the
  /// screen is busy, the newest image wins.
  func showOverlay(_ image: OverlayImage?)

  /// Tells the display whether an error card covers the whole screen or is gone again. A dead process's picture doesn't
  /// stay behind a card for long.
  func cardChanged(isShown: Bool)

  /// Shows a mouse pointer in place of the one before, with its tip at the top left of the image's frame; nil hides it.
  /// The frame may reach beyond the screen. Returns at once. Does nothing if the screen can't show a pointer beside the
  /// overlay.
  func showPointer(_ image: OverlayImage?)

  /// The time at which the overlay picture now on its way to the screen was submitted; nil if none is under way.
  /// Returns at once, whatever hangs.
  var busySince: Instant? { get }

  /// Switches the screen to the colour of the frames that come next; nil if the sink does that itself. Called on the
  /// sink's streaming thread; blocks until the screen has switched: one frame at most.
  var prepareColour: (@Sendable (VideoColour) -> Void)? { get }

  /// The refresh rates among which to choose for each film; nil if the rate is fixed or another program's choice.
  var refresh: ScreenRefresh? { get }

  /// Changes to another of `refresh.rates`. The picture stays until the screen has followed; some screens are dark for
  /// a second or two. Blocks for a change of mode.
  ///
  /// - Returns: for people, why the change failed; nil if it succeeded.
  func setRefresh(_ millihertz: Int) -> String?

  /// The video sink has begun to show frames, after a start or a restart.
  func videoDidStart()

  /// Wakes a screen that may be asleep, because a picture is about to come. Returns at once.
  func wake()

  /// Switches the screen off, or on again although it may still be asleep (see `wake`). No sink may show frames
  /// meanwhile. Blocks for a change of mode.
  ///
  /// - Returns: false if this display has no control of the power.
  func setPower(_ isOn: Bool) -> Bool

  /// Leaves `picture` on the screen after `close`, until another program draws. It is shown at once, below the frames
  /// that the sink still shows.
  ///
  /// - Parameter picture: XRGB pixels of the whole screen after rotation, row by row.
  /// - Returns: for people, why the picture can't stay; nil if it does.
  func keep(_ picture: [UInt32]) -> String?

  /// Reads back the picture that the hardware really composed; nil if the hardware can't. Must run off the loop: it
  /// blocks for some refreshes.
  var writeback: ScreenWriteback? { get }

  /// Removes everything that the display shows and releases the device. A second call does nothing.
  func close()
}

/// Returns XRGB pixels of the whole screen after rotation, row by row.
///
/// - Parameter mayBlink: whether the screen may be dark for a moment for this.
/// - Returns: the pixels, or the driver's refusal for people.
public typealias ScreenWriteback = @Sendable (_ mayBlink: Bool) -> Result<[UInt32], VitrineError>

public enum DisplayEvent: Sendable {
  /// A message for the log.
  case note(String)
  /// The screen is gone for good: the compositor closed, the card was revoked.
  case lost(VitrineError)
  /// The picture is invisible: the screen was unplugged, or replaced by another. The owner must close the display and
  /// open it again; the player keeps the device meanwhile.
  case unplugged(VitrineError)
  /// `target` has changed, for example its size.
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
