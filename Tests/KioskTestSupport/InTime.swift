/// The time after which something that never comes fails its test instead of holding up the run. A machine that runs 500 tests and a
/// build at once has taken 24 s for what takes one alone; no result depends on how long it took.
public let patience: Duration = .seconds(180)

/// Runs `body`; throws when it takes longer than `patience`, or comes to nothing.
///
/// - Parameter what: the subject of the message.
public func inTime<T: Sendable>(_ what: String, _ body: @escaping @Sendable () async throws -> T?) async throws -> T {
  try await withThrowingTaskGroup(of: T?.self) { group in
    group.addTask { try await body() }
    group.addTask {
      try await Task.sleep(for: patience)
      return nil
    }
    defer { group.cancelAll() }
    guard let result = try await group.next() ?? nil else {
      throw NotInTime(description: "\(what) didn't come in time")
    }
    return result
  }
}

/// Waits for the first event that `pick` takes.
public func first<Event: Sendable, T: Sendable>(
  of events: AsyncStream<Event>, _ pick: @escaping @Sendable (Event) -> T?
) async throws -> T {
  try await inTime("the event") {
    for await event in events { if let taken = pick(event) { return taken } }
    return nil
  }
}

struct NotInTime: Error, CustomStringConvertible { var description: String }
