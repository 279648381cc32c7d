import Testing

@testable import PlaybackCore

@Suite("Joined streams, and streams whose clock comes late")
struct StreamClockTests {
  private static func marked(_ ticks: Int64, mark: UInt8 = 0x20) -> [UInt8] {
    let time = ticks & 0x1_FFFF_FFFF
    return [
      mark | 1 | UInt8(time >> 29 & 0xE), UInt8(time >> 22 & 0xFF), UInt8(time >> 14 & 0xFE) | 1,
      UInt8(time >> 7 & 0xFF), UInt8(time << 1 & 0xFE) | 1,
    ]
  }

  /// A packet with a clock and a picture, padded to `packets` packets.
  private static func transport(_ clock: Int64, picture: Int64, pid: UInt8 = 1, packets: Int = 40) -> [UInt8] {
    let time = clock & 0x1_FFFF_FFFF
    let reference: [UInt8] = [
      7, 0x10, UInt8(time >> 25 & 0xFF), UInt8(time >> 17 & 0xFF), UInt8(time >> 9 & 0xFF), UInt8(time >> 1 & 0xFF),
      UInt8(time << 7 & 0x80) | 0x7E, 0,
    ]
    var bytes: [UInt8] = [0x47, 0x41, pid, 0x30] + reference
    bytes += [0, 0, 1, 0xE0, 0, 0, 0x80, 0xC0, 10] + marked(picture, mark: 0x30) + marked(picture - 3600, mark: 0x10)
    bytes += [UInt8](repeating: 0xFF, count: 188 - bytes.count)
    let filling: [UInt8] = [0x47, 0x1F, 0xFF, 0x10] + [UInt8](repeating: 0xFF, count: 184)
    for _ in 1..<packets { bytes += filling }
    return bytes
  }

  private static func program(_ clock: Int64, picture: Int64, isOld: Bool) -> [UInt8] {
    let time = clock & 0x1_FFFF_FFFF
    var bytes: [UInt8] = [0, 0, 1, 0xBA]
    if isOld {
      bytes += marked(clock) + [0x80, 0, 3]
    } else {
      bytes += [
        0x44 | UInt8(time >> 27 & 0x38) | UInt8(time >> 28 & 3), UInt8(time >> 20 & 0xFF),
        UInt8(time >> 12 & 0xF8) | 4 | UInt8(time >> 13 & 3), UInt8(time >> 5 & 0xFF), UInt8(time << 3 & 0xF8) | 4, 1,
        0, 0, 3, 0xF8,
      ]
    }
    let times = isOld ? marked(picture) : [0x80, 0x80, 5] + marked(picture)
    let content = 7000 - times.count
    bytes += [0, 0, 1, 0xE0, UInt8(7000 >> 8), UInt8(7000 & 0xFF)] + times + [UInt8](repeating: 0x55, count: content)
    return bytes
  }

  enum Kind: CaseIterable { case transport, program, old }

  /// A part of pictures of 40 ms.
  private static func part(_ kind: Kind, from start: Int64, pictures: Int) -> [UInt8] {
    (0..<Int64(pictures)).flatMap { index in
      let clock = start + index * 3600
      let picture = clock + 45_000
      return switch kind {
      case .transport: transport(clock, picture: picture)
      case .program: program(clock, picture: picture, isOld: false)
      case .old: program(clock, picture: picture, isOld: true)
      }
    }
  }

  private static func reader(_ file: [UInt8]) -> (Int, Int) -> [UInt8]? {
    { place, count in
      place >= 0 && count >= 0 && place + count <= file.count ? Array(file[place..<(place + count)]) : nil
    }
  }

  @Test(
    "The clock continues over a join, whether it jumps back, restarts at the same place or jumps far ahead",
    arguments: Kind.allCases, [[0, 0], [90_000_000, 5, 1 << 33 - 7200], [0, 3600 * 90_000]])
  func joins(kind: Kind, starts: [Int64]) throws {
    let file = starts.flatMap { Self.part(kind, from: $0, pictures: 150) }
    let read = Self.reader(file)
    let joined = try #require(StreamClock.find(size: file.count, read))
    #expect(joined.parts.map(\.place) == (1..<starts.count).map { file.count / starts.count * $0 })
    // Read in pieces from any place, as demultiplexers do.
    var other: [UInt8] = []
    while other.count < file.count {
      let count = min(32_768, file.count - other.count)
      other += try #require(joined.bytes(at: other.count, count: count, of: file.count, read))
    }
    let pictures = joined.container.stamps(in: other).filter { !$0.isClock && other[$0.place] & 0xF0 != 0x10 }
    let times = pictures.map { $0.time(in: other) }
    #expect(times == (0..<Int64(150 * starts.count)).map { (starts[0] + 45_000 + $0 * 3600) & 0x1_FFFF_FFFF })
    let clocks = joined.container.stamps(in: other).filter(\.isClock).map { $0.time(in: other) }
    #expect(clocks == (0..<Int64(150 * starts.count)).map { (starts[0] + $0 * 3600) & 0x1_FFFF_FFFF })
    // Only the timestamps differ.
    let zeroed = [file, other].map { bytes in
      var bytes = bytes
      for stamp in joined.container.stamps(in: bytes) { stamp.write(0, to: &bytes) }
      return bytes
    }
    #expect(zeroed[0] == zeroed[1])
    let length = StreamLength.find(size: file.count) { joined.bytes(at: $0, count: $1, of: file.count, read) }
    #expect(length == .milliseconds(40 * 150 * Int64(starts.count)))
  }

  @Test("A continuous clock is left alone, also where it wraps around or its film has a gap", arguments: Kind.allCases)
  func plain(kind: Kind) {
    let files = [
      Self.part(kind, from: 7, pictures: 300), Self.part(kind, from: 1 << 33 - 400_000, pictures: 300),
      Self.part(kind, from: 0, pictures: 150) + Self.part(kind, from: 30 * 90_000, pictures: 150),
    ]
    for file in files { #expect(StreamClock.find(size: file.count, Self.reader(file)) == nil) }
  }

  @Test(
    "With sound due before the first clock, the clock starts earlier and the sound stays",
    arguments: [1, 90_000, 900_000])
  func late(by ticks: Int64) throws {
    let start: Int64 = 2_000_000
    var sound = Self.transport(0, picture: start - ticks + 3600, pid: 2, packets: 1)
    // The sound's packet has no clock.
    sound[5] = 0
    let film = Self.part(.transport, from: start, pictures: 100)
    let table: [UInt8] = [0x47, 0x40, 0x11, 0x10] + [UInt8](repeating: 0xFF, count: 184)
    let file = table + sound + film
    let read = Self.reader(file)
    let clock = try #require(StreamClock.find(size: file.count, read))
    #expect(clock.parts.isEmpty)
    let other = try #require(clock.bytes(at: 0, count: file.count, of: file.count, read))
    let (old, new) = (clock.container.stamps(in: file), clock.container.stamps(in: other))
    // The table's packet now has a clock, with the time of the first due sound.
    #expect(old == Array(new.dropFirst()) && new[0].isClock && new[0].stream == old[2].stream)
    #expect(new[0].time(in: other) == start - ticks && other.count == file.count)
    for stamp in old {
      let change = stamp.time(in: other) - stamp.time(in: file)
      // Clocks are earlier by `ticks`, and due times stay.
      #expect(change == (stamp.isClock ? -ticks : 0))
    }
    #expect(StreamClock.find(size: film.count, Self.reader(film)) == nil)
  }

  @Test("A stream of several programs, and a file of another kind, has no joins")
  func others() {
    let two = (0..<200).flatMap { (index: Int64) in
      Self.transport(index * 3600, picture: index * 3600, pid: 1)
        + Self.transport(9_000_000 + index * 3600, picture: index * 3600, pid: 2)
    }
    for file in [two, [UInt8](repeating: 0x55, count: 1 << 20), []] {
      #expect(StreamClock.find(size: file.count, Self.reader(file)) == nil)
    }
  }

  @Test("A clock that jumps all the time is left alone, and little of the file is read")
  func broken() {
    let piece = Self.part(.program, from: 0, pictures: 50)
    let size = 1000 * piece.count
    var count = 0
    let joined = StreamClock.find(size: size) { place, length in
      count += length
      return (0..<length).map { piece[(place + $0) % piece.count] }
    }
    #expect(joined == nil && count > 0 && count < 64 << 20, "\(count) of \(size)")
  }
}
