import PlaybackCore
import Testing

@Suite("The length of a stream without one in its header")
struct StreamLengthTests {
  /// A packet of a transport stream that starts a picture or a sound.
  private static func packet(pid: UInt16, _ ticks: Int64, code: UInt8 = 0xE0, prefix: Int = 0) -> [UInt8] {
    let time = ticks & 0x1_FFFF_FFFF
    let bytes: [UInt8] = [
      0x21 | UInt8(time >> 29 & 0xE), UInt8(time >> 22 & 0xFF), UInt8(time >> 14 & 0xFE) | 1, UInt8(time >> 7 & 0xFF),
      UInt8(time << 1 & 0xFE) | 1,
    ]
    let head: [UInt8] = [0x47, 0x40 | UInt8(pid >> 8), UInt8(pid & 0xFF), 0x10, 0, 0, 1, code, 0, 0, 0x80, 0x80, 5]
    let packet = [UInt8](repeating: 0, count: prefix) + head + bytes
    return packet + [UInt8](repeating: 0xFF, count: prefix + 188 - packet.count)
  }

  @Test("A file without a size has no length, and isn't read", arguments: [-1, 0, Int.min])
  func noSize(size: Int) {
    var reads = 0
    let length = StreamLength.find(size: size) { _, _ in
      reads += 1
      return nil
    }
    #expect(length == nil && reads == 0)
  }

  private static func length(_ file: [UInt8]) -> Duration? {
    StreamLength.find(size: file.count) { place, count in
      place >= 0 && count >= 0 && place + count <= file.count ? Array(file[place..<(place + count)]) : nil
    }
  }

  /// Ten pictures of 40 ms, decoded in another order than they are shown.
  private static func film(start: Int64, prefix: Int = 0) -> [UInt8] {
    [0, 2, 1, 4, 3, 6, 5, 8, 7, 9].flatMap { packet(pid: 256, start + $0 * 3600, prefix: prefix) }
  }

  @Test(
    "The length runs from the first picture to the last one's end, with any start and wrap of the clock",
    arguments: [0, 90_000, 1 << 33 - 3600 * 4, 1 << 33 - 1])
  func clock(start: Int64) {
    #expect(Self.length(Self.film(start: start)) == .milliseconds(400))
    #expect(Self.length(Self.film(start: start, prefix: 4)) == .milliseconds(400))
  }

  @Test("Sound that starts before the picture and ends after it counts")
  func sound() {
    let sound = (0..<50).flatMap { Self.packet(pid: 257, 900_000 - 9000 + $0 * 900, code: 0xC0) }
    // The sound lasts from -100 ms to 400 ms.
    #expect(Self.length(Self.film(start: 900_000) + sound) == .milliseconds(500))
  }

  @Test("A long file is only read at its ends")
  func long() {
    // Only padding in between, and the ends an hour apart.
    let filling = [UInt8]([0x47, 0x1F, 0xFF, 0x10]) + [UInt8](repeating: 0xFF, count: 184)
    let middle: [UInt8] = Array(Array(repeating: filling, count: 3 * StreamLength.span / 188).joined())
    let hour: Int64 = 3600 * 90_000
    let file = Self.film(start: 5) + middle + Self.film(start: 5 + hour)
    var places: [Int] = []
    let length = StreamLength.find(size: file.count) { place, count in
      places.append(count)
      return Array(file[place..<(place + count)])
    }
    #expect(length == .seconds(3600) + .milliseconds(400))
    #expect(places.reduce(0, +) <= 2 * StreamLength.span + 1024)
  }

  @Test("Program streams of MPEG-2 and MPEG-1 have a length")
  func program() {
    let pack: [UInt8] = [0, 0, 1, 0xBA, 0x44, 0, 4, 0, 4, 1, 0, 0, 3, 0xF8]
    func two(_ ticks: Int64) -> [UInt8] {
      let packet = Array(Self.packet(pid: 0, ticks).dropFirst(4).prefix(14))
      return packet[0..<4] + [0, 12] + packet[6...] + [0x55, 0x55, 0x55, 0x55]
    }
    #expect(Self.length(pack + (0..<10).flatMap { two(900 + $0 * 3600) }) == .milliseconds(400))
    func one(_ ticks: Int64) -> [UInt8] {
      let time = Array(Self.packet(pid: 0, ticks)[13..<18])
      return [0, 0, 1, 0xE0, 0, 10, 0xFF, 0xFF, 0x60, 0x20] + time + [0x55]
    }
    let old: [UInt8] = [0, 0, 1, 0xBA, 0x21, 0, 1, 0, 1, 0x80, 0, 1]
    #expect(Self.length(old + (0..<10).flatMap { one(900 + $0 * 3600) }) == .milliseconds(400))
  }

  @Test("Other and damaged files cause no trap")
  func hostile() {
    #expect(Self.length([]) == nil)
    #expect(Self.length(Array("not a film at all".utf8)) == nil)
    let film = Self.film(start: 1 << 33 - 3600)
    for length in stride(from: 0, to: film.count, by: 7) { _ = Self.length(Array(film.prefix(length))) }
    var random = SystemRandomNumberGenerator()
    for _ in 0..<300 {
      var changed = film
      for _ in 0..<20 { changed[.random(in: 0..<changed.count, using: &random)] = .random(in: 0...255) }
      _ = Self.length(changed)
    }
  }
}
