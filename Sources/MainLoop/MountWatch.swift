internal import FileModel
internal import FileSystem

/// Reports that a file system was mounted or unmounted. Confined to the loop's thread.
public final class MountWatch {
  private let file: OpenFile
  private var source: EventSource?

  /// Nil where the kernel doesn't report mounts.
  public init?(on loop: EventLoop, _ handler: @escaping () -> Void) {
    guard let opened = try? OpenFile(reading: FilePath("/proc/self/mountinfo")) else { return nil }
    file = opened
    // The file is always readable; a change of it is an exceptional condition, reported once.
    source = loop.watch(fileDescriptor: file.descriptor, for: .urgent) { _ in handler() }
  }

  deinit {
    // Before the file is closed.
    source?.cancel()
  }
}
