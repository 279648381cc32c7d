public import FileModel
internal import Glibc

/// A lock file that one process at a time holds. The kernel releases the lock when its holder ends, for whatever
/// reason, so a leftover file locks no process out. Child processes don't inherit the lock (O_CLOEXEC).
public final class FileLock: Sendable {
  private let file: OpenFile

  private init(_ file: consuming OpenFile) { self.file = file }

  public enum Outcome: Sendable {
    case taken(FileLock)
    /// Held by the process of this number; nil where the file doesn't name it.
    case held(by: Int32?)
  }

  /// Takes the lock. Makes the file if it is missing, for this user alone. A read-only file will do: locking writes
  /// nothing to the disk.
  ///
  /// - Throws: the file is a link, isn't regular, is missing and can't be made, or is on a file system without locks.
  public static func acquire(_ path: FilePath) throws(FileError) -> Outcome {
    let file = try open(path)
    guard try file.status().kind == .regular else { throw FileError(.notRegular) }
    let descriptor = file.descriptor
    while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
      if errno == EINTR { continue }
      guard errno == EWOULDBLOCK else { throw .ofLastCall() }
      let text = (try? file.bytes(at: 0, count: 16)) ?? []
      return .held(by: Int32(String(decoding: text.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)))
    }
    // Written for processes that find the lock held. A read-only file keeps the number of an earlier holder.
    if ftruncate(descriptor, 0) == 0 { try? file.write("\(getpid())\n".utf8) }
    return .taken(FileLock(file))
  }

  private static func open(_ path: FilePath) throws(FileError) -> OpenFile {
    do throws(FileError) {
      return try OpenFile(path, O_RDWR | O_CREAT | O_NOFOLLOW, mode: 0o600)
    } catch {
      // A read-only disk, or another user's file.
      do throws(FileError) { return try OpenFile(readingUnlinked: path) } catch let second {
        throw second.isMissing ? error : second
      }
    }
  }
}
