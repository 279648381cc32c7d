import Foundation
import KioskTestSupport
import Testing

@Suite("Programs that tests run")
struct ToolTests {
  @Test("One that takes too long goes with all that it has started, and holds nobody up")
  func limit() async throws {
    // What lives on would have the run fail: the end of its parent isn't heard of.
    let outcome = try await Tool.run("sh", ["-c", "sleep 600 & sh -c 'sleep 600; true'"], limit: 1)
    #expect(outcome.wasKilled)
  }
}

@Suite("What the README's first commands run")
struct FirstCommandTests {
  /// Runs `deploy/demo-media` with a `gst-launch-1.0` of its own.
  ///
  /// - Parameter launcher: the script; nil for a machine that has no such program.
  private func makeDemoMedia(launcher: String?) async throws -> (outcome: Tool.Outcome, made: [String]) {
    let directory = try TemporaryDirectory()
    try FileManager.default.createDirectory(
      at: directory.url.appending(path: "bin"), withIntermediateDirectories: false)
    // Without the machine's own folders, so that its own program isn't found.
    let script = "#!/bin/sh\n" + (launcher ?? "")
    let python = try #require(
      ["/usr/bin/python3", "/usr/local/bin/python3"].first { FileManager.default.isExecutableFile(atPath: $0) })
    if launcher != nil {
      let program = try directory.write(script, as: "bin/gst-launch-1.0")
      try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program)
    }
    let outcome = try await Tool.run(
      python, [Tool.root.appending(path: "deploy/demo-media").path, directory.path("out")],
      environment: ["PATH": directory.path("bin")], limit: 600)
    let made = try FileManager.default.contentsOfDirectory(atPath: directory.path("out"))
    return (outcome, made.filter { !$0.hasPrefix(".") })
  }

  @Test("A demonstration whose media can't be made says what failed and what to do, without a traceback")
  func failure() async throws {
    let (outcome, made) = try await makeDemoMedia(
      launcher: "echo 'WARNING: erroneous pipeline: no element' >&2; exit 1")
    #expect(outcome.status == 1 && made.isEmpty)
    #expect(outcome.errors.hasPrefix("demo-media: a file couldn't be made; `make setup` installs the encoders"))
    #expect(outcome.errors.contains("no element") && !outcome.errors.contains("Traceback"), "\(outcome.errors)")
  }

  @Test("Media that are there already are left alone, and that is no failure")
  func again() async throws {
    let folder = Tool.root.appending(path: "build/demo").path
    for said in ["demo-media: ", "demo-media: all 3 files are there\n"] {
      let outcome = try await Tool.run(
        Tool.root.appending(path: "deploy/demo-media").path, [folder], limit: .infinity)
      #expect(outcome.status == 0 && outcome.output.hasPrefix(said), "\(outcome.output)\(outcome.errors)")
    }
  }

  @Test("A machine without GStreamer's tools is told how to get them")
  func missing() async throws {
    let (outcome, _) = try await makeDemoMedia(launcher: nil)
    #expect(outcome.status == 1)
    #expect(
      outcome.errors
        == "demo-media: gst-launch-1.0 is missing; `make setup` installs what the demonstration needs\n",
      "\(outcome.errors)")
  }

  @Test("Nothing that makes media or plays the demonstration has a limit of time: a busy machine is slow")
  func noLimits() throws {
    let tools = Tool.root.appending(path: "Tests/Tools")
    let makers = try FileManager.default.contentsOfDirectory(atPath: tools.path).filter { $0.hasPrefix("make-") }
    #expect(makers.count > 4)
    let scripts =
      makers.map { "Tests/Tools/\($0)" }
      + ["Tests/Tools/zoo/making.py", "deploy/demo", "deploy/demo-media", "deploy/setup", "board/virtual/build-kernel"]
    for script in scripts {
      let text = try String(contentsOf: Tool.root.appending(path: script), encoding: .utf8)
      for line in text.split(separator: "\n") where line.contains(/\btimeout[ =]/) {
        // It ends what used no processor at all in that time.
        #expect(line.contains("until timeout 60 tail -f"), "\(script): \(line)")
      }
    }
  }
}
