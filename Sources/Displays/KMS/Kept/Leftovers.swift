/// Framebuffers that a dead process left on an open file, some of them on the screen. Confined to the loop's thread.
final class Leftovers {
  let card: Card
  /// Framebuffers that still exist. The kernel doesn't reuse their numbers meanwhile.
  private(set) var framebuffers: Set<UInt32>

  /// Removes all framebuffers that aren't on the screen at once: processes that die again and again before their first
  /// frame must not pile up memory.
  ///
  /// Must be made before this process makes objects of its own on the file.
  init(on card: Card) {
    self.card = card
    card.dropEvents()
    card.closeHandles()
    framebuffers = (try? card.framebuffers()) ?? []
    let shown = card.shownFramebuffers()
    for id in framebuffers.subtracting(shown) { remove(id) }
  }

  /// Whether a plane still shows one of them.
  func isShown(onPlane id: UInt32) -> Bool { framebuffers.contains(card.framebuffer(onPlane: id)) }

  /// Removes them all. Must be called after planes show something else: a plane that still shows one goes dark.
  func removeAll() {
    for id in framebuffers { remove(id) }
  }

  private func remove(_ id: UInt32) {
    card.removeFramebuffer(id)
    framebuffers.remove(id)
  }
}
