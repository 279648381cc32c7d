internal import CLinux
internal import FileSystem
internal import MainLoop
internal import PlaybackCore

/// Opens connections by TCP to one machine, one at a time: for cues, and for a projector. Confined to the loop's
/// thread; nothing here waits.
final class MachineConnector {
  /// There is no connection, for this reason.
  struct Failure: Error {
    var reason: String
  }

  private typealias Done = (Result<StreamSocket, Failure>) -> Void

  private let lookup: MachineLookup
  private let loop: EventLoop
  private var opening: (socket: StreamSocket, done: Done)?
  private var writing: EventSource?

  init(to machine: CueReceiver, on loop: EventLoop) {
    self.loop = loop
    lookup = MachineLookup(machine, on: loop)
  }

  /// Calls `done` once, later or at once, unless `giveUp` comes first.
  func open(then done: @escaping (Result<StreamSocket, Failure>) -> Void) {
    lookup.find { [weak self] answer in
      switch answer {
      case .failure(let error): done(.failure(Failure(reason: error.wordsOfLookup)))
      case .success(let address): self?.connect(to: address, done)
      }
    }
  }

  /// Forgets a connection that isn't open yet.
  func giveUp() {
    lookup.giveUp()
    (writing, opening) = (nil, nil)
  }

  private func connect(to address: MachineAddress, _ done: @escaping Done) {
    do throws(SystemNumber) {
      var raw = address.raw
      let socket = StreamSocket(owning: try SystemNumber.checked(vit_socket_connect(&raw)))
      opening = (socket, done)
      writing = loop.watch(fileDescriptor: socket.descriptor, for: .writable) { [weak self] _ in self?.connected() }
    } catch {
      done(.failure(Failure(reason: error.words)))
    }
  }

  private func connected() {
    guard let (socket, done) = opening else { return }
    (writing, opening) = (nil, nil)
    do throws(SystemNumber) {
      _ = try SystemNumber.checked(vit_socket_error(socket.descriptor))
      done(.success(socket))
    } catch {
      done(.failure(Failure(reason: error.words)))
    }
  }
}
