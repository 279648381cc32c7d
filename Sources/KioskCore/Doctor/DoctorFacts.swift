/// All that `vitrine doctor` knows of a machine, as shells have gathered it: values only, so that a test can make any
/// board.
///
/// What is nil or empty couldn't be read or isn't there; the rules say which of the two is worth a line.
public struct DoctorFacts: Hashable, Sendable, Encodable {
  public var board = Board()
  public var user = User()
  public var wishes = Wishes()
  public var configuration = ConfigurationState()
  public var screen = Screen()
  public var decoding = Decoding()
  public var memory = Memory()
  /// Nil where they weren't asked for.
  public var inputs: [Input]?
  /// Names of sound devices; nil where they couldn't be asked for.
  public var sounds: [String]?
  public var network = Network()
  public var clock = Clock()
  public var folders: [Folder] = []
  public var disks: [Disk] = []
  public var power = Power()
  public var boot = Boot()
  public var service = Service()
  public var control = Control.notAsked
  /// Files of devices that the player opens.
  public var devices: [Device] = []

  public init() {}

  public struct Board: Hashable, Sendable, Encodable {
    /// `Raspberry Pi 4 Model B Rev 1.4`; empty where the system doesn't say.
    public var name = ""
    public var kernel = ""
    /// Nil where GStreamer doesn't start.
    public var gstreamer: String?
    public var version = ""
    /// Profiles that match.
    public var profiles: [String] = []
    /// Files of profiles that can't be read.
    public var profileErrors: [String] = []
    public init() {}
  }

  public struct User: Hashable, Sendable, Encodable {
    /// Who plays: the service's user, where there is one, else who asks.
    public var name = ""
    public var isRoot = false
    public var groups: [String] = []
    public init() {}
  }

  /// What the configuration asks of the machine.
  public struct Wishes: Hashable, Sendable, Encodable {
    /// `auto`, `kms`, `wayland` or `headless`.
    public var output = "auto"
    /// A size with a rate or without; nil is any.
    public var mode: String?
    public var hasSound = true
    /// `alsa:hw:0`; nil is any.
    public var soundDevice: String?
    /// Visitors are meant to touch the screen.
    public var hasVisitors = false
    /// Parts of names of input devices that are named.
    public var inputDevices: [String] = []
    public init() {}
  }

  public struct FontGap: Hashable, Sendable, Encodable {
    /// Nil where no package is known.
    public var package: String?
    public var letters: String
    /// How many have some of them.
    public var titles: Int
    public init(package: String?, letters: String, titles: Int) {
      self.package = package
      self.letters = letters
      self.titles = titles
    }
  }

  public struct ConfigurationState: Hashable, Sendable, Encodable {
    public var path = ""
    public var isMissing = false
    public var errors: [String] = []
    public var warnings: [String] = []
    /// Items that are listed.
    public var items = 0
    /// Letters of their titles that no font here has.
    public var fontGaps: [FontGap] = []
    public init() {}
  }

  public struct Screen: Hashable, Sendable, Encodable {
    public struct Card: Hashable, Sendable, Encodable {
      public var path = ""
      public var driver = ""
      /// `free`, `in use` or `closed to us`.
      public var state = ""
      public var holders: [String] = []
      public var problem: String?
      public var connectors: [Connector] = []
      public var planes: [Plane] = []
      public init() {}
    }
    public struct Connector: Hashable, Sendable, Encodable {
      public var name = ""
      public var isConnected = false
      /// `1920x1080@60.00`, as the kernel has them.
      public var modes: [String] = []
      public init() {}
    }
    public struct Plane: Hashable, Sendable, Encodable {
      public var type = ""
      /// Nil where it isn't used.
      public var role: String?
      public var formats: [String] = []
      public init() {}
    }
    public struct Problem: Hashable, Sendable, Encodable {
      public var number: Int
      public var message: String
      public var remedy: String
      public init(number: Int, message: String, remedy: String) {
        self.number = number
        self.message = message
        self.remedy = remedy
      }
    }
    /// What one screen of the configuration would get.
    public struct Outlook: Hashable, Sendable, Encodable {
      /// Of its `[[screen]]`; empty where there is one screen.
      public var name = ""
      /// What the configuration asks for; nil is the first that has a screen.
      public var connector: String?
      /// `/dev/dri/card0 HDMI-A-1 1920x1080@60.00`
      public var choice: String?
      public var problem: Problem?
      /// A player of ours shows something there.
      public var isPlaying = false
      public init() {}
    }
    public var hasCompositor = false
    public var cards: [Card] = []
    /// One for each screen, in the order of the configuration.
    public var outlooks: [Outlook] = []
    public init() {}
  }

  public struct Decoding: Hashable, Sendable, Encodable {
    public struct Codec: Hashable, Sendable, Encodable {
      /// `h264`
      public var name: String
      /// `H.264`
      public var title: String
      /// Nil where nothing decodes it.
      public var decoder: String?
      public var isHardware: Bool
      /// How many local items of the configuration have it, of those that were looked into.
      public var items: Int
      /// What becomes of its frames on their way to the plane, in words; empty where that isn't known.
      public var way: String
      public init(
        name: String, title: String, decoder: String?, isHardware: Bool, items: Int = 0, way: String = ""
      ) {
        self.name = name
        self.title = title
        self.decoder = decoder
        self.way = way
        self.isHardware = isHardware
        self.items = items
      }
    }
    public struct Item: Hashable, Sendable, Encodable {
      /// Its address, without secrets.
      public var name: String
      public var message: String
      public var remedy: String
      /// Nothing here decodes it.
      public var lacksDecoder: Bool
      public init(name: String, message: String, remedy: String, lacksDecoder: Bool = false) {
        self.name = name
        self.message = message
        self.remedy = remedy
        self.lacksDecoder = lacksDecoder
      }
    }
    /// Why GStreamer doesn't start.
    public var problem: String?
    public var codecs: [Codec] = []
    /// Elements that the player makes and nobody has.
    public var missingElements: [String] = []
    /// Items that were opened and can't be played.
    public var unplayable: [Item] = []
    /// Decoders that are left alone because they failed.
    public var remembered: [String] = []
    public init() {}
  }

  /// Bytes.
  public struct Memory: Hashable, Sendable, Encodable {
    public var total: Int64?
    public var available: Int64?
    /// What the player's own group may have; nil is no limit.
    public var limit: Int64?
    /// Memory that decoders and screens take in one piece; nil where the kernel has none.
    public var cma: Int64?
    public init() {}
  }

  public struct Input: Hashable, Sendable, Encodable {
    public var name: String
    public var isTouch: Bool
    public init(name: String, isTouch: Bool) {
      self.name = name
      self.isTouch = isTouch
    }
  }

  public struct Device: Hashable, Sendable, Encodable {
    public var path: String
    /// What has it; `root` where nobody else is let in.
    public var group: String
    public var mayOpen: Bool
    public init(path: String, group: String, mayOpen: Bool) {
      self.path = path
      self.group = group
      self.mayOpen = mayOpen
    }
  }
}
