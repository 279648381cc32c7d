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
  public var crash: Crash?
  public var decks: [Deck]
  /// The last lines of the log, the oldest first.
  public var log: [String]

  /// Of this layout; others aren't read.
  public static let version: UInt32 = 1
  public static let size = Place.log + Place.logSize

  private enum Place {
    static let (crash, frames, modules) = (168, 64, 1088)
    static let (frameCount, moduleCount, moduleSize) = (64, 32, 160)
    static let (decks, deckCount, deckSize) = (6376, 6, 3240)
    static let (log, logSize) = (25816, 16384)
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
    crash = Self.crash(reader)
    decks = (0..<Place.deckCount).compactMap { Self.deck(reader, Place.decks + $0 * Place.deckSize) }
    log = Self.log(reader)
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
    let listed = reader.text(base + 1120, 1024)
    guard id != 0, !listed.isEmpty else { return nil }
    let number: UInt32 = reader.number(base + 8)
    let checksum = reader.text(base + 2144, 72)
    return Deck(
      id: id, step: Step(rawValue: reader.number(base + 4)) ?? .none, number: number == 0 ? nil : Int(number),
      position: reader.time(base + 16), since: reader.time(base + 24), screen: reader.text(base + 32, 64),
      uri: reader.text(base + 96, 1024), listed: listed, sha256: checksum.isEmpty ? nil : checksum,
      elements: reader.text(base + 2216, 1024).split(separator: "\n").map(String.init))
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
