internal import PlaybackCore

// One transfer: from the choice of a file until it has its name.

extension StoreMachine {
  // MARK: The request

  /// Starts the transfer that is due, or sets the timer for the next one.
  mutating func startNext() {
    guard transfer == nil else { return setTimer(nil) }
    if let due = disk.nextLook {
      guard now >= due else { return setTimer(due) }
      // `looked` answers; the timer is for an answer that never comes.
      disk.beReadOnly(nextLook: now + policy.diskPause)
      setTimer(disk.nextLook)
      return emit(.look)
    }
    let pausedUntil = disk.pausedUntil(at: now)
    switch schedule.next(in: room, pausedUntil: pausedUntil, at: now) {
    case .wait(let due): setTimer(due)
    case .fetch(let file):
      setTimer(nil)
      let request = nextRequest(for: file, at: file.uri)
      transfer = StoreTransfer(file, request)
      emit(.request(request))
    }
  }

  private mutating func nextRequest(for file: WantedFile, at uri: String) -> StoreRequest {
    lastRequest += 1
    return files.request(lastRequest, for: file, at: uri, isSuspect: schedule.isSuspect(file.uri))
  }

  /// Sends another request within the same transfer, at once: the server has answered, but not with the file.
  private mutating func ask(again uri: String) {
    guard let transfer else { return }
    emit(.end(transfer.id))
    let request = nextRequest(for: transfer.wanted, at: uri)
    self.transfer?.ask(again: request)
    emit(.request(request))
  }

  // MARK: The answer

  mutating func answered(_ head: ResponseHead) {
    guard let transfer else { return }
    let file = transfer.wanted
    let part = transfer.request.from == nil ? nil : files.part(of: file.uri)
    self.transfer?.reach = [head.reach, part?.listReach].compactMap(\.self).max()
    let copy = schedule.isSuspect(file.uri) ? nil : files.rightCopy(of: file)
    let verdict = ResponseVerdict.of(
      head, to: transfer.request, wanted: file, partial: part,
      copy: transfer.isQuestion || part == nil ? copy : nil)
    switch verdict {
    case .unchanged:
      schedule.isUnchanged(transfer, nextCheck: now + settings.checkInterval)
      endTransfer()
    case .append(let length):
      schedule.answers(file.uri, at: now)
      guard let part else { return fail(.wrongLength) }
      // A list's reach is that of the farthest server that sent a part of it.
      if part.listReach != nil { files[part.name]?.listReach = self.transfer?.reach }
      receiveBody(into: part.name, from: part.got, length: length)
    case .whole(let length):
      schedule.answers(file.uri, at: now)
      beginFile(length: length, head)
    case .beginAgain:
      if let part { drop(part.name) }
      ask(again: transfer.request.uri)
    case .redirect(let location):
      if let failure = self.transfer?.follow(location, atMost: policy.redirects) { return fail(failure) }
      ask(again: location)
    case .refused(let failure): fail(failure)
    }
  }

  /// Begins a file from its first byte, under a new name, so that no bytes of an older version get into it.
  private mutating func beginFile(length: Int64?, _ head: ResponseHead) {
    guard let wanted = transfer?.wanted else { return }
    if let old = files.part(of: wanted.uri) { drop(old.name) }
    transfer?.length = length
    if let length, let largest = settings.largestFile, length > largest { return endForSize() }
    receiveBody(into: files.begin(wanted, length: length, head), from: 0, length: length)
  }

  private mutating func receiveBody(into name: String, from offset: Int64, length: Int64?) {
    guard let wanted = transfer?.wanted else { return }
    files[name]?.length = length
    files[name]?.sha256 = wanted.sha256
    // Until it belongs to the transfer the file counts with its present size; from then on with its whole length.
    transfer?.length = length
    let reserved = max(0, (length ?? 0) - offset)
    if let shortage = makeRoom(reserving: reserved, coming: reserved) {
      if offset == 0 { files[name] = nil }
      return endForWant(of: shortage)
    }
    transfer?.receiveBody(into: name, from: offset, at: now)
    // The index must list the file before any bytes of it are on the disk.
    saveIndex()
    if let transfer { emit(.openFile(transfer.id, name: name, size: offset)) }
  }

  mutating func fileOpened() {
    guard let transfer else { return }
    self.transfer?.phase = .receiving
    let coming = max(0, (transfer.length ?? 0) - transfer.written)
    if let shortage = makeRoom(reserving: 0, coming: coming) { return endForWant(of: shortage) }
    emit(.read(transfer.id, after: .zero))
  }

  // MARK: The body

  mutating func received(_ count: Int, _ start: [UInt8]) {
    guard let name = transfer?.name, var file = files[name], transfer?.pending == 0 else { return }
    let refusal = transfer?.refusal(of: count, start, to: &file, policy)
    files[name] = file
    if let refusal { return fail(refusal) }
    guard let transfer else { return }
    // Without a length, room is made piece by piece.
    if file.length == nil {
      if let shortage = makeRoom(reserving: Int64(count), coming: Int64(count)) { return endForWant(of: shortage) }
      if let largest = settings.largestFile, transfer.written + Int64(count) > largest { return endForSize() }
    }
    emit(.write(transfer.id))
  }

  mutating func wrote() {
    guard var transfer else { return }
    let count = transfer.pending
    let before = transfer.received
    transfer.wrote()
    self.transfer = transfer
    if before < policy.progress, transfer.received >= policy.progress { schedule.progresses(transfer.server) }
    _ = bandwidth.consumeBytes(count, at: now)
    // Other programs may fill the disk.
    if disk.free < settings.freeSpace, let shortage = makeRoom(reserving: 0, coming: 0) {
      return endForWant(of: shortage)
    }
    guard transfer.isFlushDue(policy, at: now) else { return readOn() }
    self.transfer?.phase = .synchronising
    emit(.synchronise(transfer.id))
  }

  mutating func synchronised() {
    guard let transfer, let name = transfer.name else { return }
    self.transfer?.flushed(at: now)
    files[name]?.got = transfer.written
    saveIndex()
    readOn()
  }

  private mutating func readOn() {
    guard let transfer else { return }
    emit(.read(transfer.id, after: bandwidth.consumeBytes(0, at: now)))
  }

  mutating func bodyEnded() {
    guard let transfer, let name = transfer.name, let file = files[name] else { return }
    if let length = file.length, transfer.written < length { return fail(.connection("the body ended too soon")) }
    guard transfer.written > 0 else { return fail(.empty) }
    self.transfer?.phase = .finishing
    // The record is written before the file gets its name: every named file has a record.
    emit(.record(file.whole(size: transfer.written)))
    emit(.finish(transfer.id, name: name, sha256: transfer.wanted.sha256, isList: file.listReach != nil))
  }

  mutating func finished(isRight: Bool) {
    guard let transfer, let name = transfer.name else { return }
    guard isRight else {
      return fail(files[name]?.listReach != nil && transfer.wanted.sha256 == nil ? .noList : .wrongChecksum)
    }
    files.complete(name, size: transfer.written)
    schedule.isStored(transfer, nextCheck: now + settings.checkInterval, at: now)
    faults.isStored(transfer)
    self.transfer = nil
    emit(.end(transfer.id))
    index.isStale = true
    emit(.tell(.stored(uri: transfer.wanted.uri, bytes: transfer.written)))
    refreshOffer()
    removeSuperseded()
  }

  // MARK: Room

  /// Makes room for the file that is being fetched; returns which limit is exceeded otherwise.
  private mutating func makeRoom(reserving reserved: Int64, coming: Int64) -> StoreRoom.Shortage? {
    guard let transfer else { return nil }
    let going: [String]
    do throws(StoreRoom.Shortage) {
      going = try room.making(for: transfer.wanted, reserving: reserved, coming: coming)
    } catch {
      return error
    }
    guard !going.isEmpty else { return nil }
    for name in going { drop(name) }
    refreshOffer()
    return nil
  }

  /// Ends the transfer for lack of room, and removes its file.
  private mutating func endForWant(of shortage: StoreRoom.Shortage) {
    guard let transfer else { return }
    guard shortage == .capacity else { return diskFailed(.full) }
    put(off: transfer, StoreErrors.noRoom(transfer.wanted))
  }

  /// Ends the transfer of a file that is longer than a file may be, and removes what there is of it.
  private mutating func endForSize() {
    if let transfer { put(off: transfer, StoreErrors.tooLarge(transfer.wanted)) }
  }

  private mutating func put(off transfer: StoreTransfer, _ error: VitrineError) {
    endTransfer()
    if let name = transfer.name { drop(name) }
    let uri = transfer.wanted.uri
    // The old copy stays; the server is asked for the new version at the next regular check.
    schedule.hasNoRoom(transfer, nextCheck: files.newest[uri].map { _ in now + settings.checkInterval })
    report(error, about: .file(uri))
  }

  // MARK: Failures

  /// Ends the transfer. The bytes that it has written are kept for a later one.
  mutating func endTransfer() {
    guard let transfer else { return }
    self.transfer = nil
    emit(.end(transfer.id))
    guard let name = transfer.name, let file = files[name], !file.isComplete else { return }
    // The process goes on, so all written bytes can be read back, synchronised or not.
    files[name]?.got = transfer.written
    index.isStale = true
    if transfer.written == 0 { drop(name) }
  }

  mutating func fail(_ failure: StoreFailure) {
    guard let transfer else { return }
    let uri = transfer.wanted.uri
    endTransfer()
    if failure.spoilsPart, let name = transfer.name { drop(name) }
    report(
      StoreErrors.of(failure, uri: uri), about: failure.isOfServer ? .server(Address.server(uri)) : .file(uri))
    schedule.fails(transfer, failure, at: now)
  }

  /// Pauses writing for a while. The partial file is removed: its room may be needed, or it may be damaged.
  mutating func diskFailed(_ trouble: DiskTrouble) {
    guard let transfer else { return }
    endTransfer()
    if let name = transfer.name {
      drop(name)
      // If the renaming failed, the file may already have its new name.
      if transfer.phase == .finishing { emit(.remove(name: name)) }
    }
    switch trouble {
    case .full: report(StoreErrors.diskFull, about: .disk)
    case .failed(let detail): report(StoreErrors.diskFailed(detail), about: .disk)
    }
    disk.pause(until: now + policy.diskPause)
  }
}
