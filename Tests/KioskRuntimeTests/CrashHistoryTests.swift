import FileSystem
import Foundation
import KioskCore
import KioskTestSupport
import Logging
import PlaybackCore
import Supervision
import Testing

@testable import KioskRuntime

@Suite("An item and its copy share one entry on crashes")
struct CrashHistoryTests {
  private let address = "http://host/a.mp4"
  private let now = Int64(Date().timeIntervalSince1970)

  /// The item as a deck plays it, from its copy.
  private func known(_ copy: String) throws -> RecordedItem {
    var machine = PlaybackMachine(queue: [MediaItem(uri: address, kind: .progressive)], loops: true, seed: 1)
    var built: MediaItem?
    let copies = [address: MediaCopy(uri: copy, sha256: "ab")]
    for event in [PlaybackEvent.copiesChanged(copies), .start, .outputReady] {
      for case .buildDeck(_, let media, _, _, _) in machine.handle(event, at: Instant(nanoseconds: 0)) { built = media }
    }
    return RecordedItem(try #require(built), in: machine)
  }

  private func book(_ known: RecordedItem, deaths: Int, in folder: TemporaryDirectory) -> CrashHistory {
    var quarantine = Quarantine()
    for _ in 0..<deaths {
      quarantine.died(
        of: Quarantine.Subject(known.listed, from: known.played, sha256: known.sha256), signal: 11, at: now)
    }
    let state = CrashHistoryFolder(state: folder.url.path, runtime: nil)
    state.keep(quarantine)
    return CrashHistory(
      state, quarantine: quarantine, loop: CrashLoop(), last: nil,
      log: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
  }

  @Test("An item's end, reported with its listed address, clears a suspicion against its copy")
  func played() async throws {
    let folder = try TemporaryDirectory()
    let known = try known(MediaItem(uri: try folder.write("abc", as: "copy"), kind: .file).uri)
    #expect(known.listed == address && known.played.hasSuffix("/copy") && known.sha256 == "ab")
    let book = book(known, deaths: 1, in: folder)
    let state = CrashHistoryFolder(state: folder.url.path, runtime: nil)
    #expect(state.quarantine().entries.count == 1)
    book.played(address)
    try await eventually("no entry") { state.quarantine().entries.isEmpty }
  }

  @Test("An item that hung twice is left out by this process and the next; one from a network after four hangs")
  func hung() throws {
    let folder = try TemporaryDirectory()
    let local = RecordedItem(
      listed: "file:///a.mp4", played: MediaItem(uri: try folder.write("abc", as: "a"), kind: .file).uri, sha256: nil)
    let remote = RecordedItem(listed: "http://host/b.mp4", played: "http://host/b.mp4", sha256: nil)
    let book = book(local, deaths: 0, in: folder)
    #expect(book.hung([local, remote]).isEmpty && book.withholds(local) == nil)
    let errors = book.hung([local, remote])
    #expect(errors.map(\.subject) == ["file:///a.mp4"] && errors.first?.message.contains("hung") == true)
    #expect(book.holds(local) && !book.holds(remote))
    #expect(book.hung([remote]).isEmpty && book.hung([remote]).count == 1 && book.holds(remote))
    // Written at once: the process ends.
    #expect(CrashHistoryFolder(state: folder.url.path, runtime: nil).quarantine().held.count == 2)
    book.forgiveHangs()
    #expect(!book.holds(local) && !book.holds(remote))
  }

  @Test("An item held as a copy is reported and released by its listed address")
  func held() throws {
    let folder = try TemporaryDirectory()
    let known = try known(MediaItem(uri: try folder.write("abc", as: "copy"), kind: .file).uri)
    let book = book(known, deaths: 2, in: folder)
    #expect(book.withholds(known)?.subject == address)
    // Another copy has the same bytes.
    #expect(book.withholds(RecordedItem(listed: address, played: "file:///other", sha256: "ab")) != nil)
    #expect(book.withholds(RecordedItem(listed: "http://host/b.mp4", played: "file:///b", sha256: nil)) == nil)
    #expect(!book.forgive("http://host/b.mp4") && book.forgive(address) && book.forgive(nil))
    #expect(book.withholds(known) == nil)
  }
}
