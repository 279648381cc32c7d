internal import PlaybackCore

// One file on its way: from the choice to its name.

extension StoreMachine {
  // MARK: What is next

  /// Starts what is due first, or sets the timer for it.
  mutating func startNext() {
    guard transfer == nil else { return setTimer(nil) }
    if readOnlySince != nil {
      guard let due = diskPausedUntil else { return setTimer(nil) }
      guard now >= due else { return setTimer(due) }
      // Answered by `looked`; should that never come, the timer comes back.
      diskPausedUntil = now + policy.diskPause
      setTimer(diskPausedUntil)
      return emit(.look)
    }
    var earliest: Instant?
    func noteDue(_ due: Instant) { earliest = min(earliest ?? due, due) }
    let pausedUntil = diskPausedUntil.flatMap { $0 > now ? $0 : nil }
    if let pausedUntil {
      noteDue(pausedUntil)
    } else if diskPausedUntil != nil {
      diskPausedUntil = nil
      // Nobody has looked since.
      free = .max
    }
    let longest = roomless.isEmpty ? (.max, .max) : longestFitting()
    // Those that aren't there before those that may have changed.
    if pausedUntil == nil {
      for file in wanted where !hasRightCopy(file) && !mayBeHere(file) {
        if let length = roomless[file.uri], length > (file.isNeededToday ? longest.0 : longest.1) { continue }
        if let due = heldUntil(file) { noteDue(due) } else { return begin(file) }
      }
    }
    for file in wanted where hasRightCopy(file) {
      guard let due = checkDue(file.uri) else { continue }
      let start = max(due, heldUntil(file) ?? due)
      if start > now { noteDue(start) } else if pausedUntil == nil { return begin(file) }
    }
    setTimer(earliest)
  }

  func hasRightCopy(_ file: WantedFile) -> Bool {
    newest[file.uri].flatMap { files[$0] }.map { isRight($0, for: file) } ?? false
  }

  /// Until when a file isn't to be asked for; nil when it may be now.
  private func heldUntil(_ file: WantedFile) -> Instant? {
    let due = max(
      fileTroubles[file.uri]?.until ?? now, serverTroubles[Address.server(file.uri)]?.until ?? now)
    return due > now ? due : nil
  }

  private func checkDue(_ uri: String) -> Instant? {
    if suspects.contains(uri), suspectsFetched[uri].map({ now - $0 >= policy.suspectInterval }) ?? true { return now }
    // Another checksum would be another file.
    if wantedByURI[uri]?.sha256 != nil { return nil }
    // At the start nobody knows how long ago it was.
    return checks[uri] ?? now
  }

  private mutating func begin(_ file: WantedFile) {
    setTimer(nil)
    lastTransfer += 1
    let request = request(for: file, at: file.uri)
    transfer = Transfer(id: lastTransfer, wanted: file, request: request, visited: [file.uri])
    emit(.request(request))
  }

  /// What to ask for, by what there is of it.
  private func request(for file: WantedFile, at uri: String) -> StoreRequest {
    var request = StoreRequest(transfer: lastTransfer, uri: uri)
    if let part = part(of: file.uri) {
      // With a checksum a mixture of two versions would be found out.
      if part.rangeValidator != nil || file.sha256 != nil {
        request.from = part.got
        request.onlyOf = part.rangeValidator
      }
    } else if let name = newest[file.uri], let copy = files[name], isRight(copy, for: file),
      !suspects.contains(file.uri)
    {
      request.unlessETag = copy.etag
      request.unlessSince = copy.lastModified
    }
    return request
  }

  private func part(of uri: String) -> StoredFile? { files.values.first { $0.uri == uri && !$0.isComplete } }

  // MARK: The answer

  mutating func answered(_ head: ResponseHead) {
    guard let transfer else { return }
    let file = transfer.wanted
    let part = transfer.request.from == nil ? nil : part(of: file.uri)
    self.transfer?.reach = [head.reach, part?.listReach].compactMap(\.self).max()
    let isQuestion = transfer.request.unlessETag != nil || transfer.request.unlessSince != nil
    let copy = hasRightCopy(file) && !suspects.contains(file.uri) ? newest[file.uri].flatMap { files[$0] } : nil
    let verdict = ResponseVerdict.of(
      head, to: transfer.request, wanted: file, partial: part, copy: isQuestion || part == nil ? copy : nil)
    switch verdict {
    case .unchanged:
      distrusted.subtract([server, Address.server(file.uri)])
      serverTroubles[server] = nil
      serverTroubles[Address.server(file.uri)] = nil
      checks[file.uri] = now + settings.checkInterval
      fileTroubles[file.uri] = nil
      endTransfer()
    case .append(let length):
      serverAnswers(file.uri)
      guard let part else { return fail(.wrongLength) }
      receiveBody(into: part.name, from: part.got, length: length)
    case .whole(let length):
      serverAnswers(file.uri)
      beginFile(length: length, head)
    case .beginAgain:
      if let part { drop(part.name) }
      ask(again: transfer.request.uri)
    case .redirect(let location): follow(location)
    case .refused(let failure): fail(failure)
    }
  }

  /// Asks anew within the same transfer, at once: the server has answered, but not with what is wanted.
  private mutating func ask(again uri: String) {
    guard var transfer else { return }
    emit(.end(transfer.id))
    lastTransfer += 1
    transfer.id = lastTransfer
    transfer.request = request(for: transfer.wanted, at: uri)
    self.transfer = transfer
    emit(.request(transfer.request))
  }

  private mutating func follow(_ location: String) {
    guard let transfer else { return }
    guard let origin = WebOrigin(address: transfer.request.uri),
      RedirectPolicy().refusal(from: origin, to: WebOrigin(address: location)) == nil
    else { return fail(.unsafeRedirect) }
    guard !transfer.visited.contains(location), transfer.visited.count <= policy.redirects else {
      return fail(.redirectLoop)
    }
    self.transfer?.visited.append(location)
    ask(again: location)
  }

  /// The whole file is about to come: under a new name, so that nothing of an older version can get into it.
  private mutating func beginFile(length: Int64?, _ head: ResponseHead) {
    guard let transfer else { return }
    if let old = part(of: transfer.wanted.uri) { drop(old.name) }
    self.transfer?.length = length
    if let transfer = self.transfer, let length, let largest = settings.largestFile, length > largest {
      endTransfer()
      return noteNoRoom(transfer, StoreErrors.tooLarge(transfer.wanted))
    }
    let name = "\(nextNumber).\(Address.fileExtension(transfer.wanted.uri))"
    nextNumber += 1
    var file = StoredFile(name: name, uri: transfer.wanted.uri, length: length)
    file.etag = head.etag.flatMap { StoreIndex.isKeepable($0) ? $0 : nil }
    file.lastModified = head.lastModified.flatMap { StoreIndex.isKeepable($0) ? $0 : nil }
    file.sha256 = transfer.wanted.sha256
    files[name] = file
    receiveBody(into: name, from: 0, length: length)
  }

  private mutating func receiveBody(into name: String, from offset: Int64, length: Int64?) {
    guard var transfer else { return }
    files[name]?.length = length
    files[name]?.sha256 = transfer.wanted.sha256
    // Until it is the transfer's it counts with what it has; then with what it will have.
    self.transfer?.length = length
    transfer.length = length
    let reserved = (length ?? 0) - offset
    if let shortage = makeRoom(for: transfer.wanted, reserving: max(0, reserved), coming: max(0, reserved)) {
      if offset == 0 { files[name] = nil }
      return endForWant(of: shortage)
    }
    transfer.name = name
    transfer.written = offset
    transfer.synchronised = offset
    transfer.synchronisedAt = now
    transfer.phase = .opening
    self.transfer = transfer
    // What the file is has to be known before there are bytes of it.
    saveIndex()
    emit(.openFile(transfer.id, name: name, size: offset))
  }

  mutating func fileOpened() {
    guard let transfer else { return }
    self.transfer?.phase = .receiving
    let coming = max(0, (transfer.length ?? 0) - transfer.written)
    if let shortage = makeRoom(for: transfer.wanted, reserving: 0, coming: coming) { return endForWant(of: shortage) }
    emit(.read(transfer.id, after: .zero))
  }

  // MARK: The body

  mutating func received(_ count: Int, _ start: [UInt8]) {
    guard var transfer, let name = transfer.name, let file = files[name], transfer.pending == 0 else { return }
    if transfer.written < policy.sniffedBytes, transfer.written == transfer.start.count {
      transfer.start += start.prefix(policy.sniffedBytes - transfer.start.count)
      if ContentCheck.isPage(start: transfer.start, transfer.wanted.kind) { return fail(.page) }
      if ContentCheck.isStream(start: transfer.start, transfer.wanted.kind) { return fail(.list) }
      let isList = ContentCheck.isList(start: transfer.start, transfer.wanted.kind)
      files[name]?.listReach = isList ? transfer.reach ?? .everywhere : nil
    }
    if files[name]?.listReach != nil, transfer.written + Int64(count) > policy.listBytes { return fail(.noList) }
    if let length = file.length, transfer.written + Int64(count) > length { return fail(.wrongLength) }
    transfer.pending = count
    self.transfer = transfer
    // Without a length the room is made piece by piece.
    if file.length == nil {
      if let shortage = makeRoom(for: transfer.wanted, reserving: Int64(count), coming: Int64(count)) {
        return endForWant(of: shortage)
      }
      if let largest = settings.largestFile, transfer.written + Int64(count) > largest {
        endTransfer()
        drop(name)
        return noteNoRoom(transfer, StoreErrors.tooLarge(transfer.wanted))
      }
    }
    emit(.write(transfer.id))
  }

  mutating func wrote() {
    guard var transfer else { return }
    let count = transfer.pending
    transfer.pending = 0
    transfer.written += Int64(count)
    let before = transfer.received
    transfer.received += Int64(count)
    self.transfer = transfer
    if before < policy.progress, transfer.received >= policy.progress { serverTroubles[server] = nil }
    throttle(count)
    // Somebody else fills the disk.
    if free < settings.freeSpace, let shortage = makeRoom(for: transfer.wanted, reserving: 0, coming: 0) {
      return endForWant(of: shortage)
    }
    let isCheckpoint =
      transfer.written - transfer.synchronised >= policy.checkpointBytes
      || now - transfer.synchronisedAt >= policy.checkpointInterval
    if isCheckpoint {
      self.transfer?.phase = .synchronising
      return emit(.synchronise(transfer.id))
    }
    readOn()
  }

  mutating func synchronised() {
    guard let transfer, let name = transfer.name else { return }
    self.transfer?.phase = .receiving
    self.transfer?.synchronised = transfer.written
    self.transfer?.synchronisedAt = now
    files[name]?.got = transfer.written
    saveIndex()
    readOn()
  }

  private mutating func readOn() {
    guard let transfer else { return }
    emit(.read(transfer.id, after: throttle(0)))
  }

  /// Counts what has come; gives how long to wait before more may.
  @discardableResult
  private mutating func throttle(_ count: Int) -> Duration {
    guard let bandwidth = settings.bandwidth else { return .zero }
    var bucket = self.bucket ?? TokenBucket(rate: bandwidth, at: now)
    defer { self.bucket = bucket }
    return bucket.takeBytes(count, at: now)
  }

  mutating func bodyEnded() {
    guard let transfer, let name = transfer.name, let file = files[name] else { return }
    if let length = file.length, transfer.written < length { return fail(.connection("the body ended too soon")) }
    guard transfer.written > 0 else { return fail(.empty) }
    self.transfer?.phase = .finishing
    var whole = file
    whole.isComplete = true
    whole.got = transfer.written
    whole.length = transfer.written
    // Before it has its name: what has one has a record.
    emit(.record(whole))
    emit(.finish(transfer.id, name: name, sha256: transfer.wanted.sha256, isList: file.listReach != nil))
  }

  mutating func finished(isRight: Bool) {
    guard let transfer, let name = transfer.name else { return }
    guard isRight else {
      return fail(files[name]?.listReach != nil && transfer.wanted.sha256 == nil ? .noList : .wrongChecksum)
    }
    let uri = transfer.wanted.uri
    // As much in use as the copy that it follows.
    let played = newest[uri].flatMap { files[$0]?.lastPlayed } ?? lastPlayed
    files[name]?.isComplete = true
    files[name]?.got = transfer.written
    files[name]?.length = transfer.written
    files[name]?.lastPlayed = played
    newest[uri] = name
    checks[uri] = now + settings.checkInterval
    fileTroubles[uri] = nil
    serverTroubles[server] = nil
    distrusted.subtract([server, Address.server(uri)])
    for subject in [uri, server, Address.server(uri), Self.disk] { told[subject] = nil }
    problem = nil
    roomless[uri] = nil
    if suspects.remove(uri) != nil { suspectsFetched[uri] = now }
    self.transfer = nil
    emit(.end(transfer.id))
    isIndexStale = true
    emit(.tell(.stored(uri: uri, bytes: transfer.written)))
    refreshCopies()
    removeSuperseded()
  }

  // MARK: Failures

  /// In the place of an address, for what is told of the disk.
  static let disk = "disk"

  private var server: String { transfer.map { Address.server($0.request.uri) } ?? "" }

  /// What was refused for the sake of the clock is tried at once, as if for the first time.
  mutating func clockSet() {
    for server in distrusted {
      serverTroubles[server] = nil
      told[server] = nil
    }
    distrusted = []
  }

  private mutating func serverAnswers(_ uri: String) {
    // Whether it goes on sending is another thing: the count goes back with real progress only.
    serverTroubles[Address.server(uri)]?.until = now
  }

  /// The transfer ends; what of it is on disk for good is kept.
  mutating func endTransfer() {
    guard let transfer else { return }
    self.transfer = nil
    emit(.end(transfer.id))
    guard let name = transfer.name, let file = files[name], !file.isComplete else { return }
    // The process goes on, so all that was written can be read back.
    files[name]?.got = transfer.written
    isIndexStale = true
    if transfer.written == 0 { drop(name) }
  }

  mutating func fail(_ failure: StoreFailure) {
    guard let transfer else { return }
    let uri = transfer.wanted.uri
    let servers = Set([Address.server(uri), server])
    endTransfer()
    if failure.spoilsPart, let name = transfer.name { drop(name) }
    tell(StoreErrors.of(failure, uri: uri), about: failure.isOfServer ? Address.server(uri) : uri)
    if failure.isOfCertificate { distrusted.formUnion(servers) }
    let fraction = random.nextFraction()
    for server in servers {
      var trouble = serverTroubles[server] ?? Trouble(until: now)
      var wait = policy.gap
      if failure.isOfServer {
        trouble.failures = transfer.received >= policy.progress ? 1 : trouble.failures + 1
        wait = max(wait, policy.server.delay(afterFailures: trouble.failures, random: fraction))
        wait = max(wait, min(failure.retryAfter ?? .zero, policy.longestRetryAfter))
      }
      trouble.until = max(trouble.until, now + wait)
      serverTroubles[server] = trouble
    }
    guard !failure.isOfServer else { return }
    var trouble = fileTroubles[uri] ?? Trouble(until: now)
    trouble.failures += 1
    trouble.until = now + policy.file.delay(afterFailures: trouble.failures, random: fraction)
    fileTroubles[uri] = trouble
    // A copy that is there is asked about again when that is over.
    if checks[uri] != nil { checks[uri] = trouble.until }
  }

  /// Nothing is written for a while. What has come of this file goes: it may be what others need, or broken.
  mutating func diskFailed(_ trouble: DiskTrouble) {
    guard let transfer else { return }
    endTransfer()
    if let name = transfer.name {
      drop(name)
      // Where it failed in getting its name, it may have it.
      if transfer.phase == .finishing { emit(.remove(name: name)) }
    }
    switch trouble {
    case .full: tell(StoreErrors.diskFull, about: Self.disk)
    case .failed(let detail): tell(StoreErrors.diskFailed(detail), about: Self.disk)
    }
    diskPausedUntil = now + policy.diskPause
  }
}
