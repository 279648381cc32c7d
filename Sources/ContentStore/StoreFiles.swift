internal import PlaybackCore

/// The files in the store's folder: whole and partial ones of what playlists name or named, and unidentified ones.
struct StoreFiles: Hashable, Sendable {
  /// Unidentified whole files, by name.
  var strays: [String: Stray] = [:]
  /// Names of the files that decks have open or are about to open.
  var inUse: Set<String> = []
  /// The number of the next file's name.
  var nextNumber: Int64 = 1
  /// The count of plays.
  private(set) var lastPlayed: Int64 = 0
  private var entries: [String: Entry] = [:]
  /// The name of the newest whole file, by address.
  private(set) var newest: [String: String] = [:]

  private struct Entry: Hashable, Sendable {
    var file: StoredFile
    var proof = Proof.trusted
  }

  /// The state of the comparison of a copy's checksum.
  enum Proof: Hashable, Sendable {
    case trusted
    /// The copy was found without the index: its checksum counts only once it has been compared.
    case unproven
    /// The copy failed to play.
    case doubted
  }

  /// A whole file that neither the index nor a record lists. It may be the board's only copy, so it is removed only
  /// when its room is needed, or when all wanted files are stored.
  struct Stray: Hashable, Sendable {
    enum Check: Hashable, Sendable {
      case notBegun
      case underWay
      /// Nil where the file can't be read.
      case done(sha256: String?)
    }

    var size: Int64
    var check = Check.notBegun
  }

  // MARK: Looking up

  subscript(name: String) -> StoredFile? {
    get { entries[name]?.file }
    set {
      guard let newValue else { return entries[name] = nil }
      entries[name, default: Entry(file: newValue)].file = newValue
    }
  }

  /// All files but the unidentified ones.
  var values: some Collection<StoredFile> { entries.values.lazy.map(\.file) }

  /// The newest whole file of an address.
  func copy(of uri: String) -> StoredFile? { newest[uri].flatMap { self[$0] } }

  /// The partial file of an address.
  func part(of uri: String) -> StoredFile? { values.first { $0.uri == uri && !$0.isComplete } }

  /// The checksum that a file was compared with; nil where it has yet to be compared.
  func checksum(of name: String) -> String? {
    entries[name].flatMap { $0.proof == .unproven ? nil : $0.file.sha256 }
  }

  /// Whether a file is whole and has the wanted checksum.
  func isRight(_ file: StoredFile, for wanted: WantedFile) -> Bool {
    file.isComplete && (wanted.sha256 == nil || wanted.sha256 == checksum(of: file.name))
  }

  /// The newest whole file of an address, if it has the wanted checksum.
  func rightCopy(of wanted: WantedFile) -> StoredFile? {
    copy(of: wanted.uri).flatMap { isRight($0, for: wanted) ? $0 : nil }
  }

  /// Whole files that a newer one has replaced, and that aren't in use.
  var superseded: [String] {
    values.filter { $0.isComplete && newest[$0.uri] != $0.name && !inUse.contains($0.name) }.map(\.name).sorted()
  }

  /// Partial files whose address has a later file.
  var outdatedParts: [String] {
    var latest: [String: Int64] = [:]
    for file in values { latest[file.uri] = max(latest[file.uri] ?? 0, file.number) }
    return values.filter { !$0.isComplete && $0.number < latest[$0.uri] ?? 0 }.map(\.name).sorted()
  }

  /// The request for a file: for the rest of a partial one, whether a copy has changed, or for the whole.
  ///
  /// - Parameter isSuspect: whether the copy failed to play, so that it is replaced even by the same version.
  func request(_ number: Int, for wanted: WantedFile, at uri: String, isSuspect: Bool) -> StoreRequest {
    var request = StoreRequest(transfer: number, uri: uri)
    if let part = part(of: wanted.uri) {
      // A checksum would expose a mixture of two versions.
      guard part.rangeValidator != nil || wanted.sha256 != nil else { return request }
      request.from = part.got
      request.onlyOf = part.rangeValidator
    } else if !isSuspect, let copy = rightCopy(of: wanted) {
      request.unlessETag = copy.etag
      request.unlessSince = copy.lastModified
    }
    return request
  }

  /// The contents of an index.
  func index(generation: Int64) -> StoreIndex {
    var index = StoreIndex()
    index.generation = generation
    index.nextNumber = nextNumber
    index.files = values.sorted { $0.number < $1.number }
    return index
  }

  // MARK: Changing

  /// Adds a file that was found in the folder.
  mutating func add(_ file: StoredFile, _ proof: Proof = .trusted) {
    entries[file.name] = Entry(file: file, proof: proof)
    // A higher number is a later version.
    if file.isComplete, file.number > newest[file.uri].map(StoreNames.number) ?? .min { newest[file.uri] = file.name }
    lastPlayed = max(lastPlayed, file.lastPlayed)
  }

  /// Adds a file that is about to be fetched, under a name that no file has had.
  mutating func begin(_ wanted: WantedFile, length: Int64?, _ head: ResponseHead) -> String {
    let name = "\(nextNumber).\(Address.fileExtension(wanted.uri))"
    nextNumber += 1
    var file = StoredFile(name: name, uri: wanted.uri, length: length)
    file.etag = head.etag.flatMap { StoreIndex.isKeepable($0) ? $0 : nil }
    file.lastModified = head.lastModified.flatMap { StoreIndex.isKeepable($0) ? $0 : nil }
    file.sha256 = wanted.sha256
    self[name] = file
    return name
  }

  /// Makes a partial file whole: from now on it is the address's copy.
  mutating func complete(_ name: String, size: Int64) {
    guard var file = self[name] else { return }
    // The new version counts as played when the old one was.
    file.lastPlayed = copy(of: file.uri)?.lastPlayed ?? lastPlayed
    self[name] = file.whole(size: size)
    newest[file.uri] = name
  }

  /// Counts a play of an address's copy; false where that copy was also the last to play, or there is no copy.
  mutating func recordPlay(of uri: String) -> Bool {
    guard let name = newest[uri], self[name]?.lastPlayed != lastPlayed || lastPlayed == 0 else { return false }
    lastPlayed += 1
    entries[name]?.file.lastPlayed = lastPlayed
    return true
  }

  /// Forgets a file; returns whether it was the newest copy of its address.
  mutating func remove(_ name: String) -> Bool {
    guard let file = entries.removeValue(forKey: name)?.file, newest[file.uri] == name else { return false }
    newest[file.uri] = nil
    return true
  }

  // MARK: Comparing checksums

  /// Copies that were found without the index.
  var unproven: [String] { entries.filter { $0.value.proof == .unproven }.keys.sorted() }

  /// Notes that a copy failed to play; false where its checksum is being compared already.
  mutating func doubt(_ name: String) -> Bool {
    guard entries[name]?.proof == .trusted else { return false }
    entries[name]?.proof = .doubted
    return true
  }

  /// Handles the checksum of a copy; nil where nothing asked for it, else whether it is right.
  mutating func prove(_ name: String, _ sum: String?) -> Bool? {
    guard let entry = entries[name], entry.proof != .trusted else { return nil }
    entries[name]?.proof = .trusted
    return sum == entry.file.sha256
  }

  /// Whether a comparison that is under way may still show that a file needn't be fetched.
  func mayBeHere(_ wanted: WantedFile, isComparingStrays: Bool) -> Bool {
    guard let sum = wanted.sha256 else { return false }
    guard !isComparingStrays else { return true }
    return newest[wanted.uri].flatMap { entries[$0] }.map { $0.proof != .trusted && $0.file.sha256 == sum } ?? false
  }

  // MARK: Unidentified files

  var strayBytes: Int64 { strays.values.reduce(0) { $0.clampedAdding($1.size) } }
  var isComparingStrays: Bool { strays.values.contains { $0.check == .underWay } }

  /// Names by checksum, as far as it has been computed.
  var straysByChecksum: [String: [String]] {
    var found: [String: [String]] = [:]
    for name in strays.keys.sorted() {
      if case .done(let sum?) = strays[name]?.check { found[sum, default: []].append(name) }
    }
    return found
  }

  /// Begins the comparison of all unidentified files; returns those that weren't compared before.
  mutating func compareStrays() -> [String] {
    let names = strays.keys.filter { strays[$0]?.check == .notBegun }.sorted()
    for name in names { strays[name]?.check = .underWay }
    return names
  }

  /// Makes an unidentified file the copy of an address; returns it.
  mutating func adopt(_ name: String, as wanted: WantedFile) -> StoredFile? {
    guard let stray = strays.removeValue(forKey: name) else { return nil }
    var file = StoredFile(name: name, uri: wanted.uri, isComplete: true, got: stray.size, length: stray.size)
    file.sha256 = wanted.sha256
    self[name] = file
    newest[wanted.uri] = name
    return file
  }
}

extension StoredFile {
  /// The number at the start of the name.
  var number: Int64 { StoreNames.number(of: name) }

  /// Returns this file with all its bytes on the disk.
  func whole(size: Int64) -> StoredFile {
    var file = self
    file.isComplete = true
    file.got = size
    file.length = size
    return file
  }
}
