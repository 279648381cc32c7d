internal import Downloads
internal import Glibc
public import KioskCore
internal import MainLoop
public import PlaybackCore

/// Reads the network's state from the kernel, and tries the servers that films and warnings come from. Blocks.
public struct NetworkReader: Sendable {
  private let root: SystemRoot

  public init(_ root: SystemRoot) { self.root = root }

  /// The largest number of servers that are tried; with more, people would wait too long.
  static let mostServers = 4
  static let patience: Duration = .seconds(5)

  /// - Parameters:
  ///   - items: the media that may be played.
  ///   - feed: the address of warnings.
  ///   - access: how servers are reached.
  public func network(for items: [MediaItem], feed: String?, access: ServerAccess) -> DoctorFacts.Network {
    var network = DoctorFacts.Network()
    network.links = Self.links
    network.hasRoute = hasRoute
    network.nameServers = root.text("/etc/resolv.conf").split(separator: "\n").compactMap { line in
      let words = line.split(whereSeparator: { $0 == " " || $0 == "\t" })
      return words.count > 1 && words[0] == "nameserver" ? String(words[1]) : nil
    }
    network.isNeeded = feed != nil || items.contains(where: \.isRemote)
    for origin in Self.origins(of: items, feed: feed, access) {
      network.servers.append(Self.probeServer(at: origin, access.certificatesFile))
    }
    return network
  }

  /// The servers to try; with a proxy, only the proxy.
  ///
  /// - Parameter feed: the address of warnings.
  static func origins(of items: [MediaItem], feed: String? = nil, _ access: ServerAccess) -> [WebOrigin] {
    if feed != nil || items.contains(where: \.isRemote), let proxy = access.proxy.flatMap({ WebOrigin(address: $0) }) {
      return [proxy]
    }
    var origins: [WebOrigin] = []
    let addresses = (feed.map { [$0] } ?? []) + items.map(\.uri)
    for origin in addresses.compactMap({ WebOrigin(address: $0) }) where !origins.contains(origin) {
      origins.append(origin)
    }
    return Array(origins.prefix(mostServers))
  }

  private static func probeServer(at origin: WebOrigin, _ certificatesFile: String?) -> DoctorFacts.Network.Server {
    let outcome = ServerLook.connect(to: origin, certificatesFile: certificatesFile, limit: patience)
    func server(_ outcome: DoctorFacts.Network.Server.Outcome, _ detail: String = "") -> DoctorFacts.Network.Server {
      DoctorFacts.Network.Server(origin: "\(origin)", outcome: outcome, detail: detail)
    }
    return switch outcome {
    case .reached: server(.reached)
    case .nameUnknown(let words): server(.nameUnknown, words)
    case .refused(let words): server(.refused, words)
    case .untrusted(let words): server(.untrusted, words)
    case .wrongTime(let words): server(.wrongTime, words)
    }
  }

  public static var clock: DoctorFacts.Clock {
    var clock = DoctorFacts.Clock()
    clock.now = SystemClock.utcSeconds
    clock.isSynchronised = SystemClock.isSynchronised
    return clock
  }

  /// Whether there is a default route, by IPv4 or IPv6.
  private var hasRoute: Bool {
    let old = root.text("/proc/net/route").split(separator: "\n").contains { line in
      let words = line.split(whereSeparator: { $0 == "\t" || $0 == " " })
      return words.count > 7 && words[1] == "00000000" && words[7] == "00000000"
    }
    return old
      || root.text("/proc/net/ipv6_route").split(separator: "\n").contains { line in
        let words = line.split(separator: " ")
        // The kernel's route on lo rejects packets: it doesn't count.
        return words.count > 9 && words[0].allSatisfy { $0 == "0" } && words[1] == "00" && words[9] != "lo"
      }
  }

  /// The network interfaces that are up and have an address, except the loopback.
  private static var links: [DoctorFacts.Network.Link] {
    var first: UnsafeMutablePointer<ifaddrs>?
    guard getifaddrs(&first) == 0 else { return [] }
    defer { freeifaddrs(first) }
    var links: [DoctorFacts.Network.Link] = []
    var next = first
    while let entry = next?.pointee {
      next = entry.ifa_next
      guard let address = entry.ifa_addr, [AF_INET, AF_INET6].contains(Int32(address.pointee.sa_family)),
        entry.ifa_flags & UInt32(IFF_LOOPBACK) == 0, entry.ifa_flags & UInt32(IFF_UP) != 0
      else { continue }
      let isOld = Int32(address.pointee.sa_family) == AF_INET
      let length = socklen_t(isOld ? MemoryLayout<sockaddr_in>.size : MemoryLayout<sockaddr_in6>.size)
      var host = [CChar](repeating: 0, count: Int(NI_MAXHOST))
      guard getnameinfo(address, length, &host, socklen_t(host.count), nil, 0, NI_NUMERICHOST) == 0 else { continue }
      let text = String(decoding: host.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
      // Every connected interface has a link-local address, even without a network behind it.
      guard !text.hasPrefix("fe80:") else { continue }
      let name = String(cString: entry.ifa_name)
      if let index = links.firstIndex(where: { $0.name == name }) {
        links[index].addresses.append(text)
      } else {
        links.append(DoctorFacts.Network.Link(name: name, addresses: [text]))
      }
    }
    return links
  }
}
