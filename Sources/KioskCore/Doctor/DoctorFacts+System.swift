// The facts on network, storage, power, boot and service.

extension DoctorFacts {
  public struct Network: Hashable, Sendable, Encodable {
    /// A network interface that is up: its name and addresses.
    public struct Link: Hashable, Sendable, Encodable {
      public var name: String
      public var addresses: [String]
      public init(name: String, addresses: [String]) {
        self.name = name
        self.addresses = addresses
      }
    }
    /// A server that the configuration names, and the result of connecting to it.
    public struct Server: Hashable, Sendable, Encodable {
      public enum Outcome: String, Hashable, Sendable, Encodable {
        case reached
        case nameUnknown = "name_unknown"
        case refused
        case untrusted
        /// By this machine's clock, its certificate isn't valid yet, or no longer.
        case wrongTime = "wrong_time"
      }
      /// The address, such as `https://example.org:443`.
      public var origin: String
      public var outcome: Outcome
      /// The error in the system's words.
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
    /// Whether the network keeps the clock right; nil where the system doesn't say.
    public var isSynchronised: Bool?
    public init() {}
  }

  /// A folder that the player writes to or reads from.
  public struct Folder: Hashable, Sendable, Encodable {
    public var path: String
    /// The folder's use: `state`, `runtime` or `copies`.
    public var purpose: String
    public var freeBytes: Int64?
    public var isThere = true
    public var isWritable = true
    /// Whether its file system is mounted read-only.
    public var isReadOnly = false
    /// The mount point of its file system.
    public var mount: String
    public init(path: String, purpose: String, mount: String = "/") {
      self.path = path
      self.purpose = purpose
      self.mount = mount
    }
  }

  public struct Disk: Hashable, Sendable, Encodable {
    /// The device's name, such as `mmcblk0`.
    public var name: String
    /// The used tenths of its life, 1 to 11, as eMMC reports them; the worse of its two kinds of memory.
    public var lifeUsed: Int?
    /// The state of its spare blocks, as eMMC reports it: 1 normal, 2 means 80 % used, 3 means 90 %.
    public var reserve: Int?
    /// Bytes written to its file systems in their life.
    public var written: Int64?
    /// The number of errors that ext4 has counted.
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
    /// The Raspberry Pi's `get_throttled`: bits 0 to 3 are the state now, 16 to 19 the time since the start.
    public var throttled: UInt32?
    /// Whether an hwmon sensor reports undervoltage.
    public var isUnderVoltage: Bool?
    /// The hottest sensor, in degrees Celsius.
    public var temperature: Double?
    public init() {}
  }

  public struct Boot: Hashable, Sendable, Encodable {
    /// A setting that the board's profile asks for, and the words that are missing.
    public struct Setting: Hashable, Sendable, Encodable {
      /// The setting in the profile's words, such as `config.txt: disable_splash=1`.
      public var text: String
      /// The file that it belongs to; nil where that doesn't exist.
      public var file: String?
      /// The words that the file lacks.
      public var missing: [String]
      public init(text: String, file: String?, missing: [String]) {
        self.text = text
        self.file = file
        self.missing = missing
      }
    }
    public var settings: [Setting] = []
    /// The running kernel's command line.
    public var commandLine = ""
    public init() {}
  }

  public struct Service: Hashable, Sendable, Encodable {
    /// The unit's file; nil where it isn't installed.
    public var unit: String?
    public var isEnabled = false
    /// Whether the service runs now, or is starting.
    public var isActive = false
    /// Whether the unit is masked: an administrator has forbidden its start.
    public var isMasked = false
    /// The folders that systemd creates when the service starts.
    public var folders: [String] = []
    /// The unit's WatchdogSec, such as `6`; nil where it has none.
    public var watchdog: String?
    /// Whether the board has a hardware watchdog.
    public var hasHardwareWatchdog = false
    /// systemd's RuntimeWatchdogSec, such as `15s`; nil where it isn't set.
    public var hardwareWatchdog: String?
    public var hasSystemd = false
    /// Whether a display manager is installed, which takes the screen.
    public var hasDisplayManager = false
    public init() {}
  }

  /// The result of asking a running player.
  public enum Control: Hashable, Sendable, Encodable {
    case notAsked
    /// There is no socket.
    case none(path: String)
    /// There is a socket, but no player answers there.
    case dead(path: String, error: String)
    case closed(path: String, remedy: String)
    /// The word for its health in the status. For a healthy player `asleep`, if every screen is switched off, or
    /// `paused`, if every one is paused.
    case answers(path: String, state: String)
  }
}
