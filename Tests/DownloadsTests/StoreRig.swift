import ContentStore
import Downloads
import Foundation
import KioskTestSupport
import MainLoop
import PlaybackCore

/// A store on its own executor, with its own folder.
actor StoreRig: StoreKeeperOwner {
  nonisolated let executor: GLibExecutor
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
  nonisolated let notices: AsyncStream<StoreNotice>
  nonisolated let directory: TemporaryDirectory
  nonisolated let folder: String
  private nonisolated let told: AsyncStream<StoreNotice>.Continuation
  private var keeper: CacheController?

  /// - Parameter folder: where the files are to be; nil is within `directory`.
  init(in directory: TemporaryDirectory, folder: String? = nil) throws {
    executor = try GLibExecutor(name: "store-test")
    self.directory = directory
    self.folder = folder ?? directory.path("store")
    (notices, told) = AsyncStream.makeStream()
  }

  /// The usual rules with short delays.
  static var policy: StorePolicy {
    var policy = StorePolicy()
    policy.server.firstDelay = .milliseconds(200)
    policy.file.firstDelay = .milliseconds(200)
    policy.gap = .milliseconds(100)
    policy.checkpointBytes = 64 * 1024
    policy.diskPause = .seconds(1)
    return policy
  }

  func start(_ wanted: [WantedFile], settings: StoreSettings? = nil, http: HTTPSettings = HTTPSettings()) {
    var plain = StoreSettings()
    plain.freeSpace = 0
    let keeper = CacheController(
      directory: folder, settings: settings ?? plain, http: http, policy: Self.policy, seed: 1,
      isList: { bytes, _ in String(decoding: bytes, as: UTF8.self).contains("http") }, on: EventLoop(executor: executor)
    )
    keeper.owner = self
    self.keeper = keeper
    keeper.start()
    keeper.feed(.wanted(wanted))
  }

  /// Waits until all submitted writes are on the disk.
  func stop() async {
    guard let keeper else { return }
    self.keeper = nil
    await withCheckedContinuation { written in keeper.stop { written.resume() } }
  }

  func feed(_ event: StoreEvent) { keeper?.feed(event) }
  var status: StoreStatus? { keeper?.machine.status }
  func path(of uri: String) -> String? { keeper?.path(of: uri) }

  /// Waits until an address has a copy, and gives the copy's path.
  nonisolated func copy(of uri: String) async throws -> String {
    try await inTime("a copy of \(uri)") { [self] in
      while true {
        if let path = await path(of: uri) { return path }
        try await Task.sleep(for: .milliseconds(20))
      }
    }
  }

  nonisolated func store(_ store: CacheController, tells notice: StoreNotice) { told.yield(notice) }

  /// Waits until `count` more files have been stored.
  nonisolated func stored(_ count: Int = 1) async throws {
    let notices = notices
    _ = try await inTime("\(count) files") {
      var left = count
      for await notice in notices {
        if case .stored = notice { left -= 1 }
        if left == 0 { return true }
      }
      return nil
    }
  }

  /// Waits for the next problem.
  nonisolated func problem() async throws -> VitrineError {
    try await first(of: notices) { if case .problem(let error) = $0 { error } else { nil } }
  }

  nonisolated var names: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).filter {
      StoreNames.copy(of: $0) != nil && !$0.hasSuffix(StoreNames.recordSuffix)
    }.sorted()
  }
}

/// Random bytes, different for each seed.
func noise(_ count: Int, seed: UInt64) -> Data {
  var random = SplitMix64(state: seed)
  var data = Data(capacity: count + 8)
  while data.count < count { withUnsafeBytes(of: random.next()) { data.append(contentsOf: $0) } }
  return data.prefix(count)
}
