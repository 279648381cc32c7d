internal import Glibc

/// Reports what happens to the files of some folders (inotify).
///
/// Confined to the loop's thread. A folder that doesn't exist yet is waited for, as long as its parent exists.
public final class DirectoryWatch {
  public enum Event: Hashable, Sendable {
    /// A file is being written: created, or changed and not yet closed.
    case writing(path: String)
    /// A file was closed after writing, renamed, removed, or its folder came or went.
    case settled(path: String)
  }

  private let descriptor: Int32
  private let folders: [String]
  private let tellsFolders: Bool
  private let handler: (Event) -> Void
  private let loop: EventLoop
  private var source: EventSource?
  private var pause: EventSource?
  /// The folder of each inotify watch.
  private var watches: [Int32: String] = [:]

  /// Nil when the system grants no inotify instance.
  ///
  /// - Parameter tellsFolders: whether subfolders are reported as files are.
  public init?(
    _ folders: [String], tellsFolders: Bool = false, on loop: EventLoop, _ handler: @escaping (Event) -> Void
  ) {
    descriptor = inotify_init1(Int32(IN_CLOEXEC) | Int32(IN_NONBLOCK))
    guard descriptor >= 0 else { return nil }
    self.folders = folders
    self.tellsFolders = tellsFolders
    self.handler = handler
    self.loop = loop
    watchFolders()
    listen()
  }

  deinit {
    source?.cancel()
    pause?.cancel()
    close(descriptor)
  }

  private static let events = UInt32(IN_MODIFY | IN_CREATE | IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE)

  /// Watches each folder, or its parent while the folder doesn't exist. Adding a watch twice changes nothing.
  private func watchFolders() {
    for folder in folders {
      let number = inotify_add_watch(descriptor, folder, Self.events)
      if number >= 0 {
        watches[number] = folder
      } else if let slash = folder.lastIndex(of: "/"), slash != folder.startIndex {
        let parent = String(folder[..<slash])
        let number = inotify_add_watch(descriptor, parent, Self.events)
        if number >= 0 { watches[number] = parent }
      }
    }
  }

  /// Debounce: after a read, events are left in the kernel's queue for this long. Writing a large file causes an event
  /// for each block, and without the pause the loop would do nothing else. The kernel keeps the events and merges equal
  /// ones. The pause is short beside the time for which files are left alone before they are read
  /// (`ReloadPolicy.quiet`).
  static let rest: Duration = .milliseconds(100)
  /// Reads in one turn of the loop, of some hundred events each.
  private static let readsPerTurn = 64

  private func listen() {
    source = loop.watch(fileDescriptor: descriptor, for: .readable) { [weak self] _ in self?.read() }
  }

  private func read() {
    source = nil
    pause = loop.after(Self.rest) { [weak self] in self?.listen() }
    var buffer = [UInt8](repeating: 0, count: 16 * 1024)
    for _ in 0..<Self.readsPerTurn {
      let count = buffer.withUnsafeMutableBytes { Glibc.read(descriptor, $0.baseAddress, $0.count) }
      guard count > 0 else { return }
      for event in Self.events(in: buffer[..<count]) { handleRaw(event) }
    }
  }

  private struct Raw {
    var watch: Int32
    var mask: UInt32
    var name: String
  }

  /// Each event is a watch, a mask, a cookie and a length of four bytes each, and a name padded with zeros.
  private static func events(in bytes: ArraySlice<UInt8>) -> [Raw] {
    var events: [Raw] = []
    var rest = bytes
    while rest.count >= 16 {
      let (watch, mask, length) = rest.withUnsafeBytes { raw in
        (
          raw.loadUnaligned(as: Int32.self), raw.loadUnaligned(fromByteOffset: 4, as: UInt32.self),
          raw.loadUnaligned(fromByteOffset: 12, as: UInt32.self)
        )
      }
      let name = rest.dropFirst(16).prefix(Int(length)).prefix { $0 != 0 }
      events.append(Raw(watch: watch, mask: mask, name: String(decoding: name, as: UTF8.self)))
      rest = rest.dropFirst(16 + Int(length))
    }
    return events
  }

  private func handleRaw(_ event: Raw) {
    // The kernel's queue overflowed: events were lost, so everything may have changed.
    if event.mask & UInt32(IN_Q_OVERFLOW) != 0 {
      for folder in folders { handler(.settled(path: folder)) }
      return
    }
    guard let folder = watches[event.watch] else { return }
    if event.mask & UInt32(IN_IGNORED) != 0 {
      watches[event.watch] = nil
      watchFolders()
      return handler(.settled(path: folder))
    }
    let path = "\(folder)/\(event.name)"
    if event.mask & UInt32(bitPattern: Int32(truncatingIfNeeded: IN_ISDIR)) != 0 {
      guard folders.contains(path) || tellsFolders && folders.contains(folder) else { return }
      watchFolders()
      return handler(.settled(path: path))
    }
    // The event is in the parent of a watched folder: only the folder itself matters there, and that was handled above.
    guard folders.contains(folder) else { return }
    let settles = UInt32(IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE)
    handler(event.mask & settles != 0 ? .settled(path: path) : .writing(path: path))
  }
}
