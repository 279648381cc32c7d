internal import PlaybackCore

/// What a run has written down of itself in memory that outlives it: what it was at, with which item, what it said last, and, where
/// it died of a signal, where. As the next process reads it.
///
/// The layout is that of CCrash/include/crash.h. Bytes come from outside: whatever they are, they do no harm.
public struct RunRecord: Hashable, Sendable {
  /// How it ended, as far as it could say it.
  public enum End: UInt32, Hashable, Sendable {
    /// It didn't say a word: it died.
    case none
    /// It was asked to.
    case clean
    /// Another process is to go on where it was.
    case handOver
    /// It was asked to, and was on its way.
    case asked
  }

  /// What a deck was at.
  public enum Step: UInt32, Hashable, Sendable {
    case none, building, ready, seeking, playing, leaving

    /// For people.
    public var text: String {
      switch self {
      case .none: "nothing"
      case .building: "being opened"
      case .ready: "ready to play"
      case .seeking: "seeking"
      case .playing: "playing"
      case .leaving: "being closed"
      }
    }

    /// Something was begun and not done: what dies meanwhile most likely died of it.
    public var isUnderWay: Bool { self == .building || self == .seeking || self == .leaving }
  }

  /// A pipeline that was alive.
  public struct Deck: Hashable, Sendable {
    public var id: UInt32
    public var step: Step
    /// Place in the list, from 1; nil for what stood in none.
    public var number: Int?
    public var position: Duration
    /// When the step began, on CLOCK_BOOTTIME.
    public var since: Duration
    /// Name of its screen; empty where there is one, without a name.
    public var screen: String
    /// What it played, which may be a copy of what is listed.
    public var uri: String
    public var listed: String
    public var sha256: String?
    /// Names of the elements that it was made of.
    public var elements: [String]
  }

  /// What the run said of itself: that it stood still, and was to be ended for that.
  public struct Standstill: Hashable, Sendable {
    /// CLOCK_BOOTTIME.
    public var since: Duration
    /// What it blamed; nil where that wasn't one item.
    public var deck: UInt32?
  }

  /// A call into a screen's driver that isn't over.
  public struct Call: Hashable, Sendable {
    /// For people: `the screen is opened`.
    public var name: String
    /// On CLOCK_BOOTTIME.
    public var since: Duration
  }

  public struct Frame: Hashable, Sendable {
    /// In its module, as tools for symbols take it; an address of memory where there is none.
    public var offset: UInt64
    public var module: String?
  }

  /// What the handler of fatal signals wrote.
  public struct Crash: Hashable, Sendable {
    public var signal: Int32
    /// As in siginfo_t.
    public var code: Int32
    /// Process that sent it; 0 where the kernel found a fault.
    public var sender: Int32
    /// That the thread worked for.
    public var deck: UInt32?
    public var faultAddress: UInt64
    /// CLOCK_BOOTTIME.
    public var at: Duration
    /// Seconds since 1970.
    public var time: Int64
    public var thread: String
    /// The innermost first.
    public var frames: [Frame]
  }

  public var pid: Int32
  public var end: End
  /// CLOCK_BOOTTIME, as `alive` and `firstFrame` are: the last round of the loop, and the first picture.
  public var started: Duration
  /// Seconds since 1970.
  public var startTime: Int64
  public var alive: Duration?
  public var firstFrame: Duration?
  /// Which boot of the machine: times of another one mean nothing.
  public var boot: String
  public var program: String
  /// How many processes the kernel had ended for want of memory when it began; nil where it didn't say.
  public var memoryKills: Int64?
  public var standstill: Standstill?
  public var crash: Crash?
  public var decks: [Deck]
  /// The last lines of the log, the oldest first.
  public var log: [String]
  /// Into a screen's driver, that the loop was in.
  public var call: Call?

  /// Of this layout; others aren't read.
  public static let version: UInt32 = 2
  public static let size = Place.call + 8 + Place.callSize

  private enum Place {
    static let (crash, frames, modules) = (192, 64, 1088)
    static let (frameCount, moduleCount, moduleSize) = (64, 32, 160)
    static let (decks, deckCount, deckSize) = (6400, 6, 9384)
    static let address = 4096
    static let (log, logSize) = (62704, 16384)
    static let (call, callSize) = (79088, 64)
  }

  /// - Returns: nil for anything but a whole record of this version.
  public init?(_ bytes: [UInt8]) {
    guard bytes.count >= Self.size, bytes.starts(with: Array("VITRINE\0".utf8)) else { return nil }
    let reader = RecordReader(bytes: bytes)
    guard reader.number(8, UInt32.self) == Self.version, reader.number(12, UInt32.self) == UInt32(Self.size) else {
      return nil
    }
    pid = reader.number(16)
    end = End(rawValue: reader.number(20)) ?? .none
    started = reader.time(24)
    startTime = reader.number(32)
    alive = reader.optionalTime(40)
    firstFrame = reader.optionalTime(48)
    boot = reader.text(56, 40)
    program = reader.text(96, 64)
    let kills: Int64 = reader.number(168)
    memoryKills = kills < 0 ? nil : kills
    let stuckDeck: UInt32 = reader.number(184)
    standstill = reader.optionalTime(176).map { Standstill(since: $0, deck: stuckDeck == 0 ? nil : stuckDeck) }
    crash = Self.crash(reader)
    decks = (0..<Place.deckCount).compactMap { Self.deck(reader, Place.decks + $0 * Place.deckSize) }
    log = Self.log(reader)
    call = reader.optionalTime(Place.call).map { Call(name: reader.text(Place.call + 8, Place.callSize), since: $0) }
  }

  /// An address as the record has it: the same, or, where there is no room for it, its beginning and a number made of the whole.
  /// Who looks for what a record names asks for the same of what it has.
  public static func address(_ address: String) -> String {
    guard address.utf8.count >= Place.address else { return address }
    // Two addresses that are made to be alike harm only who has listed them.
    let mark = "#\(address.utf8.count)-\(String(TextHash.of(address), radix: 16))"
    var head = Substring(address).utf8.prefix(Place.address - 1 - mark.utf8.count)
    // Not in the midst of a character.
    while let last = head.last, last & 0xC0 == 0x80 { head = head.dropLast() }
    if let last = head.last, last >= 0xC0 { head = head.dropLast() }
    return String(decoding: head, as: UTF8.self) + mark
  }

  private static func crash(_ reader: RecordReader) -> Crash? {
    let base = Place.crash
    let signal: Int32 = reader.number(base)
    guard signal > 0 else { return nil }
    let deck: UInt32 = reader.number(base + 12)
    let moduleCount = min(Int(reader.number(base + 60, UInt32.self)), Place.moduleCount)
    let modules = (0..<moduleCount).map { reader.text(base + Place.modules + $0 * Place.moduleSize, Place.moduleSize) }
    let frames = (0..<min(Int(reader.number(base + 56, UInt32.self)), Place.frameCount)).map { index -> Frame in
      let at = base + Place.frames + index * 16
      let module = Int(exactly: reader.number(at + 8, Int64.self)) ?? -1
      return Frame(
        offset: reader.number(at), module: modules.indices.contains(module) ? modules[module] : nil)
    }
    return Crash(
      signal: signal, code: reader.number(base + 4), sender: reader.number(base + 8), deck: deck == 0 ? nil : deck,
      faultAddress: reader.number(base + 16), at: reader.time(base + 24), time: reader.number(base + 32),
      thread: reader.text(base + 40, 16), frames: frames)
  }

  private static func deck(_ reader: RecordReader, _ base: Int) -> Deck? {
    let id: UInt32 = reader.number(base)
    let listed = reader.text(base + 96 + Place.address, Place.address)
    guard id != 0, !listed.isEmpty else { return nil }
    let number: UInt32 = reader.number(base + 8)
    let rest = base + 96 + 2 * Place.address
    let checksum = reader.text(rest, 72)
    return Deck(
      id: id, step: Step(rawValue: reader.number(base + 4)) ?? .none, number: number == 0 ? nil : Int(number),
      position: reader.time(base + 16), since: reader.time(base + 24), screen: reader.text(base + 32, 64),
      uri: reader.text(base + 96, Place.address), listed: listed, sha256: checksum.isEmpty ? nil : checksum,
      elements: reader.text(rest + 72, 1024).split(separator: "\n").map(String.init))
  }

  /// What was written over is gone: of its last line only the end may be left.
  private static func log(_ reader: RecordReader) -> [String] {
    let written: UInt64 = reader.number(160)
    let ring = reader.bytes[Place.log..<Place.log + Place.logSize]
    let at = Int(written % UInt64(Place.logSize))
    let isFull = written >= UInt64(Place.logSize)
    let bytes = isFull ? Array(ring.dropFirst(at) + ring.prefix(at)) : Array(ring.prefix(at))
    let lines = bytes.split(separator: UInt8(ascii: "\n")).dropFirst(isFull ? 1 : 0)
    return lines.map { String(decoding: $0.filter { $0 >= 0x20 }, as: UTF8.self) }
  }
}

/// Numbers and texts at places that are within the bytes.
private struct RecordReader {
  var bytes: [UInt8]

  func number<Number: FixedWidthInteger>(_ place: Int, _ type: Number.Type = Number.self) -> Number {
    bytes.withUnsafeBytes { Number(littleEndian: $0.loadUnaligned(fromByteOffset: place, as: Number.self)) }
  }

  /// Not negative: all are of clocks that begin at 0, or places in an item.
  func time(_ place: Int) -> Duration { .nanoseconds(max(0, number(place, Int64.self))) }

  func optionalTime(_ place: Int) -> Duration? {
    let time = time(place)
    return time == .zero ? nil : time
  }

  /// Up to the NUL; what isn't UTF-8 is replaced, and no character is one that a terminal would follow.
  func text(_ place: Int, _ size: Int) -> String {
    let part = bytes[place..<place + size].prefix { $0 != 0 }
    return String(decoding: part.filter { $0 >= 0x20 || $0 == UInt8(ascii: "\n") }, as: UTF8.self)
  }
}
