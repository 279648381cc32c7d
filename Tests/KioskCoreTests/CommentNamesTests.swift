import Foundation
import Testing

/// A name in a comment that no code has any more misleads whoever looks for it. `DocumentClaimsTests` does the same for
/// the pages under docs.
@Suite("Names in comments")
struct CommentNamesTests {
  /// Names that belong to the kernel, to libraries and to systemd, and that only comments have.
  private static let outside: Set = [
    "CPUSchedulingPolicy", "GMainContext", "GMainLoop", "LimitRTPRIO", "PT1H2M3", "5S", "drm_mode_modeinfo", "fe5e0000",
    "g_main_context_invoke", "gdk_wayland_display_get_wl_display", "gdk_wayland_surface_get_wl_surface",
    "hdr_output_metadata", "malloc", "plane_scales", "prepare_read", "seccomp", "si_code", "varenderD129h264dec", "vop",
    "wl_display_connect",
  ]

  private func files(_ folders: [String], _ endings: Set<String>) throws -> [(path: String, text: String)] {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    return try folders.flatMap { folder in
      let paths = FileManager.default.enumerator(at: root.appending(path: folder), includingPropertiesForKeys: nil)
      return try (paths?.allObjects ?? []).compactMap { $0 as? URL }.filter { endings.contains($0.pathExtension) }
        .map { (String($0.path.dropFirst(root.path.count + 1)), try String(contentsOf: $0, encoding: .utf8)) }
    }
  }

  /// The words of `text`: letters, digits and underscores.
  private func words(_ text: Substring) -> [Substring] {
    text.split { !($0 == "_" || $0.isASCII && ($0.isLetter || $0.isNumber)) }
  }

  /// A line's code and its comment.
  private func parts(_ line: Substring) -> (code: Substring, comment: Substring) {
    guard let slashes = line.firstRange(of: "//"),
      line[..<slashes.lowerBound].allSatisfy({ $0 == " " }) || line[..<slashes.lowerBound].hasSuffix(" ")
    else { return (line, "") }
    return (line[..<slashes.lowerBound], line[slashes.upperBound...])
  }

  @Test("Every name in backticks in a comment is in the code, or belongs to the system")
  func names() throws {
    let swift = try files(["Sources", "Tests", "Examples"], ["swift"])
    #expect(swift.count > 900)
    var known = Self.outside
    for file in swift {
      for line in file.text.split(separator: "\n") { known.formUnion(words(parts(line).code).map(String.init)) }
    }
    var looked = 0
    for file in swift {
      for line in file.text.split(separator: "\n") {
        let comment = parts(line).comment
        guard comment.contains("`") else { continue }
        // Odd parts are between backticks.
        for (index, piece) in comment.split(separator: "`", omittingEmptySubsequences: false).enumerated() {
          guard index % 2 == 1, piece.wholeMatch(of: #/[A-Za-z_]\w*(\.\w+)*(\([^`]*\))?/#) != nil else { continue }
          looked += 1
          for word in words(piece.prefix { $0 != "(" }) {
            #expect(known.contains(String(word)), "\(file.path): `\(piece)`")
          }
        }
      }
    }
    #expect(looked > 1000, "\(looked)")
  }
}
