internal import Glibc
internal import KioskCore
internal import PlaybackCore

/// The machine's name, addresses and board facts, for cards.
struct HostFacts: Hashable, Sendable {
  var name: String
  var addresses: [String]
  var board = KioskStatus.Board()

  /// The facts now, from the kernel.
  static var now: HostFacts {
    HostFacts(name: HostName.text, addresses: HostAddresses.all, board: BoardReader().read())
  }
}

/// Caches the machine's facts: a card that is drawn with each frame must not ask the kernel each time.
struct HostBook {
  /// How long facts stay cached. A cable that is plugged in while people read the card shows its address some seconds
  /// later, which is soon enough. Sixty queries a second would cost a small board as much as drawing the card.
  static let interval: Duration = .seconds(5)

  private let ask: () -> HostFacts
  private var known: (facts: HostFacts, at: Instant)?

  /// - Parameter ask: reads the facts; tests count its calls.
  init(ask: @escaping () -> HostFacts = { .now }) { self.ask = ask }

  /// Drops the cached facts, when a card opens: they may be old.
  mutating func forget() { known = nil }

  mutating func facts(at now: Instant) -> HostFacts {
    if let known, now - known.at < Self.interval { return known.facts }
    let facts = ask()
    known = (facts, now)
    return facts
  }
}

/// The name of this machine.
enum HostName {
  static var text: String {
    var buffer = [CChar](repeating: 0, count: 256)
    guard gethostname(&buffer, buffer.count - 1) == 0 else { return "" }
    return buffer.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "" }
  }
}

/// The addresses at which this board can be reached.
enum HostAddresses {
  static var all: [String] {
    var first: UnsafeMutablePointer<ifaddrs>?
    guard getifaddrs(&first) == 0 else { return [] }
    defer { freeifaddrs(first) }
    var addresses: [String] = []
    var next = first
    while let entry = next?.pointee {
      next = entry.ifa_next
      guard let address = entry.ifa_addr, Int32(address.pointee.sa_family) == AF_INET,
        entry.ifa_flags & UInt32(IFF_LOOPBACK) == 0
      else { continue }
      var host = [CChar](repeating: 0, count: Int(NI_MAXHOST))
      let length = socklen_t(MemoryLayout<sockaddr_in>.size)
      guard getnameinfo(address, length, &host, socklen_t(host.count), nil, 0, NI_NUMERICHOST) == 0 else { continue }
      addresses.append(String(decoding: host.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self))
    }
    return addresses
  }
}
