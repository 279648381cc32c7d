/// How long an MPEG transport or program stream in a file is: from the times of its first pictures and sounds to those of its
/// last.
///
/// Neither container says it. GStreamer goes by the container's own clock, which runs ahead of the pictures by what a
/// decoder buffers, and so is up to half a second off.
public enum StreamLength {
  /// How much of each end is read, in bytes: two seconds of a broadcast, in which each stream has a time.
  public static let span = 1 << 20
  /// Bytes in which the first packets' marks are.
  private static let sniffed = 1024

  /// - Parameters:
  ///   - size: of the file, in bytes; negative where it has none.
  ///   - read: so many bytes from that place on; nil where that fails.
  /// - Returns: nil for other files, and where one of the ends tells no times.
  public static func find(size: Int, _ read: (_ place: Int, _ count: Int) -> [UInt8]?) -> Duration? {
    // What has no size, like a pipe, isn't such a file.
    guard size > 0 else { return nil }
    // Most files are others, and told by less.
    guard let head = read(0, min(sniffed, size)), let kind = Container(head), let start = read(0, min(span, size))
    else {
      return nil
    }
    let first = kind.times(in: start)
    let last: [Stream: [Packet]]
    if size <= span {
      last = first
    } else {
      // On the grid of packets that begins with the file.
      let place = (size - span + kind.grid - 1) / kind.grid * kind.grid
      guard let end = read(place, size - place) else { return nil }
      last = kind.times(in: end)
    }
    return length(first, last)
  }

  /// A stream among those of its file.
  typealias Stream = UInt16

  /// Something that has a time.
  struct Packet: Hashable {
    var time: Int64
    /// In bytes; 0 where it isn't told, as of pictures in a transport stream.
    var size: Int
    var isPicture: Bool
  }

  private static func length(_ first: [Stream: [Packet]], _ last: [Stream: [Packet]]) -> Duration? {
    guard let origin = first.values.joined().first?.time else { return nil }
    var begin: Int64?
    var end: Int64?
    for (stream, packets) in first {
      guard let low = packets.map({ distance(from: origin, to: $0.time) }).min() else { continue }
      begin = min(begin ?? low, low)
      // Forwards from the start, however far: once round the clock is 26 hours.
      let ends = (last[stream] ?? []).map { packet in
        Packet(
          time: low + forward(from: origin + low, to: packet.time), size: packet.size, isPicture: packet.isPicture)
      }.sorted { $0.time < $1.time }
      guard let high = ends.last?.time else { continue }
      end = max(end ?? high, high + lastLength(ends))
    }
    guard let begin, let end, end > begin else { return nil }
    return .nanoseconds((end - begin) * 100_000 / 9)
  }

  /// How long the last packet lasts.
  ///
  /// - Parameter packets: in order of their times.
  private static func lastLength(_ packets: [Packet]) -> Int64 {
    guard let first = packets.first, let last = packets.last, last.time > first.time else { return 0 }
    // A picture lasts as long as the one before.
    let steps = zip(packets.dropFirst(), packets).map { $0.time - $1.time }.filter { $0 > 0 }
    guard !last.isPicture, last.size > 0 else { return steps.min() ?? 0 }
    // A packet of sound holds many frames, the last one what was left: as long as its bytes are at the pace of the others.
    let bytes = Int64(packets.dropLast().reduce(0) { $0 + $1.size })
    guard bytes > 0 else { return steps.min() ?? 0 }
    return min((last.time - first.time) * Int64(last.size) / bytes, steps.max() ?? 0)
  }

  // The clock has 90,000 ticks a second in 33 bits, and may go round in the middle of a film.

  private static let turn: Int64 = 1 << 33

  private static func forward(from: Int64, to: Int64) -> Int64 { ((to - from) % turn + turn) % turn }

  /// The shorter way round.
  private static func distance(from: Int64, to: Int64) -> Int64 {
    let ahead = forward(from: from, to: to)
    return ahead < turn / 2 ? ahead : ahead - turn
  }
}

extension StreamLength {
  /// A transport stream by the length of its packets, or a program stream.
  enum Container: Hashable {
    /// `prefix`: bytes before each packet of 188.
    case transport(stride: Int, prefix: Int)
    case program

    init?(_ start: [UInt8]) {
      // Packets with a time before them (Blu-ray, cameras), plain ones, ones with a checksum behind them.
      for (stride, prefix) in [(188, 0), (192, 4), (204, 0)] {
        let isMarked = (0..<5).allSatisfy { start.count > prefix + $0 * stride && start[prefix + $0 * stride] == 0x47 }
        if isMarked {
          self = .transport(stride: stride, prefix: prefix)
          return
        }
      }
      guard start.starts(with: [0, 0, 1, 0xBA]) else { return nil }
      self = .program
    }

    /// What places in the file are to be multiples of.
    var grid: Int { if case .transport(let stride, _) = self { stride } else { 1 } }

    func times(in bytes: [UInt8]) -> [Stream: [Packet]] {
      var found: [Stream: [Packet]] = [:]
      switch self {
      case .transport(let stride, let prefix):
        for packet in Swift.stride(from: prefix, through: bytes.count - 188, by: stride) {
          // Beginnings of what has a time, in packets that aren't encrypted and hold something.
          guard bytes[packet] == 0x47, bytes[packet + 1] & 0x40 != 0, bytes[packet + 3] & 0xD0 == 0x10 else { continue }
          let filler = bytes[packet + 3] & 0x20 != 0 ? 1 + Int(bytes[packet + 4]) : 0
          let content = packet + 4 + filler
          guard content < packet + 188 else { continue }
          let identity = Stream(bytes[packet + 1] & 0x1F) << 8 | Stream(bytes[packet + 2])
          if let timed = Self.timed(bytes[content..<(packet + 188)]) { found[identity, default: []].append(timed) }
        }
      case .program:
        var place = 0
        while place + 6 <= bytes.count {
          guard bytes[place] == 0, bytes[place + 1] == 0, bytes[place + 2] == 1, bytes[place + 3] >= 0xBA else {
            place += 1
            continue
          }
          let code = bytes[place + 3]
          if code == 0xBA {
            place += 12
            continue
          }
          if let timed = Self.timed(bytes[place...]) { found[Stream(code), default: []].append(timed) }
          place += 6 + Int(bytes[place + 4]) << 8 + Int(bytes[place + 5])
        }
      }
      return found
    }

    /// A packetised stream's packet, of pictures or sound, which begins there; nil where it has no time.
    private static func timed(_ packet: ArraySlice<UInt8>) -> Packet? {
      guard packet.count > 6, packet.starts(with: [0, 0, 1]), let code = packet.dropFirst(3).first,
        (0xC0...0xEF).contains(code) || code == 0xBD || code == 0xFD
      else { return nil }
      let size = Int(packet[packet.startIndex + 4]) << 8 | Int(packet[packet.startIndex + 5])
      var rest = packet.dropFirst(6)
      if rest.first.map({ $0 & 0xC0 == 0x80 }) ?? false {
        guard let flags = rest.dropFirst().first, flags & 0x80 != 0 else { return nil }
        rest = rest.dropFirst(3)
      } else {
        // MPEG-1: filling bytes, and the size of a buffer, come before it.
        rest = rest.drop { $0 == 0xFF }
        if rest.first.map({ $0 & 0xC0 == 0x40 }) ?? false { rest = rest.dropFirst(2) }
      }
      let bytes = Array(rest.prefix(5))
      guard bytes.count == 5, [0x20, 0x30].contains(bytes[0] & 0xF0), bytes[0] & bytes[2] & bytes[4] & 1 == 1 else {
        return nil
      }
      let time =
        Int64(bytes[0] >> 1 & 7) << 30 | Int64(bytes[1]) << 22 | Int64(bytes[2] >> 1) << 15 | Int64(bytes[3]) << 7
        | Int64(bytes[4] >> 1)
      return Packet(time: time, size: size, isPicture: (0xE0...0xEF).contains(code))
    }
  }
}
