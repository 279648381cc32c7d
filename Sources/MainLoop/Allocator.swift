internal import CGLibShims
internal import Glibc

/// Settings of the C library's allocator.
package enum Allocator {
  /// Makes all threads share one arena instead of up to eight for each processor. An arena keeps the memory that was
  /// freed in it, and each deck starts threads of its own: a process that played one item after the other grew for
  /// hours. See docs/decisions/0058.
  ///
  /// Call it before other threads start: arenas that exist already stay. `MALLOC_ARENA_MAX` of the environment takes
  /// precedence.
  package static func useOneArena() {
    if getenv("MALLOC_ARENA_MAX") == nil { mallopt(M_ARENA_MAX, 1) }
  }

  /// Returns all unused memory of the heap to the system. Other threads that allocate meanwhile wait, so call it on a
  /// thread that may block.
  package static func giveBack() { malloc_trim(0) }
}
