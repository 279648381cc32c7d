internal import PlaybackCore

/// The file that is being fetched.
struct StoreTransfer: Hashable, Sendable {
  enum Phase: Hashable, Sendable {
    case asking
    case opening
    case receiving
    case synchronising
    case finishing
  }

  var id: Int
  var wanted: WantedFile
  var request: StoreRequest
  var phase = Phase.asking
  /// The file that receives the body; nil until the server has answered.
  var name: String?
  /// Bytes of the file that have been written, and how many of them this transfer has received.
  private(set) var written: Int64 = 0
  private(set) var received: Int64 = 0
  private(set) var pending = 0
  /// Length of the whole file, where the server has said it.
  var length: Int64?
  private var start: [UInt8] = []
  /// The reach of the farthest server that answered or redirected.
  var reach: NetworkReach?
  /// How many bytes had been written at the last flush to the disk, and when that was.
  var synchronised: Int64 = 0
  private var synchronisedAt = Instant(nanoseconds: 0)
  private var visited: [String]

  init(_ wanted: WantedFile, _ request: StoreRequest) {
    id = request.transfer
    self.wanted = wanted
    self.request = request
    visited = [wanted.uri]
  }

  /// The server of the current request.
  var server: String { Address.server(request.uri) }
  /// The servers that may have caused a failure: the one that answered, and that of the file's address.
  var servers: Set<String> { [Address.server(wanted.uri), server] }
  /// Whether the server was asked if a copy has changed.
  var isQuestion: Bool { request.unlessETag != nil || request.unlessSince != nil }

  /// Sends another request within the same transfer.
  mutating func ask(again request: StoreRequest) {
    id = request.transfer
    self.request = request
  }

  /// Follows a redirect; returns why it may not be followed.
  mutating func follow(_ location: String, atMost redirects: Int) -> StoreFailure? {
    guard let origin = WebOrigin(address: request.uri),
      RedirectPolicy().refusal(from: origin, to: WebOrigin(address: location)) == nil
    else { return .unsafeRedirect }
    guard !visited.contains(location), visited.count <= redirects else { return .redirectLoop }
    visited.append(location)
    return nil
  }

  /// Receives the body into a file, behind the bytes that it has.
  mutating func receiveBody(into name: String, from offset: Int64, at now: Instant) {
    self.name = name
    written = offset
    synchronised = offset
    synchronisedAt = now
    phase = .opening
  }

  /// Checks the next piece of the body before it's written; returns why it is refused.
  ///
  /// - Parameter file: the file that receives it. Its first bytes show whether it is a list.
  mutating func refusal(of count: Int, _ bytes: [UInt8], to file: inout StoredFile, _ policy: StorePolicy)
    -> StoreFailure?
  {
    if written < policy.sniffedBytes, written == start.count {
      start += bytes.prefix(policy.sniffedBytes - start.count)
      if ContentCheck.isPage(start: start, wanted.kind) { return .page }
      if ContentCheck.isStream(start: start, wanted.kind) { return .list }
      file.listReach = ContentCheck.isList(start: start, wanted.kind) ? reach ?? .everywhere : nil
    }
    if file.listReach != nil, written + Int64(count) > policy.listBytes { return .noList }
    if let length = file.length, written + Int64(count) > length { return .wrongLength }
    pending = count
    return nil
  }

  /// Counts the pending piece as written.
  mutating func wrote() {
    written += Int64(pending)
    received += Int64(pending)
    pending = 0
  }

  func isFlushDue(_ policy: StorePolicy, at now: Instant) -> Bool {
    written - synchronised >= policy.checkpointBytes || now - synchronisedAt >= policy.checkpointInterval
  }

  mutating func flushed(at now: Instant) {
    phase = .receiving
    synchronised = written
    synchronisedAt = now
  }

  func check(_ all: inout Invariants, files: StoreFiles, wanted: WantedFiles) {
    // Before the answer it isn't known whether the transfer continues a partial file; after it, bytes are written to
    // one.
    all.check("A transfer has its file from the answer on", (phase == .asking) == (name == nil))
    // A file gets its name once it is whole.
    all.check("What is fetched is a part", name.map { files[$0].map { !$0.isComplete } ?? false } ?? true)
    // The next start continues from the synchronised length.
    all.check("No more is on the disk for good than was written", synchronised <= written)
    // It would be another file than the server has announced.
    all.check("No more is written than the server has said", length.map { written + Int64(pending) <= $0 } ?? true)
    // An unwanted transfer is ended, except one whose file is just getting its name, which can't be called off.
    all.check("What is fetched is wanted", phase == .finishing || wanted[self.wanted.uri] == self.wanted)
  }
}
