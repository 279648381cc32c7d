internal import Glibc
internal import MainLoop

/// What a service manager had no room for when it was told: its socket holds so many messages, and who starts a machine hears from
/// many. Any thread.
final class NoticeQueue: Sendable {
  /// Sends a text, and a descriptor where that isn't negative; gives 0, or a negative errno.
  typealias Send = @Sendable (_ text: String, _ descriptor: Int32) -> Int32

  /// What becomes of a message that there is no room for.
  enum Kind: Hashable, Sendable {
    /// It is told again anyway.
    case lost
    /// It is told in its turn, once.
    case kept
    /// As `kept`, and a newer one takes its place.
    case status
  }

  /// With a descriptor of its own: the one that was given may be closed by then.
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

  /// More than a board has cards, screens and states; a manager that hears nothing for hours isn't to have more kept for it.
  static let limit = 64

  private let send: Send
  private let letters = Locked<[Letter]>([])

  init(_ send: @escaping Send) { self.send = send }

  func post(_ text: String, _ kind: Kind, descriptor: Int32 = -1) {
    letters.withLock { letters in
      flush(&letters)
      // What is kept goes in its order; what is told again needs none.
      let hasTurn = letters.isEmpty || kind == .lost
      if hasTurn, !isFull(send(text, descriptor)) { return }
      guard kind != .lost else { return }
      if kind == .status { letters.removeAll { $0.kind == .status } }
      if letters.count < Self.limit { letters.append(Letter(text, kind, descriptor)) }
    }
  }

  /// Tries again. To be called now and then.
  func flush() { letters.withLock { flush(&$0) } }

  var count: Int { letters.withLock { $0.count } }

  private func flush(_ letters: inout [Letter]) {
    while let first = letters.first, !isFull(send(first.text, first.descriptor)) { letters.removeFirst() }
  }

  /// Anything else is final: nobody listens, or the message is none.
  private func isFull(_ result: Int32) -> Bool { [-EAGAIN, -ENOBUFS, -ENOMEM, -EINTR].contains(result) }
}
