import FileModel
import PlaylistConfig
import Testing

@Suite("Links on the way to a configuration")
struct LinkTrailTests {
  private func trail(_ path: String, _ links: [String: String]) -> [String] {
    LinkTrail.places(to: FilePath(path)) { links[$0.text].map { FilePath($0) } }.map(\.text)
  }

  @Test("A file without links is one place")
  func none() {
    #expect(trail("/etc/./v.toml", [:]) == ["/etc/v.toml"])
    #expect(trail("/etc/x/../v.toml", [:]) == ["/etc/v.toml"])
  }

  @Test("The trail of a path has every link on the way, and the file")
  func releases() {
    let links = ["/etc/v.toml": "../srv/current/v.toml", "/srv/current": "releases/7"]
    #expect(trail("/etc/v.toml", links) == ["/etc/v.toml", "/srv/current", "/srv/releases/7/v.toml"])
    #expect(trail("/srv/current/v.toml", links) == ["/srv/current", "/srv/releases/7/v.toml"])
    #expect(trail("/a", ["/a": "/b", "/b": "/c/d"]) == ["/a", "/b", "/c/d"])
  }

  @Test("Links that lead in a circle come to an end")
  func circle() {
    #expect(trail("/a/v.toml", ["/a": "b", "/b": "a"]).count == 41)
    #expect(trail("/a", ["/a": "a"]).count == 41)
    #expect(trail("/../..", [:]) == ["/"])
  }
}
