import KioskTestSupport
import PlaylistConfig
import Testing

@testable import KioskRuntime

@Suite("Texts of a configuration, until they are on disk")
struct SourceTextsTests {
  @Test("The texts can be taken once, from any copy of a revision, and the paths stay")
  func once() throws {
    let directory = try TemporaryDirectory()
    let path = try directory.write(
      "version = 1\n[[playlist.main.item]]\nuri = \"http://127.0.0.1/a.mp4\"\n", as: "vitrine.toml")
    let reader = ConfigurationReader(set: ConfigurationSet(main: path), overrides: ConfigurationOverrides())
    let boot = ConfigurationBoot(reader: reader, store: nil)
    let (first, copy) = (try #require(boot.active), try #require(boot.active))
    let texts = try #require(first.texts.consume())
    #expect(texts.map(\.path) == [path] && first.paths == [path])
    #expect(copy.texts.consume() == nil && copy.paths == [path])
    // The fingerprint stays the texts', even after they are gone.
    #expect(copy.textFingerprint == ConfigurationSource.fingerprint(of: texts))
  }
}
