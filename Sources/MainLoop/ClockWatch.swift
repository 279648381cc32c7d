import CGLibShims
import Glibc

/// Reports that the system's clock was set, and polls whether it is kept right. Confined to the loop's thread.
public final class ClockWatch {
  private let descriptor: Int32
  private var source: EventSource?
  private var timer: EventSource?

  /// - Parameters:
  ///   - interval: time between two polls; nil for none.
  ///   - jumped: called when the clock was set.
  ///   - looked: called at each poll, with whether the kernel reports that its clock is kept right.
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
