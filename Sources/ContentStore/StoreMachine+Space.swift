internal import PlaybackCore

// Room: how much there is, and what goes to make some.

extension StoreMachine {
  /// Bytes that a file takes, or will take when it is whole.
  private func reserved(_ file: StoredFile) -> Int64 {
    guard !file.isComplete, let transfer, transfer.name == file.name else { return file.got }
    return max(transfer.written, file.length ?? 0)
  }

  /// Bytes of all files, with those that are still to come of the one that is fetched.
  var used: Int64 { files.values.reduce(strayBytes) { $0.clampedAdding(reserved($1)) } }

  /// Bytes on disk of a file.
  func onDisk(_ file: StoredFile) -> Int64 {
    if let transfer, transfer.name == file.name { return transfer.written }
    return file.got
  }

  /// Makes room for a file that takes `reserved` bytes of the capacity and needs `coming` more bytes of the disk.
  ///
  /// For what is needed today everything goes that isn't; for the rest only what no playlist names any more: else two files
  /// that don't fit together would take turns for ever. Nothing goes unless it is enough.
  ///
  /// - Returns: what there is too little of; nil when there is room.
  mutating func makeRoom(for wanted: WantedFile, reserving reserved: Int64, coming: Int64) -> Shortage? {
    var overCapacity = used + reserved - settings.capacity
    var overDisk = coming + settings.freeSpace - free
    guard overCapacity > 0 || overDisk > 0 else { return nil }
    var going: [String] = []
    for (name, stray) in goingStrays {
      guard overCapacity > 0 || overDisk > 0 else { break }
      going.append(name)
      overCapacity -= stray.size
      overDisk -= stray.size
    }
    for file in evictable(isForToday: wanted.isNeededToday, except: wanted.uri) {
      guard overCapacity > 0 || overDisk > 0 else { break }
      going.append(file.name)
      overCapacity -= self.reserved(file)
      overDisk -= onDisk(file)
    }
    guard overCapacity <= 0 else { return .capacity }
    guard overDisk <= 0 else { return .disk }
    for name in going { if strays[name] != nil { dropStray(name) } else { drop(name) } }
    refreshCopies()
    return nil
  }

  /// The longest file for which there would be room, and the longest for what isn't needed today.
  func longestFitting() -> (today: Int64, other: Int64) {
    let largest = settings.largestFile ?? .max
    func longest(isForToday: Bool) -> Int64 {
      let going = evictable(isForToday: isForToday, except: "").reduce(strayBytes) {
        $0.clampedAdding(reserved($1))
      }
      return min(largest, settings.capacity.clampedSubtracting(used).clampedAdding(going))
    }
    return (longest(isForToday: true), longest(isForToday: false))
  }

  enum Shortage: Hashable, Sendable {
    case capacity
    case disk
  }

  /// The first to go are files of which nobody knows what they are.
  private var goingStrays: [(String, Stray)] { strays.sorted { $0.key < $1.key }.map { ($0.key, $0.value) } }

  /// What may go, first what is missed least.
  private func evictable(isForToday: Bool, except uri: String) -> [StoredFile] {
    let found = files.values.compactMap { file -> (rank: Int, file: StoredFile)? in
      guard file.uri != uri, !inUse.contains(file.name), transfer?.name != file.name else { return nil }
      guard let wanted = wantedByURI[file.uri] else { return (file.isComplete ? 1 : 0, file) }
      guard isForToday, !wanted.isNeededToday else { return nil }
      return (file.isComplete ? 3 : 2, file)
    }
    return found.sorted {
      ($0.rank, $0.file.lastPlayed, StoreNames.number(of: $0.file.name))
        < ($1.rank, $1.file.lastPlayed, StoreNames.number(of: $1.file.name))
    }.map(\.file)
  }

  /// After the capacity was lowered, or other files are needed: down to it, as far as what is needed today allows.
  mutating func reduceToCapacity() {
    guard isOpen, used > settings.capacity else { return }
    for (name, _) in goingStrays where used > settings.capacity { dropStray(name) }
    for file in evictable(isForToday: true, except: "") where used > settings.capacity { drop(file.name) }
    refreshCopies()
  }

  /// Old versions go as soon as nothing plays them.
  mutating func removeSuperseded() {
    let old = files.values.filter { $0.isComplete && newest[$0.uri] != $0.name && !inUse.contains($0.name) }
    for name in old.map(\.name).sorted() { drop(name) }
  }

  /// Forgets a file and removes it.
  mutating func drop(_ name: String) {
    guard let file = files.removeValue(forKey: name) else { return }
    unproven.remove(name)
    doubted.remove(name)
    free = free.addingReportingOverflow(onDisk(file)).overflow ? .max : free + onDisk(file)
    if newest[file.uri] == name {
      newest[file.uri] = nil
      checks[file.uri] = nil
      copies[file.uri] = nil
      lists[file.uri] = nil
      emit(.tell(.copiesChanged))
    }
    emit(.remove(name: file.isComplete ? name : StoreNames.part(name)))
    isIndexStale = true
  }

  /// The transfer ends for want of room; what it has goes.
  mutating func endForWant(of shortage: Shortage) {
    guard let transfer else { return }
    guard shortage == .capacity else { return diskFailed(.full) }
    endTransfer()
    if let name = transfer.name { drop(name) }
    noteNoRoom(transfer, StoreErrors.noRoom(transfer.wanted))
  }

  /// There is no room for it, now.
  ///
  /// - Parameter transfer: the one that has ended for it.
  mutating func noteNoRoom(_ transfer: Transfer, _ error: VitrineError) {
    let uri = transfer.wanted.uri
    roomless[uri] = max(transfer.length ?? 0, transfer.written + 1)
    // The copy that there is stays; the new version is asked about again when it would have been anyway.
    if newest[uri] != nil { checks[uri] = now + settings.checkInterval }
    tell(error, about: uri)
  }
}
