import CWaylandClient
import Glibc
import InteractionCore
import PlaybackCore

/// The overlay O: a subsurface above the video's, as large as the image it shows, unmapped when it shows nothing.
final class OverlaySurface {
  private let globals: WaylandGlobals
  private let parent: Toplevel
  private let surface: Subsurface
  /// At most three: one on the screen, one on its way there, one to draw into.
  private var buffers: [SharedMemoryBuffer] = []
  private var shown: OverlayImage?
  /// The newest image, while all buffers are busy.
  private var waiting: OverlayImage?

  private static let maximumBuffers = 3

  init(above parent: Toplevel, _ globals: WaylandGlobals) throws(VitrineError) {
    surface = try Subsurface(of: parent.pointer, globals)
    self.globals = globals
    self.parent = parent
  }

  /// Shows `image`, at once or as soon as a buffer is free; nil, or an image without pixels, hides the overlay.
  func show(_ image: OverlayImage?) {
    guard let image, !image.frame.size.isEmpty, image.pixels.count == image.frame.width * image.frame.height else {
      hide()
      return
    }
    waiting = image
    showWaiting()
  }

  /// Must be called after buffers may have been released.
  func showWaiting() {
    // Without memory for a buffer, the image waits for one that is released; the shown one stays.
    guard let image = waiting, let buffer = freeBuffer(image.frame.size) else { return }
    waiting = nil
    let frame = image.frame
    // Only rows that have changed need to be composed again.
    let rows = Self.changedRows(from: shown, to: image)
    if !rows.isEmpty {
      buffer.fill(image.pixels)
      buffer.attach(to: surface.pointer)
      wl_surface_damage(
        surface.pointer, 0, Int32(clamping: rows.lowerBound), Int32(clamping: frame.width),
        Int32(clamping: rows.count))
      wl_surface_commit(surface.pointer)
    }
    // The position is part of the parent's state, and so is the first mapping.
    if shown?.frame.x != frame.x || shown?.frame.y != frame.y {
      surface.setPosition(x: frame.x, y: frame.y)
      parent.commit()
    }
    shown = image
  }

  /// A second call does nothing.
  func destroy() {
    waiting = nil
    surface.destroy()
    buffers = []
  }

  private func hide() {
    waiting = nil
    guard shown != nil else { return }
    shown = nil
    wl_surface_attach(surface.pointer, nil, 0, 0)
    wl_surface_commit(surface.pointer)
  }

  private func freeBuffer(_ size: PixelSize) -> SharedMemoryBuffer? {
    if let buffer = buffers.first(where: { !$0.isBusy && $0.size == size }) { return buffer }
    // Images rarely change their size: buffers of the old size are freed rather than piled up.
    buffers.removeAll { !$0.isBusy && $0.size != size }
    guard buffers.count < Self.maximumBuffers else { return nil }
    guard let buffer = try? SharedMemoryBuffer(size, hasAlpha: true, globals) else { return nil }
    buffers.append(buffer)
    return buffer
  }

  /// The rows of `new` that differ from `old`; all when the sizes do.
  static func changedRows(from old: OverlayImage?, to new: OverlayImage) -> Range<Int> {
    let (width, height) = (new.frame.width, new.frame.height)
    guard let old, old.frame.size == new.frame.size else { return 0..<height }
    return old.pixels.withUnsafeBufferPointer { old in
      new.pixels.withUnsafeBufferPointer { new in
        func isSame(_ row: Int) -> Bool {
          guard let a = old.baseAddress, let b = new.baseAddress else { return false }
          return memcmp(a + row * width, b + row * width, width * 4) == 0
        }
        guard let first = (0..<height).first(where: { !isSame($0) }),
          let last = (first..<height).last(where: { !isSame($0) })
        else { return 0..<0 }
        return first..<last + 1
      }
    }
  }
}
