import ContentStore
import Foundation
import KioskTestSupport
import PlaybackCore
import Testing

/// The store's folder after changes by people, other programs and failing disks.
@Suite("The store's folder", .serialized)
struct StoreFolderTests {
  private let directory: TemporaryDirectory
  private let data = noise(100_000, seed: 1)

  init() throws {
    directory = try TemporaryDirectory()
    for name in ["www", "store"] {
      let url = directory.url.appending(path: name)
      try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }
    try data.write(to: directory.url.appending(path: "www/a.mp4"))
  }

  private var names: Set<String> {
    Set((try? FileManager.default.contentsOfDirectory(atPath: directory.path("store"))) ?? [])
  }

  /// Fetches a.mp4, stops the store and the server, and gives the file's address.
  private func filled(sha256: String? = nil) async throws -> String {
    let server = try ToolServer("fault-server", ["--rate", "0", directory.path("www")])
    let uri = server.uri("a.mp4")
    let rig = try StoreRig(in: directory)
    await rig.start([WantedFile(uri: uri, sha256: sha256)])
    try await rig.stored()
    await rig.stop()
    return uri
  }

  private func damage(_ name: String) throws {
    let url = directory.url.appending(path: "store/\(name)")
    var bytes = try Data(contentsOf: url)
    bytes[bytes.count / 2] ^= 1
    try bytes.write(to: url)
  }

  @Test("A missing folder is made and marked, and an empty one is marked")
  func marked() async throws {
    _ = try await filled()
    #expect(names.contains(StoreNames.marker) && names.contains("1.mp4") && names.contains("1.mp4.record"))
  }

  @Test("A folder with other files in it is refused, and none of them is removed")
  func foreign() async throws {
    for name in ["1.mp4", "2.jpg", "notes.txt"] { _ = try directory.write("mine", as: "store/\(name)") }
    let rig = try StoreRig(in: directory)
    await rig.start([WantedFile(uri: "http://127.0.0.1:9/a.mp4")])
    let error = try await rig.problem()
    await rig.stop()
    #expect(error.number == 7408 && error.message.contains("notes.txt"))
    #expect(names == ["1.mp4", "2.jpg", "notes.txt"])
  }

  @Test("A folder from an earlier version is taken over: its copies play, and it is marked")
  func takenOver() async throws {
    try data.write(to: directory.url.appending(path: "store/3.mp4"))
    let line = "whole\t3.mp4\t\(data.count)\t\(data.count)\t0\t-\t-\t-\thttp://127.0.0.1:9/a.mp4"
    _ = try directory.write("vitrine store 1\t4\n\(line)\nend\n", as: "store/index")
    let rig = try StoreRig(in: directory)
    await rig.start([WantedFile(uri: "http://127.0.0.1:9/a.mp4")])
    let path = try await rig.copy(of: "http://127.0.0.1:9/a.mp4")
    // No server answers there. The problem comes after the index has been submitted for writing.
    _ = try await rig.problem()
    await rig.stop()
    #expect(FileManager.default.contents(atPath: path) == data)
    let names = names
    #expect(names.isSuperset(of: [StoreNames.marker, "3.mp4", "3.mp4.record", "index.1"]), "\(names)")
    #expect(!names.contains("index"))
  }

  @Test("A bad byte in each of the indexes costs no copy")
  func damagedIndex() async throws {
    let uri = try await filled()
    for name in names where name.hasPrefix("index.") { try damage(name) }
    let rig = try StoreRig(in: directory)
    await rig.start([WantedFile(uri: uri)])
    #expect(try await rig.problem().number == 7407)
    #expect(FileManager.default.contents(atPath: try await rig.copy(of: uri)) == data)
    await rig.stop()
  }

  @Test("A copy found without an index entry whose checksum is wrong isn't offered, and is removed")
  func rotted() async throws {
    let sum = try await Tool.run("sha256sum", [directory.path("www/a.mp4")]).output.prefix(64)
    let uri = try await filled(sha256: String(sum))
    for name in names where name.hasPrefix("index.") {
      try FileManager.default.removeItem(atPath: directory.path("store/\(name)"))
    }
    try damage("1.mp4")
    let rig = try StoreRig(in: directory)
    await rig.start([WantedFile(uri: uri, sha256: String(sum))])
    // The store fetches the damaged file again, and no server answers.
    #expect(try await rig.problem().number == 2001)
    #expect(await rig.path(of: uri) == nil)
    await rig.stop()
    #expect(!rig.names.contains("1.mp4"))
  }

  @Test(
    "Copies in a read-only folder are used",
    .enabled(if: geteuid() == 0, "mounts the folder so that it can only be read; rights don't hold root back"))
  func readOnly() async throws {
    let uri = try await filled()
    let folder = directory.path("store")
    let before = names
    let bound = try await Tool.run("mount", ["--bind", folder, folder])
    try #require(bound.status == 0, "\(bound.errors)")
    let remounted = try await Tool.run("mount", ["-o", "remount,bind,ro", folder])
    let rig = try StoreRig(in: directory)
    await rig.start([WantedFile(uri: uri), WantedFile(uri: "http://127.0.0.1:9/b.mp4")])
    let error = try await rig.problem()
    let copy = await rig.path(of: uri).flatMap { FileManager.default.contents(atPath: $0) }
    await rig.stop()
    _ = try await Tool.run("umount", ["-l", folder])
    #expect(remounted.status == 0 && error.number == 7406)
    #expect(copy == data && names == before)
  }
}
