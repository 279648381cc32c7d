import Foundation
import Testing

@testable import KioskRuntime

@Suite("Pages of the program", .serialized)
struct LoadedPagesTests {
  /// The largest read-only mapping of this program: its address range, and the kB of it that are in memory.
  private func largest() throws -> (range: Range<UInt>, resident: Int) {
    let program = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    var best: (range: Range<UInt>, resident: Int)?
    var range: Range<UInt>?
    // Foundation's `String` reads only 4 kB of such files.
    let all = try FileHandle(forReadingFrom: URL(filePath: "/proc/self/smaps")).readToEnd() ?? Data()
    for line in String(decoding: all, as: UTF8.self).split(separator: "\n") {
      let words = line.split(separator: " ", omittingEmptySubsequences: true)
      if words.count >= 6, words[0].contains("-"), !words[0].hasSuffix(":") {
        let ends = words[0].split(separator: "-").compactMap { UInt($0, radix: 16) }
        range = ends.count == 2 && words[1] == "r-xp" && words[5] == program ? ends[0]..<ends[1] : nil
      } else if let range, words.first == "Rss:", let resident = Int(words[1]), range.count > best?.range.count ?? 0 {
        best = (range, resident)
      }
    }
    return try #require(best)
  }

  @Test("Pages given back leave memory, and come back when they are used")
  func givenBack() throws {
    let range = try largest().range
    let sum: () -> Int = {
      var sum = 0
      for address in stride(from: range.lowerBound, to: range.upperBound, by: 4096) {
        if let byte = UnsafePointer<UInt8>(bitPattern: address) { sum += Int(byte.pointee) }
      }
      return sum
    }
    let before = sum()
    let full = try largest().resident
    #expect(full * 1024 >= range.count * 9 / 10)
    #expect(ProgramPages.giveBack() >= range.count)
    // Other tests run meanwhile, and bring back the pages that they need.
    #expect(try largest().resident < full * 3 / 4)
    #expect(sum() == before)
  }
}
