import Foundation
import KioskTestSupport
import PlaybackCore
import Testing

@testable import MediaPipeline

/// Subtitle files on a server that sends them in pieces of a few bytes. A separate process reads them, so that its
/// memory can be measured: this program, with the address in its environment.
@Suite("Memory of a server's subtitles", .serialized)
struct SubtitleMemoryTests {
  private static let variable = "VITRINE_TEST_SUBTITLES"
  private static let address = ProcessInfo.processInfo.environment[variable]

  @Test("Reads the subtitles of the environment", .enabled(if: address != nil, "it is for the other test to start"))
  func reading() throws {
    try GStreamerLibrary.start()
    let address = try #require(Self.address)
    let text = try TextFile.read(address, limit: SubtitleParser.maximumLength, servers: ServerSetup()) { true }
    #expect(try SubtitleParser.parse(text.bytes).count == Self.cues)
  }

  private static let cues = 3000

  /// The most memory that reading the file takes, in kB.
  private func memory(_ uri: String) async throws -> Int {
    let script = """
      import resource, subprocess, sys
      status = subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL).returncode
      print(status, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
      """
    let outcome = try await Tool.run(
      "python3",
      ["-c", script, CommandLine.arguments[0], "--testing-library", "swift-testing"]
        + ["--filter", "SubtitleMemoryTests/reading"],
      environment: [Self.variable: uri])
    let numbers = outcome.output.split(whereSeparator: \.isWhitespace).compactMap { Int($0) }
    try #require(numbers.count == 2 && numbers[0] == 0, "\(outcome.output)\(outcome.errors)")
    return numbers[1]
  }

  @Test(
    "Subtitles in chunks of 8 bytes take at most one and a half times the memory of large chunks",
    .enabled(if: address == nil, "this is the process that reads"), arguments: ["film.srt", "film.vtt"])
  func smallChunks(name: String) async throws {
    let directory = try TemporaryDirectory()
    let isWebVTT = name.hasSuffix("vtt")
    func time(_ second: Int) -> String {
      func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
      return "\(two(second / 3600)):\(two(second / 60 % 60)):\(two(second % 60))" + (isWebVTT ? ".000" : ",000")
    }
    let cues = (0..<Self.cues).map { number in
      "\(number + 1)\n\(time(number)) --> \(time(number + 1))\nWhat number \(number) has to say\n"
    }
    _ = try directory.write((isWebVTT ? "WEBVTT\n\n" : "") + cues.joined(separator: "\n"), as: name)
    let server = try DripServer(directory.url.path)
    let usual = try await memory(server.uri("~chunk=65536/\(name)"))
    let small = try await memory(server.uri("~chunk=8/\(name)"))
    #expect(small < usual * 3 / 2, "\(small) kB, \(usual) kB with large ones")
  }
}
