import CLinux
import FileSystem
import Glibc
public import PlaybackCore

/// A serial line that this process holds alone; the last release closes it. Reading and writing never wait.
///
/// This file is the only one that talks to such devices.
public final class SerialPort: Sendable {
  /// The result of reading or writing.
  public enum Outcome: Hashable, Sendable {
    case bytes(Int)
    /// Nothing could be read or written now.
    case later
    /// The adapter was unplugged, or the other end of a pseudo-terminal closed.
    case over
  }

  public let descriptor: Int32

  /// Opens the line. An adapter that is about to fail can hold this up for seconds: not on the loop.
  ///
  /// - Throws: 7660 where there is no such device, 7661 where this user may not open it, 7662 where another program has
  ///   it, 7663 where it is no serial line or refuses its settings.
  public init(_ path: String, _ settings: SerialSettings) throws(VitrineError) {
    let frame = settings.frame
    let parity =
      switch frame.parity {
      case .none: VIT_SERIAL_PARITY_NONE
      case .even: VIT_SERIAL_PARITY_EVEN
      case .odd: VIT_SERIAL_PARITY_ODD
      }
    let result = vit_serial_open(
      path, UInt32(settings.speed), Int32(frame.bits), Int32(parity), Int32(frame.stops))
    do throws(DeviceFailure) {
      descriptor = try DeviceFailure.check("open", result)
    } catch {
      throw SerialPortErrors.notOpened(path, settings, error)
    }
  }

  deinit { vit_serial_close(descriptor) }

  public func read(atMost limit: Int) -> (outcome: Outcome, bytes: [UInt8]) {
    var count = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: limit) { buffer, initialized in
      guard let base = buffer.baseAddress else { return }
      count = vit_serial_read(descriptor, base, limit)
      initialized = max(0, count)
    }
    return (count == 0 ? .over : Self.outcome(count), bytes)
  }

  public func write(_ bytes: ArraySlice<UInt8>) -> Outcome {
    Self.outcome(bytes.withUnsafeBytes { $0.baseAddress.map { vit_serial_write(descriptor, $0, bytes.count) } ?? 0 })
  }

  private static func outcome(_ result: Int) -> Outcome {
    result >= 0 ? .bytes(result) : result == -Int(EAGAIN) ? .later : .over
  }
}

/// The errors of opening a serial line: 7660 to 7663.
enum SerialPortErrors {
  static func notOpened(_ path: String, _ settings: SerialSettings, _ failure: DeviceFailure) -> VitrineError {
    switch failure.code {
    case ENOENT, ENXIO, ENODEV, EIO:
      VitrineError(
        7660, subject: path, message: "there is no such serial line",
        remedy: "plug the adapter in, or take its name from `ls -l /dev/serial/by-id`; it is looked for again every "
          + "few seconds", detail: failure.description)
    case EACCES, EPERM:
      VitrineError(
        7661, subject: path, message: "this user may not open the serial line",
        remedy: "add the user to the group that owns it (usually dialout) and start the player again; as a service, "
          + "DeviceAllow has to name its kind, too", detail: failure.description)
    case EBUSY:
      VitrineError(
        7662, subject: path, message: "another program has the serial line",
        remedy: "`fuser -v \(path)` names it; end it, or take the line from it; it is tried again every few seconds")
    case ENOTTY:
      VitrineError(
        7663, subject: path, message: "this is no serial line", remedy: "name one, such as /dev/ttyUSB0 or /dev/ttyS0")
    case EINVAL:
      VitrineError(
        7663, subject: path, message: "the serial line can't be set to \(settings)",
        remedy: "its maker says which speeds and frames it has; choose one of them on both sides")
    default:
      VitrineError(
        7663, subject: path, message: "the serial line can't be opened: \(failure.reason)",
        remedy: "unplug the adapter and plug it in again; `dmesg` may tell more")
    }
  }
}
