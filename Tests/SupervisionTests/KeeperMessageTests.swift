import PlaybackCore
import Testing

@testable import Supervision

@Suite("Messages to the keeper")
struct KeeperMessageTests {
  @Test("Messages are read in the format of sd_notify(3); invalid lines are skipped")
  func notices() {
    let message = KeeperMessage(
      text:
        "READY=1\nSTATUS=hall.mp4\nWATCHDOG=1\nREADY=0\nnonsense\nEXTEND_TIMEOUT_USEC=2000000\nEXTEND_TIMEOUT_USEC=-1")
    #expect(
      message.notices == [.ready, .status("hall.mp4"), .watchdog, .extendTimeout(.seconds(2))])
    #expect(KeeperMessage(text: "WATCHDOG=trigger\nSTOPPING=1").notices == [.watchdogTrigger, .stopping])
    #expect(KeeperMessage(text: "").notices.isEmpty)
  }

  @Test("A descriptor is kept under its name, or under `stored` if the next process couldn't get that name")
  func storing() {
    #expect(
      KeeperMessage(text: "FDSTORE=1\nFDNAME=card:x\nFDPOLL=0").storing == .init(name: "stored", isPolled: false))
    #expect(KeeperMessage(text: "FDSTORE=1\nFDNAME=card0").storing == .init(name: "card0", isPolled: true))
    #expect(KeeperMessage(text: "FDSTORE=1").storing?.name == "stored")
    let long = String(repeating: "a", count: 256)
    #expect(KeeperMessage(text: "FDSTORE=1\nFDNAME=\(long)").storing?.name == "stored")
    #expect(KeeperMessage(text: "FDNAME=card0").storing == nil)
  }

  @Test("Only a name can be removed")
  func removing() {
    #expect(KeeperMessage(text: "FDSTOREREMOVE=1\nFDNAME=card0").forgets == "card0")
    #expect(KeeperMessage(text: "FDSTOREREMOVE=1").forgets == nil)
    #expect(KeeperMessage(text: "FDSTOREREMOVE=1\nFDNAME=a:b").forgets == nil)
  }

  @Test("The keeper understands every notice that the player sends")
  func bothSides() {
    let said: [(ServiceManager.Notice, KeeperNotice)] = [
      (.ready, .ready), (.stopping, .stopping), (.status("a"), .status("a")), (.watchdog, .watchdog),
      (.watchdogTrigger, .watchdogTrigger), (.extendTimeout(microseconds: 5), .extendTimeout(.microseconds(5))),
    ]
    for (notice, heard) in said { #expect(KeeperMessage(text: notice.line).notices == [heard]) }
  }
}
