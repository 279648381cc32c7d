import Testing

@testable import PlaybackCore

@Suite("Captions in many small files")
struct CaptionPartsTests {
  private func parts(_ count: Int, from position: Duration = .zero) -> CaptionParts {
    CaptionParts((0..<count).map { .init(address: "\($0)", end: .seconds(6 * ($0 + 1))) }, from: position)
  }

  private func file(_ cues: (from: Int, to: Int, text: String)..., map: String? = nil) -> [UInt8] {
    func time(_ seconds: Int) -> String {
      "\(seconds / 60 + 100):\(seconds % 60 < 10 ? "0" : "")\(seconds % 60).000"
    }
    let header = "WEBVTT\n" + (map.map { "X-TIMESTAMP-MAP=\($0)\n" } ?? "")
    return Array((header + cues.map { "\n\(time($0.from)) --> \(time($0.to))\n\($0.text)\n" }.joined()).utf8)
  }
  /// `file` adds this to all times, so that its minutes have three digits.
  private static let zero: Duration = .seconds(6000)

  private func told(_ parts: CaptionParts) -> [String] {
    parts.cues.map {
      "\(($0.start - Self.zero).components.seconds)-\(($0.end - Self.zero).components.seconds) \($0.text)"
    }
  }

  /// The addresses in the order in which they are asked for; those in `failing` can't be read.
  private func order(_ parts: CaptionParts, failing: Set<String> = []) throws -> [String] {
    var parts = parts
    var order: [String] = []
    while let next = parts.next {
      order.append(next.address)
      if failing.contains(next.address) { parts.fail() } else { try parts.take(file()) }
    }
    return order
  }

  @Test("The first file is read first, then those from the position on, then the ones before")
  func order() throws {
    #expect(try order(parts(4)) == ["0", "1", "2", "3"])
    #expect(try order(parts(5, from: .seconds(13))) == ["0", "2", "3", "4", "1"])
    #expect(try order(parts(5, from: .seconds(12))) == ["0", "2", "3", "4", "1"])
    #expect(try order(parts(3, from: .seconds(100))) == ["0", "1", "2"])
    #expect(try order(parts(0)) == [])
  }

  @Test("A file that can't be read is asked for three times, each time after all others")
  func failing() throws {
    #expect(try order(parts(4), failing: ["1", "3"]) == ["0", "1", "2", "3", "1", "3", "1", "3"])
    var parts = parts(3)
    try parts.take(file((1, 2, "a")))
    parts.fail()
    try parts.take(file((13, 14, "c")))
    #expect(parts.next?.address == "1" && parts.missingCount == 1)
    try parts.take(file((7, 8, "b")))
    #expect(parts.next == nil && parts.missingCount == 0)
    #expect(told(parts) == ["1-2 a", "13-14 c", "7-8 b"])
  }

  @Test("A file that is no WebVTT is told, isn't asked for again, and the others count")
  func unreadable() throws {
    var parts = parts(2)
    #expect(throws: SubtitleError.noCues) { try parts.take(Array("<html>".utf8)) }
    try parts.take(file((7, 8, "b")))
    #expect(parts.next == nil && parts.readCount == 1 && parts.missingCount == 1)
    #expect(told(parts) == ["7-8 b"])
  }

  @Test("A cue that reaches into the next file, and is in both, is one cue")
  func repeated() throws {
    var parts = parts(2)
    try parts.take(file((1, 2, "a"), (5, 8, "b")))
    try parts.take(file((5, 8, "b"), (9, 10, "c")))
    #expect(told(parts) == ["1-2 a", "5-8 b", "9-10 c"])
  }

  @Test(
    "Times count by the map of the first file: however it is written, and over the end of its 33 bits",
    arguments: [
      // The times of all files count from the same moment.
      (nil, nil, 0), ("MPEGTS:900000,LOCAL:00:00:00.000", "MPEGTS:900000,LOCAL:00:00:00.000", 0),
      ("MPEGTS:900000,LOCAL:00:00:00.000", "LOCAL:00:00:06.000, MPEGTS:1440000", 0),
      // The times of each file count from that file's own start.
      ("MPEGTS:900000,LOCAL:00:00:00.000", "MPEGTS:1440000,LOCAL:00:00:00.000", 6),
      ("LOCAL:00:00.000,MPEGTS:8589924592", "LOCAL:00:00.000,MPEGTS:530000", 6),
      ("LOCAL:00:00.000,MPEGTS:0", "LOCAL:00:00.000,MPEGTS:8589394592", -6),
      // A map that can't be read is ignored.
      ("MPEGTS:900000,LOCAL:00:00:00.000", "MPEGTS:-1,LOCAL:00:00:00.000", 0),
      ("MPEGTS:900000,LOCAL:00:00:00.000", "MPEGTS:1440000", 0),
      ("MPEGTS:x,LOCAL:y", "MPEGTS:540000,LOCAL:00:00.000", 0),
    ] as [(String?, String?, Int)])
  func maps(first: String?, second: String?, shift: Int) throws {
    var parts = parts(2)
    try parts.take(file((1, 2, "a"), map: first))
    try parts.take(file((8, 9, "b"), map: second))
    #expect(told(parts) == ["1-2 a", "\(8 + shift)-\(9 + shift) b"])
  }

  @Test("A cue that would end before the film begins is left out; one that would begin before it is cut")
  func before() throws {
    var parts = parts(2)
    try parts.take(Array("WEBVTT\nX-TIMESTAMP-MAP=MPEGTS:900000,LOCAL:00:00.000\n".utf8))
    let map = "X-TIMESTAMP-MAP=MPEGTS:0,LOCAL:00:00.000"
    try parts.take(Array("WEBVTT\n\(map)\n\n00:08.000 --> 00:09.000\na\n\n00:09.000 --> 00:12.000\nb\n".utf8))
    #expect(parts.cues == [SubtitleCue(start: .zero, end: .seconds(2), text: "b")])
  }

  @Test("Cues are told after each of the first files, then after each 16, and at the end")
  func telling() throws {
    var parts = parts(40)
    var told: [Int] = []
    while parts.next != nil {
      try parts.take(file())
      if parts.isTimeToTell() { told.append(parts.readCount) }
      let isNews = parts.isTimeToTell()
      #expect(!isNews, "nothing has come since")
    }
    #expect(told == Array(1...16) + [32, 40])
  }

  @Test("All files together have the limits of one")
  func limits() throws {
    var long = parts(3)
    let text = file() + [UInt8](repeating: 0x0A, count: SubtitleParser.maximumLength / 2)
    try long.take(text)
    #expect(throws: SubtitleError.tooLong) { try long.take(text) }
    var many = parts(3)
    func cues(_ range: Range<Int>) -> [UInt8] {
      Array(("WEBVTT\n" + range.map { "\n00:00.000 --> 00:01.000\n\($0)\n" }.joined()).utf8)
    }
    try many.take(cues(0..<SubtitleParser.maximumCues))
    #expect(throws: SubtitleError.tooManyCues) { try many.take(cues(SubtitleParser.maximumCues..<70_000)) }
  }
}
