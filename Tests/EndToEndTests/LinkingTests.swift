import Foundation
import KioskTestSupport
import Testing

/// `deploy/package/check-linking`, which `make release` and `make deb` run.
@Suite("Linking of the release")
struct LinkingTests {
  private func check(_ program: String) async throws -> Tool.Outcome {
    try await Tool.run(Tool.root.appending(path: "deploy/package/check-linking").path, [program])
  }

  /// Links a program of 60 functions with `options` and checks it.
  private func check(linkedWith options: [String]) async throws -> Tool.Outcome {
    let directory = try TemporaryDirectory()
    let functions = (0..<60).map { "int f\($0)(void) { return \($0); }\n" }.joined()
    let source = try directory.write(functions + "int main(void) { return f1(); }\n", as: "program.c")
    let program = directory.path("program")
    let built = try await Tool.run("cc", options + ["-o", program, source])
    try #require(built.status == 0, "\(built.errors)")
    return try await check(program)
  }

  private static let hardened = ["-fPIE", "-pie", "-Wl,-z,relro", "-Wl,-z,now", "-Wl,-z,noexecstack"]

  @Test("The check accepts a program that is bound at its start and exports nothing")
  func good() async throws {
    let outcome = try await check(linkedWith: Self.hardened)
    #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
  }

  @Test(
    "The check refuses any other program, and names what it lacks",
    arguments: [
      ("-Wl,-z,lazy", "it binds lazily"), ("-Wl,-z,norelro", "relocated data stays writable"),
      ("-Wl,-z,execstack", "its stack can be executed"), ("-rdynamic", "symbols, but at most 50 are allowed"),
      ("-no-pie", "it isn't position-independent"),
    ])
  func bad(option: String, says: String) async throws {
    let outcome = try await check(linkedWith: Self.hardened + [option])
    #expect(outcome.status == 1, "\(outcome.errors)")
    #expect(outcome.errors.contains(says), "\(outcome.errors)")
  }

  /// The libraries that a program names, with those that they name in turn.
  private func libraries(of program: String) async throws -> Set<Substring> {
    let outcome = try await Tool.run("ldd", [program])
    try #require(outcome.status == 0, "\(outcome.errors)")
    return Set(
      outcome.output.split(separator: "\n").compactMap { $0.split(whereSeparator: { " \t".contains($0) }).first })
  }

  @Test("The picture decoder links no library of playback, screens or input")
  func pictures() async throws {
    let folder = URL(filePath: Player.path).deletingLastPathComponent()
    let found = try await libraries(of: folder.appending(path: "vitrine-pictures").path)
    #expect(found.contains { $0.hasPrefix("libgdk_pixbuf") })
    let foreign = [
      "libgst", "libwayland", "libinput", "libdrm", "libseat", "libsoup", "libmosquitto", "libpango", "libcairo",
    ]
    #expect(found.filter { name in foreign.contains { name.hasPrefix($0) } } == [])
    // 16 of gdk-pixbuf, the C library, and in a debug build Swift's runtime.
    let all = try await libraries(of: Player.path)
    #expect(found.count < 40 && all.count > 2 * found.count, "\(found.sorted())")
  }

  @Test(
    "The package's programs pass the check",
    .enabled(if: BuiltPackage.path != nil, "there is no package in build/deb (make deb makes it)"))
  func package() async throws {
    let directory = try TemporaryDirectory()
    let unpacked = try await Tool.run("dpkg-deb", ["-x", try #require(BuiltPackage.path), directory.url.path])
    try #require(unpacked.status == 0, "\(unpacked.errors)")
    for program in ["usr/bin/vitrine", "usr/lib/vitrine/vitrine-pictures"] {
      let outcome = try await check(directory.path(program))
      #expect(outcome.status == 0, "\(outcome.errors)")
    }
  }
}
