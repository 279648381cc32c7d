import Foundation
import KioskTestSupport
import Testing

/// `deploy/package/check-linking`, which `make release` and `make deb` ask.
@Suite("How the release is linked")
struct LinkingTests {
  private func check(_ program: String) async throws -> Tool.Outcome {
    try await Tool.run(Tool.root.appending(path: "deploy/package/check-linking").path, [program])
  }

  /// A program with 60 functions, linked with these options, and what is said of it.
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

  @Test("A program that is bound at its start and exports nothing is taken")
  func good() async throws {
    let outcome = try await check(linkedWith: Self.hardened)
    #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
  }

  @Test(
    "One that lacks something is refused, with what it lacks",
    arguments: [
      ("-Wl,-z,lazy", "it binds lazily"), ("-Wl,-z,norelro", "what was relocated stays writable"),
      ("-Wl,-z,execstack", "its stack can be executed"), ("-rdynamic", "symbols, and 50 are allowed"),
      ("-no-pie", "it isn't position-independent"),
    ])
  func bad(option: String, says: String) async throws {
    let outcome = try await check(linkedWith: Self.hardened + [option])
    #expect(outcome.status == 1, "\(outcome.errors)")
    #expect(outcome.errors.contains(says), "\(outcome.errors)")
  }

  @Test(
    "The program of the package is linked so",
    .enabled(if: BuiltPackage.path != nil, "there is no package in build/deb (make deb makes it)"))
  func package() async throws {
    let directory = try TemporaryDirectory()
    let unpacked = try await Tool.run("dpkg-deb", ["-x", try #require(BuiltPackage.path), directory.url.path])
    try #require(unpacked.status == 0, "\(unpacked.errors)")
    let outcome = try await check(directory.path("usr/bin/vitrine"))
    #expect(outcome.status == 0, "\(outcome.errors)")
  }
}
