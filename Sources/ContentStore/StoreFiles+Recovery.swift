// Recovery of the files in the folder at the start: decision 0085.

extension StoreFiles {
  /// Registers the files in the folder: whole ones as copies, partial ones to be continued.
  ///
  /// - Returns: the files, with the commands that remove what is of no use and write the missing records.
  static func recovered(from found: StoreFound) -> (files: StoreFiles, actions: [StoreAction]) {
    var files = StoreFiles()
    var actions: [StoreAction] = []
    files.nextNumber = found.index?.nextNumber ?? 1
    // A number may have been used without the index having been written: it isn't used again.
    for name in Set(found.sizes.keys).union(found.recorded) {
      files.nextNumber = max(files.nextNumber, StoreNames.number(of: name) + 1)
    }
    let listed = found.index?.files ?? []
    for file in listed {
      if let kept = file.recovered(sizes: found.sizes) { files.add(kept) }
    }
    let known = Set(listed.map(\.name))
    for file in found.records where !known.contains(file.name) && found.sizes[file.name] != nil {
      guard let kept = file.recovered(sizes: found.sizes) else { continue }
      files.add(kept, kept.sha256 == nil ? .trusted : .unproven)
    }
    let recorded = Set(found.records.map(\.name))
    let unknown = Set(found.sizes.keys).subtracting(files.values.map(\.nameOnDisk))
    for name in unknown.sorted() {
      // A file whose record names another length is a damaged copy, and is removed.
      if StoreNames.isCopy(name), let size = found.sizes[name], size > 0, !known.contains(name),
        !recorded.contains(name)
      {
        files.strays[name] = Stray(size: size)
      } else {
        actions.append(.remove(name: name))
      }
    }
    for name in found.recorded.sorted() where files[name]?.isComplete != true && files.strays[name] == nil {
      if !unknown.contains(name) { actions.append(.remove(name: StoreNames.record(name))) }
    }
    let unrecorded = files.values.filter { $0.isComplete && !found.recorded.contains($0.name) }
    actions += unrecorded.sorted { $0.name < $1.name }.map { .record($0) }
    return (files, actions)
  }
}

extension StoredFile {
  fileprivate var nameOnDisk: String { isComplete ? name : StoreNames.part(name) }

  /// The usable state of a file after the process or the power failed at any moment; nil where nothing is usable.
  fileprivate func recovered(sizes: [String: Int64]) -> StoredFile? {
    if let size = sizes[name] {
      // A file gets its name when all of it is on disk and checked; the index may not have been written since.
      guard size > 0, length == nil || size == length else { return nil }
      // Without a length, only the index shows that the file is whole.
      guard isComplete || length != nil else { return nil }
      return whole(size: size)
    }
    // The disk's contents behind the last checkpoint are uncertain.
    guard !isComplete, let size = sizes[StoreNames.part(name)], size >= got, got > 0 else { return nil }
    return self
  }
}
