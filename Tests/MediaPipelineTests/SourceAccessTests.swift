import Foundation
import KioskTestSupport
import MainLoop
import PlaybackCore
import Testing

@testable import MediaPipeline

/// Playback from a server: certificates, passwords and a proxy, with a real server over TLS.
///
/// One test after the other, because the state of the clock is one for the whole process.
@Suite("How decks reach servers", .serialized)
struct SourceAccessTests {
  static let clip = "h264-640x360-30-2s.mp4"
  let directory: TemporaryDirectory

  init() async throws {
    directory = try TemporaryDirectory()
    let www = directory.url.appending(path: "www")
    try FileManager.default.createDirectory(at: www, withIntermediateDirectories: true)
    try FileManager.default.copyItem(
      at: URL(filePath: try await Media.path(Self.clip)), to: www.appending(path: Self.clip))
  }

  func secureServer(_ arguments: [String] = []) throws -> ToolServer {
    try ToolServer(
      "picky-server",
      ["--cert", directory.path("cert.pem"), "--key", directory.path("key.pem")] + arguments + [directory.path("www")])
  }

  /// Opens a clip: nil when it is ready to play, else the error's number.
  func open(_ uri: String, _ access: ServerAccess, kind: MediaKind = .progressive) async throws -> Int? {
    let rig = try await Rig()
    let deck = try rig.deck(1, MediaItem(uri: uri, kind: kind), servers: ServerSetup(access: access))
    defer { deck.drop() }
    return try await rig.next {
      switch $0 {
      case .deck(_, .ready): .some(nil)
      case .deck(_, .failed(let error)): error.number
      default: nil
      }
    }
  }

  @Test("A named authority is trusted, an unknown one isn't; with an unreadable file no server is trusted")
  func authorities() async throws {
    try await Certificates.make(in: directory, days: 5)
    let server = try secureServer()
    let uri = server.uri(Self.clip, scheme: "https")
    var access = ServerAccess()
    #expect(try await open(uri, access) == 2601)
    access.certificatesFile = directory.path("ca.pem")
    #expect(try await open(uri, access) == nil)
    access.certificatesFile = directory.path("none.pem")
    #expect(try await open(uri, access) == 2601)
  }

  @Test("A certificate that has expired isn't trusted")
  func expired() async throws {
    try await Certificates.make(in: directory, days: -1)
    let server = try secureServer()
    var access = ServerAccess()
    access.certificatesFile = directory.path("ca.pem")
    #expect(try await open(server.uri(Self.clip, scheme: "https"), access) == 2601)
  }

  @Test("A certificate of the future is the clock's fault while the clock isn't set", arguments: [false, true])
  func ofFuture(isSynchronised: Bool) async throws {
    try await Certificates.make(in: directory, days: 5, isOfFuture: true)
    let server = try secureServer()
    var access = ServerAccess()
    access.certificatesFile = directory.path("ca.pem")
    GStreamerLibrary.clockReader.withLock { $0 = { isSynchronised } }
    defer { GStreamerLibrary.clockReader.withLock { $0 = { SystemClock.isSynchronised } } }
    let number = try await open(server.uri(Self.clip, scheme: "https"), access)
    #expect(number == (isSynchronised ? 2601 : ClockDoubt.errorNumber))
  }

  /// The requests that a server has logged to this file.
  func told(_ name: String) throws -> String { try String(contentsOfFile: directory.path(name), encoding: .utf8) }

  func origin(_ server: ToolServer, _ scheme: WebOrigin.Scheme) throws -> WebOrigin {
    try #require(WebOrigin(scheme, host: "127.0.0.1", port: server.port))
  }

  @Test("Tokens and passwords come from files and go to their own server only: not to another port after a redirect")
  func authorization() async throws {
    try await Certificates.make(in: directory, days: 5)
    let token = try directory.write("s3cret\n", as: "token")
    let other = try secureServer(["--log", directory.path("other")])
    let server = try secureServer([
      "--authorization", "Bearer s3cret", "--redirect", "https://127.0.0.1:\(other.port)",
    ])
    var access = ServerAccess()
    access.certificatesFile = directory.path("ca.pem")
    let uri = server.uri(Self.clip, scheme: "https")
    #expect(try await open(uri, access) == 2401)
    access.accounts = [.init(try origin(server, .https), tokenFile: token)]
    #expect(try await open(uri, access) == nil)
    let told = try told("other")
    #expect(told.hasPrefix("200 ") && !told.contains("s3cret"), "\(told)")
    let basic = try ToolServer("picky-server", ["--authorization", "Basic bWU6c2VjcmV0", directory.path("www")])
    let password = try directory.write("secret\n", as: "password")
    access.accounts = [.init(try origin(basic, .http), user: "me", passwordFile: password)]
    #expect(try await open(basic.uri(Self.clip), access) == nil)
    // The same host under another scheme is another server.
    access.accounts = [.init(try origin(basic, .https), user: "me", passwordFile: password)]
    #expect(try await open(basic.uri(Self.clip), access) == 2401)
  }

  @Test("Servers on other machines are reached through the proxy")
  func proxy() async throws {
    let server = try ToolServer("picky-server", ["--log", directory.path("requests"), directory.path("www")])
    var access = ServerAccess()
    access.proxy = "http://127.0.0.1:\(server.port)"
    #expect(try await open("http://media.invalid/\(Self.clip)", access) == nil)
    let told = try String(contentsOfFile: directory.path("requests"), encoding: .utf8)
    #expect(told.contains("http://media.invalid/\(Self.clip)"), "\(told)")
  }
}
