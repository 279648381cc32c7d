import Foundation
import KioskTestSupport
import MainLoop
import Testing

@Suite("Checksums of files")
struct FileChecksumTests {
  @Test("A file that takes an hour holds up no other, and its reading can be called off")
  func calledOff() async throws {
    let directory = try TemporaryDirectory()
    let large = directory.url.appending(path: "large.mp4")
    _ = FileManager.default.createFile(atPath: large.path, contents: nil)
    try FileHandle(forWritingTo: large).truncate(atOffset: 1 << 40)
    let small = URL(filePath: try directory.write("abc", as: "small.mp4"))
    let checksums = FileChecksums()
    let (sums, tell) = AsyncStream<String>.makeStream()
    let reading = FileCheck(of: large.absoluteString, in: checksums) { tell.yield("large: \($0 ?? "none")") }
    let other = FileCheck(of: small.absoluteString, in: checksums) { tell.yield("small: \($0?.prefix(8) ?? "none")") }
    #expect(try await first(of: sums) { $0 } == "small: ba7816bf")
    reading.cancel()
    #expect(try await first(of: sums) { $0 } == "large: none")
    other.cancel()
  }
}
