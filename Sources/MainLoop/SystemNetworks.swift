internal import FileSystem
internal import Glibc
public import PlaybackCore

/// The networks that this machine is attached to. They are asked of the kernel each time, because addresses come and go
/// while the player runs.
public enum SystemNetworks {
  /// Asked for each connection: it costs two netlink requests and two small files. What the kernel doesn't tell is left
  /// out. Any thread.
  public static var current: AttachedNetworks {
    AttachedNetworks(
      interfaces: interfaces, routes: SmallFile.text("/proc/net/route"),
      routes6: SmallFile.text("/proc/net/ipv6_route"))
  }

  private static var interfaces: [AttachedNetworks.Interface] {
    var first: UnsafeMutablePointer<ifaddrs>?
    guard getifaddrs(&first) == 0 else { return [] }
    defer { freeifaddrs(first) }
    var found: [AttachedNetworks.Interface] = []
    var next = first
    while let entry = next?.pointee {
      next = entry.ifa_next
      guard let address = bytes(entry.ifa_addr), let mask = bytes(entry.ifa_netmask) else { continue }
      let isLine = entry.ifa_flags & UInt32(IFF_POINTOPOINT) != 0
      found.append(
        AttachedNetworks.Interface(
          address: address, prefixLength: mask.reduce(0) { $0 + $1.nonzeroBitCount },
          peer: isLine ? bytes(entry.ifa_ifu.ifu_dstaddr) : nil,
          isLoopback: entry.ifa_flags & UInt32(IFF_LOOPBACK) != 0))
    }
    return found
  }

  /// The 4 or 16 bytes of an IPv4 or IPv6 address; nil for other families.
  private static func bytes(_ address: UnsafeMutablePointer<sockaddr>?) -> [UInt8]? {
    guard let address else { return nil }
    let raw = UnsafeRawPointer(address)
    switch Int32(address.pointee.sa_family) {
    case AF_INET: return withUnsafeBytes(of: raw.loadUnaligned(as: sockaddr_in.self).sin_addr) { Array($0) }
    case AF_INET6: return withUnsafeBytes(of: raw.loadUnaligned(as: sockaddr_in6.self).sin6_addr) { Array($0) }
    default: return nil
    }
  }
}
