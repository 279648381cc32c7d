import Foundation
import KioskTestSupport
import PlaylistConfig
import Testing

@Suite("USB sticks")
struct StickTests {
  private func find(_ files: [String: String], password: String? = nil) -> StickReader<FakeFiles>.Found {
    StickReader(files: FakeFiles(files)).find(in: "/sticks", passwordFile: password)
  }

  @Test("A configuration in the folder comes before one at the top, and that before a folder of media")
  func kinds() {
    let (media, top, inner) = ("/sticks/a/vitrine/a.mp4", "/sticks/a/vitrine.toml", "/sticks/a/vitrine/vitrine.toml")
    #expect(find([:]).content == nil)
    #expect(find(["/sticks/a/holiday.mp4": "x"]).content == nil)
    let folder = find([media: "x"]).content
    #expect(folder?.kind == .media(FilePath("/sticks/a/vitrine")) && folder?.folder == FilePath("/sticks/a/vitrine"))
    let file = find([media: "x", top: "x"]).content
    #expect(file?.kind == .configuration(FilePath(top)) && file?.folder == nil)
    let whole = find([media: "x", top: "x", inner: "x"]).content
    #expect(whole?.kind == .configuration(FilePath(inner)) && whole?.folder == FilePath("/sticks/a/vitrine"))
  }

  @Test("The first stick with content is used; hidden entries aren't sticks")
  func several() {
    let found = find([
      "/sticks/.new/vitrine/a.mp4": "x", "/sticks/a/holiday.mp4": "x", "/sticks/c/vitrine/c.mp4": "x",
      "/sticks/b/vitrine/b.mp4": "x",
    ])
    #expect(found.content?.stick == FilePath("/sticks/b"))
  }

  @Test(
    "A password on the board: a stick needs the same",
    arguments: [
      ("secret\n", "secret", true), ("secret", "secret\r\n", true), ("secret", "Secret", false), ("secret", "", false),
      ("", "", false), ("secret", nil, false), (nil, "secret", false), (nil, nil, false),
    ] as [(String?, String?, Bool)])
  func password(board: String?, stick: String?, isTaken: Bool) {
    var files = ["/sticks/a/vitrine/a.mp4": "x"]
    files["/etc/password"] = board
    files["/sticks/a/vitrine.password"] = stick
    let found = find(files, password: "/etc/password")
    #expect((found.content != nil) == isTaken)
    #expect(found.refusals.isEmpty == isTaken)
  }

  @Test("A stick's folder of media plays whatever the schedule says")
  func media() throws {
    let content = try #require(find(["/sticks/a/vitrine/a.mp4": "x"]).content)
    let source = try content.source(files: FakeFiles())
    let base = ConfigurationSource(
      path: "/etc/v.toml",
      text: Array(
        "version = 1\n[[schedule.rule]]\nplaylist = \"main\"\n[[playlist.main.item]]\nuri = \"b.mp4\"\n".utf8))
    let configuration = try Configuration.check([base, source]).get()
    #expect(configuration.schedule.rules.isEmpty)
    #expect(configuration.mainPlaylist?.items.map(\.uri) == ["."])
    #expect(configuration.sources[1].hasPrefix("/sticks/a/vitrine/"))
    #expect(configuration.origins == [.board, .stick(folder: FilePath("/sticks/a"))])
  }

  @Test("The password is checked first, and nothing else of a stick without it is read")
  func passwordFirst() {
    var files = FakeFiles([
      "/etc/password": "secret", "/sticks/a/vitrine/vitrine.toml": "x", "/sticks/a/vitrine.password": "wrong",
      "/sticks/b/vitrine/vitrine.toml": "x",
    ])
    files.links["/sticks/c/vitrine.password"] = "/etc/password"
    files.files["/sticks/c/vitrine/a.mp4"] = []
    let found = StickReader(files: files).find(in: "/sticks", passwordFile: "/etc/password")
    #expect(found.content == nil && found.refusals.count == 3)
    #expect(
      files.log.all.filter { $0 != "/sticks" && $0 != "/etc/password" }
        == ["/sticks/a/vitrine.password", "/sticks/b/vitrine.password", "/sticks/c/vitrine.password"])
  }

  @Test("A link to the board's own password isn't accepted as one, nor is a text that is too long")
  func linkedPassword() {
    var files = FakeFiles(["/etc/password": "secret", "/sticks/a/vitrine/a.mp4": "x"])
    files.links["/sticks/a/vitrine.password"] = "/etc/password"
    #expect(StickReader(files: files).find(in: "/sticks", passwordFile: "/etc/password").content == nil)
    let long = String(repeating: "x", count: 5000)
    #expect(
      find(
        ["/etc/password": long, "/sticks/a/vitrine.password": long, "/sticks/a/vitrine/a.mp4": "x"],
        password: "/etc/password"
      ).content == nil)
  }

  @Test("A linked folder or file isn't accepted as content, and is reported")
  func linkedContent() {
    var files = FakeFiles(["/etc/vitrine.toml": "x", "/sticks/a/x": "x"])
    files.links["/sticks/a/vitrine"] = "/etc"
    let folder = StickReader(files: files).find(in: "/sticks", passwordFile: nil)
    #expect(folder.content == nil)
    let reason = "is a link, or leads away from the stick; put the file or folder itself on the stick"
    #expect(folder.refusals == ["/sticks/a/vitrine: \(reason)"])
    files.links = ["/sticks/a/vitrine.toml": "/etc/vitrine.toml"]
    let file = StickReader(files: files).find(in: "/sticks", passwordFile: nil)
    #expect(file.content == nil && file.refusals.count == 1)
  }
}
