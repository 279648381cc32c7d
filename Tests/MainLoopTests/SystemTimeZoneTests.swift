import Foundation
import MainLoop
import Testing

@Suite("The system's time zones")
struct SystemTimeZoneTests {
  @Test(
    "Offsets match the time zone database, summer and winter", arguments: ["Europe/Berlin", "America/New_York", "UTC"])
  func offsets(name: String) throws {
    let zone = try #require(SystemTimeZone(identifier: name))
    let reference = try #require(TimeZone(identifier: name))
    #expect(zone.identifier == name)
    for day in stride(from: 0, to: 365 * 3, by: 1) {
      let utc: Int64 = 1_767_225_600 + Int64(day) * 86_400 + 7200
      let expected = reference.secondsFromGMT(for: Date(timeIntervalSince1970: Double(utc)))
      #expect(zone.offset(at: utc) == expected)
    }
  }

  @Test("The system always has a zone, and an unknown name has none")
  func names() {
    #expect(SystemTimeZone(identifier: nil) != nil)
    #expect(SystemTimeZone(identifier: "Mars/Olympus") == nil)
  }

  @Test("FileChecksums gives the SHA-256 of a file")
  func checksum() throws {
    let url = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: url) }
    try Data("abc".utf8).write(to: url)
    // From FIPS 180-2.
    #expect(
      FileChecksum.sha256(path: Array(url.path.utf8))
        == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    #expect(FileChecksum.sha256(path: Array("/no/such".utf8)) == nil)
    #expect(FileChecksum.sha256(path: Array("/tmp".utf8)) == nil)
  }

  @Test("A changed file's checksum is computed again, even when its size and times are put back")
  func checksums() throws {
    let url = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString) ä.mp4")
    defer { try? FileManager.default.removeItem(at: url) }
    let checksums = FileChecksums()
    let uri = url.absoluteString
    #expect(checksums.sha256(uri: uri) == nil && checksums.sha256(uri: "http://host/a.mp4") == nil)
    let moment = Date(timeIntervalSince1970: 1_000_000)
    func write(_ text: String) throws -> String? {
      try Data(text.utf8).write(to: url)
      try FileManager.default.setAttributes([.modificationDate: moment], ofItemAtPath: url.path)
      return checksums.sha256(uri: uri)
    }
    let (first, second) = (try write("abc"), try write("abd"))
    #expect(first == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    #expect(second != nil && second != first && checksums.sha256(uri: uri) == second)
  }
}
