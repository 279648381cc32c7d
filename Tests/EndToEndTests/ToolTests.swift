import Foundation
import KioskTestSupport
import Testing

@Suite("Programs that tests run")
struct ToolTests {
  @Test("A test program that takes too long is killed with all its children")
  func limit() async throws {
    // The run would fail if a child lived on: it holds the output open, whose end isn't seen then.
    let outcome = try await Tool.run("sh", ["-c", "sleep 600 & sh -c 'sleep 600; true'"], limit: 1)
    #expect(outcome.wasKilled)
  }
}

@Suite("Programs behind the README's first commands")
struct FirstCommandTests {
  /// Runs `deploy/demo-media` with a `gst-launch-1.0` of its own.
  ///
  /// - Parameter launcher: the script; nil for a machine that has no such program.
  private func makeDemoMedia(launcher: String?) async throws -> (outcome: Tool.Outcome, made: [String]) {
    let directory = try TemporaryDirectory()
    try FileManager.default.createDirectory(
      at: directory.url.appending(path: "bin"), withIntermediateDirectories: false)
    // The machine's own folders are left out, so that its own program isn't found.
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

  @Test("demo-media says why media can't be made and what to do, without a traceback")
  func failure() async throws {
    let (outcome, made) = try await makeDemoMedia(
      launcher: "echo 'WARNING: erroneous pipeline: no element' >&2; exit 1")
    #expect(outcome.status == 1 && made.isEmpty)
    #expect(outcome.errors.hasPrefix("demo-media: a file couldn't be made; `make setup` installs the encoders"))
    #expect(outcome.errors.contains("no element") && !outcome.errors.contains("Traceback"), "\(outcome.errors)")
  }

  @Test("demo-media leaves existing media alone, without an error")
  func again() async throws {
    let folder = Tool.root.appending(path: "build/demo").path
    for said in ["demo-media: ", "demo-media: all 3 files exist\n"] {
      let outcome = try await Tool.run(
        Tool.root.appending(path: "deploy/demo-media").path, [folder], limit: .infinity)
      #expect(outcome.status == 0 && outcome.output.hasPrefix(said), "\(outcome.output)\(outcome.errors)")
    }
  }

  @Test("demo-media says how to install GStreamer's tools when they are missing")
  func missing() async throws {
    let (outcome, _) = try await makeDemoMedia(launcher: nil)
    #expect(outcome.status == 1)
    #expect(
      outcome.errors
        == "demo-media: gst-launch-1.0 is missing; `make setup` installs what the demonstration needs\n",
      "\(outcome.errors)")
  }

  @Test("No maker of media has a time limit: a busy machine is slow")
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
        // The script ends a program that has used no processor time for a minute.
        #expect(line.contains("until timeout 60 tail -f"), "\(script): \(line)")
      }
    }
  }
}

@Suite("Output of a failing fuzzer")
struct FuzzFailureTests {
  private func describe(_ log: String, input: [UInt8] = [], in directory: TemporaryDirectory) async throws -> [String] {
    try Data(input).write(to: directory.url.appending(path: "crash-1"))
    let path = try directory.write(
      log.replacing("INPUT", with: directory.path("crash-1")), as: "parser.log")
    let outcome = try await Tool.run(Tool.root.appending(path: "Tests/Fuzz/failure").path, [path])
    #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
    return outcome.output.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }

  /// The output of libFuzzer and the address sanitizer, with this number of frames.
  private func log(frames: Int) -> String {
    let tried = (1...200).map { "#\($0) NEW cov: 12" }.joined(separator: "\n")
    let stack = (0..<frames).map { "    #\($0) 0x1 in frame\($0)" }.joined(separator: "\n")
    return "\(tried)\nFuzzer/Parsers.swift:7: Fatal error: Index out of range\n==1== ERROR: libFuzzer: deadly signal\n"
      + "\(stack)\nSUMMARY: libFuzzer: deadly signal\nartifact_prefix='x-'; Test unit written to INPUT\n"
  }

  @Test("The output has the summary, the first frames of the stack, and the input's bytes")
  func frames() async throws {
    let directory = try TemporaryDirectory()
    let bytes = (0..<4096).map { UInt8(truncatingIfNeeded: $0) }
    let lines = try await describe(log(frames: 100), input: bytes, in: directory)
    #expect(lines.first == "SUMMARY: libFuzzer: deadly signal")
    #expect(lines.dropFirst().first == "Fuzzer/Parsers.swift:7: Fatal error: Index out of range")
    #expect(lines.contains("    #0 0x1 in frame0") && !lines.contains { $0.contains("NEW cov") })
    #expect(lines.filter { $0.contains(" in frame") }.count == 38)
    let place = try #require(lines.firstIndex { $0.hasPrefix("the bytes (base64 -d > crash-1)") })
    #expect(Data(base64Encoded: lines[(place + 1)...].joined()) == Data(bytes))
  }

  @Test("A long input stays in its file; a log without an error is printed from its end")
  func others() async throws {
    let directory = try TemporaryDirectory()
    let long = try await describe(log(frames: 3), input: [UInt8](repeating: 7, count: 4097), in: directory)
    #expect(long.contains("    #2 0x1 in frame2") && !long.contains { $0.contains("base64") })
    let without = try await describe((1...100).map { "line \($0)\n" }.joined(), in: directory)
    #expect(without.first == "line 41" && without.contains("line 100"))
  }
}
