import Foundation
import Testing

@testable import KioskRuntime

@Suite("Pages of the program", .serialized)
struct LoadedPagesTests {
  /// The largest part of this program that is only read, from its first byte to its end, and how many kB of it are in memory.
  private func largest() throws -> (range: Range<UInt>, resident: Int) {
    let program = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    var best: (range: Range<UInt>, resident: Int)?
    var range: Range<UInt>?
    for line in try String(contentsOfFile: "/proc/self/smaps", encoding: .utf8).split(separator: "\n") {
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

  @Test("What was read of the program leaves memory, and comes back where it is used")
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
    #expect(Allocator.giveBackCode() >= range.count)
    // Other tests run on meanwhile, and take back what they need.
    #expect(try largest().resident < full * 3 / 4)
    #expect(sum() == before)
  }
}
