import PlaybackCore
import PlaylistConfig
import Testing

/// How much is read, at each limit and one beyond.
@Suite("Limits", .serialized)
struct LimitsTests {
  private func items(_ count: Int) -> [UInt8] {
    var text = Array("version = 1\n".utf8)
    for number in 0..<count {
      text += Array("[[playlist.main.item]]\nuri = \"http://h/\(number).mp4\"\ntitle = \"Clip \(number)\"\n".utf8)
    }
    return text
  }

  private func errors(_ text: [UInt8]) -> [String] {
    Configuration.parse(text, path: "k").diagnostics.filter { $0.severity == .error }.map(\.description)
  }

  @Test("100,000 items are read, looked up and queued; one more is an error")
  func manyItems() throws {
    let playlist = try #require(try Configuration.parse(items(100_000), path: "k").get().mainPlaylist)
    #expect(playlist.items.count == 100_000)
    let found = ItemResolver(files: FakeFiles()).resolve(playlist)
    #expect(found.items.count == 100_000 && found.problems.isEmpty)
    #expect(found.items[99_999].title == "Clip 99999")
    var queue = PlayQueue(found.items, repeatMode: .all)
    // A change of the list, as a reload makes it.
    #expect(queue.replaceAll(Array(found.items.dropFirst())).kept.count == 99_999)
    #expect(
      errors(items(100_001)) == ["k:2:1: [playlist.main].item: [...]: has 100001 entries, at most 100000 are allowed"])
  }

  @Test("Ten times the items take about ten times as long, not a hundred times")
  func linear() throws {
    let clock = ContinuousClock()
    let (few, many) = (items(1_000), items(10_000))
    func cost(_ text: [UInt8]) throws -> Duration {
      try (0..<3).map { _ in
        try clock.measure {
          let playlist = try #require(try Configuration.parse(text, path: "k").get().mainPlaylist)
          #expect(!ItemResolver(files: FakeFiles()).resolve(playlist).items.isEmpty)
        }
      }.min() ?? .zero
    }
    _ = try cost(few)
    let ratio = try cost(many) / cost(few)
    #expect(ratio < 30)
  }

  @Test("A list of 100,000 entries")
  func longList() throws {
    var files = FakeFiles()
    files.files["/m/l.m3u"] = Array((0..<100_000).map { "http://h/\($0).mp4\n" }.joined().utf8)
    let found = ItemResolver(files: files).resolve(["/m/l.m3u"])
    #expect(found.items.count == 100_000 && found.problems.isEmpty)
  }

  @Test(
    "Values, parts of keys, nesting, lengths: at the limit and beyond",
    arguments: [
      ("parts of a key", String(repeating: "a.", count: 15) + "b = 1\n", false),
      ("parts of a key", String(repeating: "a.", count: 16) + "b = 1\n", true),
      ("nested arrays", "a = " + String(repeating: "[", count: 30) + String(repeating: "]", count: 30) + "\n", false),
      ("nested arrays", "a = " + String(repeating: "[", count: 33) + String(repeating: "]", count: 33) + "\n", true),
      (
        "nested tables", "a = " + String(repeating: "{a=", count: 33) + "1" + String(repeating: "}", count: 33) + "\n",
        true
      ),
      ("values", "a = [" + String(repeating: "1,", count: 1_000_000) + "]\n", true),
    ])
  func syntax(name: String, text: String, isTooMuch: Bool) {
    // Too much isn't read at all; the rest is read, and refused for its keys.
    let error = try? TOMLParser.parse(text)
    #expect((error == nil) == isTooMuch)
  }

  @Test("A title and an address as long as allowed, and longer")
  func lengths() {
    func text(title: Int, address: Int) -> [UInt8] {
      let title = String(repeating: "é", count: title)
      let address = "/" + String(repeating: "a", count: address - 1)
      return Array("version = 1\n[[playlist.main.item]]\nuri = \"\(address)\"\ntitle = \"\(title)\"\n".utf8)
    }
    #expect(errors(text(title: 1024, address: 4096)) == [])
    #expect(errors(text(title: 1025, address: 4096)).first?.contains("is too long, at most 1024 characters") == true)
    #expect(errors(text(title: 1, address: 4097)).first?.contains("is too long, at most 4096 characters") == true)
  }

  @Test("A thousand problems are reported, errors first; a hundred drop-ins are read")
  func many() {
    let wrong = (0..<3000).map { "k\($0) = 1\n" }.joined()
    let loaded = Configuration.parse(Array("version = 1\n\(wrong)".utf8), path: "k")
    #expect(loaded.diagnostics.count == 1000 && loaded.diagnostics.allSatisfy { $0.severity == .error })
    #expect(loaded.error?.message == "the configuration has 3000 errors")

    var files = FakeFiles(["/etc/vitrine/vitrine.toml": "version = 1\n[[playlist.main.item]]\nuri = \"http://h/a\"\n"])
    for number in 0..<100 { files.files["/etc/vitrine/conf.d/\(10 + number % 90)-a\(number).toml"] = [] }
    #expect(Configuration.load(.system, files: files).sources.count == 101)
    files.files["/etc/vitrine/conf.d/99-z.toml"] = []
    #expect(
      Configuration.load(.system, files: files).diagnostics.map(\.description)
        == ["/etc/vitrine/conf.d: has 101 drop-ins, at most 100 are read"])
  }
}
