internal import PlaybackCore

// The folder: its files at the start, comparisons with checksums, and a folder that can't be written to.

extension StoreMachine {
  /// Registers the files in the folder.
  mutating func open(_ found: StoreFound) {
    guard !isOpen else { return }
    isOpen = true
    disk.free = found.free
    if let detail = found.readOnly { beReadOnly(detail) }
    index = IndexState(generation: found.index?.generation ?? 0)
    let inUse = files.inUse
    let (recovered, actions) = StoreFiles.recovered(from: found)
    files = recovered
    files.inUse = inUse
    for action in actions { emit(action) }
    if found.damagedIndexes > 0 { report(StoreErrors.damaged, about: .index) }
    for name in files.outdatedParts { drop(name) }
    for name in files.unproven { emit(.check(name: name)) }
    removeSuperseded()
    reduceToCapacity()
    refreshOffer()
    // Both indexes are written, so that the next start finds none damaged.
    if found.damagedIndexes > 0 { saveIndex() }
    index.isStale = true
  }

  // MARK: Comparing checksums

  /// Handles the computed checksum of a file.
  mutating func checked(_ name: String, _ sum: String?) {
    if files.strays[name] != nil {
      files.strays[name]?.check = .done(sha256: sum)
      return
    }
    guard let isRight = files.prove(name, sum) else { return }
    if !isRight { drop(name) }
    refreshOffer()
  }

  /// Handles a copy that didn't play. A checksum shows whether the disk or the server is to blame; without one the file
  /// is fetched again.
  mutating func handlePlaybackFailure(_ uri: String) {
    guard let copy = files.copy(of: uri) else { return }
    guard copy.sha256 != nil else { return schedule.suspect(uri) }
    guard schedule.clear(uri, at: now), files.doubt(copy.name) else { return }
    emit(.check(name: copy.name))
  }

  /// Compares strays with the wanted files. Only a checksum can identify a stray.
  mutating func identifyStrays() {
    guard !files.strays.isEmpty, !wanted.inOrder.isEmpty else { return }
    let missing = wanted.inOrder.filter { files.rightCopy(of: $0) == nil }
    guard !missing.isEmpty else {
      for name in files.strays.keys.sorted() where !files.inUse.contains(name) { drop(name) }
      return
    }
    var compared = files.straysByChecksum
    var isUnmatched = false
    for file in missing {
      guard let sum = file.sha256 else { continue }
      guard let name = compared[sum]?.first else {
        isUnmatched = true
        continue
      }
      // A transfer of the same address goes on: its file has a later number, and the stray must not replace it.
      guard transfer?.wanted.uri != file.uri else { continue }
      compared[sum]?.removeFirst()
      adopt(name, as: file)
    }
    guard isUnmatched else { return }
    for name in files.compareStrays() { emit(.check(name: name)) }
  }

  private mutating func adopt(_ name: String, as wanted: WantedFile) {
    guard let file = files.adopt(name, as: wanted) else { return }
    for part in files.values.filter({ $0.uri == wanted.uri && !$0.isComplete }) { drop(part.name) }
    emit(.record(file))
    index.isStale = true
    refreshOffer()
  }

  // MARK: A read-only folder

  private mutating func beReadOnly(_ detail: String) {
    if !disk.isReadOnly { report(StoreErrors.readOnly(detail), about: .disk) }
    disk.beReadOnly(nextLook: now + policy.diskPause)
  }

  /// Handles the repeated check of the folder.
  mutating func looked(_ problem: String?, free: Int64) {
    guard disk.isReadOnly else { return }
    if let problem { return beReadOnly(problem) }
    faults.isWritable()
    for action in disk.beWritable(free: free) { emit(action) }
    index.isStale = true
  }
}
