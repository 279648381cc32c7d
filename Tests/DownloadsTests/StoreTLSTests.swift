import ContentStore
import Downloads
import Foundation
import KioskTestSupport
import MainLoop
import PlaybackCore
import Testing

/// Certificates of a test authority, made by openssl.
@Suite("Downloads over TLS", .serialized)
struct StoreTLSTests {
  private let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
    try FileManager.default.createDirectory(at: directory.url.appending(path: "www"), withIntermediateDirectories: true)
    try noise(100_000, seed: 5).write(to: directory.url.appending(path: "www/a.mp4"))
  }

  private func server() throws -> ToolServer {
    try ToolServer(
      "picky-server",
      ["--cert", directory.path("cert.pem"), "--key", directory.path("key.pem"), directory.path("www")])
  }

  private func start(_ server: ToolServer, trustsOurs: Bool) async throws -> StoreRig {
    let rig = try StoreRig(in: directory)
    var http = HTTPSettings()
    if trustsOurs { http.access.certificatesFile = directory.path("ca.pem") }
    await rig.start([WantedFile(uri: server.uri("a.mp4", scheme: "https"))], http: http)
    return rig
  }

  @Test("A configured authority is trusted")
  func trusted() async throws {
    try await Certificates.make(in: directory, days: 5)
    let server = try server()
    let rig = try await start(server, trustsOurs: true)
    try await rig.stored()
    await rig.stop()
  }

  @Test("A certificate of an unknown authority is refused, and nothing is stored")
  func unknown() async throws {
    try await Certificates.make(in: directory, days: 5)
    let server = try server()
    let rig = try await start(server, trustsOurs: false)
    #expect(try await rig.problem().number == 2601)
    #expect(rig.names.isEmpty)
    await rig.stop()
  }

  @Test("A certificate that isn't valid yet is reported as the clock's fault while the clock isn't set")
  func ofFuture() async throws {
    try await Certificates.make(in: directory, days: 5, isOfFuture: true)
    let server = try server()
    let rig = try await start(server, trustsOurs: true)
    #expect(try await rig.problem().number == (SystemClock.isSynchronised ? 2601 : ClockDoubt.errorNumber))
    await rig.stop()
  }

  @Test("An expired certificate isn't trusted")
  func expired() async throws {
    try await Certificates.make(in: directory, days: -1)
    let server = try server()
    let rig = try await start(server, trustsOurs: true)
    #expect(try await rig.problem().number == 2601)
    await rig.stop()
  }
}
