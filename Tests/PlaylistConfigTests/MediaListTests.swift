import PlaybackCore
import PlaylistConfig
import Testing

@Suite("PLS and XSPF playlists, patterns, repeats")
struct MediaListTests {
  private func items(_ list: String, named name: String, extra: [String: String] = [:]) throws -> [MediaItem] {
    var files = ["/m/a.mp4": "x", "/m/b c.mp4": "x", "/m/sub/d.mp4": "x"].merging(extra) { $1 }
    files[name] = list
    return try ItemResolver(files: FakeFiles(files)).items(for: name)
  }

  @Test("PLS: by number, with titles, whatever the case and the order")
  func pls() throws {
    let found = try items(
      """
      [playlist]\r
      numberofentries=3
      File2=sub/d.mp4
      file1 = a.mp4
      Title1= The first
      FILE10=http://h/x.mp4
      Length1=-1
      Filex=none
      File3=
      Version=2
      """, named: "/m/l.pls")
    #expect(found.map(\.uri) == ["file:///m/a.mp4", "file:///m/sub/d.mp4", "http://h/x.mp4"])
    #expect(found.map(\.title) == ["The first", "d", "x"])
    #expect(found.map(\.origin) == ["/m/l.pls:4: a.mp4", "/m/l.pls:3: sub/d.mp4", "/m/l.pls:6: http://h/x.mp4"])
  }

  @Test("XSPF: first location and title of each track; entities, CDATA, comments, prefixes, extensions")
  func xspf() throws {
    let found = try items(
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <!DOCTYPE playlist>
      <!-- <track><location>none.mp4</location></track> -->
      <playlist version="1" xmlns="http://xspf.org/ns/0/">
        <title>Not a track's</title>
        <trackList>
          <track><location>a.mp4</location><location>none.mp4</location><title>Salt &amp; pepper &#x1F9C2;&#33;</title></track>
          <track>
            <title/>
            <location>
              b%20c.mp4
            </location>
            <extension application="x>y"><location>none.mp4</location></extension>
          </track>
          <track><location><![CDATA[file:///m/sub/d.mp4]]></location></track>
          <track><title>No location</title></track>
          <x:track><x:location>http://h/x.mp4?a=1&amp;b=2</x:location></x:track>
        </trackList>
      </playlist>
      """, named: "/m/l.xspf")
    #expect(
      found.map(\.uri) == [
        "file:///m/a.mp4", "file:///m/b%20c.mp4", "file:///m/sub/d.mp4", "http://h/x.mp4?a=1&b=2",
      ])
    #expect(found.map(\.title) == ["Salt & pepper 🧂!", "b c", "d", "x"])
    #expect(found.first?.origin == "/m/l.xspf:7: a.mp4")
  }

  @Test(
    "A text that isn't a list is an error",
    arguments: [
      ("/m/l.xspf", ""), ("/m/l.xspf", "<"), ("/m/l.xspf", "<track><location>a.mp4"), ("/m/l.xspf", "<!--"),
      ("/m/l.xspf", "<playlist><trackList><track a='"), ("/m/l.pls", "[playlist]\nFile=a.mp4\n=\n"), ("/m/l.pls", ""),
      ("/m/l.xspf", "</a></a><![CDATA["), ("/m/l.xspf", String(repeating: "<a>", count: 50_000)),
    ])
  func broken(name: String, list: String) {
    let error = #expect(throws: VitrineError.self) { try items(list, named: name) }
    #expect(error?.configurationNumber == .playlistEmpty)
  }

  @Test(
    "Patterns choose among the media of a directory",
    arguments: [
      ("*.mp4", ["a.mp4", "ab.mp4"]), ("a?.*", ["ab.mp4", "aé.png"]), ("*", ["a.mp4", "ab.mp4", "aé.png"]),
      ("a*b*.mp4", ["ab.mp4"]), ("aé.png", ["aé.png"]),
    ])
  func patterns(pattern: String, expected: [String]) throws {
    let text = """
      version = 1
      [[playlist.main.item]]
      uri = "clips"
      pattern = "\(pattern)"
      """
    var files = FakeFiles(["/k/v.toml": text])
    for name in ["a.mp4", "ab.mp4", "aé.png", "a.txt"] { files.files["/k/clips/\(name)"] = [] }
    let configuration = try Configuration.load(path: "/k/v.toml", files: files).get()
    let found = ItemResolver(files: files).resolve(
      try #require(configuration.mainPlaylist), of: configuration)
    #expect(found.items.map(\.origin) == expected.map { "clips/\($0)" })
    #expect(found.problems.isEmpty)
  }

  @Test("An item that repeats is listed so often, up to the limit")
  func repeats() throws {
    let item = "[[playlist.main.item]]\nuri = \"http://h/a.mp4\"\nrepeat = 1000\n"
    let text =
      "version = 1\n[[playlist.main.item]]\nuri = \"http://h/b.mp4\"\nrepeat = 3\n"
      + String(repeating: item, count: 101)
    let playlist = try #require(try Configuration.parse(Array(text.utf8), path: "t").get().mainPlaylist)
    let found = ItemResolver(files: FakeFiles()).resolve(playlist)
    #expect(found.items.prefix(4).map(\.title) == ["b", "b", "b", "a"])
    #expect(found.items.count <= ConfigurationLimits.items)
    #expect(found.problems.last?.configurationNumber == .playlistTooLarge)
  }
}
