// What is known of the machine around the screen.

extension DoctorFacts {
  public struct Network: Hashable, Sendable, Encodable {
    /// A cable or a radio that is up, by its name, with its addresses.
    public struct Link: Hashable, Sendable, Encodable {
      public var name: String
      public var addresses: [String]
      public init(name: String, addresses: [String]) {
        self.name = name
        self.addresses = addresses
      }
    }
    /// A server that the configuration names, and how far we get with it.
    public struct Server: Hashable, Sendable, Encodable {
      public enum Outcome: String, Hashable, Sendable, Encodable {
        case reached
        case nameUnknown = "name_unknown"
        case refused
        case untrusted
        /// Its certificate isn't valid yet, or no longer, by our clock.
        case wrongTime = "wrong_time"
      }
      /// `https://example.org:443`
      public var origin: String
      public var outcome: Outcome
      /// In the system's words.
      public var detail: String
      public init(origin: String, outcome: Outcome, detail: String = "") {
        self.origin = origin
        self.outcome = outcome
        self.detail = detail
      }
    }
    public var links: [Link] = []
    public var hasRoute = false
    /// Addresses of name servers.
    public var nameServers: [String] = []
    /// Whether anything that plays comes over the network.
    public var isNeeded = false
    public var servers: [Server] = []
    public init() {}
  }

  public struct Clock: Hashable, Sendable, Encodable {
    /// Seconds since 1970.
    public var now: Int64 = 0
    /// Nil where nobody could be asked.
    public var isSynchronised: Bool?
    public init() {}
  }

  /// A folder that the player writes to or reads from.
  public struct Folder: Hashable, Sendable, Encodable {
    public var path: String
    /// `state`, `runtime`, `copies`
    public var purpose: String
    public var freeBytes: Int64?
    public var isThere = true
    public var isWritable = true
    /// Its file system is mounted for reading alone.
    public var isReadOnly = false
    /// Where that is mounted.
    public var mount: String
    public init(path: String, purpose: String, mount: String = "/") {
      self.path = path
      self.purpose = purpose
      self.mount = mount
    }
  }

  public struct Disk: Hashable, Sendable, Encodable {
    /// `mmcblk0`
    public var name: String
    /// Tenths of its life that are used up, 1 to 11, as eMMC tells them; the worse of the two kinds of memory.
    public var lifeUsed: Int?
    /// How much of its reserve is gone: 1 normal, 2 80 %, 3 90 %.
    public var reserve: Int?
    /// Bytes that its file systems have taken in their life.
    public var written: Int64?
    /// Faults that ext4 has counted.
    public var faults: Int
    public init(name: String, lifeUsed: Int? = nil, reserve: Int? = nil, written: Int64? = nil, faults: Int = 0) {
      self.name = name
      self.lifeUsed = lifeUsed
      self.reserve = reserve
      self.written = written
      self.faults = faults
    }
  }

  public struct Power: Hashable, Sendable, Encodable {
    /// The Raspberry Pi's word: bits 0 to 3 are now, 16 to 19 since the start.
    public var throttled: UInt32?
    /// An hwmon of undervoltage says so.
    public var isUnderVoltage: Bool?
    /// Degrees Celsius, the hottest.
    public var temperature: Double?
    public init() {}
  }

  public struct Boot: Hashable, Sendable, Encodable {
    /// A line that the board's profile asks for, and how it stands.
    public struct Setting: Hashable, Sendable, Encodable {
      /// `config.txt: disable_splash=1`, as the profile says it.
      public var text: String
      /// The file that it belongs to; nil where it isn't there.
      public var file: String?
      /// Words that the file lacks.
      public var missing: [String]
      public init(text: String, file: String?, missing: [String]) {
        self.text = text
        self.file = file
        self.missing = missing
      }
    }
    public var settings: [Setting] = []
    /// The kernel's command line, as it was started.
    public var commandLine = ""
    public init() {}
  }

  public struct Service: Hashable, Sendable, Encodable {
    /// The unit's file; nil where there is none.
    public var unit: String?
    public var isEnabled = false
    /// It runs now, or starts.
    public var isActive = false
    /// Somebody has forbidden that it starts.
    public var isMasked = false
    /// Folders that are made when it starts.
    public var folders: [String] = []
    /// As the unit says it: `6`; nil where it has none.
    public var watchdog: String?
    /// The board has a watchdog of its own.
    public var hasHardwareWatchdog = false
    /// As systemd's own settings say: `15s`; nil where they don't.
    public var hardwareWatchdog: String?
    public var hasSystemd = false
    /// A display manager has the screen.
    public var hasDisplayManager = false
    public init() {}
  }

  /// What came of asking a running player.
  public enum Control: Hashable, Sendable, Encodable {
    case notAsked
    /// There is no socket.
    case none(path: String)
    /// There is a socket, and nobody or nobody useful at it.
    case dead(path: String, error: String)
    case closed(path: String, remedy: String)
    /// How it fares: the word of its status, or `asleep` where that is well and every screen is switched off.
    case answers(path: String, state: String)
  }
}
