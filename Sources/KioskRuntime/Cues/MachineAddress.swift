internal import CLinux
internal import FileSystem
internal import Glibc
internal import MainLoop
internal import MediaPipeline
internal import PlaybackCore

/// The address of another machine, with a port.
struct MachineAddress {
  var raw: vit_address

  /// - Returns: nil for a name.
  init?(literal receiver: CueReceiver) {
    raw = vit_address()
    guard vit_socket_resolve(receiver.host, UInt16(receiver.port), 1, &raw) == 0 else { return nil }
  }

  /// Asks the system. Blocks for as long as that takes: not on the loop.
  ///
  /// - Throws: the kernel's number.
  init(lookingUp receiver: CueReceiver) throws(SystemNumber) {
    raw = vit_address()
    _ = try SystemNumber.checked(vit_socket_resolve(receiver.host, UInt16(receiver.port), 0, &raw))
  }
}

/// The address of one receiver, which a thread of its own looks up: a lookup that hangs holds up no other receiver.
/// Confined to the loop's thread.
final class MachineLookup {
  /// An address that is known for longer is asked about again, beside its use: a machine may have got another one.
  private static let lifetime: Duration = .seconds(60)

  private let receiver: CueReceiver
  private var known: (address: MachineAddress, at: Instant?)?
  private let worker = BlockingWorker()
  private var answers: Mailbox<Result<MachineAddress, SystemNumber>>?
  private var isAsking = false
  private var done: ((Result<MachineAddress, SystemNumber>) -> Void)?

  init(_ receiver: CueReceiver, on loop: EventLoop) {
    self.receiver = receiver
    known = MachineAddress(literal: receiver).map { ($0, nil) }
    let reference = LoopReference(self, of: loop.executor)
    answers = Mailbox(executor: loop.executor) { reference.value?.answered($0) }
    // The first cue is to go out at once.
    if known == nil { ask() }
  }

  deinit {
    answers?.close()
    worker.finish()
  }

  /// Calls `done` with the address: at once where it is known, else when the system answers. The last caller wins.
  func find(_ done: @escaping (Result<MachineAddress, SystemNumber>) -> Void) {
    guard let known else {
      self.done = done
      return ask()
    }
    if let at = known.at, Instant.monotonicNow - at > Self.lifetime { ask() }
    done(.success(known.address))
  }

  func giveUp() { done = nil }

  private func ask() {
    guard !isAsking else { return }
    isAsking = true
    worker.submit { [receiver, answers] in
      do throws(SystemNumber) {
        answers?.post(.success(try MachineAddress(lookingUp: receiver)))
      } catch {
        answers?.post(.failure(error))
      }
    }
  }

  private func answered(_ answer: Result<MachineAddress, SystemNumber>) {
    isAsking = false
    if case .success(let address) = answer { known = (address, .monotonicNow) }
    let waiting = done
    done = nil
    waiting?(answer)
  }
}

extension SystemNumber {
  /// The reason of a lookup that failed.
  var wordsOfLookup: String { number == EAGAIN ? "no name server answers" : "no name server knows that name" }
}
