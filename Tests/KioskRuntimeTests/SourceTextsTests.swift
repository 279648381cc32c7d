import KioskTestSupport
import PlaylistConfig
import Testing

@testable import KioskRuntime

@Suite("Texts of a configuration, for as long as somebody may have to write them down")
struct SourceTextsTests {
  @Test("They are had once, whichever copy of a revision is asked, and the paths stay")
  func once() throws {
    let directory = try TemporaryDirectory()
    let path = try directory.write(
      "version = 1\n[[playlist.main.item]]\nuri = \"http://127.0.0.1/a.mp4\"\n", as: "vitrine.toml")
    let reader = ConfigurationReader(set: ConfigurationSet(main: path), overrides: ConfigurationOverrides())
    let boot = ConfigurationBoot(reader: reader, store: nil)
    let (first, copy) = (try #require(boot.active), try #require(boot.active))
    let texts = try #require(first.texts.take())
    #expect(texts.map(\.path) == [path] && first.paths == [path])
    #expect(copy.texts.take() == nil && copy.paths == [path])
    // By what the texts were, also when they are gone.
    #expect(copy.textFingerprint == ConfigurationSource.fingerprint(of: texts))
  }
}
