import KioskTestSupport
import Testing

/// In a process of its own each time: what a type's first use does can only be seen once in one.
@Suite("Types of GIO")
struct SourceTypesTests {
  @Test("No two threads can lock each other up over types while they make their first requests")
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
      // That it finds them where nothing is done about them.
      let without = try await Tool.run(tool, ["--without", uri])
      #expect(without.status == 1 && without.output.split(separator: "\n").contains("GTask"), "\(without)")
    }
  }
}
