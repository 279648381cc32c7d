import ContentStore
import PlaybackCore

/// Parses the lines of an index with any end, and with their right checksum.
func readStoreIndex(_ bytes: [UInt8]) {
  let raw = String(decoding: bytes, as: UTF8.self)
  for text in [raw, sealed(raw)] {
    if let record = StoreRecord(text: text) {
      precondition(StoreRecord(text: record.text) == record, "a record that changes by itself")
    }
    _ = StoreClaim.of(names: raw.split(separator: "\n").map(String.init), marker: text, indexes: [text])
    guard let index = StoreIndex(text: text) else { continue }
    precondition(index.files.allSatisfy { StoreNames.isCopy($0.name) }, "a name that leads elsewhere")
    var copy = StoreIndex()
    (copy.generation, copy.nextNumber, copy.files) = (max(1, index.generation), index.nextNumber, index.files)
    precondition(StoreIndex(text: copy.text) == copy, "an index that changes by itself")
    open(index)
  }
}

/// Opens a store with that index and every second file, then with the other files and no index.
private func open(_ index: StoreIndex) {
  for places in 0...1 {
    var sizes: [String: Int64] = [:]
    for (place, file) in index.files.enumerated() where place % 2 == places {
      sizes[file.isComplete ? file.name : StoreNames.part(file.name)] = min(max(1, file.length ?? file.got), 1 << 40)
    }
    var machine = StoreMachine(settings: StoreSettings(), seed: 0)
    let start = Instant(nanoseconds: 0)
    let found = StoreFound(index: places == 0 ? index : nil, sizes: sizes, free: 1 << 40, records: index.files)
    var actions = machine.handle(.opened(found), at: start)
    let wanted = index.files.map { WantedFile(uri: $0.uri, sha256: $0.sha256) }
    actions += machine.handle(.wanted(wanted), at: start)
    for case .check(let name) in actions { _ = machine.handle(.checked(name: name, sha256: "x"), at: start) }
    precondition(machine.copies.values.allSatisfy { sizes[$0] != nil }, "a copy that isn't there")
    _ = machine.status
  }
}

/// Replaces the last line by the checksum of the lines before it.
private func sealed(_ text: String) -> String {
  var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  if lines.count > 1 { lines.removeLast() }
  let body = lines.map { $0 + "\n" }.joined()
  return body + "end\t\(String(CRC32.checksum(of: body.utf8), radix: 16))\n"
}

/// Feeds the store a server's response to a first request and to one for the rest of a file: a line for each part of
/// the head, then the body.
func readStoreResponse(_ bytes: [UInt8]) {
  let lines = bytes.split(separator: 0x0A, maxSplits: 9, omittingEmptySubsequences: false)
  func text(_ index: Int) -> String? {
    guard lines.indices.contains(index), !lines[index].isEmpty else { return nil }
    return String(decoding: lines[index], as: UTF8.self)
  }
  var head = ResponseHead(status: text(0).flatMap { Int($0) } ?? 206, contentLength: text(1).flatMap { Int64($0) })
  head.contentRange = text(2)
  head.contentType = text(3)
  head.contentEncoding = text(4)
  head.etag = text(5)
  head.lastModified = text(6)
  head.retryAfter = text(7).flatMap { Int64($0) }.map { .seconds(min(max(0, $0), 1 << 32)) }
  head.location = text(8)
  let body = lines.indices.contains(9) ? Array(lines[9]) : []
  let uri = "https://host/a.mp4"
  let part = StoredFile(name: "1.mp4", uri: uri, got: 100, length: 1000, etag: "\"e\"")
  let whole = StoredFile(name: "1.mp4", uri: uri, isComplete: true, got: 1000, length: 1000, etag: "\"e\"")
  for (file, sizes) in [(part, ["1.mp4.part": Int64(100)]), (whole, ["1.mp4": 1000])] {
    var index = StoreIndex()
    index.nextNumber = 2
    index.files = [file]
    var machine = StoreMachine(settings: StoreSettings(), seed: 0)
    let now = Instant(nanoseconds: 1)
    _ = machine.handle(.opened(StoreFound(index: index, sizes: sizes, free: 1 << 40)), at: now)
    _ = machine.handle(.wanted([WantedFile(uri: uri)]), at: now)
    var actions = machine.handle(.answered(1, head), at: now)
    for case .request(let request) in actions {
      precondition(request.uri.lowercased().hasPrefix("https://"), "from https to \(request.uri)")
    }
    guard actions.contains(where: { if case .openFile = $0 { true } else { false } }) else { continue }
    _ = machine.handle(.fileOpened(1, free: 1 << 40), at: now)
    actions = machine.handle(.received(1, count: body.count, start: Array(body.prefix(512))), at: now)
    _ = machine.handle(.wrote(1, free: 1 << 40), at: now)
    _ = machine.handle(.bodyEnded(1), at: now)
    _ = machine.handle(.finished(1, isRight: true), at: now)
    precondition(machine.status.bytes <= 1100 + Int64(body.count), "more is stored than came")
  }
}
