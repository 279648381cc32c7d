import Glibc
import PlaybackCore
import Testing

@testable import Supervision

@Suite("Messages to a service manager")
struct ServiceManagerTests {
  @Test("Without an address there is no service manager; a watchdog for another process doesn't count")
  func environment() throws {
    #expect(ServiceManager(environment: [:], process: 7) == nil)
    #expect(ServiceManager(environment: ["NOTIFY_SOCKET": "vsock:1"], process: 7) == nil)
    let managed = ["NOTIFY_SOCKET": "/run/x", "WATCHDOG_USEC": "6000000"]
    #expect(try #require(ServiceManager(environment: managed, process: 7)).watchdog == .seconds(6))
    let others = managed.merging(["WATCHDOG_PID": "8"]) { $1 }
    #expect(try #require(ServiceManager(environment: others, process: 7)).watchdog == nil)
  }

  @Test("Messages have the format of sd_notify(3); a status is one line")
  func lines() {
    #expect(ServiceManager.Notice.status("a\nREADY=1").line == "STATUS=a READY=1")
    #expect(ServiceManager.Notice.watchdog.line == "WATCHDOG=1")
  }

  @Test("Invalid numbers of descriptors give none")
  func kept() {
    for count in ["", "-1", "0", "x", "65", "4294967299"] {
      #expect(ServiceManager.adoptKept(environment: ["LISTEN_PID": "7", "LISTEN_FDS": count], process: 7).isEmpty)
    }
    #expect(ServiceManager.adoptKept(environment: ["LISTEN_PID": "8", "LISTEN_FDS": "1"], process: 7).isEmpty)
  }
}
