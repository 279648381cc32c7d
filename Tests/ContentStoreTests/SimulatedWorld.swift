import ContentStore
import PlaybackCore

/// A network, servers and a disk as values, with a clock of their own. The store's requests are carried out after
/// random delays, with random faults and interruptions.
struct SimulatedWorld {
  struct File: Hashable {
    var version: Int
    var length: Int64
    var etag: String { "\"v\(version)-\(length)\"" }
  }

  /// The content of a file, as ranges of bytes of the served versions.
  struct Content: Hashable {
    var pieces: [Piece] = []
    var size: Int64 { pieces.reduce(0) { $0 + $1.count } }

    struct Piece: Hashable {
      var uri: String
      var version: Int
      var from: Int64
      var count: Int64
    }

    mutating func append(_ piece: Piece) {
      if let last = pieces.last, last.uri == piece.uri, last.version == piece.version,
        last.from + last.count == piece.from
      {
        pieces[pieces.count - 1].count += piece.count
      } else {
        pieces.append(piece)
      }
    }

    mutating func cut(to size: Int64) {
      var rest = size
      pieces = pieces.compactMap { piece in
        var piece = piece
        piece.count = min(piece.count, rest)
        rest -= piece.count
        return piece.count > 0 ? piece : nil
      }
    }

    /// Whether the content is one whole version of the address's file.
    func isWhole(_ uri: String, _ length: Int64?) -> Bool {
      pieces.count == 1 && pieces[0].uri == uri && pieces[0].from == 0 && pieces[0].count == length
    }
  }

  enum Fault { case none, refused, busy, gone, page, wholeForRange, oldPartForRange, cut, silent, loop }
  /// Transfers that break off (`cut`) are the commonest fault, so they are listed three times.
  private static let faults: [Fault] = [
    .refused, .busy, .gone, .page, .wholeForRange, .oldPartForRange, .cut, .cut, .cut, .silent, .loop,
  ]

  var random: SplitMix64
  var now = Instant(nanoseconds: 0)
  var servers: [String: File] = [:]
  /// The probability that a transfer goes wrong, 0...1.
  var trouble = 0.3
  var disk: [String: Content] = [:]
  /// The store's two indexes by generation. A loss of power keeps them as they are.
  var indexes: [Int64: String] = [:]
  var records: [String: String] = [:]
  /// The reason why nothing can be written; nil while the disk takes writes.
  var readOnly: String?
  var diskSize: Int64 = .max / 2
  var machine: StoreMachine
  var due: [(at: Instant, event: StoreEvent)] = []
  var timer: Instant?
  var transfer: (id: Int, name: String?, body: Content.Piece?, at: Int64, breaksAt: Int64?, isPage: Bool)?
  var piece: Content.Piece?
  var notices: [StoreNotice] = []
  var requests: [(at: Instant, request: StoreRequest, fault: Fault)] = []
  var bytesReceived: Int64 = 0

  init(seed: UInt64, settings: StoreSettings) {
    random = SplitMix64(state: seed)
    var policy = StorePolicy()
    // Scaled to the small files of these tests.
    policy.checkpointBytes = 100_000
    machine = StoreMachine(settings: settings, policy: policy, seed: seed)
  }

  mutating func chance(_ part: Double) -> Bool { random.nextFraction() < part }

  var free: Int64 { diskSize - disk.values.reduce(0) { $0 + $1.size } }

  // MARK: Running

  mutating func open() {
    feed(.opened(found))
  }

  /// The folder's content at a start, as `StoreFolder` finds it.
  var found: StoreFound {
    let index = StoreIndex.newest(of: Array(indexes.values))
    var found = StoreFound(index: index, sizes: disk.mapValues(\.size), free: free, readOnly: readOnly)
    found.damagedIndexes = indexes.values.count { StoreIndex(text: $0) == nil }
    found.recorded = Set(records.keys)
    let listed = Set(index?.files.map(\.name) ?? [])
    found.records = records.keys.filter { !listed.contains($0) }.sorted().compactMap { name in
      records[name].flatMap { StoreRecord(text: $0) }?.file
    }
    return found
  }

  /// A stand-in for a file's checksum: its content as text. Two files have the same one when they hold the same bytes.
  static func checksum(_ content: Content?) -> String? {
    content.map { content in content.pieces.map { "\($0.uri)|\($0.version)|\($0.from)|\($0.count)" }.joined() }
  }

  /// Ends the process; the disk stays as it is.
  mutating func kill() {
    due = []
    timer = nil
    transfer = nil
    piece = nil
    machine = StoreMachine(settings: machine.settings, policy: machine.policy, seed: random.next())
  }

  /// Flips one bit in either index, in both or in neither, and sometimes in a record.
  mutating func damage() {
    for generation in indexes.keys.sorted() where chance(0.5) {
      indexes[generation] = Self.damaged(indexes[generation])
    }
    if let name = records.keys.sorted().randomElement(using: &random), chance(0.3) {
      records[name] = Self.damaged(records[name])
    }
  }

  static func damaged(_ text: String?) -> String? {
    guard var bytes = text.map({ Array($0.utf8) }), !bytes.isEmpty else { return nil }
    bytes[bytes.count / 2] ^= 1
    return String(decoding: bytes, as: UTF8.self)
  }

  mutating func feed(_ event: StoreEvent) {
    for action in machine.handle(event, at: now) { perform(action) }
  }

  /// Handles the next due event; false when none is due before the limit.
  mutating func step(until limit: Instant) -> Bool {
    due.sort { $0.at < $1.at }
    let next = due.first?.at
    if let timer, timer <= next ?? timer {
      guard timer <= limit else { return false }
      now = max(now, timer)
      self.timer = nil
      feed(.timerFired)
      return true
    }
    guard let next, next <= limit else { return false }
    now = max(now, next)
    feed(due.removeFirst().event)
    return true
  }

  mutating func run(for duration: Duration) {
    let limit = now + duration
    while step(until: limit) {}
    now = limit
  }

  private mutating func soon(_ event: StoreEvent, after delay: Duration = .milliseconds(1)) {
    due.append((now + delay, event))
  }

  // MARK: What the store asks for

  private mutating func perform(_ action: StoreAction) {
    switch action {
    case .request(let request): answer(request)
    case .openFile(let id, let name, let size):
      var content = size == 0 ? Content() : disk[StoreNames.part(name)] ?? Content()
      guard content.size >= size else { return soon(.diskFailed(id, .failed("too short"))) }
      content.cut(to: size)
      disk[StoreNames.part(name)] = content
      transfer?.name = name
      soon(.fileOpened(id, free: free))
    case .read(let id, let wait): read(id, wait)
    case .write(let id):
      guard let piece, let name = transfer?.name else { return }
      guard free >= piece.count else { return soon(.diskFailed(id, .full)) }
      disk[StoreNames.part(name), default: Content()].append(piece)
      soon(.wrote(id, free: free))
    case .synchronise(let id): soon(.synchronised(id))
    case .finish(let id, let name, let sum, _):
      // A test that ignores the content names a checksum without `|`, which always counts as right.
      let isRight = sum.map { !$0.contains("|") || $0 == Self.checksum(disk[StoreNames.part(name)]) } ?? true
      if isRight { disk[name] = disk.removeValue(forKey: StoreNames.part(name)) }
      soon(.finished(id, isRight: isRight))
    case .end(let id):
      if transfer?.id == id { transfer = nil }
      due.removeAll { $0.event.transfer == id }
    case .remove(let name):
      disk[name] = nil
      if let copy = StoreNames.copy(of: name) { records[copy] = nil }
    case .save(let index): indexes[index.generation & 1] = index.text
    case .record(let file): records[file.name] = StoreRecord(file).text
    case .check(let name): soon(.checked(name: name, sha256: Self.checksum(disk[name])), after: .seconds(1))
    case .look: soon(.looked(readOnly: readOnly, free: free))
    case .setTimer(let at): timer = at
    case .tell(let notice): notices.append(notice)
    }
  }

  private mutating func answer(_ request: StoreRequest) {
    let id = request.transfer
    var fault = Fault.none
    if chance(trouble), let some = Self.faults.randomElement(using: &random) { fault = some }
    requests.append((now, request, fault))
    transfer = (id, nil, nil, 0, nil, false)
    guard let file = servers[request.uri] else {
      return soon(.answered(id, ResponseHead(status: 404, contentLength: 0)), after: .milliseconds(20))
    }
    let delay = Duration.milliseconds(20)
    switch fault {
    case .refused: return soon(.transferFailed(id, .connection("refused")), after: delay)
    case .silent: return soon(.transferFailed(id, .silent), after: .seconds(15))
    case .busy:
      let wait: Duration? = chance(0.5) ? .seconds(40) : nil
      return soon(.answered(id, ResponseHead(status: 503, contentLength: 0, retryAfter: wait)), after: delay)
    case .gone: return soon(.answered(id, ResponseHead(status: 404, contentLength: 0)), after: delay)
    case .loop:
      return soon(.answered(id, ResponseHead(status: 302, contentLength: 0, location: request.uri)), after: delay)
    case .page:
      transfer?.isPage = true
      transfer?.body = Content.Piece(uri: "page", version: 0, from: 0, count: 300)
      // Half of the pages say by their content type that they are pages.
      return soon(
        .answered(id, ResponseHead(status: 200, contentLength: 300, contentType: chance(0.5) ? "text/html" : nil)),
        after: delay)
    case .none, .wholeForRange, .oldPartForRange, .cut: break
    }
    let isSame = request.onlyOf == nil || request.onlyOf == file.etag
    if request.unlessETag == file.etag {
      return soon(.answered(id, ResponseHead(status: 304, etag: file.etag)), after: delay)
    }
    var from: Int64 = 0
    var head = ResponseHead(status: 200, contentLength: file.length, etag: file.etag)
    if let wanted = request.from, fault != .wholeForRange, isSame || fault == .oldPartForRange {
      guard wanted < file.length else {
        return soon(.answered(id, ResponseHead(status: 416, contentLength: 0)), after: delay)
      }
      from = wanted
      head = ResponseHead(
        status: 206, contentLength: file.length - from,
        contentRange: "bytes \(from)-\(file.length - 1)/\(file.length)", etag: file.etag)
    }
    transfer?.body = Content.Piece(uri: request.uri, version: file.version, from: from, count: file.length - from)
    if fault == .cut { transfer?.breaksAt = Int64.random(in: 0...(file.length - from), using: &random) }
    soon(.answered(id, head), after: delay)
  }

  private mutating func read(_ id: Int, _ wait: Duration) {
    guard let transfer, transfer.id == id, let body = transfer.body else { return }
    let delay = wait + .milliseconds(10)
    if let end = transfer.breaksAt, transfer.at >= end {
      return soon(.transferFailed(id, .connection("cut")), after: delay)
    }
    guard transfer.at < body.count else { return soon(.bodyEnded(id), after: delay) }
    let count = min(Int64.random(in: 1...65_536, using: &random), body.count - transfer.at)
    piece = Content.Piece(uri: body.uri, version: body.version, from: body.from + transfer.at, count: count)
    self.transfer?.at += count
    bytesReceived += count
    let start: [UInt8] = transfer.isPage ? Array("<!DOCTYPE html><html>".utf8.prefix(Int(count))) : [0, 0, 0, 32, 0x66]
    soon(.received(id, count: Int(count), start: Array(start.prefix(Int(count)))), after: delay)
  }
}

extension StoreEvent {
  /// The number of the event's transfer.
  var transfer: Int? {
    switch self {
    case .answered(let id, _), .received(let id, _, _), .bodyEnded(let id), .transferFailed(let id, _),
      .fileOpened(let id, _), .wrote(let id, _), .synchronised(let id), .finished(let id, _), .diskFailed(let id, _):
      id
    default: nil
    }
  }
}
