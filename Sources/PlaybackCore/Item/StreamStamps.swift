/// A time in the bytes of an MPEG stream: of the container's clock, or of a picture's or a sound's presentation.
struct StreamStamp: Hashable {
  enum Form: Hashable {
    /// Five bytes with marker bits: times of pictures and sound, and the clock of MPEG-1.
    case marked
    /// The clock of a program stream of MPEG-2.
    case pack
    /// The clock of a transport stream.
    case reference
  }

  /// Offset of its packet.
  var packet: Int
  /// Offset of its first byte.
  var place: Int
  var form: Form
  var isClock: Bool
  /// The packet identifier (PID) of the stream; 0 in a program stream.
  var stream: UInt16 = 0

  /// The time in ticks.
  func time(in bytes: [UInt8]) -> Int64 {
    func byte(_ index: Int) -> Int64 { Int64(bytes[place + index]) }
    return switch form {
    case .marked: (byte(0) >> 1 & 7) << 30 | byte(1) << 22 | (byte(2) >> 1) << 15 | byte(3) << 7 | byte(4) >> 1
    case .pack:
      (byte(0) >> 3 & 7) << 30 | (byte(0) & 3) << 28 | byte(1) << 20 | (byte(2) >> 3) << 15 | (byte(2) & 3) << 13
        | byte(3) << 5 | byte(4) >> 3
    case .reference: byte(0) << 25 | byte(1) << 17 | byte(2) << 9 | byte(3) << 1 | byte(4) >> 7
    }
  }

  /// Writes the time; the other bits of its bytes stay.
  func write(_ time: Int64, to bytes: inout [UInt8]) {
    func put(_ index: Int, _ part: Int64, mask: UInt8) {
      bytes[place + index] = bytes[place + index] & ~mask | UInt8(truncatingIfNeeded: part) & mask
    }
    switch form {
    case .marked:
      put(0, time >> 29, mask: 0x0E)
      put(1, time >> 22, mask: 0xFF)
      put(2, time >> 14, mask: 0xFE)
      put(3, time >> 7, mask: 0xFF)
      put(4, time << 1, mask: 0xFE)
    case .pack:
      put(0, time >> 27, mask: 0x38)
      put(0, time >> 28, mask: 0x03)
      put(1, time >> 20, mask: 0xFF)
      put(2, time >> 12, mask: 0xF8)
      put(2, time >> 13, mask: 0x03)
      put(3, time >> 5, mask: 0xFF)
      put(4, time << 3, mask: 0xF8)
    case .reference:
      put(0, time >> 25, mask: 0xFF)
      put(1, time >> 17, mask: 0xFF)
      put(2, time >> 9, mask: 0xFF)
      put(3, time >> 1, mask: 0xFF)
      put(4, time << 7, mask: 0x80)
    }
  }
}

extension StreamLength.Container {
  /// The most bytes from the start of a packet to the end of its times.
  static let stampReach = 64

  /// Finds all times in bytes that begin on the grid.
  func stamps(in bytes: [UInt8]) -> [StreamStamp] {
    var found: [StreamStamp] = []
    switch self {
    case .transport(let stride, let prefix):
      for packet in Swift.stride(from: prefix, through: bytes.count - 188, by: stride) where bytes[packet] == 0x47 {
        let identity = UInt16(bytes[packet + 1] & 0x1F) << 8 | UInt16(bytes[packet + 2])
        let begin = packet - prefix
        let hasFiller = bytes[packet + 3] & 0x20 != 0
        if hasFiller, bytes[packet + 4] >= 7, bytes[packet + 5] & 0x10 != 0 {
          found.append(
            StreamStamp(packet: begin, place: packet + 6, form: .reference, isClock: true, stream: identity))
        }
        let content = packet + 4 + (hasFiller ? 1 + Int(bytes[packet + 4]) : 0)
        guard bytes[packet + 1] & 0x40 != 0, bytes[packet + 3] & 0xD0 == 0x10, content < packet + 188 else { continue }
        for place in Self.places(bytes[content..<(packet + 188)]) {
          found.append(StreamStamp(packet: begin, place: place, form: .marked, isClock: false, stream: identity))
        }
      }
    case .program:
      var place = 0
      // Byte by byte: outside of packets such start codes occur in sound only, once in many hours.
      while place + 14 <= bytes.count {
        guard bytes[place + 2] <= 1 else {
          place += 3
          continue
        }
        guard bytes[place] == 0, bytes[place + 1] == 0, bytes[place + 2] == 1, bytes[place + 3] >= 0xBA else {
          place += 1
          continue
        }
        if bytes[place + 3] == 0xBA {
          if let form = Self.packForm(bytes[(place + 4)...]) {
            found.append(StreamStamp(packet: place, place: place + 4, form: form, isClock: true))
          }
        } else {
          let reach = bytes[place..<min(bytes.count, place + Self.stampReach)]
          for time in Self.places(reach) {
            found.append(StreamStamp(packet: place, place: time, form: .marked, isClock: false))
          }
        }
        place += 4
      }
    }
    return found
  }

  private static func packForm(_ bytes: ArraySlice<UInt8>) -> StreamStamp.Form? {
    let clock = Array(bytes.prefix(5))
    guard clock.count == 5 else { return nil }
    if clock[0] & 0xC4 == 0x44, clock[2] & clock[4] & 4 != 0 { return .pack }
    return clock[0] & 0xF1 == 0x21 && clock[2] & clock[4] & 1 == 1 ? .marked : nil
  }

  /// The offsets of the times in a packet of pictures or sound: its presentation time, then its decoding time.
  static func places(_ packet: ArraySlice<UInt8>) -> [Int] {
    guard packet.count > 6, packet.starts(with: [0, 0, 1]), let code = packet.dropFirst(3).first,
      (0xC0...0xEF).contains(code) || code == 0xBD || code == 0xFD
    else { return [] }
    var rest = packet.dropFirst(6)
    if rest.first.map({ $0 & 0xC0 == 0x80 }) ?? false {
      guard let flags = rest.dropFirst().first, flags & 0x80 != 0 else { return [] }
      rest = rest.dropFirst(3)
    } else {
      // MPEG-1: stuffing bytes and a buffer size come before the time.
      rest = rest.drop { $0 == 0xFF }
      if rest.first.map({ $0 & 0xC0 == 0x40 }) ?? false { rest = rest.dropFirst(2) }
    }
    guard isTime(rest, marks: [0x20, 0x30]) else { return [] }
    let isTwo = rest[rest.startIndex] & 0xF0 == 0x30 && isTime(rest.dropFirst(5), marks: [0x10])
    return isTwo ? [rest.startIndex, rest.startIndex + 5] : [rest.startIndex]
  }

  private static func isTime(_ bytes: ArraySlice<UInt8>, marks: [UInt8]) -> Bool {
    let time = Array(bytes.prefix(5))
    return time.count == 5 && marks.contains(time[0] & 0xF0) && time[0] & time[2] & time[4] & 1 == 1
  }
}
