import CGLib
import Foundation
import VitrinePlayback

// The code of the documentation's pages, word for word: see DocumentationTests. What is here compiles.

// VitrinePlayback.md

private func overview(_ display: UInt, _ surface: UInt, _ size: PixelSize) async throws {
  let player = try Player(
    configuration: PlayerConfiguration(
      items: [MediaItem(path: "/srv/clip.mp4")],
      output: .waylandSurface(display: display, surface: surface, size: size)))
  await player.play()
  for await event in player.events() where event == .endOfQueue { break }
  await player.stop()
}

// FirstPlayer.md

func makeList() throws -> Player {
  var items = [MediaItem(path: "/srv/clips/opening.mp4"), MediaItem(path: "/srv/clips/poster.jpg")]
  if let stream = URL(string: "https://example.org/live/clip.m3u8") {
    items.append(MediaItem(url: stream, title: "The stream"))
  }
  return try Player(
    configuration: PlayerConfiguration(
      items: items, loops: true, output: .memory(size: PixelSize(width: 1280, height: 720))))
}

func putFirst(_ item: MediaItem, in player: Player) async {
  guard let shown = player.status.itemID else { return }
  guard let entry = await player.insert(item, after: shown) else { return }
  print("\(entry) follows \(shown)")
  await player.next()
}

func show(_ player: Player) async {
  for await status in player.statuses() {
    print(status.timeText, status.progress.map { "\(Int($0 * 100)) %" } ?? "live")
    if let message = status.message { print(message) }
  }
}

func drag(_ player: Player, along positions: [Duration]) async {
  await player.setScrubbing(true)
  for position in positions { _ = await player.seek(to: position, tolerance: .nearestKeyframe) }
  if let last = positions.last {
    switch await player.seek(to: last) {
    case .finished(let shownAt): print("the frame of \(shownAt)")
    case .superseded: print("somebody else has sought meanwhile")
    case .failed(let error): print(error.line)
    }
  }
  await player.setScrubbing(false)
}

func watch(_ player: Player) async {
  for await event in player.events() {
    switch event {
    case .itemStarted(let entry): print("\(entry) plays")
    case .itemEnded(let entry, let why): print("\(entry) is over: \(why)")
    case .itemFailed(let entry, let error): print("\(entry): \(error.number), \(error.message); \(error.remedy)")
    case .allItemsFailed(let retry): print("nothing can be played", retry.map { "until \($0) from now" } ?? "")
    case .warning(_, let error), .failed(let error): print(error.line)
    default: break
    }
  }
}

// OwnWindow.md

func makePlayer(of item: MediaItem, in window: WindowHandles) throws -> Player {
  try Player(
    configuration: PlayerConfiguration(
      items: [item],
      output: .waylandSurface(display: window.display, surface: window.surface, size: window.size)))
}

struct WindowHandles: Sendable {
  /// The address of GTK's `wl_display`: `gdk_wayland_display_get_wl_display`.
  var display: UInt
  /// The address of the window's `wl_surface`: `gdk_wayland_surface_get_wl_surface`.
  var surface: UInt
  var size: PixelSize
}

func close(_ player: Player, then destroyWindow: @escaping @MainActor @Sendable () -> Void) {
  Task {
    await player.stop()
    onWindowThread(destroyWindow)
  }
}

/// Calls `body` on the thread of GTK's loop, in the order of the calls. Any thread.
func onWindowThread(_ body: @escaping @MainActor @Sendable () -> Void) {
  let run: GSourceFunc = { data in
    guard let data else { return 0 }
    let errand = Unmanaged<Errand>.fromOpaque(data).takeRetainedValue()
    MainActor.assumeIsolated { errand.body() }
    return 0
  }
  g_idle_add(run, Unmanaged.passRetained(Errand(body)).toOpaque())
}

final class Errand: Sendable {
  let body: @MainActor @Sendable () -> Void
  init(_ body: @escaping @MainActor @Sendable () -> Void) { self.body = body }
}
