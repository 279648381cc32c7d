internal import Glibc
internal import MainLoop

/// Queues messages that the service manager's socket had no room for: it holds a limited number, and systemd gets
/// messages from many services when a machine starts. Any thread.
final class NoticeQueue: Sendable {
  /// Sends a text, and a descriptor unless that is negative; gives 0, or a negative errno.
  typealias Send = @Sendable (_ text: String, _ descriptor: Int32) -> Int32

  /// The treatment of a message that there is no room for.
  enum Kind: Hashable, Sendable {
    /// The message is dropped: a newer one follows anyway.
    case lost
    /// The message is sent later, in its turn.
    case kept
    /// Like `kept`, but a newer one replaces it.
    case status
  }

  /// A queued message. It has a duplicate of its descriptor, because the caller may close the original.
  private final class Letter: Sendable {
    let text: String
    let kind: Kind
    let descriptor: Int32

    init(_ text: String, _ kind: Kind, _ descriptor: Int32) {
      self.text = text
      self.kind = kind
      self.descriptor = descriptor < 0 ? -1 : fcntl(descriptor, F_DUPFD_CLOEXEC, 3)
    }

    deinit { if descriptor >= 0 { close(descriptor) } }
  }

  /// More messages than a board has cards, screens and states; a manager that reads nothing for hours doesn't get more.
  static let limit = 64

  private let send: Send
  private let letters = Locked<[Letter]>([])

  init(_ send: @escaping Send) { self.send = send }

  func post(_ text: String, _ kind: Kind, descriptor: Int32 = -1) {
    letters.withLock { letters in
      flush(&letters)
      // Kept messages go in their order; those that are repeated need no order.
      let hasTurn = letters.isEmpty || kind == .lost
      if hasTurn, !isFull(send(text, descriptor)) { return }
      guard kind != .lost else { return }
      if kind == .status { letters.removeAll { $0.kind == .status } }
      if letters.count < Self.limit { letters.append(Letter(text, kind, descriptor)) }
    }
  }

  /// Tries to send the queued messages; to be called regularly.
  func flush() { letters.withLock { flush(&$0) } }

  var count: Int { letters.withLock { $0.count } }

  private func flush(_ letters: inout [Letter]) {
    while let first = letters.first, !isFull(send(first.text, first.descriptor)) { letters.removeFirst() }
  }

  /// Whether there was no room. Any other result is final: the socket is gone, or the message is invalid.
  private func isFull(_ result: Int32) -> Bool { [-EAGAIN, -ENOBUFS, -ENOMEM, -EINTR].contains(result) }
}
