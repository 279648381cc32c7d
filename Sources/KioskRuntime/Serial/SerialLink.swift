internal import Displays
internal import MainLoop
internal import PlaybackCore

/// One serial line, held open for as long as it is there: its only descriptor, for what comes and for what goes out.
///
/// A line that can't be opened is tried again from time to time, so that an adapter works again when it is plugged in.
/// Opening runs on a thread of its own, because a failing adapter holds it up for seconds. Confined to the loop's
/// thread; nothing here waits.
final class SerialLink {
  enum Event {
    case opened
    case received([UInt8])
    /// The line can't be opened. Told once, and again when the reason changes.
    case failed(VitrineError)
    /// The line was open, and its device is gone.
    case lost
  }

  /// The time between two tries: a person who plugs in an adapter waits a moment, and one that never comes costs a
  /// system call.
  static let retry = Duration.seconds(2)
  /// Bytes that are read in a turn of the loop, some fifty commands: what comes faster waits in the kernel.
  private static let readBytes = 256
  /// Bytes that wait to be sent: four seconds at 9600 bits a second.
  private static let mostWaiting = 4096

  private typealias Done = (String?) -> Void

  let path: String
  let settings: SerialSettings
  private let loop: EventLoop
  private let tell: (Event) -> Void
  private let worker = BlockingWorker()
  private var answers: Mailbox<Result<SerialPort, VitrineError>>?
  private var port: SerialPort?
  private var reading: EventSource?
  private var writing: EventSource?
  private var timer: EventSource?
  private var failure: VitrineError?
  /// Messages that go out one after the other, the first of them perhaps in part.
  private var waiting: [(bytes: ArraySlice<UInt8>, done: Done?)] = []

  /// - Parameter tell: called on the loop, not within this call.
  init(_ path: String, _ settings: SerialSettings, on loop: EventLoop, tell: @escaping (Event) -> Void) {
    self.path = path
    self.settings = settings
    self.loop = loop
    self.tell = tell
    let reference = LoopReference(self, of: loop.executor)
    answers = Mailbox(executor: loop.executor) { reference.value?.answered($0) }
    open()
  }

  deinit {
    answers?.close()
    worker.finish()
  }

  var isOpen: Bool { port != nil }

  // MARK: Sending

  /// Sends bytes after those that wait already.
  ///
  /// - Parameter done: called once with nil when the kernel has all of them, or with the reason why not; not after
  ///   `giveUp`.
  func send(_ bytes: [UInt8], then done: ((String?) -> Void)? = nil) {
    guard port != nil else { return done?(failure?.message ?? "the serial line isn't open") ?? () }
    guard waiting.reduce(bytes.count, { $0 + $1.bytes.count }) <= Self.mostWaiting else {
      return done?("the serial line is busy with what waits already") ?? ()
    }
    waiting.append((bytes[...], done))
    write()
  }

  /// Forgets the messages with somebody who waits for them, as far as they haven't gone out.
  func giveUp() { waiting.removeAll { $0.done != nil } }

  private func write() {
    writing = nil
    while let port, let first = waiting.first {
      switch port.write(first.bytes) {
      case .bytes(let count) where count > 0:
        waiting[0].bytes = first.bytes.dropFirst(count)
        guard waiting[0].bytes.isEmpty else { continue }
        waiting.removeFirst()
        first.done?(nil)
      case .bytes, .later:
        writing = loop.watch(fileDescriptor: port.descriptor, for: .writable) { [weak self] _ in self?.write() }
        return
      case .over: return lose()
      }
    }
  }

  // MARK: The device

  private func open() {
    timer = nil
    worker.submit { [path, settings, answers] in
      do throws(VitrineError) {
        answers?.post(.success(try SerialPort(path, settings)))
      } catch {
        answers?.post(.failure(error))
      }
    }
  }

  private func answered(_ answer: Result<SerialPort, VitrineError>) {
    switch answer {
    case .success(let port):
      failure = nil
      self.port = port
      reading = loop.watch(fileDescriptor: port.descriptor, for: .readable) { [weak self] _ in self?.read() }
      tell(.opened)
    case .failure(let error):
      tryLater()
      guard failure != error else { return }
      failure = error
      tell(.failed(error))
    }
  }

  private func tryLater() { timer = loop.after(Self.retry) { [weak self] in self?.open() } }

  private func read() {
    guard let port else { return }
    let (outcome, bytes) = port.read(atMost: Self.readBytes)
    switch outcome {
    case .bytes: tell(.received(bytes))
    case .later: break
    case .over: lose()
    }
  }

  private func lose() {
    (reading, writing, port) = (nil, nil, nil)
    let lost = waiting
    waiting = []
    tryLater()
    tell(.lost)
    for message in lost { message.done?("the serial line is gone") }
  }
}
