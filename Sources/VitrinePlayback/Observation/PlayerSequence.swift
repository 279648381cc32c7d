internal import MainLoop

/// The elements that a player sends to one observer, in order.
///
/// A sequence is independent of every other one and has one consumer. It buffers the elements that the consumer hasn't
/// taken yet; when the buffer is full the oldest is dropped, and ``droppedCount`` counts it. The player never waits for
/// a consumer, and a consumer is never given an element before it asks for one. Releasing the sequence, or cancelling
/// the task that iterates it, removes the observer. The sequence ends after the player has stopped, or was released.
public struct PlayerSequence<Element: Sendable>: AsyncSequence, Sendable {
  /// The sequence never throws.
  public typealias Failure = Never

  let stream: AsyncStream<Element>
  let dropped: Locked<Int>

  /// Number of elements lost because the consumer was too slow. Any thread.
  public var droppedCount: Int { dropped.withLock { $0 } }

  /// Iterates a ``PlayerSequence``.
  public struct AsyncIterator: AsyncIteratorProtocol {
    var base: AsyncStream<Element>.Iterator

    /// The iterator never throws.
    public typealias Failure = Never

    /// The next element; nil at the end, or when the task was cancelled.
    ///
    /// - Parameter actor: the caller's.
    public mutating func next(isolation actor: isolated (any Actor)?) async -> Element? {
      await base.next(isolation: actor)
    }
  }

  /// Makes the iterator of the one consumer.
  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(base: stream.makeAsyncIterator()) }
}

/// The player's end of a sequence.
struct PlayerSink<Element: Sendable>: Sendable {
  let continuation: AsyncStream<Element>.Continuation
  let dropped: Locked<Int>

  func send(_ element: Element) {
    if case .dropped = continuation.yield(element) { dropped.withLock { $0 += 1 } }
  }

  static func make(buffering: Int) -> (PlayerSequence<Element>, PlayerSink<Element>) {
    let (stream, continuation) = AsyncStream<Element>.makeStream(bufferingPolicy: .bufferingNewest(max(1, buffering)))
    let dropped = Locked(0)
    return (PlayerSequence(stream: stream, dropped: dropped), PlayerSink(continuation: continuation, dropped: dropped))
  }
}
