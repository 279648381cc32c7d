import Glibc
import KioskTestSupport
import MainLoop
import Testing

@testable import Supervision

@Suite("Messages that a service manager has no room for")
struct NoticeQueueTests {
  /// A service manager that has room for messages, or none.
  private final class Listener: Sendable {
    let hasRoom = Locked(true)
    let heard = Locked<[String]>([])
    let descriptors = Locked<[Int32]>([])

    var queue: NoticeQueue {
      NoticeQueue { text, descriptor in
        guard self.hasRoom.withLock({ $0 }) else { return -EAGAIN }
        self.heard.withLock { $0.append(text) }
        if descriptor >= 0 { self.descriptors.withLock { $0.append(descriptor) } }
        return 0
      }
    }
    var texts: [String] { heard.withLock { $0 } }
  }

  @Test("Single messages wait in their order; only the newest status waits; repeated messages are dropped")
  func order() {
    let listener = Listener()
    let queue = listener.queue
    listener.hasRoom.withLock { $0 = false }
    queue.post("WATCHDOG=1", .lost)
    queue.post("STATUS=a", .status)
    queue.post("READY=1", .kept)
    queue.post("STATUS=b", .status)
    queue.flush()
    #expect(listener.texts == [] && queue.count == 2)
    listener.hasRoom.withLock { $0 = true }
    queue.flush()
    #expect(listener.texts == ["READY=1", "STATUS=b"] && queue.count == 0)
    queue.post("WATCHDOG=1", .lost)
    #expect(listener.texts.last == "WATCHDOG=1")
  }

  @Test("A later message doesn't overtake a waiting one; a full queue doesn't grow")
  func bounded() {
    let listener = Listener()
    let queue = listener.queue
    listener.hasRoom.withLock { $0 = false }
    for index in 0..<1000 { queue.post("FDSTOREREMOVE=1\nFDNAME=\(index)", .kept) }
    #expect(queue.count == NoticeQueue.limit)
    listener.hasRoom.withLock { $0 = true }
    queue.post("READY=1", .kept)
    #expect(listener.texts.count == NoticeQueue.limit + 1 && listener.texts.last == "READY=1")
  }

  @Test("A waiting descriptor is the queue's own duplicate, which is closed once it is sent")
  func descriptor() throws {
    let listener = Listener()
    let queue = listener.queue
    listener.hasRoom.withLock { $0 = false }
    let file = open("/dev/null", O_RDONLY | O_CLOEXEC)
    queue.post("FDSTORE=1", .kept, descriptor: file)
    close(file)
    listener.hasRoom.withLock { $0 = true }
    queue.flush()
    #expect(listener.descriptors.withLock { $0.count } == 1)
  }

  @Test("With a real, full socket, READY and the card arrive when there is room")
  func socket() throws {
    let folder = try TemporaryDirectory()
    let path = folder.path("notify")
    let listener = Glibc.socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
    defer { close(listener) }
    var name = sockaddr_un()
    name.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &name.sun_path) { $0.copyBytes(from: path.utf8) }
    let isBound = withUnsafePointer(to: &name) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(listener, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
      }
    }
    try #require(isBound)
    func heard() -> [String] {
      var all: [String] = []
      var bytes = [UInt8](repeating: 0, count: 4096)
      while true {
        let count = recv(listener, &bytes, bytes.count, Int32(MSG_DONTWAIT))
        guard count > 0 else { return all }
        all.append(String(decoding: bytes.prefix(count), as: UTF8.self))
      }
    }
    let manager = try #require(ServiceManager(environment: ["NOTIFY_SOCKET": path], process: getpid()))
    for _ in 0..<5000 { manager.notify(.watchdog) }
    manager.notify(.ready)
    manager.keep(listener, as: "card0")
    #expect(Set(heard()) == ["WATCHDOG=1"])
    manager.flushWaiting()
    #expect(heard() == ["READY=1", "FDSTORE=1\nFDNAME=card0\nFDPOLL=0"])
  }
}
