public import Foundation
import Synchronization

/// A pseudo-terminal in place of a serial line: its near end is the device's, its far end is at `path`.
public final class PseudoTerminal: Sendable {
  /// A name of the far end that stays the same, like those in /dev/serial/by-id.
  public let path: String
  private let near: Mutex<Int32>
  private let heard = Mutex<[UInt8]>([])

  /// TIOCSPTLCK and TIOCGPTN: unlockpt and ptsname, which Swift doesn't have.
  private static let (lock, number): (UInt, UInt) = (0x4004_5431, 0x8004_5430)

  public init() throws {
    path = "/dev/shm/vitrine-serial-\(UUID().uuidString)"
    near = Mutex(-1)
    try plugIn()
  }

  deinit { unplug() }

  /// Makes a new far end under the same name.
  public func plugIn() throws {
    let descriptor = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK)
    var (isLocked, number): (Int32, UInt32) = (0, 0)
    guard descriptor >= 0, ioctl(descriptor, Self.lock, &isLocked) == 0, ioctl(descriptor, Self.number, &number) == 0
    else { throw InVain(description: "no pseudo-terminal: \(errno)") }
    near.withLock { $0 = descriptor }
    try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "/dev/pts/\(number)")
  }

  /// Hangs up, and takes the name away.
  public func unplug() {
    unlink(path)
    near.withLock { descriptor in
      if descriptor >= 0 { close(descriptor) }
      descriptor = -1
    }
  }

  public func send(_ text: String) { send(Array(text.utf8)) }

  /// Sends as many of the bytes as the far end has room for.
  ///
  /// - Returns: how many.
  @discardableResult
  public func send(_ bytes: [UInt8]) -> Int { near.withLock { write($0, bytes, bytes.count) } }

  /// All that the far end has sent so far.
  public var text: String {
    heard.withLock { heard in
      var buffer = [UInt8](repeating: 0, count: 4096)
      while case let count = near.withLock({ read($0, &buffer, buffer.count) }), count > 0 {
        heard += buffer.prefix(count)
      }
      return String(decoding: heard, as: UTF8.self)
    }
  }

  /// The settings of the line.
  public var settings: termios {
    var settings = termios()
    _ = near.withLock { tcgetattr($0, &settings) }
    return settings
  }
}
