internal import PlaybackCore

/// Space: how much of the capacity and of the disk the files take, and which of them are removed to make more.
struct StoreRoom {
  let files: StoreFiles
  let wanted: WantedFiles
  let settings: StoreSettings
  /// The file that is being fetched, which counts with its whole length.
  let transfer: StoreTransfer?
  /// Free bytes of the disk.
  let free: Int64

  enum Shortage: Error, Hashable, Sendable {
    case capacity
    case disk
  }

  /// A file that may be removed.
  private struct Candidate {
    var name: String
    /// Bytes that it takes of the capacity and of the disk.
    var reserved: Int64
    var onDisk: Int64
  }

  /// Bytes that a file counts with: what it has, or, for the file that is being fetched, its whole length.
  private func reserved(_ file: StoredFile) -> Int64 {
    guard !file.isComplete, let transfer, transfer.name == file.name else { return file.got }
    return max(transfer.written, file.length ?? 0)
  }

  /// Bytes of all files, including those that are still to come of the one that is being fetched.
  var used: Int64 { files.values.reduce(files.strayBytes) { $0.clampedAdding(reserved($1)) } }

  /// Bytes of all files on the disk.
  var bytes: Int64 { files.values.reduce(files.strayBytes) { $0.clampedAdding(onDisk($1)) } }

  /// Bytes of a file that are on the disk.
  func onDisk(_ file: StoredFile) -> Int64 {
    if let transfer, transfer.name == file.name { return transfer.written }
    return file.got
  }

  /// The files that make room for a file that takes `reserved` bytes of the capacity and needs `coming` more bytes of
  /// the disk.
  ///
  /// For a file that is needed today, all files that aren't may be removed; for any other file only those that no
  /// playlist names any more: otherwise two files that don't fit together would replace each other for ever. Files are
  /// only removed if that frees enough.
  func making(for wanted: WantedFile, reserving reserved: Int64, coming: Int64) throws(Shortage) -> [String] {
    var overCapacity = used + reserved - settings.capacity
    var overDisk = coming + settings.freeSpace - free
    guard overCapacity > 0 || overDisk > 0 else { return [] }
    var going: [String] = []
    for file in candidates(isForToday: wanted.isNeededToday, except: wanted.uri) {
      guard overCapacity > 0 || overDisk > 0 else { break }
      going.append(file.name)
      overCapacity -= file.reserved
      // Where the free bytes aren't known they are the largest number.
      overDisk = overDisk.clampedSubtracting(file.onDisk)
    }
    guard overCapacity <= 0 else { throw .capacity }
    guard overDisk <= 0 else { throw .disk }
    return going
  }

  /// The files whose removal keeps the capacity, as far as the files that are needed today allow.
  var overCapacity: [String] {
    var over = used - settings.capacity
    guard over > 0 else { return [] }
    return candidates(isForToday: true, except: nil).prefix { file in
      defer { over -= file.reserved }
      return over > 0
    }.map(\.name)
  }

  /// The longest file that would fit if it were needed today, and the longest if it weren't.
  var longestFitting: (today: Int64, other: Int64) {
    let largest = settings.largestFile ?? .max
    let left = settings.capacity.clampedSubtracting(used)
    func longest(isForToday: Bool) -> Int64 {
      let going = candidates(isForToday: isForToday, except: nil).reduce(Int64(0)) { $0.clampedAdding($1.reserved) }
      return min(largest, left.clampedAdding(going))
    }
    return (longest(isForToday: true), longest(isForToday: false))
  }

  /// The files that may be removed; the least needed come first, which are the unidentified ones.
  private func candidates(isForToday: Bool, except uri: String?) -> [Candidate] {
    let strays = files.strays.sorted { $0.key < $1.key }.map { name, stray in
      Candidate(name: name, reserved: stray.size, onDisk: stray.size)
    }
    let found = files.values.compactMap { file -> (rank: Int, file: StoredFile)? in
      guard file.uri != uri, !files.inUse.contains(file.name), transfer?.name != file.name else { return nil }
      guard let wanted = wanted[file.uri] else { return (file.isComplete ? 1 : 0, file) }
      guard isForToday, !wanted.isNeededToday else { return nil }
      return (file.isComplete ? 3 : 2, file)
    }
    let sorted = found.sorted {
      ($0.rank, $0.file.lastPlayed, $0.file.number) < ($1.rank, $1.file.lastPlayed, $1.file.number)
    }
    return strays + sorted.map { Candidate(name: $0.file.name, reserved: reserved($0.file), onDisk: onDisk($0.file)) }
  }
}
