public import PlaybackCore

/// What lies in the store's folder at the start.
public struct StoreFound: Hashable, Sendable {
  /// The newest that is whole; nil when there is none.
  public var index: StoreIndex?
  /// Files of the index that are there and aren't whole.
  public var damagedIndexes: Int
  /// Bytes by the name on disk, of copies and parts.
  public var sizes: [String: Int64]
  /// Copies that have a record beside them, whole or not.
  public var recorded: Set<String>
  /// The records of whole copies that the index doesn't list, as far as they can be read.
  public var records: [StoredFile]
  /// Bytes that the disk has left.
  public var free: Int64
  /// Why nothing can be written; nil when it can.
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
  /// With what the system says.
  case failed(String)
}

/// Why a transfer came to nothing.
public enum StoreFailure: Error, Hashable, Sendable {
  /// No connection, or it broke off; with what the library says.
  case connection(String)
  /// The certificate isn't trusted: expired, of another name, of an unknown issuer.
  case certificate(String)
  /// Its certificate's time hasn't come, by a clock that nobody has set yet.
  case clockNotSet(String)
  /// Nothing came for too long.
  case silent
  case status(Int, retryAfter: Duration?)
  /// A web page in place of the file.
  case page
  /// A list of a stream's parts in place of a file.
  case list
  /// In place of a list of addresses something that names nothing that can be played.
  case noList
  case redirectLoop
  /// From https to http, or to something that isn't the web.
  case unsafeRedirect
  case noLength
  case encoded
  case empty
  case wrongLength
  case wrongChecksum
}

/// Facts that the store is told.
public enum StoreEvent: Hashable, Sendable {
  case opened(StoreFound)
  /// In the order in which they will play.
  case wanted([WantedFile])
  case settingsChanged(StoreSettings)
  /// Names of the files that decks have open or are about to open.
  case inUse(Set<String>)
  case played(uri: String)
  /// A copy was played, and failed.
  case didNotPlay(uri: String)
  case answered(Int, ResponseHead)
  /// The next piece of the body is there, to be written or not; with its first bytes.
  case received(Int, count: Int, start: [UInt8])
  case bodyEnded(Int)
  case transferFailed(Int, StoreFailure)
  /// The partial file is open and has as many bytes as was asked for; the disk has so many left.
  case fileOpened(Int, free: Int64)
  /// The piece has been written; the disk has so many bytes left.
  case wrote(Int, free: Int64)
  /// All that was written is on disk for good.
  case synchronised(Int)
  /// The whole file has its name; or its checksum isn't the one, or it is no list.
  case finished(Int, isRight: Bool)
  case diskFailed(Int, DiskTrouble)
  /// What the checksum of a whole file is; nil when it can't be read.
  case checked(name: String, sha256: String?)
  /// Whether the folder can be written to by now: what is wrong, or nil, and the bytes that the disk has left.
  case looked(readOnly: String?, free: Int64)
  /// Somebody has set the clock: what certificates were refused for may be over.
  case clockSet
  case timerFired
}

/// What the store says is to be done, in this order.
public enum StoreAction: Hashable, Sendable {
  case request(StoreRequest)
  /// Opens `name.part`, cut to so many bytes.
  case openFile(Int, name: String, size: Int64)
  /// Asks for the next piece of the body.
  case read(Int, after: Duration)
  /// Writes the piece that came last.
  case write(Int)
  /// Brings what was written to the disk.
  case synchronise(Int)
  /// Compares the checksum if there is one, and looks whether a list names anything; brings the file to the disk and gives it its name.
  case finish(Int, name: String, sha256: String?, isList: Bool = false)
  /// Ends the transfer and closes its file; nothing of it may be told afterwards.
  case end(Int)
  /// Removes a file, whole or not, with its record.
  case remove(name: String)
  /// Replaces the older one of the two indexes.
  case save(StoreIndex)
  /// Writes the record of a whole file.
  case record(StoredFile)
  /// Computes the checksum of a whole file.
  case check(name: String)
  /// Looks whether the folder can be written to.
  case look
  /// Takes the place of the timer before; nil is none.
  case setTimer(Instant?)
  case tell(StoreNotice)
}

/// What people, or playback, may want to know.
public enum StoreNotice: Hashable, Sendable {
  /// Other files can be played from the store than before.
  case copiesChanged
  case stored(uri: String, bytes: Int64)
  case problem(VitrineError)
}

/// How far the store is.
public struct StoreStatus: Hashable, Sendable {
  /// Files that playlists name, and those of them that are there.
  public var wanted = 0
  public var stored = 0
  /// The same for those that play today.
  public var wantedToday = 0
  public var storedToday = 0
  /// Bytes of all files.
  public var bytes: Int64 = 0
  /// What is being fetched, with how much of it is there.
  public var fetching: Fetching?
  /// What was wrong last; nil when something has been right since.
  public var problem: VitrineError?

  /// A file on its way.
  public struct Fetching: Hashable, Sendable {
    /// Without a password.
    public var uri: String
    /// Bytes that are there, and those of the whole where that is known.
    public var got: Int64
    public var length: Int64?
  }

  public init() {}
}
