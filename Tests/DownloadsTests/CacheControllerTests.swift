import ContentStore
import Downloads
import Foundation
import KioskTestSupport
import PlaybackCore
import Testing

/// The store with real servers, real files and libsoup.
@Suite("Downloads", .serialized)
struct CacheControllerTests {
  private let directory: TemporaryDirectory
  private let data = noise(600_000, seed: 1)

  init() throws {
    directory = try TemporaryDirectory()
    try FileManager.default.createDirectory(at: directory.url.appending(path: "www"), withIntermediateDirectories: true)
    try data.write(to: directory.url.appending(path: "www/a.mp4"))
  }

  private func server(_ script: [String], rate: Int = 300_000) throws -> ToolServer {
    try ToolServer(
      "fault-server", ["--rate", "\(rate)", "--log", directory.path("requests"), directory.path("www")] + script)
  }

  private func requests() throws -> [[String]] {
    try String(contentsOfFile: directory.path("requests"), encoding: .utf8).split(separator: "\n").map {
      $0.split(separator: " ").map(String.init)
    }
  }

  /// The stored file of an address; nil while nothing of it is stored.
  private func stored(_ uri: String, in rig: StoreRig) async -> Data? {
    await rig.path(of: uri).flatMap { FileManager.default.contents(atPath: $0) }
  }

  @Test(
    "A download that breaks off is continued, and the stored file equals the server's",
    arguments: [
      "0.5:stall:3", "0.5:reset:1", "0.5:close", "0.5:absent:1", "0.5:503:1", "0.5:503-later:1", "0.5:404:1",
      "0.5:loop:1",
      "0.5:html:1", "0.5:whole:5",
    ])
  func fault(_ script: String) async throws {
    let server = try server([script])
    let rig = try StoreRig(in: directory)
    var http = HTTPSettings()
    http.timeout = .seconds(1)
    let uri = server.uri("a.mp4")
    await rig.start([WantedFile(uri: uri)], http: http)
    try await rig.stored()
    #expect(await stored(uri, in: rig) == data)
    #expect(rig.names.count == 1, "\(rig.names)")
    let asked = try requests()
    if !["0.5:whole:5"].contains(script) {
      #expect(asked.contains { $0.last != "-" }, "it was gone on with, and not begun again: \(asked)")
    }
    await rig.stop()
  }

  @Test("A store that ends stops comparing checksums at once, and another one may take its folder")
  func endsWhileComparing() async throws {
    let sum = String(repeating: "0", count: 64)
    let folder = directory.url.appending(path: "store")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let empty = try StoreRig(in: directory)
    await empty.start([])
    await empty.stop()
    // A file that no index names, and so large that reading it takes an hour.
    let size: UInt64 = 1 << 40
    _ = FileManager.default.createFile(atPath: folder.appending(path: "1.mp4").path, contents: nil)
    try FileHandle(forWritingTo: folder.appending(path: "1.mp4")).truncate(atOffset: size)
    let rig = try StoreRig(in: directory)
    var settings = StoreSettings()
    settings.capacity = 1 << 50
    settings.freeSpace = 0
    await rig.start([WantedFile(uri: "http://127.0.0.1:9/a.mp4", sha256: sum)], settings: settings)
    _ = try await inTime("a look into the folder") {
      while true {
        if await rig.status?.bytes == Int64(size) { return true }
        try await Task.sleep(for: .milliseconds(20))
      }
    }
    await rig.stop()
  }

  @Test("A file replaced during its download is stored in one version")
  func replaced() async throws {
    let new = noise(600_000, seed: 2)
    try new.write(to: directory.url.appending(path: "www/a.mp4.new"))
    let server = try server(["0.7:replaced"])
    let rig = try StoreRig(in: directory)
    let uri = server.uri("a.mp4")
    await rig.start([WantedFile(uri: uri)])
    try await rig.stored()
    #expect(await stored(uri, in: rig) == new)
    await rig.stop()
  }

  @Test("A web page is never stored, and is reported")
  func page() async throws {
    let server = try server(["0:html:1000"])
    let rig = try StoreRig(in: directory)
    await rig.start([WantedFile(uri: server.uri("a.mp4"))])
    #expect(try await rig.problem().number == 2602)
    #expect(rig.names.isEmpty)
    #expect(await rig.status?.stored == 0)
    await rig.stop()
  }

  @Test("A file with a wrong checksum is never stored, and one with the right checksum is")
  func checksum() async throws {
    let server = try server([], rate: 0)
    let uri = server.uri("a.mp4")
    let rig = try StoreRig(in: directory)
    await rig.start([WantedFile(uri: uri, sha256: String(repeating: "0", count: 64))])
    #expect(try await rig.problem().number == 2609)
    #expect(await rig.path(of: uri) == nil)
    let sum = try await Tool.run("sha256sum", [directory.path("www/a.mp4")])
    await rig.feed(.wanted([WantedFile(uri: uri, sha256: String(sum.output.prefix(64)))]))
    try await rig.stored()
    #expect(await stored(uri, in: rig) == data)
    await rig.stop()
  }

  @Test("After a stop a download continues where it was")
  func resume() async throws {
    let server = try server([])
    let uri = server.uri("a.mp4")
    let rig = try StoreRig(in: directory)
    await rig.start([WantedFile(uri: uri)])
    _ = try await inTime("half of it") {
      while await rig.status?.fetching?.got ?? 0 < 300_000 { try await Task.sleep(for: .milliseconds(20)) }
      return true
    }
    await rig.stop()
    let again = try StoreRig(in: directory)
    await again.start([WantedFile(uri: uri)])
    try await again.stored()
    #expect(await stored(uri, in: again) == data)
    let ranges = try requests().compactMap { $0.last?.split(separator: "=").last?.split(separator: "-").first }
    // The checkpoint is at most 64 kB behind.
    #expect(ranges.compactMap { Int($0) }.contains { $0 >= 200_000 }, "\(ranges)")
    await again.stop()
  }

  @Test("A copy is checked without being sent again, and replaced when it has changed")
  func revalidation() async throws {
    let server = try ToolServer("picky-server", ["--log", directory.path("requests"), directory.path("www")])
    let uri = server.uri("a.mp4")
    let rig = try StoreRig(in: directory)
    await rig.start([WantedFile(uri: uri)])
    try await rig.stored()
    await rig.stop()
    let again = try StoreRig(in: directory)
    await again.start([WantedFile(uri: uri)])
    let log = directory.path("requests")
    _ = try await inTime("the question") {
      while try !String(contentsOfFile: log, encoding: .utf8).contains("304 ") {
        try await Task.sleep(for: .milliseconds(20))
      }
      return true
    }
    #expect(await stored(uri, in: again) == data)
    await again.stop()
    let new = noise(500_000, seed: 3)
    try new.write(to: directory.url.appending(path: "www/a.mp4"))
    let third = try StoreRig(in: directory)
    await third.start([WantedFile(uri: uri)])
    try await third.stored()
    #expect(await stored(uri, in: third) == new)
    await third.stop()
  }

  @Test("Passwords and tokens come from files, and are sent to their server alone")
  func authorization() async throws {
    let other = try ToolServer("picky-server", ["--log", directory.path("other"), directory.path("www")])
    let server = try ToolServer(
      "picky-server",
      ["--authorization", "Bearer s3cret", "--redirect", "http://127.0.0.1:\(other.port)", directory.path("www")])
    let basic = try ToolServer("picky-server", ["--authorization", "Basic bWU6c2VjcmV0", directory.path("www")])
    var http = HTTPSettings()
    func origin(_ server: ToolServer) throws -> WebOrigin {
      try #require(WebOrigin(.http, host: "127.0.0.1", port: server.port))
    }
    http.access.accounts = [
      .init(try origin(server), tokenFile: try directory.write("s3cret\n", as: "token")),
      .init(try origin(basic), user: "me", passwordFile: try directory.write("secret\n", as: "password")),
    ]
    let rig = try StoreRig(in: directory)
    await rig.start([WantedFile(uri: server.uri("a.mp4")), WantedFile(uri: basic.uri("a.mp4"))], http: http)
    try await rig.stored(2)
    let told = try String(contentsOfFile: directory.path("other"), encoding: .utf8)
    #expect(told == "200 /a.mp4 - -\n")
    await rig.stop()
  }

  @Test("The store reports a full disk and goes on", .enabled(if: geteuid() == 0, "mounts a file system"))
  func fullDisk() async throws {
    let mount = directory.path("small")
    try FileManager.default.createDirectory(atPath: mount, withIntermediateDirectories: true)
    let mounted = try await Tool.run("mount", ["-t", "tmpfs", "-o", "size=1m", "tmpfs", mount])
    try #require(mounted.status == 0, "\(mounted.errors)")
    let other = noise(600_000, seed: 4)
    try other.write(to: directory.url.appending(path: "www/b.mp4"))
    let server = try server([], rate: 0)
    let rig = try StoreRig(in: directory, folder: mount + "/store")
    let (a, b) = (server.uri("a.mp4"), server.uri("b.mp4"))
    await rig.start([WantedFile(uri: a), WantedFile(uri: b)])
    let number = try await rig.problem().number
    let copies = (await stored(a, in: rig), await rig.path(of: b))
    // The disk is made larger, and a second later the store tries again.
    let remounted = try await Tool.run("mount", ["-o", "remount,size=4m", mount])
    if remounted.status == 0 { try await rig.stored() }
    let later = await stored(b, in: rig)
    await rig.stop()
    _ = try await Tool.run("umount", ["-l", mount])
    #expect(number == 7402 && copies.0 == data && copies.1 == nil)
    #expect(later == other)
  }
}
