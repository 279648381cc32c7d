/// The connectors and sound cards of a machine, as far as matters for finding out which belong together.
public struct SoundHardware: Hashable, Sendable {
  /// A connector of a graphics card.
  public struct Connector: Hashable, Sendable {
    /// Kernel name, such as HDMI-A-1.
    public var name: String
    /// The number of the connector's DRM object; nil if the kernel is too old to report it.
    public var id: UInt32?
    public var isConnected: Bool
    /// Name of the screen by its EDID; empty without one.
    public var screen: String

    public init(name: String, id: UInt32? = nil, isConnected: Bool, screen: String = "") {
      self.name = name
      self.id = id
      self.isConnected = isConnected
      self.screen = screen
    }
  }

  /// The screen behind one PCM of a card, by ALSA's EDID-Like Data.
  public struct Port: Hashable, Sendable {
    public var isScreenPresent: Bool
    public var screen: String

    public init(isScreenPresent: Bool, screen: String) {
      self.isScreenPresent = isScreenPresent
      self.screen = screen
    }
  }

  public struct Card: Hashable, Sendable {
    /// ALSA's id, such as vc4hdmi0.
    public var id: String
    /// Path of its device in sysfs.
    public var device: String
    /// The outputs of a card with several HDMI or DisplayPort outputs, in their order.
    public var ports: [Port]

    public init(id: String, device: String = "", ports: [Port] = []) {
      self.id = id
      self.device = device
      self.ports = ports
    }
  }

  public var connectors: [Connector]
  public var cards: [Card]

  public init(connectors: [Connector] = [], cards: [Card] = []) {
    self.connectors = connectors
    self.cards = cards
  }

  /// The connector of this number; the only connected one if the kernel doesn't report numbers.
  public func connector(id: UInt32) -> Connector? {
    if let found = connectors.first(where: { $0.id == id }) { return found }
    let connected = connectors.filter { $0.isConnected && $0.id == nil }
    return connected.count == 1 ? connected[0] : nil
  }

  /// The ALSA PCM that sounds from the screen at `connector`; nil if none is certain.
  ///
  /// Three ways, the most certain first: a Raspberry Pi numbers its cards like its connectors; cards with several
  /// outputs report the name of the screen behind each; a board with one HDMI connector has one HDMI card.
  public func device(for connector: Connector) -> String? {
    raspberryPi(connector) ?? byScreen(connector) ?? onlyOne(connector)
  }

  /// vc4hdmi0 is HDMI-A-1, vc4hdmi1 is HDMI-A-2; boards with one connector have `vc4hdmi`. These cards take only frames in
  /// the form of IEC 958, which ALSA's `hdmi` makes of plain samples.
  private func raspberryPi(_ connector: Connector) -> String? {
    guard connector.name.hasPrefix("HDMI-A-"), let number = Int(connector.name.dropFirst(7)) else { return nil }
    let names = number == 1 ? ["vc4hdmi0", "vc4hdmi"] : ["vc4hdmi\(number - 1)"]
    return names.first { name in cards.contains { $0.id == name } }.map { "hdmi:CARD=\($0),DEV=0" }
  }

  private func byScreen(_ connector: Connector) -> String? {
    guard !connector.screen.isEmpty else { return nil }
    var found: [String] = []
    for card in cards {
      for (number, port) in card.ports.enumerated() where port.isScreenPresent && port.screen == connector.screen {
        found.append("hdmi:CARD=\(card.id),DEV=\(number)")
      }
    }
    // Two screens of the same model can't be told apart by name.
    return found.count == 1 ? found[0] : nil
  }

  private func onlyOne(_ connector: Connector) -> String? {
    func isDigital(_ name: String) -> Bool { name.lowercased().contains("hdmi") }
    let digital = cards.filter { isDigital($0.id) || isDigital($0.device) }
    guard isDigital(connector.name), digital.count == 1, connectors.filter({ isDigital($0.name) }).count == 1 else {
      return nil
    }
    // With a conversion of the format: the card's formats are unknown.
    return "plughw:CARD=\(digital[0].id),DEV=0"
  }
}
