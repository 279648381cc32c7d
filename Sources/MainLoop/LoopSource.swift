import CGLib
import CGLibShims

/// A source attached to a loop's context, together with a reference to the context.
///
/// A source points to its context without holding it. A context that is freed clears that pointer, but not under a
/// lock: a thread that wakes or destroys the source at that moment locks a mutex that has been freed. So each owner of
/// a source holds its context too, and releases it after the source.
///
/// `@unchecked Sendable`: GLib guards sources and contexts with the context's own lock, reference counting is atomic,
/// and the pointers never change.
final class LoopSource: @unchecked Sendable {
  private let source: UnsafeMutablePointer<GSource>?
  private let context: OpaquePointer

  /// Attaches the source and takes over the caller's reference to it.
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

  /// Wakes a source that `vit_wake_source_new` made. May be called on any thread.
  func wake() { if let source { vit_wake_source_wake(source) } }
}
