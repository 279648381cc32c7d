import Glibc

/// Tells when anything is mounted or unmounted. Confined to the loop's thread.
public final class MountWatch {
  private let descriptor: Int32
  private var source: EventSource?

  /// Nil where the kernel doesn't tell.
  public init?(on loop: EventLoop, _ handler: @escaping () -> Void) {
    descriptor = open("/proc/self/mountinfo", O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    // The file is always readable; a change of it is an exceptional condition, told once.
    source = loop.watch(fileDescriptor: descriptor, for: .urgent) { _ in handler() }
  }

  deinit {
    source?.cancel()
    close(descriptor)
  }
}
