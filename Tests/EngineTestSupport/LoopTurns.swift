package import MainLoop

/// Waits until a loop has handled the events posted to it so far. On the loop's thread.
///
/// Made after the mailboxes that it waits for: those of one priority are emptied in the order in which they were made.
package final class LoopTurns {
  private var waiting: [CheckedContinuation<Void, Never>] = []
  private var mailbox: Mailbox<Void>?

  package init(executor: GLibExecutor) {
    let reference = LoopReference(self, of: executor)
    mailbox = Mailbox(executor: executor) { reference.value?.turned() }
  }

  private func turned() {
    guard !waiting.isEmpty else { return }
    waiting.removeFirst().resume()
  }

  package func pass(isolation: isolated (any Actor)? = #isolation) async {
    await withCheckedContinuation { continuation in
      waiting.append(continuation)
      mailbox?.post(())
    }
  }
}
