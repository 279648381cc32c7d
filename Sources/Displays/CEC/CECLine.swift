import Glibc
import MainLoop
import PlaybackCore

/// The CEC line to one screen: a `CECMachine` on an adapter of the kernel. Confined to the loop's thread.
final class CECLine {
  /// For the log.
  enum Note: Hashable, Sendable {
    case machine(CECMachine.Note)
    /// The adapter has failed; the screen is controlled no more.
    case failed(CECFailure)
  }

  private let adapter: CECAdapter
  private let loop: EventLoop
  private let onNote: (Note) -> Void
  private var machine = CECMachine()
  private var source: EventSource?
  private var timer: EventSource?
  /// Of the message that is under way.
  private var sequence: UInt32?

  /// What the screen calls us: 14 characters at most.
  static let name = "Vitrine"

  init(_ adapter: CECAdapter, on loop: EventLoop, onNote: @escaping (Note) -> Void) throws(CECFailure) {
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

  /// Has the screen wake and show our picture, or sleep. Returns at once; the same as before begins anew.
  func want(isOn: Bool) { feed(.wanted(isOn: isOn)) }

  func close() {
    source = nil
    timer = nil
  }

  private func ready(_ events: FileEvents) {
    do throws(CECFailure) {
      if try adapter.takeEvents() { feed(.address(try adapter.address())) }
      while source != nil, let incoming = try adapter.receiveMessage() {
        switch incoming {
        case .message(let message): feed(.received(message))
        case .result(let number, let wasHeard):
          guard number == sequence else { continue }
          sequence = nil
          feed(.sent(wasHeard: wasHeard))
        }
      }
      // An adapter that was pulled out: its descriptor would wake us for ever.
      if !events.isDisjoint(with: [.failed, .hungUp]) { fail(CECFailure(call: "poll", code: ENODEV)) }
    } catch {
      fail(error)
    }
  }

  private func fail(_ failure: CECFailure) {
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
          do throws(CECFailure) {
            sequence = try adapter.send(message)
          } catch {
            // Such as while nothing is plugged in: as if nobody had heard.
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
