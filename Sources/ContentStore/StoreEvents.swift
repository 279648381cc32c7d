public import PlaybackCore

/// The contents of the store's folder at the start.
public struct StoreFound: Hashable, Sendable {
  /// The newest intact index; nil when none is intact.
  public var index: StoreIndex?
  /// Number of index files that exist but are damaged.
  public var damagedIndexes: Int
  /// Sizes in bytes of copies and partial files, by their names on disk.
  public var sizes: [String: Int64]
  /// Copies that have a record beside them, intact or not.
  public var recorded: Set<String>
  /// The readable records of whole copies that the index doesn't list.
  public var records: [StoredFile]
  /// Free bytes on the disk.
  public var free: Int64
  /// Why the folder can't be written to; nil when it can.
  public var readOnly: String?

  public init(
    index: StoreIndex?, sizes: [String: Int64], free: Int64, damagedIndexes: Int = 0, recorded: Set<String> = [],
    records: [StoredFile] = [], readOnly: String? = nil
  ) {
    self.index = index
    self.sizes = sizes
    self.free = free
    self.damagedIndexes = damagedIndexes
    self.recorded = recorded
    self.records = records
    self.readOnly = readOnly
  }
}

public enum DiskTrouble: Error, Hashable, Sendable {
  case full
  /// Any other failure, with the system's message.
  case failed(String)
}

/// The reason for which a transfer failed.
public enum StoreFailure: Error, Hashable, Sendable {
  /// No connection, or a broken one; with the library's message.
  case connection(String)
  /// The certificate isn't trusted: expired, of another name, of an unknown issuer.
  case certificate(String)
  /// The certificate isn't valid yet, by a clock that hasn't been set.
  case clockNotSet(String)
  /// No data came for too long.
  case silent
  case status(Int, retryAfter: Duration?)
  /// A web page in place of the file.
  case page
  /// A list of a stream's parts in place of a file.
  case list
  /// In place of a list of addresses came a file without any playable entry.
  case noList
  case redirectLoop
  /// A redirect from https to http, or to an address that isn't of the web.
  case unsafeRedirect
  case noLength
  case encoded
  case empty
  case wrongLength
  case wrongChecksum
}

/// The store machine's events.
public enum StoreEvent: Hashable, Sendable {
  case opened(StoreFound)
  /// The files to store, in the order in which they will play.
  case wanted([WantedFile])
  case settingsChanged(StoreSettings)
  /// Names of the files that decks have open or are about to open.
  case inUse(Set<String>)
  case played(uri: String)
  /// A copy was played and failed.
  case didNotPlay(uri: String)
  case answered(Int, ResponseHead)
  /// The next piece of the body has come and may be written; `start` holds its first bytes.
  case received(Int, count: Int, start: [UInt8])
  case bodyEnded(Int)
  case transferFailed(Int, StoreFailure)
  /// The partial file is open at the requested size; `free` is what the disk has left.
  case fileOpened(Int, free: Int64)
  /// The piece has been written; `free` is what the disk has left.
  case wrote(Int, free: Int64)
  /// All written bytes are on the disk for good.
  case synchronised(Int)
  /// The whole file has got its name; or, with false, its checksum is wrong, or it is no list.
  case finished(Int, isRight: Bool)
  case diskFailed(Int, DiskTrouble)
  /// The checksum of a whole file; nil when it can't be read.
  case checked(name: String, sha256: String?)
  /// The result of checking whether the folder can be written to: the fault, or nil, and the disk's free bytes.
  case looked(readOnly: String?, free: Int64)
  /// The clock was set: certificates that were refused before may be valid now.
  case clockSet
  case timerFired
}

/// The store machine's commands, to be carried out in order.
public enum StoreAction: Hashable, Sendable {
  case request(StoreRequest)
  /// Opens `name.part`, cut to this size.
  case openFile(Int, name: String, size: Int64)
  /// Asks for the next piece of the body.
  case read(Int, after: Duration)
  /// Writes the piece that came last.
  case write(Int)
  /// Flushes the written bytes to the disk.
  case synchronise(Int)
  /// Compares the checksum, if there is one, and checks that a list has entries; then flushes the file to the disk and
  /// gives it its name.
  case finish(Int, name: String, sha256: String?, isList: Bool = false)
  /// Ends the transfer and closes its file; no event of it may follow.
  case end(Int)
  /// Removes a file, whole or partial, with its record.
  case remove(name: String)
  /// Replaces the older one of the two indexes.
  case save(StoreIndex)
  /// Writes the record of a whole file.
  case record(StoredFile)
  /// Computes the checksum of a whole file.
  case check(name: String)
  /// Checks whether the folder can be written to.
  case look
  /// Replaces the timer; nil stops it.
  case setTimer(Instant?)
  case tell(StoreNotice)
}

/// News for people or for playback.
public enum StoreNotice: Hashable, Sendable {
  /// The set of files that can be played from the store has changed.
  case copiesChanged
  case stored(uri: String, bytes: Int64)
  case problem(VitrineError)
}

/// The store's progress.
public struct StoreStatus: Hashable, Sendable {
  /// Number of files that playlists name, and how many of them are stored.
  public var wanted = 0
  public var stored = 0
  /// Number of files that play today, and how many of them are stored.
  public var wantedToday = 0
  public var storedToday = 0
  /// Bytes of all files.
  public var bytes: Int64 = 0
  /// The file that is being fetched.
  public var fetching: Fetching?
  /// The latest fault; nil once a file has been stored since.
  public var problem: VitrineError?

  /// A file that is being fetched.
  public struct Fetching: Hashable, Sendable {
    /// The address, without its password.
    public var uri: String
    /// Bytes so far, and those of the whole file where its length is known.
    public var got: Int64
    public var length: Int64?
  }

  public init() {}
}
