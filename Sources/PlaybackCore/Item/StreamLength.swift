/// Finds the duration of an MPEG transport or program stream in a file: from the times of its first pictures and sounds
/// to those of its last.
///
/// Neither container states it. GStreamer goes by the container's own clock, which runs ahead of the pictures by the
/// decoder's buffer, and so is up to half a second off.
public enum StreamLength {
  /// Bytes that are read of each end: two seconds of a broadcast, in which each stream has a time.
  public static let span = 1 << 20
  /// Bytes that are read first: enough for the sync bytes of the first packets.
  static let sniffed = 1024

  /// - Parameters:
  ///   - size: of the file, in bytes; negative where it has none.
  ///   - read: returns `count` bytes from `place` on; nil where that fails.
  /// - Returns: nil for other files, and where one of the ends has no times.
  public static func find(size: Int, _ read: (_ place: Int, _ count: Int) -> [UInt8]?) -> Duration? {
    // A source without a size, such as a pipe, isn't such a file.
    guard size > 0 else { return nil }
    // Most files are of other kinds, which the first few bytes show.
    guard let head = read(0, min(sniffed, size)), let kind = Container(head), let start = read(0, min(span, size))
    else {
      return nil
    }
    let first = kind.times(in: start)
    let last: [Stream: [Packet]]
    if size <= span {
      last = first
    } else {
      // The second span begins on a packet's boundary.
      let place = (size - span + kind.grid - 1) / kind.grid * kind.grid
      guard let end = read(place, size - place) else { return nil }
      last = kind.times(in: end)
    }
    return length(first, last)
  }

  /// Identifies an elementary stream within its file: PID or stream id.
  typealias Stream = UInt16

  /// A packet with a presentation time.
  struct Packet: Hashable {
    var time: Int64
    /// In bytes; 0 where unknown, as for pictures in a transport stream.
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
      // Times are counted forwards from the start, up to one turn of the clock, 26 hours.
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

  /// The earliest time of these packets, on a clock that is about at `near`.
  static func beginning(_ packets: [Stream: [Packet]], near: Int64) -> Int64? {
    packets.values.joined().map { near + distance(from: near, to: $0.time) }.min()
  }

  /// The latest end of these packets, on a clock that is about at `near`.
  static func end(_ packets: [Stream: [Packet]], near: Int64) -> Int64? {
    packets.values.compactMap { packets in
      let ends = packets.map { packet in
        Packet(time: near + distance(from: near, to: packet.time), size: packet.size, isPicture: packet.isPicture)
      }.sorted { $0.time < $1.time }
      return ends.last.map { $0.time + lastLength(ends) }
    }.max()
  }

  /// Duration of the last packet.
  ///
  /// - Parameter packets: in order of their times.
  private static func lastLength(_ packets: [Packet]) -> Int64 {
    guard let first = packets.first, let last = packets.last, last.time > first.time else { return 0 }
    // A picture lasts as long as the one before it.
    let steps = zip(packets.dropFirst(), packets).map { $0.time - $1.time }.filter { $0 > 0 }
    guard !last.isPicture, last.size > 0 else { return steps.min() ?? 0 }
    // A packet of sound holds many frames; the last one holds what was left. Its duration follows from its bytes, at
    // the rate of the others.
    let bytes = Int64(packets.dropLast().reduce(0) { $0 + $1.size })
    guard bytes > 0 else { return steps.min() ?? 0 }
    return min((last.time - first.time) * Int64(last.size) / bytes, steps.max() ?? 0)
  }

  // The clock has 90,000 ticks a second in 33 bits, and may wrap in the middle of a film.

  private static let turn: Int64 = 1 << 33

  static func forward(from: Int64, to: Int64) -> Int64 { ((to - from) % turn + turn) % turn }

  /// The distance from one time to another by the shorter way round the clock.
  static func distance(from: Int64, to: Int64) -> Int64 {
    let ahead = forward(from: from, to: to)
    return ahead < turn / 2 ? ahead : ahead - turn
  }
}

extension StreamLength {
  /// A transport stream, by the length of its packets, or a program stream.
  enum Container: Hashable {
    /// `prefix`: bytes before each packet of 188.
    case transport(stride: Int, prefix: Int)
    case program

    init?(_ start: [UInt8]) {
      // Packets with a timestamp before them (Blu-ray, cameras), plain ones, and ones with a checksum after them.
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

    /// Reads begin at multiples of this, in bytes: a packet of a transport stream, any byte of a program stream.
    var grid: Int { if case .transport(let stride, _) = self { stride } else { 1 } }

    func times(in bytes: [UInt8]) -> [Stream: [Packet]] {
      var found: [Stream: [Packet]] = [:]
      switch self {
      case .transport(let stride, let prefix):
        for packet in Swift.stride(from: prefix, through: bytes.count - 188, by: stride) {
          // Packets in which something with a time begins, not encrypted and with a payload.
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

    /// Reads the header of a PES packet of pictures or sound; nil where it has no time.
    private static func timed(_ packet: ArraySlice<UInt8>) -> Packet? {
      guard let place = places(packet).first, let code = packet.dropFirst(3).first else { return nil }
      let size = Int(packet[packet.startIndex + 4]) << 8 | Int(packet[packet.startIndex + 5])
      let bytes = Array(packet[place..<(place + 5)])
      let stamp = StreamStamp(packet: 0, place: 0, form: .marked, isClock: false)
      return Packet(time: stamp.time(in: bytes), size: size, isPicture: (0xE0...0xEF).contains(code))
    }
  }
}
