import CWaylandClient
public import InteractionCore
public import MainLoop
public import PlaybackCore

/// A fullscreen window of a Wayland compositor.
///
/// Three layers: the opaque black window T; in it the container V, which the video sink fills with a subsurface of its
/// own; and above it the overlay O. The sink gets a container and not T, because its subsurface lies above everything
/// that its parent had before, which would include the overlay.
///
/// Confined to the loop's thread. Only `target` crosses to the sink's threads, as addresses: the surface is valid until
/// `close`, the connection until this object goes. A waylandsink in NULL still holds objects of the connection and
/// destroys them when it is freed: it has to be freed, not only stopped, before this object.
public final class WaylandDisplay: Display, InputSource {
  public let kind = OutputKind.wayland
  public private(set) var target: VideoTarget
  public var onEvent: ((DisplayEvent) -> Void)?
  public var onInput: (([(event: InputEvent, time: Instant)]) -> Void)? {
    didSet { deliverInput() }
  }

  private let connection: WaylandConnection
  private let globals: WaylandGlobals
  private let toplevel: Toplevel
  private let container: Subsurface
  /// One transparent pixel: a surface without a buffer isn't shown, and neither are its subsurfaces.
  private let containerPixel: SharedMemoryBuffer
  private let overlay: OverlaySurface
  private let cursor: CursorSurface
  private var source: EventSource?
  private var isOpen = true

  /// How long the compositor may take for the window's first size.
  private static let openLimit: Int64 = 2_000_000_000
  /// How long a compositor may take to say anything at all when asked whether it is there.
  private static let answerLimit: Int64 = 1_000_000_000

  /// Opens a window on the compositor and waits, at most two seconds, for its size.
  ///
  /// - Parameters:
  ///   - loop: reads the connection from now on; the caller runs on it.
  ///   - socket: name or absolute path of the compositor's socket; nil for WAYLAND_DISPLAY or `wayland-0`.
  ///   - title: the window's title.
  /// - Throws: 5201 to 5207, with the socket's path as the subject.
  public static func open(on loop: EventLoop, socket: String?, title: String) throws(VitrineError) -> WaylandDisplay {
    let deadline = EventLoop.monotonicNanoseconds() + openLimit
    let connection = try WaylandConnection(socket: socket)
    let globals = try WaylandGlobals(connection, until: deadline)
    let toplevel = try Toplevel(title: title, appID: "vitrine", globals)
    guard connection.wait(until: deadline, { toplevel.isConfigured }), let size = try toplevel.acknowledgeConfigure()
    else {
      throw connection.failure ?? WaylandErrors.noConfigure(connection.socketPath)
    }
    let display = try WaylandDisplay(size, toplevel, globals)
    display.read(on: loop)
    return display
  }

  /// Whether a compositor answers on `socket` within a second. May be called on any thread.
  ///
  /// - Parameter socket: as for `open`.
  public static func answers(socket: String?) -> Bool {
    let deadline = EventLoop.monotonicNanoseconds() + answerLimit
    do throws(VitrineError) {
      return try WaylandConnection(socket: socket).roundTrip(until: deadline)
    } catch {
      return false
    }
  }

  private init(_ size: PixelSize, _ toplevel: Toplevel, _ globals: WaylandGlobals) throws(VitrineError) {
    self.globals = globals
    self.toplevel = toplevel
    connection = globals.connection
    container = try Subsurface(of: toplevel.pointer, globals)
    containerPixel = try SharedMemoryBuffer(PixelSize(width: 1, height: 1), hasAlpha: true, globals)
    // After the container, and so above it.
    overlay = try OverlaySurface(above: toplevel, globals)
    cursor = CursorSurface(globals)
    target = .waylandSurface(
      display: UInt(bitPattern: connection.display), surface: UInt(bitPattern: container.pointer), size: size)
    containerPixel.attach(to: container.pointer)
    wl_surface_damage(container.pointer, 0, 0, 1, 1)
    wl_surface_commit(container.pointer)
    toplevel.commit()
  }

  deinit { close() }

  public var summary: String {
    "wayland \(connection.socketPath) \(target.size.width)x\(target.size.height)"
  }

  public var millimetres: PixelSize? { globals.output?.millimetres }

  public func showOverlay(_ image: OverlayImage?) {
    guard isOpen else { return }
    overlay.show(image)
  }

  public func showPointer(_ image: OverlayImage?) {
    guard isOpen else { return }
    globals.seat?.setCursor(image.flatMap { cursor.show($0) })
  }

  /// The compositor converts colours by the sink's own description of its frames.
  public var prepareColour: (@Sendable (VideoColour) -> Void)? { nil }

  public func setPower(_ isOn: Bool) -> Bool { false }

  public func keep(_ picture: [UInt32]) -> String? { "the compositor takes the picture away with the window" }

  /// Weston 10 keeps showing the first frame of a waylandsink that was stopped and started again, until the window
  /// itself is damaged. A new subsurface of the sink, too, is shown only with its parent's commit.
  public func videoDidStart() {
    guard isOpen else { return }
    wl_surface_commit(container.pointer)
    toplevel.touch()
  }

  public func close() {
    guard isOpen else { return }
    isOpen = false
    onEvent = nil
    onInput = nil
    globals.seat?.destroy()
    source?.cancel()
    source = nil
    overlay.destroy()
    cursor.destroy()
    container.destroy()
    toplevel.destroy()
    // The window should go now and not when the last reference to this object does. Should the socket be full, the
    // end of the connection takes the window away.
    _ = connection.flush()
  }

  private func read(on loop: EventLoop) {
    let reader = WaylandReader(connection) { [weak self] in self?.settle() }
    source = loop.join(fileDescriptor: connection.fileDescriptor, reader)
  }

  /// Acts on the events that the listeners have recorded. Calls the owner last, because it may close this display.
  private func settle() {
    guard isOpen else { return }
    if let failure = connection.failure { return lose(failure) }
    if toplevel.isCloseRequested { return lose(WaylandErrors.closed(connection.socketPath)) }
    globals.answerPings()
    overlay.showWaiting()
    deliverInput()
    // The callback may have closed this display.
    guard isOpen else { return }
    do throws(VitrineError) {
      guard let size = try toplevel.acknowledgeConfigure() else { return }
      toplevel.commit()
      guard size != target.size else { return }
      target = .waylandSurface(
        display: UInt(bitPattern: connection.display), surface: UInt(bitPattern: container.pointer), size: size)
      onEvent?(.changed)
    } catch {
      lose(error)
    }
  }

  private func deliverInput() {
    guard isOpen, let onInput, let seat = globals.seat else { return }
    let batch = seat.drainEvents(for: toplevel.pointer)
    if !batch.isEmpty { onInput(batch) }
  }

  /// The screen is gone for good. The surfaces stay until `close`, because the sink may still use them.
  private func lose(_ error: VitrineError) {
    guard source != nil else { return }
    // A broken connection stays readable, and would keep the loop spinning.
    source?.cancel()
    source = nil
    onEvent?(.lost(error))
  }
}
