import Foundation
import KioskTestSupport
import PlaylistConfig
import Testing

@Suite("What is kept on disk")
struct LastGoodStoreTests {
  private let sources = [
    ConfigurationSource(path: "/etc/vitrine/vitrine.toml", text: Array("version = 1\n# é \\ \" ''' end\nend\n".utf8)),
    ConfigurationSource(path: "/etc/vitrine/conf.d/10-a b.toml", text: []),
  ]

  private func store() throws -> (LastGoodStore, TemporaryDirectory) {
    let directory = try TemporaryDirectory()
    let store = LastGoodStore(directory: directory.path("state"))
    #expect(store.prepare())
    return (store, directory)
  }

  @Test("What is kept is read back, byte for byte; a newer one replaces it")
  func roundTrip() throws {
    let (store, directory) = try store()
    #expect(store.lastGood() == nil)
    try store.keep(sources)
    #expect(store.lastGood() == sources)
    let newer = [ConfigurationSource(path: "/boot/vitrine.toml", text: Array("a = 1\r\n".utf8))]
    try store.keep(newer)
    #expect(LastGoodStore(directory: store.directory).lastGood() == newer)
    #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path("state")) == ["last-good"])
  }

  @Test("What isn't whole isn't taken: cut at every byte, it is nothing")
  func cut() throws {
    let (store, directory) = try store()
    try store.keep(sources)
    let path = directory.path("state/last-good")
    let whole = try Data(contentsOf: URL(filePath: path))
    for length in 0..<whole.count {
      try whole.prefix(length).write(to: URL(filePath: path))
      #expect(store.lastGood() == nil, "\(length) of \(whole.count)")
    }
  }

  @Test("A trial is noted with its attempts and its rejection, and forgotten when something is kept")
  func trial() throws {
    let (store, directory) = try store()
    defer { withExtendedLifetime(directory) {} }
    #expect(store.trial() == nil)
    try store.note(LastGoodStore.Trial(fingerprint: "f", attempts: 2))
    #expect(store.trial() == LastGoodStore.Trial(fingerprint: "f", attempts: 2))
    let rejected = LastGoodStore.Trial(fingerprint: "f", attempts: 3, rejection: "no \"frames\"\n")
    try store.note(rejected)
    #expect(store.trial() == rejected)
    try store.keep(sources)
    #expect(store.trial() == nil)
  }

  @Test("A directory that can't be written to is told, and what is there stays")
  func unwritable() throws {
    #expect(!LastGoodStore(directory: "/proc/vitrine").prepare())
    #expect(throws: FileError.self) { try LastGoodStore(directory: "/proc/vitrine").keep(sources) }
    #expect(LastGoodStore(directory: "/proc/vitrine").lastGood() == nil)
  }

  @Test("Fingerprints tell texts and names apart, and nothing else")
  func fingerprints() {
    let base = ConfigurationSource.fingerprint(of: sources)
    #expect(base == ConfigurationSource.fingerprint(of: sources) && base.count == 16)
    #expect(base != ConfigurationSource.fingerprint(of: sources.reversed()))
    #expect(base != ConfigurationSource.fingerprint(of: [sources[0]]))
    let a = [ConfigurationSource(path: "ab", text: Array("c".utf8))]
    let b = [ConfigurationSource(path: "a", text: Array("bc".utf8))]
    #expect(ConfigurationSource.fingerprint(of: a) != ConfigurationSource.fingerprint(of: b))
  }
}
