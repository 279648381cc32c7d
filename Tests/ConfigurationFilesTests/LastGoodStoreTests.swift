import ConfigurationFiles
import FileModel
import FileSystem
import Foundation
import KioskTestSupport
import PlaylistConfig
import Synchronization
import Testing

@Suite("The last good configuration on disk")
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

  @Test("The store gives back the last texts it was given, byte for byte")
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

  @Test("A file is read once: it may be gone at the next reading")
  func vanishing() throws {
    let (store, directory) = try store()
    defer { withExtendedLifetime(directory) {} }
    try store.keep(sources)
    #expect(store.lastGood(files: OneReading()) == sources)
  }

  @Test("A file that is cut at any byte counts as absent")
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

  @Test("The store notes a trial with its attempts and rejection, and forgets it when a configuration is kept")
  func trial() throws {
    let (store, directory) = try store()
    defer { withExtendedLifetime(directory) {} }
    #expect(store.trial() == nil)
    try store.saveTrial(ConfigurationTrial(fingerprint: "f", attempts: 2))
    #expect(store.trial() == ConfigurationTrial(fingerprint: "f", attempts: 2))
    let rejected = ConfigurationTrial(fingerprint: "f", attempts: 3, rejection: "no \"frames\"\n")
    try store.saveTrial(rejected)
    #expect(store.trial() == rejected)
    try store.keep(sources)
    #expect(store.trial() == nil)
  }

  @Test("The store reports a folder that it can't write to, and its contents stay")
  func unwritable() throws {
    #expect(!LastGoodStore(directory: "/proc/vitrine").prepare())
    #expect(throws: FileError.self) { try LastGoodStore(directory: "/proc/vitrine").keep(sources) }
    #expect(LastGoodStore(directory: "/proc/vitrine").lastGood() == nil)
  }

  @Test("Only the player's user may read the stored files, including those that an older version or a crash left open")
  func modes() throws {
    let (store, directory) = try store()
    func mode(_ name: String) throws -> Int? {
      try FileManager.default.attributesOfItem(atPath: directory.path("state/\(name)"))[.posixPermissions] as? Int
    }
    _ = FileManager.default.createFile(
      atPath: directory.path("state/last-good.new"), contents: nil, attributes: [.posixPermissions: 0o644])
    try store.keep(sources)
    try store.saveTrial(ConfigurationTrial(fingerprint: "f", attempts: 1))
    try store.saveTrial(ConfigurationTrial(fingerprint: "f", attempts: 1), of: .stick)
    #expect(ReplacedFile.writeOwn([], to: directory.path("state/restarts")))
    let names = ["last-good", "trial.toml", "stick-trial.toml", "restarts"]
    for name in names { #expect(try mode(name) == 0o600, "\(name)") }
    for name in names.dropLast() {
      try FileManager.default.setAttributes(
        [.posixPermissions: 0o644], ofItemAtPath: directory.path("state/\(name)"))
    }
    #expect(store.prepare())
    for name in names { #expect(try mode(name) == 0o600, "\(name)") }
  }

  @Test("The store keeps the origin of each text: a stick's copy may still set no more than a stick")
  func origins() throws {
    let (store, directory) = try store()
    let copy = directory.path("state/usb/content-1")
    let stick = ConfigurationSource(
      path: "\(copy)/vitrine.toml", text: Array("network.proxy = \"http://evil:1\"\n".utf8),
      origin: .stick(folder: FilePath(copy)))
    try store.keep(sources + [stick])
    let kept = try #require(store.lastGood())
    #expect(kept == sources + [stick])
    #expect(Configuration.check(kept).diagnostics.contains { $0.keyPath == "[network].proxy" })
    // An older version didn't write the origin: the path tells it.
    let old = "vitrine last-good 1\n2 /etc/v.toml\na\n\n2 \(copy)/vitrine.toml\nb\n\nend\n"
    try Data(old.utf8).write(to: directory.url.appending(path: "state/last-good"))
    #expect(store.lastGood()?.map(\.origin) == [.board, .stick(folder: FilePath(copy))])
    // A newer version may write an origin that isn't known here.
    let new = "vitrine last-good 2\n2 cloud /etc/v.toml\na\n\nend\n"
    try Data(new.utf8).write(to: directory.url.appending(path: "state/last-good"))
    #expect(store.lastGood() == nil)
  }

  @Test("A store that can't be written is still read; new texts go to the volatile folder, or nowhere")
  func readOnly() throws {
    let (lasting, directory) = try store()
    try lasting.keep(sources)
    try lasting.saveTrial(ConfigurationTrial(fingerprint: "f", attempts: 1))
    let (state, run) = (lasting.directory, directory.path("run"))
    let newer = [ConfigurationSource(path: "/etc/v.toml", text: Array("version = 1\n".utf8))]
    let good = try #require(LastGoodStore(lasting: state, passing: run))
    #expect(good.directory == state && good.remark == nil && good.isWritable)

    let half = try #require(LastGoodStore(lasting: state, passing: run) { $0 != state && LastGoodStore.canWrite($0) })
    #expect(half.lastGood() == sources && half.trial()?.attempts == 1)
    #expect(half.remark?.contains("until the board is switched off") == true)
    try half.keep(newer)
    #expect(half.lastGood() == newer && LastGoodStore(directory: state).lastGood() == sources)
    #expect(StickStore(state: half).directory == "\(state)/usb", "copies of films don't fill memory")

    let none = try #require(LastGoodStore(lasting: state, passing: run) { _ in false })
    #expect(none.lastGood() == sources)
    #expect(none.remark?.contains("until this process ends") == true)
    try none.keep(newer)
    try none.saveTrial(ConfigurationTrial(fingerprint: "g", attempts: 1))
    #expect(none.lastGood() == sources && none.trial()?.fingerprint == "f")
    #expect(LastGoodStore(lasting: nil, passing: nil) == nil)
    #expect(LastGoodStore(lasting: nil, passing: run)?.directory == run)
  }

  @Test("A stick has a trial note of its own, which is removed when the stick has proven itself")
  func stickTrial() throws {
    let (store, directory) = try store()
    defer { withExtendedLifetime(directory) {} }
    let files = ConfigurationTrial(fingerprint: "f", attempts: 3, rejection: "x")
    try store.saveTrial(files)
    let trial = ConfigurationTrial(fingerprint: "s", attempts: 3)
    try store.saveTrial(trial, of: .stick)
    #expect(store.trial() == files && store.trial(of: .stick) == trial)
    try store.forget(.stick)
    try store.forget(.stick)
    #expect(store.trial() == files && store.trial(of: .stick) == nil)
  }
}

/// The files of the machine, each of which goes when it has been read.
private final class OneReading: FileAccess {
  private let files = SystemFileAccess()
  private let known = Mutex<Set<FilePath>>([])

  func status(of path: FilePath) throws(FileError) -> FileStatus { try files.status(of: path) }
  func read(_ path: FilePath, limit: Int) throws(FileError) -> [UInt8] {
    guard known.withLock({ $0.insert(path).inserted }) else { throw FileError(.missing) }
    return try files.read(path, limit: limit)
  }
  func names(in directory: FilePath) throws(FileError) -> [[UInt8]] { try files.names(in: directory) }
  func currentDirectory() throws(FileError) -> FilePath { try files.currentDirectory() }
  func confined(to folder: FilePath) -> OneReading { self }
}
