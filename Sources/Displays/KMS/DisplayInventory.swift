import Glibc
public import PlaybackCore

/// The screens and cards of this machine, with the choice among them and its reasons: `vitrine displays`.
///
/// The keys of the JSON are the names of the properties in snake case; docs/displays.md explains them.
public struct DisplayInventory: Encodable, Sendable {
  public let schema = 1
  public internal(set) var cards: [CardEntry] = []
  public internal(set) var choice: Choice?
  /// Why nothing can be shown at the moment.
  public internal(set) var problem: PlaybackReport.Problem?
  /// How frames would reach the plane; nil if the driver couldn't be asked.
  public internal(set) var video: VideoEntry?
  /// The decoder for each codec.
  public var decoders: [DecoderEntry]?
  /// The board's profile; nil if none matches.
  public var board: BoardEntry?
  /// Features that no test has shown to work on a real board.
  public let notYetProven = Unproven.list.map(\.text)

  /// Whether another process of the player has the screen: nothing else can be shown, and nothing is wrong.
  public var isPlaying: Bool {
    guard problem?.number == KMSError.cardInUse, let card = cards.first(where: \.isChosen) else { return false }
    return !card.holders.isEmpty && card.holders.allSatisfy { $0.hasPrefix("vitrine (") }
  }

  /// The processing of frames that the video plane does in place of the CPU.
  public struct VideoEntry: Encodable, Sendable {
    /// The picture's size after rotation.
    public var width: Int
    public var height: Int
    public var scales: Bool
    /// Frames have the screen's size, with borders in them.
    public var coversScreen: Bool
    /// Whether the plane takes the decoders' formats without a conversion.
    public var takesDecodedFrames: Bool
    /// By how many degrees the CPU turns each frame.
    public var turned: Int
    /// Memory layouts that the plane reads without a conversion; empty if the CPU draws into frames. Not for people.
    public var layouts: Set<DRMFormat> = []
    /// The device's render node, such as `/dev/dri/renderD128`.
    public var renderNode: String?

    private enum CodingKeys: CodingKey {
      case width, height, scales, coversScreen, takesDecodedFrames, turned, renderNode
    }

    /// The entry in the form that a deck needs.
    public var demand: VideoDemand {
      let view = PixelSize(width: width, height: height)
      return VideoDemand(
        shape: .onPlane(coversScreen: coversScreen, scales: scales, screen: view),
        rotation: ScreenRotation(rawValue: turned) ?? .none, screen: view)
    }
  }

  public struct DecoderEntry: Encodable, Sendable {
    /// The codec's name, such as `h264`.
    public var codec: String
    /// GStreamer's element; nil if no element decodes the codec.
    public var decoder: String?
    public var isHardware: Bool
    /// `untouched`, `converted` or `copied`.
    public var framePath: String
    /// The CPU's work on each frame.
    public var work: [String]
    /// The entry in a sentence.
    public var text: String

    public init(_ outlook: DecoderOutlook) {
      codec = outlook.codec.rawValue
      decoder = outlook.path.decoder
      isHardware = outlook.path.isHardware
      framePath = outlook.path.word
      work = outlook.work
      text = outlook.text
    }
  }

  public struct BoardEntry: Encodable, Sendable {
    /// The profiles' names, in the order in which they were merged.
    public var profiles: [String]
    public var planeScales: Bool?
    public var decoderMemory: String?
    /// Films are opened one after the other.
    public var decodesOneStream: Bool
    public var forbiddenSeeks: [String]
    /// Elements with which they are forbidden; nil for all.
    public var forbiddenSeekDecoders: [String]?
    /// Elements that are never used.
    public var avoidedDecoders: [String]
    /// Lines that are recommended for the board's boot configuration.
    public var bootSettings: [String]

    public init(
      profiles: [String], planeScales: Bool?, decoderMemory: String?, decodesOneStream: Bool,
      forbiddenSeeks: [String], forbiddenSeekDecoders: [String]?, avoidedDecoders: [String], bootSettings: [String]
    ) {
      self.profiles = profiles
      self.planeScales = planeScales
      self.decoderMemory = decoderMemory
      self.decodesOneStream = decodesOneStream
      self.forbiddenSeeks = forbiddenSeeks
      self.forbiddenSeekDecoders = forbiddenSeekDecoders
      self.avoidedDecoders = avoidedDecoders
      self.bootSettings = bootSettings
    }
  }

  public struct CardEntry: Encodable, Sendable {
    public var path: String
    public var driver: String
    public var device: String
    /// `free`, `in use` or `closed to us`.
    public var state: String
    /// The processes that use the card, as far as they are visible.
    public var holders: [String]
    public var problem: String?
    public var isChosen = false
    public var connectors: [ConnectorEntry] = []
    public var planes: [PlaneEntry] = []
  }

  public struct ConnectorEntry: Encodable, Sendable {
    public var name: String
    /// `connected`, `disconnected` or `unknown`.
    public var status: String
    public var isBuiltIn: Bool
    public var screen: String?
    public var widthMillimetres: Int?
    public var heightMillimetres: Int?
    /// The kernel's CEC device by which the screen would be put to sleep and woken.
    public var cec: String?
    /// The HDR that the screen says it shows: `pq`, `hlg`; nil for none.
    public var hdr: [String]?
    public var isChosen = false
    public var modes: [ModeEntry]
  }

  public struct ModeEntry: Encodable, Sendable {
    /// `1920x1080@60.00`, with an `i` for interlaced modes.
    public var mode: String
    public var isPreferred: Bool
    public var isChosen = false
  }

  public struct PlaneEntry: Encodable, Sendable {
    public var id: UInt32
    /// `primary`, `overlay` or `cursor`.
    public var type: String
    public var formats: [String]
    /// The plane's use if this card is chosen: `background`, `video`, `overlay`, `background and video`.
    public var role: String?
    /// Whether the driver says that the plane scales; nil if the driver couldn't be asked.
    public var scales: Bool?
    /// Degrees by which the plane can turn a picture; only 0 if the driver has no such property.
    public var rotations: [Int]
    public var zpos: Int?
  }

  public struct Choice: Encodable, Sendable {
    public var card: String
    public var connector: String
    public var mode: String
    /// `separate`, `video-on-primary` or `composed`.
    public var layout: String
    /// The rates that films of usual frame rates would get, if the rate follows the films.
    public var films: [FilmEntry]?
    public var reasons: [String]
    public var notes: [String]
  }

  public struct FilmEntry: Encodable, Sendable {
    public var framesPerSecond: Double
    /// Hertz.
    public var refresh: Double
    /// `exact`, `near` (a frame now and then is shown once more) or `none` (it judders).
    public var fit: String
  }
}

extension DisplayInventory {
  /// Examines every card. Probes the connectors for their screens, which can take tens of milliseconds each.
  ///
  /// Changes nothing on the screen. A card without a master is taken for a moment, because only the master may ask what
  /// its planes can do.
  public static func read(for request: KMSRequest) -> DisplayInventory {
    var inventory = DisplayInventory(free: [], for: request)
    var failure: VitrineError?
    var usable: [CardSnapshot] = []
    var opened: [String: (card: Card, isOurs: Bool)] = [:]
    let lines = CECAdapter.all().adapters
    for path in Card.paths() {
      do throws(VitrineError) {
        let card = try Card.openForScreens(path)
        let snapshot = try card.snapshotOrTell()
        let isOurs = (try? card.becomeMaster()) != nil
        let holders = isOurs ? [] : CardHolder.find(card: path)
        inventory.cards.append(CardEntry(snapshot, state: isOurs ? "free" : "in use", holders: holders, lines))
        opened[path] = (card, isOurs)
        usable.append(snapshot)
      } catch {
        // A card without connectors only renders: it isn't listed.
        guard error.number != KMSError.noCard else { continue }
        failure = KMSError.moreTelling(failure, error)
        inventory.cards.append(CardEntry(closed: path, error))
      }
    }
    let choice = CardChoice(among: usable, for: request)
    for (_, error) in choice.failures { failure = KMSError.moreTelling(failure, error) }
    // A card in use by another program could be the best choice; but a free one comes first.
    let best = choice.candidates.first { opened[$0.card.path]?.isOurs == true } ?? choice.candidates.first
    if let best, let (card, isOurs) = opened[best.card.path] {
      inventory.mark(best)
      if isOurs {
        inventory.ask(card, best, request)
      } else {
        failure = KMSError.cardInUse(card.path, holders: CardHolder.find(card: card.path))
      }
    }
    for (card, isOurs) in opened.values where isOurs { card.dropMaster() }
    if best == nil || opened[best?.card.path ?? ""]?.isOurs == false {
      let error = failure ?? KMSError.noCard(request.card == KMSRequest.auto ? "/dev/dri" : request.card)
      inventory.problem = PlaybackReport.Problem(error)
    }
    return inventory
  }

  /// Describes unused cards from their snapshots, without asking their drivers.
  init(free cards: [CardSnapshot], for request: KMSRequest) {
    self.cards = cards.map { CardEntry($0, state: "free", holders: []) }
    if let best = CardChoice(among: cards, for: request).candidates.first { mark(best) }
  }

  mutating func mark(_ candidate: CardChoice.Candidate) {
    let plan = candidate.plan
    choice = Choice(
      card: candidate.card.path, connector: plan.connector.name, mode: plan.mode.description,
      layout: plan.planes.layout.rawValue, films: plan.refresh.map(Self.films), reasons: plan.reasons, notes: plan.notes
    )
    guard let card = cards.firstIndex(where: { $0.path == candidate.card.path }) else { return }
    cards[card].isChosen = true
    for index in cards[card].connectors.indices where cards[card].connectors[index].name == plan.connector.name {
      cards[card].connectors[index].isChosen = true
      if let mode = plan.connector.modes.firstIndex(of: plan.mode) {
        cards[card].connectors[index].modes[mode].isChosen = true
      }
    }
    for index in cards[card].planes.indices {
      cards[card].planes[index].role = plan.planes.role(of: cards[card].planes[index].id)
    }
  }

  private static func films(_ refresh: ScreenRefresh) -> [FilmEntry] {
    ScreenRefresh.usualFilms.map { film in
      let (millihertz, fit) = refresh.choice(framesPerSecond: film)
      return FilmEntry(
        framesPerSecond: (film * 1000).rounded() / 1000, refresh: Double(millihertz) / 1000, fit: fit.rawValue)
    }
  }

  /// Has the driver say which planes scale, by commits that change nothing.
  private mutating func ask(_ card: Card, _ candidate: CardChoice.Candidate, _ request: KMSRequest) {
    let plan = candidate.plan
    guard let index = cards.firstIndex(where: { $0.path == card.path }),
      let blob = try? PropertyBlob(card, bytes: plan.mode.timings),
      let background = try? DumbFramebuffer(card, size: plan.mode.size, format: .xrgb8888)
    else { return }
    let modeset = plan.modeset(on: candidate.card, modeBlob: blob.id, background: background.id)
    // A driver that refuses the mode itself has said nothing of its planes.
    guard (try? card.commit(modeset, .modesetTest)) != nil else { return }
    let probe = PlaneProbe(card: card, plan: plan, modeset: modeset)
    for (place, plane) in candidate.card.planes.enumerated()
    where plan.planes.role(of: plane.id) != nil {
      cards[index].planes[place].scales = probe.scales(plane)
    }
    guard let plane = candidate.card.plane(plan.planes.video) else { return }
    let layout = plan.planes.layout
    let planeTurns = request.rotation == .half && plan.planes.video != plan.planes.primary && probe.turnsByHalf(plane)
    let view = request.rotation.turned(plan.mode.size)
    video = VideoEntry(
      width: view.width, height: view.height, scales: request.planeScales ?? probe.scales(plane),
      coversScreen: layout == .composed || (layout == .videoOnPrimary && !probe.canBeSmall(plane)),
      takesDecodedFrames: plan.planes.videoTakesYUV, turned: planeTurns ? 0 : request.rotation.rawValue,
      layouts: plan.planes.overlay == nil ? [] : plane.drmFormats, renderNode: probe.card.renderNode)
  }
}

extension DisplayInventory.CardEntry {
  init(
    _ card: CardSnapshot, state: String, holders: [CardHolder], _ lines: [(path: String, facts: CECAdapter.Facts)] = []
  ) {
    self.init(
      path: card.path, driver: card.driver, device: card.device, state: state, holders: holders.map(\.description))
    connectors = card.connectors.map { connector in
      DisplayInventory.ConnectorEntry(
        name: connector.name, status: "\(connector.status)", isBuiltIn: connector.isBuiltIn,
        screen: connector.screenName, widthMillimetres: connector.millimetres?.width,
        heightMillimetres: connector.millimetres?.height,
        cec: CECAdapter.choose(card: card.path, connector: connector.id, among: lines), hdr: connector.hdr.names,
        modes: connector.modes.map { .init(mode: $0.description, isPreferred: $0.isPreferred) })
    }
    planes = card.planes.map { plane in
      DisplayInventory.PlaneEntry(
        id: plane.id, type: "\(plane.kind)", formats: plane.formats.map(\.letters), rotations: plane.rotations,
        zpos: (plane.properties["zpos"]?.value).map { Int(clamping: $0) })
    }
  }

  init(closed path: String, _ error: VitrineError) {
    self.init(
      path: path, driver: "", device: CardDevice.name(ofCard: path), state: "closed to us", holders: [],
      problem: error.line)
  }
}

extension PlaneSnapshot {
  /// Degrees, clockwise as people count them: the kernel counts the other way.
  var rotations: [Int] {
    guard let choices = properties["rotation"]?.choices, !choices.isEmpty else { return [0] }
    return [(0, "rotate-0"), (90, "rotate-270"), (180, "rotate-180"), (270, "rotate-90")]
      .filter { choices[$0.1] != nil }.map(\.0)
  }
}

extension PlaneRoles {
  func role(of plane: UInt32) -> String? {
    switch plane {
    case overlay: "overlay"
    case primary: video == primary ? "background and video" : "background"
    case video: "video"
    default: nil
    }
  }
}
