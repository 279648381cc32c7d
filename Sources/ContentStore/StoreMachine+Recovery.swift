internal import PlaybackCore

// What becomes of what lies in the folder at the start: docs/decisions/0085-store-on-a-failing-disk.md.

extension StoreMachine {
  /// A whole file that neither the index nor a record knows. It may be the only copy that the board has, so it goes only when
  /// its room is needed, or when all that is wanted is there.
  struct Stray: Hashable, Sendable {
    var size: Int64
    /// It has been looked at.
    var isChecked = false
    var sha256: String?
  }

  /// Takes what lies in the folder: whole files as they are, partial ones to go on with.
  mutating func open(_ found: StoreFound) {
    guard !isOpen else { return }
    isOpen = true
    free = found.free
    if let detail = found.readOnly { beReadOnly(detail) }
    generation = found.index?.generation ?? 0
    nextNumber = found.index?.nextNumber ?? 1
    // A number that was used without the index knowing of it isn't used again.
    for name in Set(found.sizes.keys).union(found.recorded) {
      nextNumber = max(nextNumber, StoreNames.number(of: name) + 1)
    }
    var unknown = Set(found.sizes.keys)
    let listed = found.index?.files ?? []
    for file in listed {
      if let kept = recovered(file, sizes: found.sizes) { takeFile(kept, &unknown) }
    }
    let known = Set(listed.map(\.name))
    for file in found.records where !known.contains(file.name) && found.sizes[file.name] != nil {
      guard var kept = recovered(file, sizes: found.sizes) else { continue }
      kept.isComplete = true
      takeFile(kept, &unknown)
      if kept.sha256 != nil { unproven.insert(kept.name) }
    }
    let recorded = Set(found.records.map(\.name))
    for name in unknown.sorted() {
      // A record that says another length has told what it is: a copy that was spoiled.
      if StoreNames.isCopy(name), let size = found.sizes[name], size > 0, !known.contains(name),
        !recorded.contains(name)
      {
        strays[name] = Stray(size: size)
      } else {
        emit(.remove(name: name))
      }
    }
    for name in found.recorded.sorted() where files[name]?.isComplete != true && strays[name] == nil {
      if !unknown.contains(name) { emit(.remove(name: StoreNames.record(name))) }
    }
    let unrecorded = files.values.filter { $0.isComplete && !found.recorded.contains($0.name) }
    for file in unrecorded.sorted(by: { $0.name < $1.name }) { emit(.record(file)) }
    if found.damagedIndexes > 0 { tell(StoreErrors.damaged, about: Self.index) }
    for name in files.values.filter({ !$0.isComplete }).map(\.name).sorted() where isOutdatedPart(name) { drop(name) }
    for name in unproven.sorted() { check(name) }
    removeSuperseded()
    reduceToCapacity()
    refreshCopies()
    // Both are written, so that the next start finds none that is damaged.
    if found.damagedIndexes > 0 { saveIndex() }
    isIndexStale = true
  }

  /// In the place of an address, for what is told of the index.
  private static let index = "index"

  private mutating func takeFile(_ file: StoredFile, _ unknown: inout Set<String>) {
    files[file.name] = file
    unknown.remove(file.isComplete ? file.name : StoreNames.part(file.name))
    // A later number is a later version.
    if file.isComplete, isLater(file.name, than: newest[file.uri]) { newest[file.uri] = file.name }
    lastPlayed = max(lastPlayed, file.lastPlayed)
  }

  /// What is left of a file after the process, or the power, went at any moment.
  private func recovered(_ file: StoredFile, sizes: [String: Int64]) -> StoredFile? {
    var file = file
    if let size = sizes[file.name] {
      // It gets its name when all of it is on disk and has been looked at; the index may not have heard of that.
      guard size > 0, file.length == nil || size == file.length else { return nil }
      // Without a length the index alone can tell that it is whole.
      guard file.isComplete || file.length != nil else { return nil }
      file.isComplete = true
      file.got = size
      file.length = size
      return file
    }
    // Beyond the last checkpoint nobody knows what the disk holds.
    guard !file.isComplete, let size = sizes[StoreNames.part(file.name)], size >= file.got, file.got > 0 else {
      return nil
    }
    return file
  }

  private func isLater(_ name: String, than other: String?) -> Bool {
    guard let other else { return true }
    return StoreNames.number(of: name) > StoreNames.number(of: other)
  }

  /// A partial file of an address that has a later one.
  private func isOutdatedPart(_ name: String) -> Bool {
    guard let file = files[name] else { return false }
    return files.values.contains { $0.uri == file.uri && $0.name != name && isLater($0.name, than: name) }
  }

  // MARK: Files that have to be looked at

  private mutating func check(_ name: String) {
    if checking.insert(name).inserted { emit(.check(name: name)) }
  }

  /// What a file holds has been found out.
  mutating func checked(_ name: String, _ sum: String?) {
    checking.remove(name)
    if strays[name] != nil {
      strays[name]?.isChecked = true
      strays[name]?.sha256 = sum
      return
    }
    let isOfInterest = [unproven.remove(name), doubted.remove(name)].contains { $0 != nil }
    guard isOfInterest, let file = files[name] else { return }
    if sum != file.sha256 { drop(name) }
    refreshCopies()
  }

  /// A copy didn't play. With a checksum it shows whether the disk or the server is to blame; without one it is fetched again.
  mutating func noteDidNotPlay(_ uri: String) {
    guard let name = newest[uri] else { return }
    guard files[name]?.sha256 != nil else {
      suspects.insert(uri)
      return
    }
    guard suspectsFetched[uri].map({ now - $0 >= policy.suspectInterval }) ?? true else { return }
    suspectsFetched[uri] = now
    doubted.insert(name)
    check(name)
  }

  /// Whether a look at what lies here may still show that a file needn't be fetched.
  func mayBeHere(_ file: WantedFile) -> Bool {
    guard let sum = file.sha256 else { return false }
    if let name = newest[file.uri], checking.contains(name), files[name]?.sha256 == sum { return true }
    return strays.keys.contains { checking.contains($0) }
  }

  /// Compares strays with what is wanted. Only a checksum can tell what one is.
  mutating func identifyStrays() {
    guard !strays.isEmpty, !wanted.isEmpty else { return }
    let missing = wanted.filter { !hasRightCopy($0) }
    guard !missing.isEmpty else {
      for name in strays.keys.sorted() where !inUse.contains(name) { dropStray(name) }
      return
    }
    for file in missing {
      guard let sum = file.sha256 else { continue }
      if let (name, stray) = strays.first(where: { $0.value.sha256 == sum }) {
        adopt(name, stray, as: file)
      } else {
        for name in strays.keys.sorted() where strays[name]?.isChecked == false { check(name) }
      }
    }
  }

  private mutating func adopt(_ name: String, _ stray: Stray, as wanted: WantedFile) {
    // What is fetched of the same address at this moment goes on; a name that is later than its own must not take its place.
    guard transfer?.wanted.uri != wanted.uri else { return }
    strays[name] = nil
    var file = StoredFile(name: name, uri: wanted.uri, isComplete: true, got: stray.size, length: stray.size)
    file.sha256 = wanted.sha256
    files[name] = file
    newest[wanted.uri] = name
    for part in files.values.filter({ $0.uri == wanted.uri && !$0.isComplete }).map(\.name) { drop(part) }
    emit(.record(file))
    isIndexStale = true
    refreshCopies()
  }

  var strayBytes: Int64 { strays.values.reduce(0) { $0.clampedAdding($1.size) } }

  mutating func dropStray(_ name: String) {
    guard let stray = strays.removeValue(forKey: name) else { return }
    free = free.addingReportingOverflow(stray.size).overflow ? .max : free + stray.size
    emit(.remove(name: name))
  }

  // MARK: A folder that can't be written to

  private mutating func beReadOnly(_ detail: String) {
    if readOnlySince == nil { tell(StoreErrors.readOnly(detail), about: Self.disk) }
    readOnlySince = now
    diskPausedUntil = now + policy.diskPause
  }

  /// The folder was looked at again.
  mutating func looked(_ problem: String?, free: Int64) {
    guard readOnlySince != nil else { return }
    if let problem { return beReadOnly(problem) }
    self.free = free
    readOnlySince = nil
    diskPausedUntil = nil
    told[Self.disk] = nil
    if self.problem?.number == StoreErrors.readOnlyNumber { self.problem = nil }
    let due = owed
    owed = []
    for action in due { emit(action) }
    isIndexStale = true
  }
}
