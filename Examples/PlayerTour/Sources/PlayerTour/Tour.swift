import VitrinePlayback

/// Checks the player's promises with one item.
struct Tour: Sendable {
  struct Station: Sendable {
    var name: String
    var visit: @Sendable (Tour) async throws -> Void
  }

  /// A promise that wasn't kept.
  struct Wrong: Error, CustomStringConvertible {
    var description: String
    init(_ description: String) { self.description = description }
  }

  let item: MediaItem
  init(_ item: MediaItem) { self.item = item }

  /// How long a step may take before it counts as stuck.
  static let patience: Duration = .seconds(40)
  private static let size = PixelSize(width: 640, height: 360)

  func player(_ items: [MediaItem]) throws -> Player {
    try Player(configuration: PlayerConfiguration(items: items, output: .memory(size: Self.size), wantsSound: false))
  }

  /// Runs `body` with a player, which is stopped afterwards in any case.
  func with(_ items: [MediaItem], _ body: (Player) async throws -> Void) async throws {
    let player = try player(items)
    do { try await body(player) } catch {
      await player.stop()
      throw error
    }
    await player.stop()
  }

  func require(_ isTrue: Bool, _ what: @autoclosure () -> String) throws { if !isTrue { throw Wrong(what()) } }

  /// Runs `body` within `patience`.
  func inTime<Value: Sendable>(_ what: String, _ body: @escaping @Sendable () async throws -> Value) async throws
    -> Value
  {
    try await withThrowingTaskGroup(of: Value.self) { group in
      group.addTask { try await body() }
      group.addTask {
        try await Task.sleep(for: Self.patience)
        throw Wrong("\(what) took too long")
      }
      defer { group.cancelAll() }
      guard let value = try await group.next() else { throw Wrong("\(what): nothing") }
      return value
    }
  }

  /// The first status that satisfies a condition.
  @discardableResult
  func status(
    _ player: Player, _ what: String, _ isMeant: @escaping @Sendable (PlayerStatus) -> Bool
  ) async throws -> PlayerStatus {
    try await inTime(what) {
      for await status in player.statuses() where isMeant(status) { return status }
      throw Wrong("the player ended before: \(what)")
    }
  }

  /// The events up to the first one that satisfies a condition.
  @discardableResult
  func events(
    _ events: PlayerSequence<PlayerEvent>, _ what: String, _ isMeant: @escaping @Sendable (PlayerEvent) -> Bool
  ) async throws -> [PlayerEvent] {
    try await inTime(what) {
      var told: [PlayerEvent] = []
      for await event in events {
        told.append(event)
        if isMeant(event) { return told }
      }
      throw Wrong("the player ended before: \(what)")
    }
  }

  @discardableResult
  func ready(_ player: Player) async throws -> PlayerStatus {
    await player.prepare()
    return try await status(player, "readiness") { $0.itemStatus == .readyToPlay && $0.isReadyForDisplay }
  }
}
