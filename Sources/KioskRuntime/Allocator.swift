internal import CLoadedPages
internal import CMalloc
internal import Glibc

/// How the C library's allocator keeps memory.
public enum Allocator {
  /// Has all threads share one arena instead of up to eight for each processor. Each keeps what was freed in it, and decks come with
  /// threads of their own: a process that plays one item after the other grew for hours. See docs/decisions/0058.
  ///
  /// Before other threads start: arenas that there are stay. `MALLOC_ARENA_MAX` of the environment counts if it is set.
  public static func useOneArena() {
    if getenv("MALLOC_ARENA_MAX") == nil { mallopt(M_ARENA_MAX, 1) }
  }

  /// Gives the system what nobody uses, wherever it lies. Whoever allocates meanwhile waits: on a thread that may block.
  public static func giveBack() { malloc_trim(0) }

  /// Lets go of what was read of the program and its libraries so far. A start runs through a lot that a film never needs again: the
  /// reader of configurations, the command line, the constructors of a hundred libraries. What is needed comes back page by page, from the
  /// system's cache. See docs/decisions/0168.
  ///
  /// - Returns: of how many bytes nothing was left in this process for a moment.
  @discardableResult static func giveBackCode() -> Int { vit_give_back_loaded_pages() }
}
