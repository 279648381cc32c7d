/// All facts that `vitrine doctor` has read of a machine: values only, so that a test can make any board.
///
/// Nil or empty means that a fact couldn't be read or doesn't exist; the rules say which of the two is worth a line.
public struct DoctorFacts: Hashable, Sendable, Encodable {
  public var board = Board()
  public var user = User()
  public var wishes = Wishes()
  public var configuration = ConfigurationState()
  public var screen = Screen()
  public var decoding = Decoding()
  public var memory = Memory()
  /// The input devices; nil where they weren't looked for.
  public var inputs: [Input]?
  /// The names of sound devices; nil where they couldn't be listed.
  public var sounds: [String]?
  public var network = Network()
  public var clock = Clock()
  public var folders: [Folder] = []
  public var disks: [Disk] = []
  public var power = Power()
  public var boot = Boot()
  public var service = Service()
  public var control = Control.notAsked
  /// The device files that the player opens.
  public var devices: [Device] = []

  public init() {}

  public struct Board: Hashable, Sendable, Encodable {
    /// The model, such as `Raspberry Pi 4 Model B Rev 1.4`; empty where the system doesn't say.
    public var name = ""
    public var kernel = ""
    /// GStreamer's version; nil where it doesn't start.
    public var gstreamer: String?
    public var version = ""
    /// The board profiles that match.
    public var profiles: [String] = []
    /// Errors in files of board profiles.
    public var profileErrors: [String] = []
    public init() {}
  }

  public struct User: Hashable, Sendable, Encodable {
    /// The user that plays: the service's, if there is a service, else the user who asks.
    public var name = ""
    public var isRoot = false
    public var groups: [String] = []
    public init() {}
  }

  /// The configuration's requests to the machine.
  public struct Wishes: Hashable, Sendable, Encodable {
    /// `auto`, `kms`, `wayland` or `headless`.
    public var output = "auto"
    /// A size with or without a rate, such as `1920x1080@60`; nil is any.
    public var mode: String?
    public var hasSound = true
    /// The sound device, such as `alsa:hw:0`; nil is any.
    public var soundDevice: String?
    /// Whether the configuration has a list for visitors, who need a touchscreen.
    public var hasVisitors = false
    /// The parts of input devices' names that the configuration has.
    public var inputDevices: [String] = []
    public init() {}
  }

  public struct FontGap: Hashable, Sendable, Encodable {
    /// The package that has the letters; nil where none is known.
    public var package: String?
    public var letters: String
    /// The number of titles that need some of the letters.
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
    /// The number of listed items.
    public var items = 0
    /// The letters of titles that no installed font has.
    public var fontGaps: [FontGap] = []
    public init() {}
  }

  public struct Screen: Hashable, Sendable, Encodable {
    public struct Card: Hashable, Sendable, Encodable {
      public var path = ""
      public var driver = ""
      /// `free`, `in use`, or `closed to us` if this user may not open it.
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
      /// The modes in the kernel's order, such as `1920x1080@60.00`.
      public var modes: [String] = []
      public init() {}
    }
    public struct Plane: Hashable, Sendable, Encodable {
      public var type = ""
      /// The plane's role in the player; nil where it isn't used.
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
    /// The display that one screen of the configuration would get.
    public struct Outlook: Hashable, Sendable, Encodable {
      /// The name of its `[[screen]]`; empty where there is one screen.
      public var name = ""
      /// The connector that the configuration asks for; nil is the first one with a screen.
      public var connector: String?
      /// The chosen display, such as `/dev/dri/card0 HDMI-A-1 1920x1080@60.00`.
      public var choice: String?
      public var problem: Problem?
      /// Whether a running player shows something there.
      public var isPlaying = false
      public init() {}
    }
    public var hasCompositor = false
    public var cards: [Card] = []
    /// The outlooks of the screens, in the configuration's order.
    public var outlooks: [Outlook] = []
    public init() {}
  }

  public struct Decoding: Hashable, Sendable, Encodable {
    public struct Codec: Hashable, Sendable, Encodable {
      /// The name for scripts, such as `h264`.
      public var name: String
      /// The name for people, such as `H.264`.
      public var title: String
      /// The decoder that would be used; nil where none is installed.
      public var decoder: String?
      public var isHardware: Bool
      /// The number of local items in this codec, among those that were opened.
      public var items: Int
      /// The path of its frames to the plane, in words; empty where that isn't known.
      public var way: String
      /// The path of its frames in the word that reports use; empty where that isn't known.
      public var framePath: String
      public init(
        name: String, title: String, decoder: String?, isHardware: Bool, items: Int = 0, way: String = "",
        framePath: String = ""
      ) {
        self.name = name
        self.title = title
        self.decoder = decoder
        self.way = way
        self.framePath = framePath
        self.isHardware = isHardware
        self.items = items
      }
    }
    public struct Item: Hashable, Sendable, Encodable {
      /// The item's address, without secrets.
      public var name: String
      public var message: String
      public var remedy: String
      /// Whether it can't be played because no decoder is installed.
      public var lacksDecoder: Bool
      public init(name: String, message: String, remedy: String, lacksDecoder: Bool = false) {
        self.name = name
        self.message = message
        self.remedy = remedy
        self.lacksDecoder = lacksDecoder
      }
    }
    /// A PC's graphics chip, as a render node.
    public struct RenderNode: Hashable, Sendable, Encodable {
      /// The device, such as `/dev/dri/renderD128`.
      public var path: String
      /// The maker's PCI vendor number.
      public var vendor: Int
      public init(path: String, vendor: Int) {
        self.path = path
        self.vendor = vendor
      }
    }
    /// The reason why GStreamer doesn't start; nil where it does.
    public var problem: String?
    public var codecs: [Codec] = []
    public var renderNodes: [RenderNode] = []
    /// The installed VA-API drivers, such as `iHD` or `radeonsi`.
    public var graphicsDrivers: [String] = []
    /// The elements that the player needs and no installed plug-in has.
    public var missingElements: [String] = []
    /// The opened items that can't be played.
    public var unplayable: [Item] = []
    /// The decoders that aren't used because they failed lately.
    public var remembered: [String] = []
    public init() {}
  }

  /// The machine's memory, in bytes.
  public struct Memory: Hashable, Sendable, Encodable {
    public var total: Int64?
    public var available: Int64?
    /// The limit of the player's control group; nil is no limit.
    public var limit: Int64?
    /// The contiguous memory for decoders and screens; nil where the kernel has none.
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
    /// The group that may open it; `root` where only root may.
    public var group: String
    public var mayOpen: Bool
    public init(path: String, group: String, mayOpen: Bool) {
      self.path = path
      self.group = group
      self.mayOpen = mayOpen
    }
  }
}
