import Foundation
import Testing

/// Reads Package.swift and Sources. The targets under "Pure cores" decide with values alone; a failure names the target
/// that breaks the rule.
@Suite("Pure targets")
struct ArchitectureTests {
  // MARK: The rule

  /// C targets that only compute, with text in and values out: no file, no clock, no thread.
  private static let computingC = ["PlaylistConfig": ["CTOML"]]
  /// Single functions of libc for mathematics, which Swift's own library lacks.
  private static let mathematics = [
    "PlaybackCore": ["func Glibc.exp", "func Glibc.log", "func Glibc.pow"],
    "KioskCore": ["func Glibc.cos", "func Glibc.sin"],
  ]
  /// Names that read a clock, sleep or make random numbers: pure targets get times and seeds from outside.
  private static let impure = [
    "ContinuousClock", "SuspendingClock", "Task.sleep", ".random(", "SystemRandomNumberGenerator",
  ]

  // MARK: Targets and sources

  /// A target of Package.swift: its name, its dependencies, and the comment above its section.
  private struct Target {
    var name: String
    var dependencies: [String]
    var section: String
  }

  private static let package = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  /// The source targets, in their order. A section begins with a comment that the test knows.
  private func targets() throws -> [Target] {
    let text = try String(contentsOf: Self.package.appending(path: "Package.swift"), encoding: .utf8)
    var targets: [Target] = []
    var section = ""
    let starts = /^    \.(target|executableTarget|systemLibrary|testTarget)\(/.anchorsMatchLineEndings()
    for part in text.split(separator: "\n\n") {
      for comment in ["// One door to each C library.", "// Pure cores:", "// Shells."] where part.contains(comment) {
        section = comment
      }
      let ranges = part.ranges(of: starts)
      for (index, range) in ranges.enumerated() {
        let end = index + 1 < ranges.count ? ranges[index + 1].lowerBound : part.endIndex
        let entry = part[range.lowerBound..<end]
        guard let name = entry.firstMatch(of: /name: "([^"]+)"/)?.1 else { continue }
        let list = entry.firstMatch(of: /dependencies: \[([^\]]*)\]/)?.1 ?? ""
        targets.append(
          Target(
            name: String(name), dependencies: list.matches(of: /"([^"]+)"/).map { String($0.1) }, section: section))
      }
    }
    return targets
  }

  private func pure() throws -> [Target] { try targets().filter { $0.section == "// Pure cores:" } }

  /// The sources of a target, by their paths in the package.
  private func sources(of target: String) throws -> [(path: String, text: String)] {
    let folder = Self.package.appending(path: "Sources/\(target)")
    let names = try #require(FileManager.default.enumerator(atPath: folder.path))
    return try names.compactMap { $0 as? String }.filter { $0.hasSuffix(".swift") }.map {
      ("Sources/\(target)/\($0)", try String(contentsOf: folder.appending(path: $0), encoding: .utf8))
    }
  }

  // MARK: Tests

  @Test("The test reads the targets of Package.swift")
  func reading() throws {
    let targets = try targets()
    #expect(try pure().map(\.name).contains("PlaybackCore"))
    #expect(targets.first { $0.name == "CGLib" }?.section == "// One door to each C library.")
    #expect(targets.first { $0.name == "FileSystem" }?.section == "// Shells.")
    #expect(targets.first { $0.name == "FileSystem" }?.dependencies == ["FileModel", "PlaybackCore", "CLinux"])
  }

  @Test("There are at most 18 modules of C and 27 targets of Swift (0219)")
  func number() throws {
    let modules = try FileManager.default.contentsOfDirectory(atPath: Self.package.appending(path: "Sources/C").path)
    let folders = try FileManager.default.contentsOfDirectory(atPath: Self.package.appending(path: "Sources").path)
    let targets = folders.filter { $0 != "C" }
    #expect(modules.count <= 18 && targets.count <= 27, "\(modules.sorted()) \(targets.sorted())")
  }

  @Test("Pure targets depend on pure targets alone")
  func dependencies() throws {
    let pure = try pure()
    for target in pure {
      let allowed = Set(pure.map(\.name) + (Self.computingC[target.name] ?? []))
      #expect(Set(target.dependencies).subtracting(allowed) == [], "Package.swift: dependencies of \(target.name)")
    }
  }

  @Test("Pure targets import pure targets alone: no libc, no C library, no shell")
  func imports() throws {
    let pure = try pure()
    let form = /^(?:@\S+ +)*(?:(?:public|package|internal|fileprivate|private) +)?import +(.+?)\s*(?:\/\/.*)?$/
      .anchorsMatchLineEndings()
    for target in pure {
      let allowed = Set(
        pure.map(\.name) + (Self.computingC[target.name] ?? []) + (Self.mathematics[target.name] ?? []))
      for (path, text) in try sources(of: target.name) {
        let imports = Set(text.matches(of: form).map { String($0.1) })
        #expect(imports.subtracting(allowed) == [], "imports of \(path)")
      }
    }
  }

  @Test("Pure targets read no clock and make no random numbers")
  func clocks() throws {
    for target in try pure() {
      for (path, text) in try sources(of: target.name) {
        #expect(Self.impure.filter { text.contains($0) } == [], "\(path)")
      }
    }
  }

  // MARK: Files

  /// The kernel's calls on files and folders, which FileSystem makes for all targets. Other targets open devices, and
  /// read and write the standard streams.
  private static let fileCalls = [
    "access", "chmod", "fchmod", "fdopendir", "fopen", "fstat", "fsync", "ftruncate", "lseek", "lstat", "mkdir",
    "openat", "opendir", "pread", "pwrite", "readdir", "readlink", "rename", "rmdir", "stat", "statvfs", "symlink",
    "truncate", "unlink",
  ]

  @Test("Only one target reads, writes and renames files")
  func door() throws {
    let call = try Regex("(?:^|[^.\\w]|Glibc\\.)(\(Self.fileCalls.joined(separator: "|")))\\(")
      .anchorsMatchLineEndings()
    let folder = Self.package.appending(path: "Sources")
    let others = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter {
      $0 != "FileSystem" && $0 != "C"
    }
    for target in others.sorted() {
      for (path, text) in try sources(of: target) {
        let calls = text.split(separator: "\n").filter { line in
          // A function of this package may have the same name.
          let line = line.replacing("func ", with: "func.")
          return !line.trimmingPrefix { $0 == " " }.hasPrefix("//") && line.contains(call)
        }
        #expect(calls == [], "\(path)")
      }
    }
  }
}
