import KioskTestSupport
import PlaybackCore
import PlaylistConfig
import Testing

@testable import KioskRuntime

@Suite("The player's records of its configuration")
struct ConfigurationRecordsTests {
  private func boot(_ text: String = "version = 1\n[[playlist.main.item]]\nuri = \"http://127.0.0.1/a.mp4\"\n") throws
    -> ConfigurationBoot
  {
    let directory = try TemporaryDirectory()
    let path = try directory.write(text, as: "vitrine.toml")
    let reader = ConfigurationReader(set: ConfigurationSet(main: path), overrides: ConfigurationOverrides())
    return ConfigurationBoot(reader: reader, store: nil)
  }

  @Test("Only the revision in use and the one to go back to are kept, and numbers aren't used twice")
  func revisions() throws {
    var revisions = KnownRevisions(try boot())
    let first = try #require(revisions.active)
    #expect(revisions[first.number] != nil && revisions.confirmed == nil && !revisions.isProven)
    var others: [ConfigurationRevision] = []
    for _ in 0..<3 {
      var other = first
      other.number = revisions.makeNumber()
      revisions.add(other)
      others.append(other)
    }
    #expect(Set(others.map(\.number) + [first.number]).count == 4)
    revisions.confirm(others[0])
    revisions.use(others[1])
    revisions.forgetOthers()
    #expect(others.map { revisions[$0.number] != nil } == [true, true, false] && revisions[first.number] == nil)
  }

  @Test("Each reading counts, and the last one says what the files are")
  func reading() throws {
    let good = try #require(try boot().active)
    let refused = try boot("version = 1\nfoo = 1\n")
    let bad = try #require(refused.refusal)
    var files = FilesReading(refused)
    #expect(files.fingerprint == bad.filesFingerprint && files.count == 0, "the start isn't a reading")
    files.succeeded(good)
    #expect(files.fingerprint == good.filesFingerprint && files.count == 1 && files.refusedPlaces == nil)
    files.failed(bad)
    #expect(files.fingerprint == bad.filesFingerprint && files.fingerprint != good.filesFingerprint)
    #expect(files.count == 2)
  }

  @Test("The time since which a configuration is in use changes with its texts alone")
  func since() {
    var told = ToldState()
    var state = ConfigurationStateFile.State()
    state.active = "a"
    let start = Instant(nanoseconds: 1)
    told.replace(by: state, at: start)
    state.readings = 5
    told.replace(by: state, at: start + .seconds(1))
    #expect(told.activeSince == start && told.file.readings == 5)
    state.active = "b"
    told.replace(by: state, at: start + .seconds(2))
    #expect(told.activeSince == start + .seconds(2))
    state.active = nil
    told.replace(by: state, at: start + .seconds(3))
    #expect(told.activeSince == nil)
  }
}
