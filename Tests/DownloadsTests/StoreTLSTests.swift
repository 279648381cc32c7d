import ContentStore
import Downloads
import Foundation
import KioskTestSupport
import PlaybackCore
import Testing

/// Certificates: an authority of our own, by openssl.
@Suite("Downloads over TLS", .serialized)
struct StoreTLSTests {
  private let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
    try FileManager.default.createDirectory(at: directory.url.appending(path: "www"), withIntermediateDirectories: true)
    try noise(100_000, seed: 5).write(to: directory.url.appending(path: "www/a.mp4"))
  }

  /// An authority, and a certificate of 127.0.0.1 that it has signed.
  ///
  /// - Parameter days: for which it is valid; negative has expired.
  private func makeCertificate(days: Int) async throws {
    let script = """
      set -e; cd '\(directory.url.path)'
      openssl req -x509 -newkey rsa:2048 -nodes -keyout ca.key -out ca.pem -days 10 -subj /CN=test-ca \
        -addext basicConstraints=critical,CA:TRUE
      openssl req -newkey rsa:2048 -nodes -keyout key.pem -out request.pem -subj /CN=127.0.0.1
      printf 'subjectAltName=IP:127.0.0.1\\n' > extensions
      openssl x509 -req -in request.pem -CA ca.pem -CAkey ca.key -CAcreateserial -out cert.pem -days \(days) \
        -extfile extensions
      """
    let made = try await Tool.run("bash", ["-c", script])
    try #require(made.status == 0, "\(made.errors)")
  }

  private func server() throws -> ToolServer {
    try ToolServer(
      "picky-server",
      ["--cert", directory.path("cert.pem"), "--key", directory.path("key.pem"), directory.path("www")])
  }

  private func start(_ server: ToolServer, trustsOurs: Bool) async throws -> StoreRig {
    let rig = try StoreRig(in: directory)
    var http = HTTPSettings()
    if trustsOurs { http.certificatesFile = directory.path("ca.pem") }
    await rig.start([WantedFile(uri: server.uri("a.mp4", scheme: "https"))], http: http)
    return rig
  }

  @Test("An authority that is named is trusted")
  func trusted() async throws {
    try await makeCertificate(days: 5)
    let server = try server()
    let rig = try await start(server, trustsOurs: true)
    try await rig.stored()
    await rig.stop()
  }

  @Test("One that isn't known isn't, and nothing is stored")
  func unknown() async throws {
    try await makeCertificate(days: 5)
    let server = try server()
    let rig = try await start(server, trustsOurs: false)
    #expect(try await rig.problem().number == 2601)
    #expect(rig.names.isEmpty)
    await rig.stop()
  }

  @Test("A certificate that has expired isn't trusted")
  func expired() async throws {
    try await makeCertificate(days: -1)
    let server = try server()
    let rig = try await start(server, trustsOurs: true)
    #expect(try await rig.problem().number == 2601)
    await rig.stop()
  }
}
