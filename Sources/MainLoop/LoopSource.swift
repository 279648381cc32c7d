import CGLib
import CGLibShims

/// A source of a loop, with the loop's context, which it needs to its end.
///
/// A source points to its context and doesn't hold it. The context sets that pointer back when it goes, but not under a
/// lock: whoever wakes or destroys the source at that moment, on another thread, locks a mutex that has been freed.
/// So whoever holds a source holds its context too, and lets it go afterwards.
///
/// `@unchecked Sendable`: GLib guards sources and contexts with the context's own lock, reference counting is atomic,
/// and the pointers never change.
final class LoopSource: @unchecked Sendable {
  private let source: UnsafeMutablePointer<GSource>?
  private let context: OpaquePointer

  /// Attaches the source, and takes over the reference to it.
  init(_ source: UnsafeMutablePointer<GSource>?, attachedTo context: OpaquePointer) {
    self.source = source
    self.context = g_main_context_ref(context)
    g_source_attach(source, context)
  }

  deinit {
    g_source_destroy(source)
    g_source_unref(source)
    g_main_context_unref(context)
  }

  /// For one that was made by `vit_wake_source_new`. Any thread.
  func wake() { if let source { vit_wake_source_wake(source) } }
}
