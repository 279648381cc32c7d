import KioskCore
import PlaybackCore
import Testing

@Suite("Coming back to the item and the place (0141)")
struct ResumeTests {
  private func point(
    _ address: String = "file:///a.mp4", list: String? = "main", index: Int = 0, position: Duration = .zero
  ) -> ResumePoint { ResumePoint(list: list, address: address, index: index, position: position) }

  private func queue(_ names: String...) -> [MediaItem] {
    names.map { MediaItem(uri: "file:///\($0).mp4", kind: .file) }
  }

  // MARK: The item

  @Test("A place is found by its index, else by the first equal address, else not at all")
  func place() {
    let queue = queue("a", "b", "a")
    #expect(point(index: 2).index(in: queue, of: "main") == 2)
    #expect(point(index: 1).index(in: queue, of: "main") == 0)
    #expect(point(index: 99).index(in: queue, of: "main") == 0)
    #expect(point("file:///c.mp4").index(in: queue, of: "main") == nil)
    #expect(point().index(in: [], of: "main") == nil)
  }

  @Test("A place in another list doesn't count; for an unknown list the address suffices")
  func list() {
    let queue = queue("a")
    #expect(point().index(in: queue, of: "night") == nil)
    #expect(point(list: nil).index(in: queue, of: "night") == 0)
    #expect(point().index(in: queue, of: nil) == 0)
  }

  @Test("The position isn't kept for items shorter than ten minutes or without an end")
  func short() {
    let there = point(position: .seconds(700))
    #expect(there.kept(by: .position, duration: .seconds(1200)) == there)
    #expect(there.kept(by: .position, duration: .seconds(599))?.position == .zero)
    #expect(there.kept(by: .position, duration: nil)?.position == .zero)
    #expect(there.kept(by: .item, duration: .seconds(1200))?.position == .zero)
    #expect(there.kept(by: .off, duration: .seconds(1200)) == nil)
  }

  // MARK: The time of writes

  @Test("A list of short films in any order: at most one write in ten minutes, over a year, and one at the end")
  func wear() {
    var random = SplitMix64(state: 9)
    var now = Instant(nanoseconds: 0)
    var machine = ResumeMachine(written: [:], at: now)
    var writes: [Instant] = []
    for _ in 0..<52_560 * 2 {
      now = now + .seconds(Int64(random.next() % 600))
      let places: [String: ResumeMachine.Place] = ["": .at(point("file:///\(random.next() % 100).mp4"))]
      if machine.update(from: places, now) != nil { writes.append(now) }
    }
    #expect(zip(writes, writes.dropFirst()).allSatisfy { $1 - $0 >= ResumeMachine.interval } && writes.count > 10_000)
    #expect(machine.end(with: ["": .at(point("file:///x.mp4"))]) != nil)
    #expect(
      machine.due == nil && machine.end(with: ["": .none]) == nil
        && machine.update(from: [:], now + .seconds(9999)) == nil)
  }

  @Test("An unchanged place isn't written again: one short film, or a pause of a year")
  func unchanged() {
    var now = Instant(nanoseconds: 0)
    var machine = ResumeMachine(written: ["": point()], at: now)
    for _ in 0..<1000 {
      now = now + ResumeMachine.interval
      #expect(machine.update(from: ["": .at(point())], now) == nil)
      #expect(machine.update(from: ["": .unchanged], now) == nil)
    }
    #expect(machine.end(with: ["": .at(point())]) == nil)
  }

  @Test("An unreadable file is replaced at the next write, even by no places")
  func unreadable() {
    let now = Instant(nanoseconds: 0) + ResumeMachine.interval
    var machine = ResumeMachine(written: nil, at: Instant(nanoseconds: 0))
    #expect(machine.update(from: ["": .unchanged], now) == [:])
    #expect(machine.end(with: ["": .none]) == nil)
  }

  @Test("Each screen has its own place; a visitors' list leaves it unchanged, and a finished list clears it")
  func screens() {
    let now = Instant(nanoseconds: 0) + ResumeMachine.interval
    var machine = ResumeMachine(written: ["left": point(), "gone": point()], at: Instant(nanoseconds: 0))
    let right = point("file:///r.mp4", list: "right", index: 3, position: .seconds(800))
    #expect(machine.update(from: ["left": .unchanged, "right": .at(right)], now) == ["left": point(), "right": right])
    #expect(machine.end(with: ["left": .none, "right": .unchanged]) == ["right": right])
  }

  // MARK: The file

  static let points: [[String: ResumePoint]] = [
    [:],
    ["": ResumePoint(list: nil, address: "file:///a%20b.mp4", index: 0, position: .zero)],
    [
      "left": ResumePoint(list: "", address: "rtsp://user:pass@camera/\u{1F600}", index: 7, position: .seconds(5025)),
      "right\tscreen\n": ResumePoint(list: "a\tb\n%", address: "http://x/\u{0}\u{7F}", index: 1 << 30, position: .zero),
    ],
  ]

  @Test("Reading gives the places that were written", arguments: points)
  func roundTrip(screens: [String: ResumePoint]) {
    let saved = SavedPlaces(screens: screens, savedAt: 1_700_000_000)
    #expect(SavedPlaces(bytes: Array(saved.text.utf8)) == saved)
  }

  @Test(
    "A file with a byte missing, cut off or changed is refused, or is a whole file with another place",
    arguments: points)
  func damage(screens: [String: ResumePoint]) {
    let whole = Array(SavedPlaces(screens: screens, savedAt: 1_700_000_000).text.utf8)
    for count in 0..<whole.count { #expect(SavedPlaces(bytes: Array(whole.prefix(count))) == nil) }
    for at in whole.indices {
      for byte in [UInt8(0), 9, 10, 0x20, 0x25, 0x30, 0x41, 0x7F, 0xFF] where byte != whole[at] {
        var other = whole
        other[at] = byte
        if let read = SavedPlaces(bytes: other) { #expect(Array(read.text.utf8).sorted() == other.sorted()) }
      }
    }
  }

  @Test(
    "Files in another format are refused",
    arguments: [
      "", "\n", "end 0\n", "vitrine-places 1 0\n", "vitrine-places 2 0\nend 0\n", "vitrine-places 1 0\nend 1\n",
      "vitrine-places 1 -1\nend 0\n", "vitrine-places 1 007\nend 0\n", "vitrine-places 1 0\nend 0\n\n",
      "vitrine-places 1 0\nscreen\t\t\t0\t0\t\nend 1\n", "vitrine-places 1 0\nscreen\t\t\t0\t604800001\tx\nend 1\n",
      "vitrine-places 1 0\nscreen\t\t\t-1\t0\tx\nend 1\n", "vitrine-places 1 0\nscreen\t\t\t0\t0\t%4\nend 1\n",
      "vitrine-places 1 0\nscreen\t\t\t0\t0\t%41\nend 1\n", "vitrine-places 1 0\nscreen\t\tx\t0\t0\tx\nend 1\n",
      "vitrine-places 1 0\nscreen\t\t\t0\t0\tx\nscreen\t\t\t1\t0\tx\nend 2\n",
      "vitrine-places 1 0\nscreen\t\t\t0\t0\t%FF\nend 1\n", "vitrine-places 1 99999999999999999999\nend 0\n",
    ])
  func foreign(text: String) { #expect(SavedPlaces(bytes: Array(text.utf8)) == nil) }

  @Test("A file that is too long is refused")
  func long() {
    let long = point(String(repeating: "x", count: SavedPlaces.longestText))
    #expect(SavedPlaces(bytes: Array(SavedPlaces(screens: ["": long], savedAt: 0).text.utf8)) == nil)
  }
}
