import CGtk
import Foundation
import VitrinePlayback

/// Prints a line without buffering, so that it appears at once in a file too.
private func say(_ line: String) { FileHandle.standardOutput.write(Data("\(line)\n".utf8)) }

/// A window that a film fills. Everything except the tasks runs on GTK's thread.
@MainActor
final class FilmWindow {
  private let window: UnsafeMutablePointer<GtkWidget>
  private let item: MediaItem
  fileprivate let loop: OpaquePointer
  private var player: Player?
  private(set) var exitCode: Int32 = 0

  init(_ window: UnsafeMutablePointer<GtkWidget>, playing item: MediaItem, loop: OpaquePointer) {
    self.window = window
    self.item = item
    self.loop = loop
  }

  func present() {
    let here = Unmanaged.passUnretained(self).toOpaque()
    let closed: @convention(c) (OpaquePointer, UnsafeMutableRawPointer) -> gboolean = { _, data in
      let here = UInt(bitPattern: data)
      MainActor.assumeIsolated { FilmWindow.at(here)?.close() }
      return 1  // it goes when the player has let go of it
    }
    connect_signal(window, "close-request", unsafeBitCast(closed, to: GCallback.self), here)
    present_window(window)
    guard let surface = surface_of(window) else { return fail("no surface") }
    // The compositor decides the window's size.
    let sized: @convention(c) (OpaquePointer, gint, gint, UnsafeMutableRawPointer) -> Void = { _, width, height, data in
      let here = UInt(bitPattern: data)
      MainActor.assumeIsolated { FilmWindow.at(here)?.fill(PixelSize(width: Int(width), height: Int(height))) }
    }
    connect_signal(UnsafeMutableRawPointer(surface), "layout", unsafeBitCast(sized, to: GCallback.self), here)
  }

  fileprivate static func at(_ address: UInt) -> FilmWindow? {
    UnsafeRawPointer(bitPattern: address).map { Unmanaged<FilmWindow>.fromOpaque($0).takeUnretainedValue() }
  }

  /// Makes the player, once: another size would need another player.
  private func fill(_ size: PixelSize) {
    guard player == nil else { return }
    guard let surface = surface_of(window), let handle = wayland_surface_of(surface),
      let display = wayland_display_of(surface)
    else { return fail("this is for Wayland") }
    do {
      let player = try Player(
        configuration: PlayerConfiguration(
          items: [item],
          output: .waylandSurface(display: UInt(bitPattern: display), surface: UInt(bitPattern: handle), size: size)))
      self.player = player
      let here = UInt(bitPattern: Unmanaged.passUnretained(self).toOpaque())
      Task.detached {
        let events = player.events()
        await player.play()
        for await event in events {
          switch event {
          case .itemStarted:
            say("plays on \(size.width)x\(size.height)")
            onMainThread(here) { $0.redraw() }
          case .itemFailed(_, let error), .failed(let error): onMainThread(here) { $0.fail(error.line) }
          case .endOfQueue: onMainThread(here) { $0.close() }
          default: break
          }
        }
      }
    } catch {
      fail(error.line)
    }
  }

  /// Draws the window, which makes the film's new subsurface visible.
  private func redraw() { gtk_widget_queue_draw(window) }

  private func fail(_ line: String) {
    say(line)
    exitCode = 65
    close()
  }

  /// Ends the loop once the player no longer uses the surface.
  private func close() {
    guard let player else { return g_main_loop_quit(loop) }
    let here = UInt(bitPattern: Unmanaged.passUnretained(self).toOpaque())
    Task.detached {
      await player.stop()
      onMainThread(here) { g_main_loop_quit($0.loop) }
    }
  }
}

/// Work on a window that is passed to GTK's thread.
private final class Errand: Sendable {
  let window: UInt
  let body: @MainActor @Sendable (FilmWindow) -> Void

  init(_ window: UInt, _ body: @escaping @MainActor @Sendable (FilmWindow) -> Void) {
    self.window = window
    self.body = body
  }

  @MainActor func run() { if let window = FilmWindow.at(window) { body(window) } }
}

/// Runs `body` on GTK's thread. Any thread.
private func onMainThread(_ window: UInt, _ body: @escaping @MainActor @Sendable (FilmWindow) -> Void) {
  let run: GSourceFunc = { data in
    guard let data else { return 0 }
    let errand = Unmanaged<Errand>.fromOpaque(data).takeRetainedValue()
    MainActor.assumeIsolated { errand.run() }
    return 0
  }
  g_idle_add(run, Unmanaged.passRetained(Errand(window, body)).toOpaque())
}
