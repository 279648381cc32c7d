internal import PlaybackCore

/// A run's record of itself, in memory that outlives it, as the next process reads it: the steps of its decks, their
/// items, its last log lines, and, after a fatal signal, the place of the crash.
///
/// The layout is that of CCrash/include/crash.h. The bytes come from outside: no content of theirs can do harm.
public struct CrashRecord: Hashable, Sendable {
  /// The end of the run, as far as it could record it.
  public enum End: UInt32, Hashable, Sendable {
    /// The run recorded no end: it crashed.
    case none
    /// The run ended as planned.
    case clean
    /// The run handed over to another process.
    case handOver
    /// The run was asked to end, and was ending.
    case asked
  }

  /// A step in the life of a deck.
  public enum Step: UInt32, Hashable, Sendable {
    case none, building, ready, seeking, playing, leaving

    /// The step in words for people.
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

    /// Whether the step was begun and not finished: it is the most likely cause of a crash meanwhile.
    public var isUnderWay: Bool { self == .building || self == .seeking || self == .leaving }
  }

  /// A pipeline that existed.
  public struct Deck: Hashable, Sendable {
    public var id: UInt32
    public var step: Step
    /// The item's place in the list, from 1; nil for an item that wasn't listed.
    public var number: Int?
    public var position: Duration
    /// When the step began, on CLOCK_BOOTTIME.
    public var since: Duration
    /// The name of its screen; empty for an only screen, without a name.
    public var screen: String
    /// The address that it played, which may be a copy of the listed one.
    public var uri: String
    public var listed: String
    public var sha256: String?
    /// The names of its elements.
    public var elements: [String]
  }

  /// The run's own record that it stood still and asked to be ended.
  public struct Standstill: Hashable, Sendable {
    /// CLOCK_BOOTTIME.
    public var since: Duration
    /// The blamed deck; nil where no single item was to blame.
    public var deck: UInt32?
  }

  /// An unfinished call into a screen's driver.
  public struct Call: Hashable, Sendable {
    /// The call in words for people: `the screen is opened`.
    public var name: String
    /// On CLOCK_BOOTTIME.
    public var since: Duration
  }

  public struct Frame: Hashable, Sendable {
    /// The offset in its module, as symbol tools take it; an address of memory outside of modules.
    public var offset: UInt64
    public var module: String?
  }

  /// The record of the handler of fatal signals.
  public struct Crash: Hashable, Sendable {
    public var signal: Int32
    /// `si_code` of siginfo_t.
    public var code: Int32
    /// The process that sent the signal; 0 where the kernel detected a fault.
    public var sender: Int32
    /// The deck that the thread worked for.
    public var deck: UInt32?
    public var faultAddress: UInt64
    /// CLOCK_BOOTTIME.
    public var at: Duration
    /// Seconds since 1970.
    public var time: Int64
    public var thread: String
    /// The backtrace, the innermost frame first.
    public var frames: [Frame]
  }

  public var pid: Int32
  public var end: End
  /// The start, on CLOCK_BOOTTIME, as `alive` (the last turn of the loop) and `firstFrame`.
  public var started: Duration
  /// Seconds since 1970.
  public var startTime: Int64
  public var alive: Duration?
  public var firstFrame: Duration?
  /// The boot of the machine: times of another boot mean nothing.
  public var boot: String
  public var program: String
  /// The number of processes that the kernel had killed for lack of memory when the run began; nil where that isn't
  /// known.
  public var memoryKills: Int64?
  public var standstill: Standstill?
  public var crash: Crash?
  public var decks: [Deck]
  /// The last lines of the log, the oldest first.
  public var log: [String]
  /// The call into a screen's driver that the loop was in.
  public var call: Call?

  /// The version of the layout; records of another one aren't read.
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

  /// An address as the record keeps it: whole, or, if it is too long, its beginning and a hash of the whole. A search
  /// for a recorded address must convert its own in the same way.
  public static func address(_ address: String) -> String {
    guard address.utf8.count >= Place.address else { return address }
    // Addresses with a forged equal hash harm only the list's own author.
    let mark = "#\(address.utf8.count)-\(String(TextHash.of(address), radix: 16))"
    var head = Substring(address).utf8.prefix(Place.address - 1 - mark.utf8.count)
    // Doesn't cut within a character.
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

  /// The log lines, without the oldest one if the ring is full: its beginning is overwritten.
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

/// Reads numbers and texts at offsets within the bytes.
private struct RecordReader {
  var bytes: [UInt8]

  func number<Number: FixedWidthInteger>(_ place: Int, _ type: Number.Type = Number.self) -> Number {
    bytes.withUnsafeBytes { Number(littleEndian: $0.loadUnaligned(fromByteOffset: place, as: Number.self)) }
  }

  /// Never negative: all times are of clocks that begin at 0, or positions in an item.
  func time(_ place: Int) -> Duration { .nanoseconds(max(0, number(place, Int64.self))) }

  func optionalTime(_ place: Int) -> Duration? {
    let time = time(place)
    return time == .zero ? nil : time
  }

  /// The text up to the NUL. Invalid UTF-8 is replaced, and characters that control a terminal are removed.
  func text(_ place: Int, _ size: Int) -> String {
    let part = bytes[place..<place + size].prefix { $0 != 0 }
    return String(decoding: part.filter { $0 >= 0x20 || $0 == UInt8(ascii: "\n") }, as: UTF8.self)
  }
}
