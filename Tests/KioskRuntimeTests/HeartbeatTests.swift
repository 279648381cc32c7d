import Foundation
import JSONText
import KioskTestSupport
import PlaybackCore
import TelemetryCore
import Testing

@testable import KioskRuntime

/// The POST to a failing server.
@Suite("Heartbeat to a server")
struct HeartbeatTests {
  /// Short intervals, so that a test gets many posts.
  private static func quick(_ policy: inout HeartbeatMachine.Policy) {
    policy.interval = .milliseconds(100)
    policy.firstRetry = .milliseconds(50)
    policy.longestRetry = .milliseconds(100)
    policy.limit = .milliseconds(500)
    policy.longestPatience = .milliseconds(100)
  }

  private func requests(_ directory: TemporaryDirectory, log: String = "log") -> [JSONValue] {
    let text = (try? String(contentsOfFile: directory.path(log), encoding: .utf8)) ?? ""
    return text.split(separator: "\n").compactMap { try? JSONValue(parsing: $0.utf8) }
  }

  private func body(_ request: JSONValue) -> JSONValue? {
    request["body"]?.text.flatMap { try? JSONValue(parsing: $0.utf8) }
  }

  @Test("With a server that answers 500, resets, hangs and drips, the loop goes on, and the latest status arrives")
  func failures() async throws {
    let directory = try TemporaryDirectory()
    let server = try ToolServer(
      "report-server", ["--log", directory.path("log"), "500", "reset", "slam", "hang", "drip", "503:1", "200"])
    let bench = try ReportBench()
    try Data("secret-token\n".utf8).write(to: directory.url.appending(path: "token"))
    var options = TelemetryOptions.Post(address: server.uri("report"))
    options.tokenFile = directory.path("token")
    options.screenshots = .seconds(3600)
    let problem = VitrineError(4711, subject: "a", message: "it broke", remedy: "mend it")
    await bench.post(options, problem: problem, Self.quick)
    try await eventually("three that arrive") {
      await bench.turn()
      return self.requests(directory).count { $0["doing"]?.text == "200" } >= 3
    }
    await bench.stop()
    let all = requests(directory)
    #expect(all.allSatisfy { $0["authorization"]?.text == "Bearer secret-token" && $0["path"]?.text == "/report" })
    let taken = all.filter { $0["doing"]?.text == "200" }
    let first = try #require(taken.first.flatMap(body))
    #expect(first["schema"]?.wholeNumber == 1 && first["status"]?["name"]?.text == "bench")
    #expect(first["problems"]?.elements?.first?["error"]?["number"]?.wholeNumber == 4711)
    #expect(first["screenshot"]?["base64"]?.text == "AAAA" && first["screenshot"]?["width"]?.wholeNumber == 640)
    let second = try #require(taken.dropFirst().first.flatMap(body))
    #expect(second["problems"]?.elements?.isEmpty == true && second["screenshot"] == nil, "each is told once")
    let numbers = all.compactMap { body($0)?["number"]?.wholeNumber }
    #expect(numbers == numbers.sorted() && Set(numbers).count == numbers.count)
    let uptimes = taken.compactMap { body($0)?["status"]?["uptime_seconds"]?.realNumber }
    #expect(uptimes == uptimes.sorted(), "the latest status, not one that was kept")
  }

  @Test("A redirect doesn't send the status to another server")
  func redirects() async throws {
    let (directory, other) = (try TemporaryDirectory(), try TemporaryDirectory())
    let thief = try ToolServer("report-server", ["--log", other.path("log"), "200"])
    let server = try ToolServer(
      "report-server", ["--log", directory.path("log"), "to:\(thief.uri("report"))", "to:/elsewhere", "200"])
    let bench = try ReportBench()
    await bench.post(TelemetryOptions.Post(address: server.uri("report")), Self.quick)
    try await eventually("one that arrives") { self.requests(directory).contains { $0["doing"]?.text == "200" } }
    await bench.stop()
    #expect(requests(other).isEmpty)
    #expect(requests(directory).allSatisfy { $0["path"]?.text == "/report" })
  }

  @Test("With TLS, only the named authority is trusted")
  func certificates() async throws {
    let directory = try TemporaryDirectory()
    try await Certificates.make(in: directory, days: 10)
    func server(log: String) throws -> ToolServer {
      try ToolServer(
        "report-server",
        ["--cert", directory.path("cert.pem"), "--key", directory.path("key.pem"), "--log", directory.path(log), "200"])
    }
    // Two of them: GIO resumes TLS sessions with the same server without looking at its certificate again.
    let (strange, known) = (try server(log: "strange"), try server(log: "log"))
    let stranger = try ReportBench()
    await stranger.post(TelemetryOptions.Post(address: strange.uri("report", scheme: "https")), Self.quick)
    var access = ServerAccess()
    access.certificatesFile = directory.path("ca.pem")
    let bench = try ReportBench()
    await bench.post(
      TelemetryOptions.Post(address: known.uri("report", scheme: "https")), access: access, Self.quick)
    // By these reports, the other server has had its chances, too.
    try await eventually("six that arrive") { self.requests(directory).count >= 6 }
    await bench.stop()
    await stranger.stop()
    #expect(requests(directory, log: "strange").isEmpty)
    let again = try ReportBench()
    await again.post(
      TelemetryOptions.Post(address: strange.uri("report", scheme: "https")), access: access, Self.quick)
    try await eventually("one to the other server") { !self.requests(directory, log: "strange").isEmpty }
    await again.stop()
  }

  @Test("Without a readable token nothing is sent")
  func noToken() async throws {
    let directory = try TemporaryDirectory()
    let server = try ToolServer("report-server", ["--log", directory.path("log"), "200"])
    let bench = try ReportBench()
    var options = TelemetryOptions.Post(address: server.uri("report"))
    options.tokenFile = directory.path("token")
    await bench.post(options, Self.quick)
    try await Task.sleep(for: .milliseconds(300))
    #expect(requests(directory).isEmpty)
    try Data("late\n".utf8).write(to: directory.url.appending(path: "token"))
    try await eventually("one with it") {
      self.requests(directory).first?["authorization"]?.text == "Bearer late"
    }
    await bench.stop()
  }
}
