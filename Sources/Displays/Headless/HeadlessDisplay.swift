public import InteractionCore
public import PlaybackCore

/// A virtual screen: frames stay in memory, and the overlay is kept for composing and for tests.
///
/// Confined to the loop's thread, like every display; needs no device.
public final class HeadlessDisplay: Display {
  public let kind = OutputKind.headless
  public let target: VideoTarget
  public var onEvent: ((DisplayEvent) -> Void)?

  /// The overlay that a real screen would show above the video.
  public private(set) var overlay: OverlayImage?

  /// - Parameter size: the virtual screen's size; must not be empty.
  public init(size: PixelSize) {
    precondition(!size.isEmpty, "a screen has an area")
    target = .memory(size: size)
  }

  public var summary: String { "headless \(target.size.width)x\(target.size.height)" }

  public func showOverlay(_ image: OverlayImage?) { overlay = image }

  public var prepareColour: (@Sendable (VideoColour) -> Void)? { nil }

  public func setPower(_ isOn: Bool) -> Bool { false }

  public func keep(_ picture: [UInt32]) -> String? { "there is no screen" }

  public func videoDidStart() {}

  public func close() {
    overlay = nil
    onEvent = nil
  }
}
