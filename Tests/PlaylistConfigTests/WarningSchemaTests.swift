import InteractionCore
import PlaybackCore
import Testing

@testable import PlaylistConfig

@Suite("Warnings in the configuration")
struct WarningSchemaTests {
  private func load(_ lines: String) -> LoadedConfiguration {
    let text = "version = 1\n[[playlist.main.item]]\nuri = \"a.mp4\"\n[warnings]\n\(lines)\n"
    return Configuration.check([ConfigurationSource(path: "/etc/v.toml", text: Array(text.utf8))])
  }

  @Test("All keys are read; the defaults are those of severe warnings for everywhere, once a minute")
  func keys() throws {
    let plain = try load("feed = \"https://a/b\"").get().warnings
    #expect(plain.wish == WarningWish() && plain.wish.isForAnywhere && plain.wish.leastSeverity == .severe)
    #expect(plain.interval == .seconds(60) && plain.feed == "https://a/b")
    let all = try load(
      """
      feed = "http://127.0.0.1:1/b"
      areas = ["emma_id=DE413", "SAME=006037"]
      place = [-52, 13.4]
      severity = "minor"
      tests = true
      interval = 30
      """
    ).get().warnings
    #expect(all.areas.map(\.description) == ["EMMA_ID=DE413", "SAME=006037"])
    #expect(all.place == GeoPlace(latitude: -52, longitude: 13.4) && all.interval == .seconds(30))
    #expect(all.wish.showsTests && all.wish.leastSeverity == .minor && !all.wish.isForAnywhere)
  }

  @Test(
    "What can't be meant is refused, with what is allowed",
    arguments: [
      ("feed = \"http://feeds.example.org/a\"", "[warnings].feed", "https"),
      ("feed = \"file:///etc/passwd\"", "[warnings].feed", "https"),
      ("feed = \"/a.xml\"", "[warnings].feed", "https"),
      ("areas = [\"DE413\"]", "[warnings].areas", "EMMA_ID"), ("areas = [\"A=\"]", "[warnings].areas", "EMMA_ID"),
      ("areas = \"A=1\"", "[warnings].areas", "EMMA_ID"), ("place = [13.4]", "[warnings].place", "latitude"),
      ("place = [91, 0]", "[warnings].place", "latitude"), ("place = [0, \"a\"]", "[warnings].place", "latitude"),
      ("place = [1, 2, 3]", "[warnings].place", "latitude"), ("severity = \"high\"", "[warnings].severity", "extreme"),
      ("interval = 5", "[warnings].interval", "30"), ("region = \"a\"", "[warnings].region", ""),
    ])
  func refused(_ line: String, _ key: String, _ allowed: String) {
    let errors = load(line).diagnostics.filter { $0.severity == .error }
    #expect(errors.count == 1 && errors[0].keyPath == key, "\(errors)")
    #expect("\(errors)".contains(allowed), "\(errors)")
  }

  @Test("A table without a feed is a warning, because nothing comes of it")
  func noFeed() throws {
    let loaded = load("severity = \"extreme\"")
    #expect(loaded.diagnostics.map(\.keyPath) == ["[warnings].feed"] && loaded.diagnostics[0].severity == .warning)
    #expect(try loaded.get().warnings.feed == nil)
  }
}
