import Glibc
import MainLoop
import PlaybackCore

/// The CEC line to one screen: a `CECMachine` on an adapter of the kernel. Confined to the loop's thread.
final class CECLine {
  /// For the log.
  enum Note: Hashable, Sendable {
    case machine(CECMachine.Note)
    /// The adapter failed; the screen can't be controlled by CEC any more.
    case failed(DeviceFailure)
  }

  private let adapter: CECAdapter
  private let loop: EventLoop
  private let onNote: (Note) -> Void
  private var machine = CECMachine()
  private var source: EventSource?
  private var timer: EventSource?
  /// The sequence number of the message that is being sent.
  private var sequence: UInt32?

  /// The player's name on the screen (OSD name): 14 characters at most.
  static let name = "Vitrine"

  init(_ adapter: CECAdapter, on loop: EventLoop, onNote: @escaping (Note) -> Void) throws(DeviceFailure) {
    self.adapter = adapter
    self.loop = loop
    self.onNote = onNote
    try adapter.becomePlaybackDevice(name: Self.name)
    // Messages make it readable, events urgent.
    source = loop.watch(fileDescriptor: adapter.descriptor, for: [.readable, .urgent, .failed, .hungUp]) {
      [weak self] events in self?.ready(events)
    }
    feed(.address(try adapter.address()))
  }

  /// Asks the screen to wake and show the player's picture, or to sleep. Returns at once; the same wish again starts
  /// the exchange from the beginning.
  func want(isOn: Bool) { feed(.wanted(isOn: isOn)) }

  func close() {
    source = nil
    timer = nil
  }

  private func ready(_ events: FileEvents) {
    do throws(DeviceFailure) {
      if try adapter.readEvents() { feed(.address(try adapter.address())) }
      while source != nil, let incoming = try adapter.receiveMessage() {
        switch incoming {
        case .message(let message): feed(.received(message))
        case .result(let number, let wasHeard):
          guard number == sequence else { continue }
          sequence = nil
          feed(.sent(wasHeard: wasHeard))
        }
      }
      // An unplugged adapter: its descriptor would stay ready for ever.
      if !events.isDisjoint(with: [.failed, .hungUp]) { fail(DeviceFailure(call: "poll", code: ENODEV)) }
    } catch {
      fail(error)
    }
  }

  private func fail(_ failure: DeviceFailure) {
    guard source != nil else { return }
    close()
    onNote(.failed(failure))
  }

  private func feed(_ event: CECMachine.Event) {
    var events = [event]
    while source != nil, !events.isEmpty {
      for action in machine.handle(events.removeFirst(), at: now) {
        switch action {
        case .tell(let note): onNote(.machine(note))
        case .send(let message):
          do throws(DeviceFailure) {
            sequence = try adapter.send(message)
          } catch {
            // For example, with no cable plugged in: treated like a message without an acknowledgement.
            events.append(.sent(wasHeard: false))
          }
        }
      }
    }
    timer = machine.deadline.map { due in
      loop.after(max(.zero, due - now)) { [weak self] in self?.feed(.time) }
    }
  }

  private var now: Instant { Instant(nanoseconds: EventLoop.monotonicNanoseconds()) }
}
