import KioskTestSupport
import Testing

/// In a separate process for each run: the effects of a type's first use occur only once in a process.
@Suite("Types of GIO")
struct SourceTypesTests {
  @Test("Two threads can't deadlock over GObject types during their first requests")
  func types() async throws {
    let directory = try TemporaryDirectory()
    let tool = directory.path("http-types")
    let built = try await Tool.run(
      "sh",
      [
        "-c", "cc -Wall -Wextra -Werror -o \"$0\" Tests/Tools/http-types.c $(pkg-config --cflags --libs libsoup-3.0)",
        tool,
      ])
    try #require(built.status == 0, "\(built.errors)")
    let server = try await DripServer.ofMedia()
    for uri in [server.uri("tagged.mp3"), "http://127.0.0.1:9/", "https://127.0.0.1:9/"] {
      let outcome = try await Tool.run(tool, [uri])
      #expect(outcome.status == 0 && outcome.output == "", "\(uri): \(outcome)")
      // Without the precaution the tool finds the types.
      let without = try await Tool.run(tool, ["--without", uri])
      #expect(without.status == 1 && without.output.split(separator: "\n").contains("GTask"), "\(without)")
    }
  }
}
