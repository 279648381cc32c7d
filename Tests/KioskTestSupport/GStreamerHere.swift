import Foundation

/// The version of GStreamer that the tests run with, for tests of its own behaviour.
public enum GStreamerHere {
  /// 22 on Debian 12, 26 on Debian 13: from the library's file name, such as libgstreamer-1.0.so.0.2200.0.
  public static let minorVersion: Int = {
    let folders = (try? FileManager.default.contentsOfDirectory(atPath: "/usr/lib")) ?? []
    let libraries = folders.filter { $0.hasSuffix("-linux-gnu") }.map { "/usr/lib/\($0)/libgstreamer-1.0.so.0" }
    for library in libraries {
      guard let path = realpath(library, nil) else { continue }
      defer { free(path) }
      let parts = String(cString: path).split(separator: ".")
      if let number = parts.dropLast().last.flatMap({ Int($0) }) { return number / 100 }
    }
    return 0
  }()

  /// Whether it is newer than Debian 12's.
  public static var isNewer: Bool { minorVersion >= 24 }
}
