internal import FileModel
internal import FileSystem

/// Tells when anything is mounted or unmounted. Confined to the loop's thread.
public final class MountWatch {
  private let file: OpenFile
  private var source: EventSource?

  /// Nil where the kernel doesn't tell.
  public init?(on loop: EventLoop, _ handler: @escaping () -> Void) {
    guard let opened = try? OpenFile(reading: FilePath("/proc/self/mountinfo")) else { return nil }
    file = opened
    // The file is always readable; a change of it is an exceptional condition, told once.
    source = loop.watch(fileDescriptor: file.descriptor, for: .urgent) { _ in handler() }
  }

  deinit {
    // Before the file is closed, which is the last thing.
    source?.cancel()
  }
}
