public import FileModel
internal import Glibc

/// A file that one process at a time holds. The kernel lets go of it when its holder ends, however that ends, so a file that is left behind
/// locks nobody out. What the holder starts doesn't hold it (O_CLOEXEC).
public final class FileLock: Sendable {
  private let file: OpenFile

  private init(_ file: consuming OpenFile) { self.file = file }

  public enum Outcome: Sendable {
    case taken(FileLock)
    /// By the process of this number; nil where the file doesn't tell.
    case held(by: Int32?)
  }

  /// Makes the file where it isn't there, for this user alone. A file that can only be read will do: locking writes nothing to the disk.
  ///
  /// - Throws: the file is a link, isn't regular, isn't there and can't be made, or its file system has no locks.
  public static func take(_ path: FilePath) throws(FileError) -> Outcome {
    let file = try open(path)
    guard try file.status().kind == .regular else { throw FileError(.notRegular) }
    let descriptor = file.descriptor
    while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
      if errno == EINTR { continue }
      guard errno == EWOULDBLOCK else { throw .ofLastCall() }
      let text = (try? file.bytes(at: 0, count: 16)) ?? []
      return .held(by: Int32(String(decoding: text.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)))
    }
    // For who finds it held. A file that can only be read keeps the number of an earlier holder.
    if ftruncate(descriptor, 0) == 0 { try? file.write("\(getpid())\n".utf8) }
    return .taken(FileLock(file))
  }

  private static func open(_ path: FilePath) throws(FileError) -> OpenFile {
    do throws(FileError) {
      return try OpenFile(path, O_RDWR | O_CREAT | O_NOFOLLOW, mode: 0o600)
    } catch {
      // A disk that can only be read, or another user's file.
      do throws(FileError) { return try OpenFile(readingUnlinked: path) } catch let second {
        throw second.isMissing ? error : second
      }
    }
  }
}
