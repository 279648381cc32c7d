import Foundation
import KioskTestSupport
import Testing

/// Counts the parts of the shape that docs/architecture.md describes.
@Suite("Shape of the sources")
struct ShapeTests {
  /// Longer files have always had two subjects.
  private static let mostLines = 400
  /// `Kiosk` makes the parts and passes their notices on. If it grows longer, it has begun to decide.
  private static let mostKioskLines = 300
  private static let mostKioskProperties = 15

  private static let sources = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "Sources")

  private func files(_ matches: (String) -> Bool) throws -> [(name: String, lines: [Substring])] {
    let paths = FileManager.default.enumerator(at: Self.sources, includingPropertiesForKeys: nil)
    let found = (paths?.allObjects ?? []).compactMap { $0 as? URL }.filter {
      $0.pathExtension == "swift" && matches($0.lastPathComponent)
    }
    return try found.map { url in
      let text = try String(contentsOf: url, encoding: .utf8)
      return (url.lastPathComponent, text.split(separator: "\n", omittingEmptySubsequences: false))
    }
  }

  @Test("No file of Swift is longer than 400 lines")
  func lines() throws {
    let files = try files { _ in true }
    #expect(files.count > 300)
    for file in files { #expect(file.lines.count - 1 <= Self.mostLines, "\(file.name)") }
  }

  @Test("Kiosk has less than 300 lines and 15 stored properties")
  func kiosk() throws {
    let files = try files { $0 == "Kiosk.swift" || $0.hasPrefix("Kiosk+") }
    #expect(files.count >= 2)
    let lines = files.flatMap(\.lines)
    #expect(lines.count < Self.mostKioskLines)
    // The actor's own properties: two blanks before, no body after.
    let stored = lines.filter { line in
      line.wholeMatch(of: #/  (?:public |private |private\(set\) |nonisolated )*(?:let|var) [^{]*/#) != nil
    }
    #expect(stored.count > 5 && stored.count < Self.mostKioskProperties, "\(stored)")
  }

  @Test("No first element of a lazy compactMap is taken: it is computed twice, and traps if the second is nil")
  func computedOnce() throws {
    for file in try files({ _ in true }) {
      for line in file.lines where line.contains(".lazy") && line.contains("compactMap") {
        #expect(line.firstMatch(of: #/\.first\b(?! ?[{(])/#) == nil, "\(file.name): \(line)")
      }
    }
  }

  @Test("All output of the program goes through one function, which makes control characters visible")
  func oneDoor() throws {
    let folder = Self.sources.appending(path: "vitrine")
    let paths = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
    let files = (paths?.allObjects ?? []).compactMap { $0 as? URL }.filter { $0.pathExtension == "swift" }
    #expect(files.count > 20)
    for file in files where file.lastPathComponent != "ConfigurationOptions.swift" {
      let text = try String(contentsOf: file, encoding: .utf8)
      let prints = text.matches(of: /(?:^|[^.\w])(?:Swift\.)?print\(|fputs\(|puts\(/.anchorsMatchLineEndings())
      #expect(prints.isEmpty, "\(file.lastPathComponent) prints by itself")
    }
  }

  /// The files with code for one version of GStreamer: docs/architecture.md tells what to do with them when that
  /// version is no longer supported.
  private static let placesOf122 = [
    "Caps.swift", "Conversion.swift", "DASHPeriods.swift", "DecoderWear.swift", "FrameWay.swift", "Frames.h",
    "Library.swift", "MP4Orientation.swift", "MovieOrientation.swift", "PCMInMP4.swift", "PlaneFrames.swift",
    "SurfaceOffers.swift", "VideoStages.swift", "frames.c", "pcm.c", "shared-frames.c", "tonemap.c",
  ]
  private static let placesOf126 = ["Frames.h", "PlaneFrames.swift", "VideoAcceleration.swift", "frames.c"]

  @Test("Code for one version of GStreamer is marked by one spelling, and its files are listed")
  func versions() throws {
    var places: [String: Set<String>] = [:]
    for folder in ["Sources", "Tests"] {
      let root = Self.sources.deletingLastPathComponent().appending(path: folder)
      let paths = FileManager.default.enumerator(at: root, includingPropertiesForKeys: nil)
      for file in (paths?.allObjects ?? []).compactMap({ $0 as? URL }) {
        // Scripts have no file extension, or Python's.
        let isScript = ["", "py"].contains(file.pathExtension)
        guard isScript || ["swift", "c", "h"].contains(file.pathExtension),
          let text = try? String(contentsOf: file, encoding: .utf8), text.contains("1.22") || text.contains("1.26")
        else { continue }
        for line in text.split(separator: "\n") {
          guard let start = line.firstRange(of: isScript ? #/(^|\s)\#+ /# : #/(^|\s)\/\/\/? /#) else { continue }
          let comment = line[start.lowerBound...]
          #expect(
            !comment.contains("1.22") || comment.contains("GStreamer 1.22 only:"),
            "\(file.lastPathComponent): \(line): say what 1.22 alone needs as 'GStreamer 1.22 only: ...'")
          for mark in ["GStreamer 1.22 only:", "GStreamer 1.26:"] where folder == "Sources" && comment.contains(mark) {
            places[mark, default: []].insert(file.lastPathComponent)
          }
        }
      }
    }
    #expect(places["GStreamer 1.22 only:"]?.sorted() == Self.placesOf122)
    #expect(places["GStreamer 1.26:"]?.sorted() == Self.placesOf126)
  }

  /// The most hops that each walk may have, in the order of the page.
  private static let mostHops = [15, 12, 22, 15, 12]

  @Test("The walks in docs/architecture.md have as many hops as they say, not too many, and name existing types")
  func walks() throws {
    #expect(Walk.all.count == Self.mostHops.count)
    for (walk, most) in zip(Walk.all, Self.mostHops) {
      #expect(walk.steps.count == walk.hops && walk.hops <= most, "\(walk)")
    }
    // Swift's own expressions take half a minute for all sources.
    let declaration = try NSRegularExpression(pattern: "(?:class|struct|enum|actor|protocol) ([A-Z]\\w+)")
    var declared: Set<String> = []
    for file in try files({ _ in true }) {
      let text = file.lines.joined(separator: "\n")
      for match in declaration.matches(in: text, range: NSRange(text.startIndex..., in: text)) {
        if let name = Range(match.range(at: 1), in: text) { declared.insert(String(text[name])) }
      }
    }
    for type in Set(Walk.all.flatMap(\.steps).map(\.type)) {
      #expect(declared.contains(String(type)), "\(type) is in no source")
    }
  }
}
