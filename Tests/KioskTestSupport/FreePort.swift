import Glibc
import Synchronization

/// Ports for servers of tests.
public enum FreePort {
  /// Below the ports that the kernel gives to clients (from 32,768), which would take one between the search and the
  /// server's start.
  private static let range = 20_000..<32_000
  private static let given = Mutex(Set<Int>())

  /// A port of this machine that nothing listens at, by TCP or UDP. This process gets each port once.
  ///
  /// - Throws: an error if none is free.
  public static func next() throws -> Int {
    let start = Int.random(in: range)
    for offset in 0..<range.count {
      let port = range.lowerBound + (start - range.lowerBound + offset) % range.count
      guard isFree(port), given.withLock({ $0.insert(port).inserted }) else { continue }
      return port
    }
    throw MediaError(description: "no port of \(range) is free")
  }

  private static func isFree(_ port: Int) -> Bool {
    [SOCK_STREAM, SOCK_DGRAM].allSatisfy { kind in
      let descriptor = socket(AF_INET, Int32(kind.rawValue), 0)
      defer { close(descriptor) }
      // As servers do: a connection that has ended doesn't keep the port.
      var on: Int32 = 1
      if kind == SOCK_STREAM {
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &on, socklen_t(MemoryLayout<Int32>.size))
      }
      // All addresses: the port is free at each of them.
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_port = in_port_t(port).bigEndian
      return withUnsafePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
        }
      } == 0
    }
  }
}
