import CGLibShims
import Glibc

/// Tells when the system's clock has been set, and looks now and then whether it is kept right. Confined to the loop's thread.
public final class ClockWatch {
  private let descriptor: Int32
  private var source: EventSource?
  private var timer: EventSource?

  /// - Parameters:
  ///   - interval: between two looks; nil for none.
  ///   - jumped: somebody has set the clock.
  ///   - looked: whether the kernel knows that something keeps it right.
  public init(
    on loop: EventLoop, every interval: Duration? = nil, jumped: @escaping () -> Void,
    looked: @escaping (Bool) -> Void = { _ in }
  ) {
    let descriptor = vit_clock_jumps_open()
    self.descriptor = descriptor
    timer = interval.map { loop.every($0) { looked(SystemClock.isSynchronised) } }
    guard descriptor >= 0 else { return }
    source = loop.watch(fileDescriptor: descriptor, for: .readable) { _ in
      if vit_clock_jumps_take(descriptor) != 0 { jumped() }
    }
  }

  deinit {
    timer?.cancel()
    source?.cancel()
    if descriptor >= 0 { close(descriptor) }
  }
}
