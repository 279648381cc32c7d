internal import MainLoop

/// Asks a deck's pipeline for its duration and its ranges.
///
/// A source that updates a live playlist answers after the update, which takes as long as its server is away. On the
/// deck's own worker, a pause that was due meanwhile would come too late: with the data, which then count as late.
final class Inquirer: Sendable {
  private let worker: BlockingWorker
  private let isAsked = Locked(false)

  /// - Parameter worker: runs the questions, in order.
  init(on worker: BlockingWorker) { self.worker = worker }

  func submit(_ question: @escaping BlockingWorker.Work) { worker.submit(question) }

  /// Submits a question, unless one that was submitted so still waits.
  func submitOnce(_ question: @escaping BlockingWorker.Work) {
    let waits = isAsked.withLock { isAsked in
      defer { isAsked = true }
      return isAsked
    }
    guard !waits else { return }
    worker.submit { [isAsked] in
      isAsked.withLock { $0 = false }
      question()
    }
  }

  func finish() { worker.finish() }
}
