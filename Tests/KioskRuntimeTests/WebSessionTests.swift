import Foundation
import KioskTestSupport
import PlaybackCore
import Testing

@testable import KioskRuntime

@Suite("The board's own web server")
struct WebSessionTests {
  private func options(_ port: Int) throws -> TelemetryOptions.Web {
    TelemetryOptions.Web(address: try #require(ListenAddress("127.0.0.1:\(port)")))
  }

  /// The answer to a client that trusts the authority; nil where it doesn't get one.
  private func ask(_ address: String, trusts authority: String? = nil) async -> String? {
    let script = """
      import ssl, sys, urllib.request
      context = ssl.create_default_context(cafile=sys.argv[2]) if len(sys.argv) > 2 else None
      print(urllib.request.urlopen(sys.argv[1], timeout=5, context=context).read().decode())
      """
    let result = try? await Tool.run("python3", ["-c", script, address] + (authority.map { [$0] } ?? []))
    return result?.status == 0 ? result?.output : nil
  }

  @Test("An occupied port is reported once, and the server listens when it is free")
  func retried() async throws {
    let (first, second) = (try ReportBench(), try ReportBench())
    let options = try options(FreePort.next())
    #expect(await first.serve(options, retryInterval: .milliseconds(50)).isEmpty)
    #expect(await second.serve(options, retryInterval: .milliseconds(50)).map(\.number) == [7700])
    await first.stop()
    try await eventually("the second one's answer") {
      await ask("http://\(options.address)/api/status")?.contains("\"version\":\"1\"") == true
    }
    await second.stop()
  }

  @Test("A token that is too short or missing is reported, and gives no rights")
  func tokens() async throws {
    let directory = try TemporaryDirectory()
    for path in [try directory.write("short\n", as: "token"), directory.path("none")] {
      var options = try options(FreePort.next())
      options.tokenFile = path
      let bench = try ReportBench()
      #expect(await bench.serve(options).map(\.number) == [7701])
      let script = """
        import sys, urllib.error, urllib.request
        try:
            urllib.request.urlopen(urllib.request.Request(sys.argv[1], headers={"Authorization": "Bearer short"}), timeout=10)
        except urllib.error.HTTPError as error:
            print(error.code)
        """
      let shown = try await Tool.run("python3", ["-c", script, "http://\(options.address)/api/status"])
      #expect(shown.output == "401\n", "\(shown)")
      await bench.stop()
    }
  }

  @Test("A renewed certificate is used, an unreadable one isn't")
  func renewed() async throws {
    let (old, new, used) = (try TemporaryDirectory(), try TemporaryDirectory(), try TemporaryDirectory())
    for directory in [old, new] { try await Certificates.make(in: directory, days: 10) }
    func use(_ directory: TemporaryDirectory) throws {
      for name in ["key.pem", "cert.pem"] {
        try Data(contentsOf: URL(filePath: directory.path(name))).write(to: URL(filePath: used.path(name)))
      }
    }
    try use(old)
    var options = try options(FreePort.next())
    options.certificateFile = used.path("cert.pem")
    options.keyFile = used.path("key.pem")
    let bench = try ReportBench()
    #expect(await bench.serve(options, renewal: .milliseconds(50)).isEmpty)
    let address = "https://\(options.address)/api/status"
    #expect(await ask(address, trusts: old.path("ca.pem")) != nil)
    #expect(await ask(address, trusts: new.path("ca.pem")) == nil)
    try Data("nonsense".utf8).write(to: URL(filePath: used.path("cert.pem")))
    try await eventually("an error on the unreadable certificate") { await !bench.told.isEmpty }
    #expect(await bench.told.map(\.number) == [7702])
    #expect(await ask(address, trusts: old.path("ca.pem")) != nil)
    try use(new)
    try await eventually("the new one") { await ask(address, trusts: new.path("ca.pem")) != nil }
    await bench.stop()
  }
}
