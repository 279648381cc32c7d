/// What a dead process has left on an open file that has outlived it: framebuffers, some of them on the screen. Confined to
/// the loop's thread.
final class Leftovers {
  let card: Card
  /// Those that are there yet. Their numbers are given to no others as long as they are.
  private(set) var framebuffers: Set<UInt32>

  /// Everything goes at once but what is shown: a process that dies before its first frame, again and again, piles up
  /// nothing.
  ///
  /// To be made before anything of one's own is made on the file.
  init(on card: Card) {
    self.card = card
    card.dropEvents()
    card.closeHandles()
    framebuffers = (try? card.framebuffers()) ?? []
    let shown = card.shownFramebuffers()
    for id in framebuffers.subtracting(shown) { remove(id) }
  }

  /// Whether a plane shows one of them yet.
  func isShown(onPlane id: UInt32) -> Bool { framebuffers.contains(card.framebuffer(onPlane: id)) }

  /// To be called when planes show something else; those that don't go dark.
  func removeAll() {
    for id in framebuffers { remove(id) }
  }

  private func remove(_ id: UInt32) {
    card.removeFramebuffer(id)
    framebuffers.remove(id)
  }
}
